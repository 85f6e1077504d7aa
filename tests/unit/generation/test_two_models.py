"""Two models: they write in two threads, and read the pieces of each other."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TypeAlias

import numpy as np
import pytest

from musicrel import jobs
from musicrel.chorale import Chorale, Key
from musicrel.errors import DataError
from musicrel.generation.candidates import candidate_job
from musicrel.generation.candidates.candidate_job import new_batch
from musicrel.generation.causal import causal_generator
from musicrel.generation.cell_constraints import Constraints
from musicrel.generation.cross_surprisal import cross_surprisal
from musicrel.generation.events import Generated
from musicrel.generation.infill.infill_generator import InfillBatch
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.generation.request import GenerationRequest
from tests.helpers.models import BOTH_SIDES, tiny_infill_directory, tiny_model_directory

Models: TypeAlias = tuple[LoadedModel, LoadedModel]
MINOR = GenerationRequest(bars=2, key=Key("D", "minor"), phrases=(1, 1), seed=4)


@pytest.fixture(scope="session")
def causal_pair(model: LoadedModel, tmp_path_factory: pytest.TempPathFactory) -> Models:
    folder = tmp_path_factory.mktemp("models") / "tiny-sinusoidal"
    return model, load_model(str(tiny_model_directory(folder, "sinusoidal")))


@pytest.fixture(scope="session")
def infill_pair(infill_model: LoadedModel, tmp_path_factory: pytest.TempPathFactory) -> Models:
    folder = tmp_path_factory.mktemp("models") / "tiny-infill-sinusoidal"
    return infill_model, load_model(str(tiny_infill_directory(folder, "sinusoidal", BOTH_SIDES)))


@pytest.fixture(scope="module")
def pieces(causal_pair: Models) -> tuple[Generated, Generated]:
    first, second = (jobs.run(causal_generator.generate(one, MINOR)) for one in causal_pair)
    return first, second


def chorales_of(pieces: tuple[Generated, Generated]) -> tuple[Chorale, Chorale]:
    return pieces[0].chorale, pieces[1].chorale


def naive_mean(piece: Chorale, models: Models, place: int) -> float:
    """Return the mean -log p of all cells by one pass over the whole piece, in float64."""
    model = models[place]
    ids = model.encode(piece)
    rows = model.condition_rows(piece, MINOR.given_conditions())
    logits = model.logits(ids, rows).astype(np.float64)[: len(ids) - 2]
    log_p = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
    return float(-log_p[np.arange(len(ids) - 2), ids[1:-1]].mean())


def test_models_that_write_at_the_same_time_write_as_they_do_alone(
    causal_pair: Models, pieces: tuple[Generated, Generated]
) -> None:
    def write(model: LoadedModel) -> Generated:
        return jobs.run(causal_generator.generate(model, MINOR))

    with ThreadPoolExecutor(max_workers=2) as threads:
        together = list(threads.map(write, causal_pair))

    for found, alone in zip(together, pieces, strict=True):
        assert np.array_equal(found.chorale.pitches, alone.chorale.pitches)
        assert found.chorale.provenance == alone.chorale.provenance


def test_the_surprisal_under_itself_is_that_of_the_writing(
    causal_pair: Models, pieces: tuple[Generated, Generated]
) -> None:
    result = jobs.run(cross_surprisal(causal_pair, chorales_of(pieces)))

    assert result[0][0] == pytest.approx(pieces[0].nats_per_note, abs=1e-5)
    assert result[1][1] == pytest.approx(pieces[1].nats_per_note, abs=1e-5)


def test_all_four_values_equal_a_naive_reading(
    causal_pair: Models, pieces: tuple[Generated, Generated]
) -> None:
    result = jobs.run(cross_surprisal(causal_pair, chorales_of(pieces)))

    for piece, means in zip(chorales_of(pieces), result, strict=True):
        expected = [naive_mean(piece, causal_pair, place) for place in range(2)]
        assert means == pytest.approx(expected, abs=1e-4)


def test_progress_counts_the_four_readings(
    causal_pair: Models, pieces: tuple[Generated, Generated]
) -> None:
    shares: list[float] = []
    jobs.run(cross_surprisal(causal_pair, chorales_of(pieces)), shares.append)

    assert shares == [0.25, 0.5, 0.75, 1.0]


def test_an_infilling_model_reads_each_note_given_all_others(infill_pair: Models) -> None:
    request = replace(MINOR, quality="draft")
    first, second = (
        jobs.run(candidate_job.generate_candidates(one, request, 1)).ranked[0].chorale
        for one in infill_pair
    )
    result = jobs.run(cross_surprisal(infill_pair, (first, second)))

    batch = new_batch(infill_pair[1], MINOR, Constraints.of(MINOR, infill_pair[1].vocabulary), [4])
    assert isinstance(batch, InfillBatch)
    assert result[0][1] == pytest.approx(batch.nats(first).mean(), abs=1e-6)


def test_a_piece_outside_the_vocabulary_is_refused(
    causal_pair: Models, pieces: tuple[Generated, Generated]
) -> None:
    low = Chorale.of(np.full((16, 4), 10))
    with pytest.raises(DataError, match="10"):
        jobs.run(cross_surprisal(causal_pair, (low, pieces[1].chorale)))
