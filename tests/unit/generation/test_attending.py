"""Reading a piece that is there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel import jobs
from musicrel.chorale import Key
from musicrel.generation.attending import ROWS_AT_ONCE, Rows, attend, told_of
from musicrel.generation.causal import generate
from musicrel.generation.events import GenerationStep
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.generation.surprisal import surprisal
from musicrel.tokens import conditions
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

    assert all(part.weights is None for part in rows)


def test_reading_tells_what_the_writer_did(model: LoadedModel) -> None:
    """The weights and the surprise of a piece it wrote itself, told the same conditions."""
    steps: list[GenerationStep] = []
    request = GenerationRequest(bars=2, phrases=(1, 1), seed=3)
    piece = jobs.run(generate(model, request, record=True), steps.append).chorale
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
