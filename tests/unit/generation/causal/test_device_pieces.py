"""Pieces written side by side as on a GPU, tried on the CPU, are those written alone."""
# ruff: noqa: N803  # shape suffixes: rows_BNC

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from musicrel import jobs
from musicrel.chorale import Key, Meter, Voice
from musicrel.errors import GenerationError
from musicrel.generation import quality
from musicrel.generation.candidates import candidate_job
from musicrel.generation.candidates.candidate_job import generate_piece, generate_pieces
from musicrel.generation.causal import causal_generator, device_pieces
from musicrel.generation.constraints.locks import Locks
from musicrel.generation.events import Generated, GenerationStep, NoLegalNoteError, PhraseEndTrial
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.jobs import Job
from musicrel.model.torch_reader import TorchReader
from tests.helpers.music import random_chorale

WALTZ = GenerationRequest(bars=1, meter=Meter(3, 4), phrases=(1,), rules=("crossing",))
MARCH = replace(WALTZ, meter=Meter(2, 4), key=Key("G", "minor"))
BAR_FORM = replace(WALTZ, bars=3, meter=Meter(4, 4), phrases=(1, 1, 1), form="aab")


def melody(request: GenerationRequest) -> GenerationRequest:
    given = np.zeros((request.steps, 4), dtype=np.bool_)
    given[:, Voice.SOPRANO] = True
    return replace(request, locks=Locks.of(random_chorale(4, request.steps), given))


FORMS = [WALTZ, melody(MARCH), replace(MARCH, cadence="half")]
DRAFTS = [replace(one, quality="draft") for one in (WALTZ, MARCH, WALTZ)]


@pytest.fixture(autouse=True)
def _two_particles(monkeypatch: pytest.MonkeyPatch) -> None:
    levels = {name: replace(quality.QUALITIES[name], particles=2) for name in quality.QUALITIES}
    levels["draft"] = quality.QUALITIES["draft"]
    for module in (causal_generator, device_pieces):
        monkeypatch.setattr(module, "QUALITIES", levels)


def seeded(requests: list[GenerationRequest], count: int) -> list[GenerationRequest]:
    return [replace(requests[seed % len(requests)], seed=seed) for seed in range(count)]


def notes(generated: Generated) -> bytes:
    return generated.chorale.pitches.tobytes() + generated.chorale.onsets.tobytes()


def alone(model: LoadedModel, requests: list[GenerationRequest]) -> list[bytes]:
    return [notes(jobs.run(generate_piece(model, request))) for request in requests]


def together(model: LoadedModel, requests: list[GenerationRequest]) -> list[bytes]:
    return [notes(jobs.run(job)) for job in generate_pieces(model, requests)]


@pytest.mark.parametrize(
    "requests", [[WALTZ], [WALTZ, BAR_FORM, melody(WALTZ)], seeded(FORMS, 10)], ids=["1", "3", "10"]
)
def test_pieces_of_other_forms_written_side_by_side_are_those_written_alone(
    on_device: LoadedModel, requests: list[GenerationRequest]
) -> None:
    """Lengths, meters, keys, given notes, cadences and numbers of attempts differ."""
    assert together(on_device, requests) == alone(on_device, requests)


def test_drafts_of_several_lengths_are_those_written_alone(on_device: LoadedModel) -> None:
    assert together(on_device, DRAFTS) == alone(on_device, DRAFTS)


def test_what_does_not_fit_in_memory_is_written_in_parts(
    on_device: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, open_reader = list[int](), LoadedModel.reader

    def small(self: LoadedModel, rows_BNC: Any, **options: Any) -> Any:
        opened.append(len(rows_BNC))
        if len(rows_BNC) > 2:
            raise MemoryError
        return open_reader(self, rows_BNC, **options)

    expected = alone(on_device, DRAFTS)
    monkeypatch.setattr(LoadedModel, "reader", small)
    assert together(on_device, DRAFTS) == expected
    assert opened == [3, 2, 1]


def test_many_pieces_are_written_some_at_a_time(
    on_device: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(device_pieces, "_AT_ONCE", 2)
    works = list(generate_pieces(on_device, DRAFTS))
    assert [len(list(work)) > 0 for work in works] == [True, False, True]


def test_a_piece_without_a_legal_note_is_reported_in_its_turn(
    on_device: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    raising(monkeypatch, lambda: NoLegalNoteError("no note is left", written=None))
    first, second, third = generate_pieces(on_device, DRAFTS)

    assert jobs.run(first).tokens == 48
    with pytest.raises(NoLegalNoteError, match="no note is left"):
        jobs.run(second)
    assert jobs.run(third).tokens == 48


def raising(monkeypatch: pytest.MonkeyPatch, error: Callable[[], Exception]) -> None:
    """Let the piece in two quarters fail after some notes."""
    write = causal_generator.generate

    def failing(
        model: LoadedModel, request: GenerationRequest
    ) -> Job[GenerationStep | PhraseEndTrial, Generated]:
        with closing(write(model, request)) as job:
            for number, event in enumerate(job):
                yield event
                if number == 10 and request.meter == Meter(2, 4):
                    raise error()
        return (yield from write(model, request))

    monkeypatch.setattr(causal_generator, "generate", failing)


@pytest.fixture
def _no_threads_are_left() -> Iterator[None]:
    before = threading.active_count()
    yield
    assert threading.active_count() == before


@pytest.mark.usefixtures("_no_threads_are_left")
def test_the_failure_of_one_piece_ends_all(
    on_device: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    raising(monkeypatch, lambda: GenerationError("the weights are broken"))
    with pytest.raises(GenerationError, match="the weights are broken"):
        together(on_device, DRAFTS)


@pytest.mark.usefixtures("_no_threads_are_left")
def test_a_failing_device_ends_all_pieces(
    on_device: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TorchReader, "advance", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        together(on_device, DRAFTS)


@pytest.mark.usefixtures("_no_threads_are_left")
def test_pieces_can_be_cancelled(on_device: LoadedModel) -> None:
    first, *_ = generate_pieces(on_device, DRAFTS)
    with closing(first) as job:
        assert next(job) is not None


def test_memory_is_freed_with_the_last_piece(
    on_device: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    there, shared_steps = list[Any](), device_pieces._SharedSteps

    def noted(*arguments: Any) -> device_pieces._SharedSteps:
        shared = shared_steps(*arguments)
        shared.reader._graphs.clear()  # the steps that stand for graphs here refer to their reader
        shared.reader._capture = None
        there.append(weakref.ref(shared.reader))
        return shared

    monkeypatch.setattr(device_pieces, "_SharedSteps", noted)
    gc.disable()
    try:
        together(on_device, DRAFTS)
        assert [one() for one in there] == [None]
    finally:
        gc.enable()


@pytest.mark.parametrize(
    "change",
    [{"rules": ()}, {"top_p": 0.5}, {"quality": "high"}],
    ids=str,
)
def test_pieces_that_differ_in_more_than_their_form_are_written_alone(
    on_device: LoadedModel, monkeypatch: pytest.MonkeyPatch, change: dict[str, Any]
) -> None:
    monkeypatch.setattr(candidate_job, "generate_piece", lambda _, request: request)
    requests = [WALTZ, replace(WALTZ, **change)]
    assert [*map(id, generate_pieces(on_device, requests))] == [*map(id, requests)]


def test_a_cpu_writes_one_piece_after_the_other(
    model: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(candidate_job, "generate_piece", lambda _, request: request)
    assert [*map(id, generate_pieces(model, DRAFTS))] == [*map(id, DRAFTS)]
