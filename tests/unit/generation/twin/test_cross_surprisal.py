"""Surprisal of two pieces under two models."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel import jobs
from musicrel.chorale import Chorale, Key
from musicrel.errors import DataError
from musicrel.generation.candidates import candidate_job
from musicrel.generation.candidates.candidate_job import new_batch
from musicrel.generation.causal import causal_generator
from musicrel.generation.events import Generated
from musicrel.generation.infill.infill_generator import InfillBatch
from musicrel.generation.request import GenerationRequest
from musicrel.generation.twin.cross_surprisal import ReadingProgress, cross_surprisal
from tests.unit.generation.twin.conftest import Models

REQUEST = GenerationRequest(bars=2, key=Key("D", "minor"), phrases=(1, 1), seed=4)


@pytest.fixture(scope="module")
def written(causal_pair: Models) -> tuple[Generated, Generated]:
    """Write a piece with each of both models."""
    first, second = (jobs.run(causal_generator.generate(one, REQUEST)) for one in causal_pair)
    return first, second


def pieces_of(written: tuple[Generated, Generated]) -> tuple[Chorale, Chorale]:
    return written[0].chorale, written[1].chorale


def naive_mean(piece: Chorale, models: Models, place: int) -> float:
    """Return the mean -log p of all cells by one pass over the whole piece, in float64."""
    model = models[place]
    ids = model.encode(piece)
    rows = model.condition_rows(piece, REQUEST.given_conditions())
    logits = model.logits(ids, rows).astype(np.float64)[: len(ids) - 2]
    log_p = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
    return float(-log_p[np.arange(len(ids) - 2), ids[1:-1]].mean())


def test_the_surprisal_under_itself_is_that_of_the_writing(
    causal_pair: Models, written: tuple[Generated, Generated]
) -> None:
    """Reading a piece gives the sum that its writing gave."""
    result = jobs.run(cross_surprisal(causal_pair, pieces_of(written)))

    assert result.mean("A", "A") == pytest.approx(written[0].nats_per_note, abs=1e-5)
    assert result.mean("B", "B") == pytest.approx(written[1].nats_per_note, abs=1e-5)


def test_all_four_values_equal_a_naive_reading(
    causal_pair: Models, written: tuple[Generated, Generated]
) -> None:
    """Piece and model are not mixed up."""
    result = jobs.run(cross_surprisal(causal_pair, pieces_of(written)))

    for piece_side, piece in zip("AB", pieces_of(written), strict=True):
        for place, model_side in enumerate("AB"):
            expected = naive_mean(piece, causal_pair, place)
            assert result.nats[piece_side, model_side].shape == (piece.steps, 4)  # type: ignore[index]
            found = result.mean(piece_side, model_side)  # type: ignore[arg-type]
            assert found == pytest.approx(expected, abs=1e-4)


def test_progress_counts_the_four_readings(
    causal_pair: Models, written: tuple[Generated, Generated]
) -> None:
    """It can be stopped between two of them."""
    events: list[ReadingProgress] = []
    jobs.run(cross_surprisal(causal_pair, pieces_of(written)), events.append)

    assert [event.share for event in events] == [0.25, 0.5, 0.75, 1.0]


def test_an_infilling_model_reads_each_note_given_all_others(infill_pair: Models) -> None:
    """The values are those of its own candidates."""
    request = replace(REQUEST, quality="draft")
    first, second = (
        jobs.run(candidate_job.generate_candidates(one, request, 1)).ranked[0].chorale
        for one in infill_pair
    )
    result = jobs.run(cross_surprisal(infill_pair, (first, second)))

    batch = new_batch(infill_pair[1], REQUEST, REQUEST.constraints(infill_pair[1].vocabulary), [4])
    assert isinstance(batch, InfillBatch)
    np.testing.assert_allclose(result.nats["A", "B"], batch.nats(first), atol=1e-6)


def test_a_piece_outside_the_vocabulary_is_refused(
    causal_pair: Models, written: tuple[Generated, Generated]
) -> None:
    """The sentence names the note."""
    low = Chorale.of(np.full((16, 4), 10))
    with pytest.raises(DataError, match="10"):
        jobs.run(cross_surprisal(causal_pair, (low, written[1].chorale)))
