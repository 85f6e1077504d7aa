"""Two models: in lockstep, writing, and the surprisal of each piece under both."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
import pytest

from musicrel import jobs
from musicrel.chorale import Chorale, Key
from musicrel.errors import DataError, GenerationError
from musicrel.generation.candidates import candidate_job
from musicrel.generation.candidates.candidate_job import new_batch
from musicrel.generation.causal import causal_generator
from musicrel.generation.causal.batch import Progress
from musicrel.generation.events import Generated, GenerationStep
from musicrel.generation.infill.infill_generator import InfillBatch
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.generation.quality import QUALITIES
from musicrel.generation.request import GenerationRequest
from musicrel.generation.two_models.cross_surprisal import ReadingProgress, cross_surprisal
from musicrel.generation.two_models.lockstep import End, EventOfB, in_lockstep
from musicrel.jobs import Job
from tests.helpers.models import BOTH_SIDES, tiny_infill_directory, tiny_model_directory
from tests.helpers.music import random_chorale

Models: TypeAlias = tuple[LoadedModel, LoadedModel]
REQUEST = GenerationRequest(bars=2, key=Key("G", "major"), phrases=(1, 1), seed=11, top_p=0.9)
MINOR = GenerationRequest(bars=2, key=Key("D", "minor"), phrases=(1, 1), seed=4)


@pytest.fixture(scope="session")
def causal_pair(model: LoadedModel, tmp_path_factory: pytest.TempPathFactory) -> Models:
    folder = tmp_path_factory.mktemp("models") / "tiny-sinusoidal"
    return model, load_model(str(tiny_model_directory(folder, "sinusoidal")))


@pytest.fixture(scope="session")
def infill_pair(infill_model: LoadedModel, tmp_path_factory: pytest.TempPathFactory) -> Models:
    folder = tmp_path_factory.mktemp("models") / "tiny-infill-sinusoidal"
    return infill_model, load_model(str(tiny_infill_directory(folder, "sinusoidal", BOTH_SIDES)))


def counting(last: int, *, between: int = 0, error: Exception | None = None) -> Job[object, str]:
    """Yield the progress up to ``last``, each after some zeros; fail or return a text."""
    for number in range(1, last + 1):
        for _ in range(between):
            yield 0
        yield Progress(done=number, total=last)
    if error is not None:
        raise error
    return f"counted to {last}"


def number(event: object) -> object:
    if isinstance(event, EventOfB):
        return "B", number(event.event)
    return event.done if isinstance(event, Progress) else event


def same(one: Chorale, other: Chorale) -> bool:
    return np.array_equal(one.pitches, other.pitches) and np.array_equal(one.onsets, other.onsets)


def alone(model: LoadedModel, request: GenerationRequest) -> Generated:
    return jobs.run(causal_generator.generate(model, request))


def written(
    models: Models, request: GenerationRequest, *, record: bool = False
) -> tuple[list[object], list[Any]]:
    """Return all events, and the results of both, or the error of B."""
    first, second = (causal_generator.generate(one, request, record=record) for one in models)
    return both(in_lockstep(first, second))


def rewritten(
    models: Models, request: GenerationRequest, count: int, original: Chorale | None = None
) -> tuple[list[object], list[Any]]:
    first, second = (
        candidate_job.generate_candidates(one, request, count, original=original) for one in models
    )
    return both(in_lockstep(first, second))


def both(job: Job[object, object]) -> tuple[list[object], list[Any]]:
    events: list[object] = []
    result = jobs.run(job, events.append)
    (end,) = (event for event in events if isinstance(event, End))
    return events, [result, end.result or end.error]


def side(event: object) -> tuple[str, object]:
    return ("B", event.event) if isinstance(event, EventOfB) else ("A", event)


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


def test_each_job_runs_to_the_end_of_its_turn_and_the_end_of_b_is_an_event() -> None:
    events: list[object] = []
    result = jobs.run(in_lockstep(counting(3), counting(2, between=1)), events.append)

    assert result == "counted to 3"
    assert list(map(number, events)) == [
        1, ("B", 0), ("B", 1), 2, ("B", 0), ("B", 2), 3, End(result="counted to 2")
    ]  # fmt: skip


def test_a_job_that_fails_does_not_end_the_other_one() -> None:
    reason, events = DataError("no note is left"), list[object]()

    assert jobs.run(in_lockstep(counting(3), counting(1, error=reason)), events.append)
    assert End(error=reason) in events
    with pytest.raises(DataError, match="no note is left"):
        jobs.run(in_lockstep(counting(1, error=reason), counting(3)), events.append)
    assert events[-1] == End(result="counted to 3")


def test_an_error_of_the_program_ends_both() -> None:
    with pytest.raises(ZeroDivisionError):
        jobs.run(in_lockstep(counting(1, error=ZeroDivisionError()), counting(3)))


def test_closing_it_closes_both_jobs() -> None:
    closed: list[str] = []

    def endless(name: str) -> Job[Progress, str]:
        try:
            while True:
                yield Progress(done=1, total=2)
        finally:
            closed.append(name)

    both = in_lockstep(endless("A"), endless("B"))
    for _ in range(3):
        next(both)
    both.close()

    assert sorted(closed) == ["A", "B"]


@pytest.mark.parametrize("quality", sorted(QUALITIES))
@pytest.mark.parametrize("seed", [3, 11])
def test_both_pieces_are_those_that_the_models_write_alone(
    causal_pair: Models, quality: str, seed: int
) -> None:
    request = replace(REQUEST, quality=quality, seed=seed)
    for found, model in zip(written(causal_pair, request)[1], causal_pair, strict=True):
        expected = alone(model, request)
        assert same(found.chorale, expected.chorale)
        assert found.chorale.provenance == expected.chorale.provenance
        assert found.nats_per_note == expected.nats_per_note


def test_the_models_write_quarter_by_quarter_in_turn(causal_pair: Models) -> None:
    events, _ = written(causal_pair, replace(REQUEST, quality="high"))

    notes = [
        (event.index, letter)
        for letter, event in map(side, events)
        if isinstance(event, GenerationStep)
    ]
    assert notes == [
        (16 * quarter + note, letter)
        for quarter in range(8)
        for letter in "AB"
        for note in range(1, 17)
    ]


def test_the_attention_of_both_is_recorded(causal_pair: Models) -> None:
    steps = [event for _, event in map(side, written(causal_pair, REQUEST, record=True)[0])]
    weights = [step.attention for step in steps if isinstance(step, GenerationStep)]
    assert len(weights) == 2 * 4 * 32
    assert all(row is not None and row.shape[:2] == (2, 2) for row in weights)


def test_a_model_of_another_family_does_not_stop_the_other(
    model: LoadedModel, infill_model: LoadedModel
) -> None:
    first, second = written((model, infill_model), REQUEST)[1]

    assert same(first.chorale, alone(model, REQUEST).chorale)
    assert isinstance(second, GenerationError)
    assert "does not write in order" in str(second)


@pytest.mark.parametrize("count", [1, 2])
def test_both_models_rewrite_as_they_do_alone(infill_pair: Models, count: int) -> None:
    piece = random_chorale(2, 32)
    free = np.zeros((piece.steps, 4), dtype=np.bool_)
    free[8:20, 1] = True
    request = GenerationRequest.rewriting(piece, free, seed=5, quality="draft", rules=())
    results = rewritten(infill_pair, request, count, piece)[1]

    for result, model in zip(results, infill_pair, strict=True):
        expected = jobs.run(
            candidate_job.generate_candidates(model, request, count, original=piece)
        )
        assert len(result.ranked) == count
        for found, wanted in zip(result.ranked, expected.ranked, strict=True):
            assert same(found.chorale, wanted.chorale)
            assert found.seed == wanted.seed
            assert np.array_equal(found.chorale.pitches[~free], piece.pitches[~free])


def test_the_models_rewrite_pass_by_pass_in_turn(infill_pair: Models) -> None:
    """Neither model is more than one event ahead until the other one has ended."""
    request = GenerationRequest(bars=1, seed=2, quality="draft")
    events, _ = rewritten(infill_pair, request, 1)

    last = max(n for n, event in enumerate(events) if isinstance(event, EventOfB))
    sides = [side(event)[0] for event in events[:last]]
    assert sides == list("AB" * len(sides))[: len(sides)]
    assert len(sides) > 4


def test_the_surprisal_under_itself_is_that_of_the_writing(
    causal_pair: Models, pieces: tuple[Generated, Generated]
) -> None:
    result = jobs.run(cross_surprisal(causal_pair, chorales_of(pieces)))

    assert result.mean("A", "A") == pytest.approx(pieces[0].nats_per_note, abs=1e-5)
    assert result.mean("B", "B") == pytest.approx(pieces[1].nats_per_note, abs=1e-5)


def test_all_four_values_equal_a_naive_reading(
    causal_pair: Models, pieces: tuple[Generated, Generated]
) -> None:
    result = jobs.run(cross_surprisal(causal_pair, chorales_of(pieces)))

    for piece_side, piece in zip("AB", chorales_of(pieces), strict=True):
        for place, model_side in enumerate("AB"):
            expected = naive_mean(piece, causal_pair, place)
            assert result.nats[piece_side, model_side].shape == (piece.steps, 4)  # type: ignore[index]
            found = result.mean(piece_side, model_side)  # type: ignore[arg-type]
            assert found == pytest.approx(expected, abs=1e-4)


def test_progress_counts_the_four_readings(
    causal_pair: Models, pieces: tuple[Generated, Generated]
) -> None:
    events: list[ReadingProgress] = []
    jobs.run(cross_surprisal(causal_pair, chorales_of(pieces)), events.append)

    assert [event.share for event in events] == [0.25, 0.5, 0.75, 1.0]


def test_an_infilling_model_reads_each_note_given_all_others(infill_pair: Models) -> None:
    request = replace(MINOR, quality="draft")
    first, second = (
        jobs.run(candidate_job.generate_candidates(one, request, 1)).ranked[0].chorale
        for one in infill_pair
    )
    result = jobs.run(cross_surprisal(infill_pair, (first, second)))

    batch = new_batch(infill_pair[1], MINOR, MINOR.constraints(infill_pair[1].vocabulary), [4])
    assert isinstance(batch, InfillBatch)
    np.testing.assert_allclose(result.nats["A", "B"], batch.nats(first), atol=1e-6)


def test_a_piece_outside_the_vocabulary_is_refused(
    causal_pair: Models, pieces: tuple[Generated, Generated]
) -> None:
    low = Chorale.of(np.full((16, 4), 10))
    with pytest.raises(DataError, match="10"):
        jobs.run(cross_surprisal(causal_pair, (low, pieces[1].chorale)))
