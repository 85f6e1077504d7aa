"""Teacher forcing over an existing piece."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from musicrel import jobs
from musicrel.chorale import Key, Voice
from musicrel.experiment.objectives.evaluation import evaluate
from musicrel.generation.causal.causal_generator import generate
from musicrel.generation.events import GenerationStep, PhraseEndTrial
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.generation.request import GenerationRequest
from musicrel.generation.scoring.teacher_forcing import (
    ROWS_AT_ONCE,
    CellScores,
    conditions_of,
    score_cells,
    tokens_of_voices,
)
from musicrel.model.tokens import conditions
from tests.helpers.known import known
from tests.helpers.models import tiny_cross_attention_directory
from tests.helpers.music import random_chorale
from tests.helpers.surprisal import surprisal

GIVEN = conditions.POSITIONAL


def read(model: LoadedModel, steps: int) -> list[CellScores]:
    rows: list[CellScores] = []
    jobs.run(score_cells(model, random_chorale(4, steps), GIVEN), rows.append)
    return rows


def test_weights_in_parts_equal_those_of_one_pass(any_model: LoadedModel) -> None:
    piece = random_chorale(4, 40)
    whole = any_model.attention(any_model.encode(piece), any_model.condition_rows(piece, GIVEN))

    for rows in read(any_model, 40):
        assert rows.weights is not None
        _, _, count, seen = rows.weights.shape
        expected = whole[:, :, rows.first : rows.first + count, :seen]
        np.testing.assert_allclose(rows.weights, expected, atol=1e-5)


def test_the_kernel_and_torch_give_the_same_scores(any_model: LoadedModel) -> None:
    without_kernel = replace(any_model, may_compile=False)

    for found, expected in zip(read(any_model, 40), read(without_kernel, 40), strict=True):
        assert found.first == expected.first
        np.testing.assert_allclose(found.nats, expected.nats, atol=1e-4)
        np.testing.assert_allclose(known(found.weights), known(expected.weights), atol=1e-5)


def test_scores_come_in_order_and_are_complete(model: LoadedModel) -> None:
    parts = [(rows.first, len(rows.nats)) for rows in read(model, 40)]

    assert parts == [(0, ROWS_AT_ONCE), (64, ROWS_AT_ONCE), (128, 32)]


def test_surprisal_equals_that_of_one_pass(any_model: LoadedModel) -> None:
    nats = np.concatenate([rows.nats for rows in read(any_model, 40)])

    expected = surprisal(any_model, random_chorale(4, 40), GIVEN).ravel()
    np.testing.assert_allclose(nats, expected, atol=1e-4)


def test_the_mean_surprisal_is_that_of_the_evaluation(any_model: LoadedModel) -> None:
    nats = np.concatenate([rows.nats for rows in read(any_model, 40)])

    result = jobs.run(
        evaluate(any_model.network, [random_chorale(4, 40)], any_model.vocabulary, GIVEN)
    )
    assert float(nats.mean()) == pytest.approx(result.nats_per_note, rel=1e-5)


def test_weights_are_recorded_on_request_only(model: LoadedModel) -> None:
    rows: list[CellScores] = []
    jobs.run(score_cells(model, random_chorale(4, 20), GIVEN, record=False), rows.append)

    assert all(part.weights is None and part.cross_weights is None for part in rows)


def test_a_model_without_cross_attention_has_no_cross_weights(model: LoadedModel) -> None:
    assert all(rows.cross_weights is None for rows in read(model, 20))


def test_cross_weights_cover_all_given_steps(tmp_path: Path) -> None:
    model, piece = (
        load_model(str(tiny_cross_attention_directory(tmp_path / "tiny"))),
        random_chorale(4),
    )
    maps = []
    for voices in ((Voice.SOPRANO,), ()):
        rows: list[CellScores] = []
        jobs.run(
            score_cells(model, piece, GIVEN, tokens_of_voices(model, piece, voices)), rows.append
        )
        parts = [part.cross_weights for part in rows if part.cross_weights is not None]
        maps.append(np.concatenate(parts, axis=2))
    for cross_weights in maps:
        assert cross_weights.shape == (2, 2, 4 * piece.steps, piece.steps)
        np.testing.assert_allclose(cross_weights.sum(-1), 1.0, atol=1e-5)
    assert np.abs(maps[0] - maps[1]).max() > 1e-3


def test_the_tokens_of_a_voice_are_those_of_its_cells(model: LoadedModel) -> None:
    piece = random_chorale(4, 3)
    locked_tokens = tokens_of_voices(model, piece, (Voice.ALTO, Voice.BASS)).reshape(3, 4)

    expected = model.encode(piece)[1:-1].reshape(3, 4)
    assert (locked_tokens[:, [0, 2]] == -1).all()
    assert (locked_tokens[:, [1, 3]] == expected[:, [1, 3]]).all()


def test_scores_equal_those_recorded_in_generation(model: LoadedModel) -> None:
    events: list[GenerationStep | PhraseEndTrial] = []
    request = GenerationRequest(bars=2, phrases=(1, 1), seed=3)
    piece = jobs.run(generate(model, request, record=True), events.append).chorale
    steps = [event for event in events if isinstance(event, GenerationStep)]
    rows: list[CellScores] = []
    jobs.run(score_cells(model, piece, conditions_of(piece)), rows.append)

    nats = np.concatenate([part.nats for part in rows])
    np.testing.assert_allclose(nats, [-step.log_probability for step in steps], atol=1e-4)
    assert steps[9].attention is not None
    np.testing.assert_allclose(known(rows[0].weights)[:, :, 9, :10], steps[9].attention, atol=1e-5)


def test_conditions_come_from_the_provenance(model: LoadedModel) -> None:
    request = GenerationRequest(bars=1, phrases=(1,), key=Key("D", "major"))
    piece = jobs.run(generate(model, request)).chorale
    stopped = replace(known(piece.provenance), settings=request.to_json() | {"written_steps": 4})

    assert conditions_of(piece) == request.given_conditions()
    assert conditions_of(random_chorale(1)) == tuple(GIVEN)
    assert "ending" not in conditions_of(replace(piece, provenance=stopped))


@pytest.mark.parametrize("settings", [{}, {"meter": 7}])
def test_damaged_settings_give_positional_conditions(
    model: LoadedModel, settings: dict[str, object]
) -> None:
    piece = jobs.run(generate(model, GenerationRequest(bars=1))).chorale
    damaged = replace(known(piece.provenance), settings=settings)

    assert conditions_of(replace(piece, provenance=damaged)) == tuple(GIVEN)
