"""Reading a piece that is there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from musicrel import jobs
from musicrel.chorale import Key, Voice
from musicrel.generation.causal.causal_generator import generate
from musicrel.generation.events import GenerationStep, Trying
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.generation.request import GenerationRequest
from musicrel.generation.scoring.surprisal import surprisal
from musicrel.generation.scoring.teacher_forcing import (
    ROWS_AT_ONCE,
    Rows,
    attend,
    tokens_of,
    told_of,
)
from musicrel.tokens import conditions
from tests.helpers.models import tiny_looking_directory
from tests.helpers.music import random_chorale

GIVEN = conditions.FROM_PLACE_ALONE


def read(model: LoadedModel, steps: int) -> list[Rows]:
    rows: list[Rows] = []
    jobs.run(attend(model, random_chorale(4, steps), GIVEN), rows.append)
    return rows


def test_rows_are_those_of_the_whole_piece(any_model: LoadedModel) -> None:
    """A few at a time, as if all had been read at once: with every scheme."""
    piece = random_chorale(4, 40)
    whole = any_model.attention(any_model.encode(piece), any_model.condition_rows(piece, GIVEN))

    for rows in read(any_model, 40):
        assert rows.weights is not None
        _, _, count, seen = rows.weights.shape
        expected = whole[:, :, rows.first : rows.first + count, :seen]
        np.testing.assert_allclose(rows.weights, expected, atol=1e-5)


def test_rows_come_in_order_and_are_all_there(model: LoadedModel) -> None:
    """One for each cell; that of END is nobody's."""
    parts = [(rows.first, len(rows.nats)) for rows in read(model, 40)]

    assert parts == [(0, ROWS_AT_ONCE), (64, ROWS_AT_ONCE), (128, 32)]


def test_surprise_is_that_of_surprisal(any_model: LoadedModel) -> None:
    """The same figure by another way."""
    nats = np.concatenate([rows.nats for rows in read(any_model, 40)])

    expected = surprisal(any_model, random_chorale(4, 40), GIVEN).ravel()
    np.testing.assert_allclose(nats, expected, atol=1e-4)


def test_weights_are_left_out_where_nobody_wants_them(model: LoadedModel) -> None:
    """As for pieces too long to keep them."""
    rows: list[Rows] = []
    jobs.run(attend(model, random_chorale(4, 20), GIVEN, record=False), rows.append)

    assert all(part.weights is None and part.across is None for part in rows)


def test_a_model_that_does_not_look_across_says_so(model: LoadedModel) -> None:
    """There is nothing to look at."""
    assert all(rows.across is None for rows in read(model, 20))


def test_every_cell_looks_at_all_steps_of_what_is_given(tmp_path: Path) -> None:
    """Rows that sum to one, of all layers and heads; another melody is looked at otherwise."""
    looking, piece = load_model(str(tiny_looking_directory(tmp_path / "tiny"))), random_chorale(4)
    maps = []
    for voices in ((Voice.SOPRANO,), ()):
        rows: list[Rows] = []
        jobs.run(attend(looking, piece, GIVEN, tokens_of(looking, piece, voices)), rows.append)
        parts = [part.across for part in rows if part.across is not None]
        maps.append(np.concatenate(parts, axis=2))
    for across in maps:
        assert across.shape == (2, 2, 4 * piece.steps, piece.steps)
        np.testing.assert_allclose(across.sum(-1), 1.0, atol=1e-5)
    assert np.abs(maps[0] - maps[1]).max() > 1e-3


def test_the_tokens_of_a_voice_are_those_of_its_cells(model: LoadedModel) -> None:
    """-1 in the others."""
    piece = random_chorale(4, 3)
    fixed = tokens_of(model, piece, (Voice.ALTO, Voice.BASS)).reshape(3, 4)

    expected = model.encode(piece)[1:-1].reshape(3, 4)
    assert (fixed[:, [0, 2]] == -1).all()
    assert (fixed[:, [1, 3]] == expected[:, [1, 3]]).all()


def test_reading_tells_what_the_writer_did(model: LoadedModel) -> None:
    """The weights and the surprise of a piece it wrote itself, told the same conditions."""
    events: list[GenerationStep | Trying] = []
    request = GenerationRequest(bars=2, phrases=(1, 1), seed=3)
    piece = jobs.run(generate(model, request, record=True), events.append).chorale
    steps = [event for event in events if isinstance(event, GenerationStep)]
    rows: list[Rows] = []
    jobs.run(attend(model, piece, told_of(piece)), rows.append)

    nats = np.concatenate([part.nats for part in rows])
    np.testing.assert_allclose(nats, [-step.log_probability for step in steps], atol=1e-4)
    assert rows[0].weights is not None
    assert steps[9].attention is not None
    np.testing.assert_allclose(rows[0].weights[:, :, 9, :10], steps[9].attention, atol=1e-5)


def test_conditions_are_the_writers_where_they_are_known(model: LoadedModel) -> None:
    """Those of the grid where they are not; the end of a stopped piece is not the one planned."""
    request = GenerationRequest(bars=1, phrases=(1,), key=Key("D", "major"))
    piece = jobs.run(generate(model, request)).chorale
    assert piece.provenance is not None
    stopped = replace(piece.provenance, settings=request.to_json() | {"written_steps": 4})

    assert told_of(piece) == request.told()
    assert told_of(random_chorale(1)) == tuple(GIVEN)
    assert "ending" not in told_of(replace(piece, provenance=stopped))


@pytest.mark.parametrize("settings", [{}, {"meter": 7}])
def test_damaged_settings_are_no_obstacle(model: LoadedModel, settings: dict[str, object]) -> None:
    """The grid is always known."""
    piece = jobs.run(generate(model, GenerationRequest(bars=1))).chorale
    assert piece.provenance is not None
    damaged = replace(piece.provenance, settings=settings)

    assert told_of(replace(piece, provenance=damaged)) == tuple(GIVEN)
