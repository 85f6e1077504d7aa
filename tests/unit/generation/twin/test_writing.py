"""Writing with two models in lockstep."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel import jobs
from musicrel.chorale import Chorale, Key
from musicrel.errors import GenerationError
from musicrel.generation.candidates import candidate_job
from musicrel.generation.candidates.candidate_job import CandidateSet
from musicrel.generation.causal import causal_generator
from musicrel.generation.events import Generated, GenerationStep
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.quality import QUALITIES
from musicrel.generation.request import GenerationRequest
from musicrel.generation.twin.lockstep import Ends, SideEnd, SideEvent
from musicrel.generation.twin.writing import in_lockstep
from musicrel.jobs import Job
from tests.helpers.music import random_chorale
from tests.unit.generation.twin.conftest import Models

REQUEST = GenerationRequest(bars=2, key=Key("G", "major"), phrases=(1, 1), seed=11, top_p=0.9)


def same(one: Chorale, other: Chorale) -> bool:
    return np.array_equal(one.pitches, other.pitches) and np.array_equal(one.onsets, other.onsets)


def alone(model: LoadedModel, request: GenerationRequest) -> Generated:
    return jobs.run(causal_generator.generate(model, request))


def written(
    models: Models, request: GenerationRequest, *, record: bool = False
) -> Job[object, Ends[Generated]]:
    """Return the job of both models."""
    first, second = (causal_generator.generate(one, request, record=record) for one in models)
    return in_lockstep((first, second))


def rewritten(
    models: Models, request: GenerationRequest, count: int, original: Chorale | None = None
) -> Job[object, Ends[CandidateSet]]:
    """Return the job of the candidates of both models."""
    first, second = (
        candidate_job.generate_candidates(one, request, count, original=original) for one in models
    )
    return in_lockstep((first, second))


@pytest.mark.parametrize("quality", sorted(QUALITIES))
@pytest.mark.parametrize("seed", [3, 11])
def test_both_pieces_are_those_that_the_models_write_alone(
    causal_pair: Models, quality: str, seed: int
) -> None:
    """Notes, provenance and surprisal are equal, with searches and without."""
    request = replace(REQUEST, quality=quality, seed=seed)
    ends = jobs.run(written(causal_pair, request))

    for end, model in zip(ends, causal_pair, strict=True):
        expected = alone(model, request)
        assert end.result is not None
        assert same(end.result.chorale, expected.chorale)
        assert end.result.chorale.provenance == expected.chorale.provenance
        assert end.result.nats_per_note == expected.nats_per_note


def test_the_models_write_quarter_by_quarter_in_turn(causal_pair: Models) -> None:
    """Each quarter of B follows that of A, whatever searches need."""
    events: list[object] = []
    jobs.run(written(causal_pair, replace(REQUEST, quality="high")), events.append)

    notes = [
        (event.event.index, event.side)
        for event in events
        if isinstance(event, SideEvent) and isinstance(event.event, GenerationStep)
    ]
    assert notes == [
        (16 * quarter + note, side)
        for quarter in range(8)
        for side in "AB"
        for note in range(1, 17)
    ]


def test_the_attention_of_both_is_recorded(causal_pair: Models) -> None:
    """Every step of both has the weights over all tokens before."""
    events: list[object] = []
    jobs.run(written(causal_pair, REQUEST, record=True), events.append)

    steps = [event.event for event in events if isinstance(event, SideEvent)]
    weights = [step.attention for step in steps if isinstance(step, GenerationStep)]
    assert len(weights) == 2 * 4 * 32
    assert all(row is not None and row.shape[:2] == (2, 2) for row in weights)


def test_a_model_of_another_family_does_not_stop_the_other(
    model: LoadedModel, infill_model: LoadedModel
) -> None:
    """Its end has the reason, and the piece of the other one is complete."""
    first, second = jobs.run(written((model, infill_model), REQUEST))

    assert first.result is not None
    assert same(first.result.chorale, alone(model, REQUEST).chorale)
    assert isinstance(second.error, GenerationError)
    assert "does not write in order" in str(second.error)


@pytest.mark.parametrize("count", [1, 2])
def test_both_models_rewrite_as_they_do_alone(infill_pair: Models, count: int) -> None:
    """Every candidate of both models has the notes it has without the other model."""
    piece = random_chorale(2, 32)
    free = np.zeros((piece.steps, 4), dtype=np.bool_)
    free[8:20, 1] = True
    request = GenerationRequest.rewriting(piece, free, seed=5, quality="draft", rules=())
    ends = jobs.run(rewritten(infill_pair, request, count, piece))

    for end, model in zip(ends, infill_pair, strict=True):
        expected = jobs.run(
            candidate_job.generate_candidates(model, request, count, original=piece)
        )
        assert end.result is not None
        assert len(end.result.ranked) == count
        for found, wanted in zip(end.result.ranked, expected.ranked, strict=True):
            assert same(found.chorale, wanted.chorale)
            assert found.seed == wanted.seed
            assert np.array_equal(found.chorale.pitches[~free], piece.pitches[~free])


def test_the_models_rewrite_pass_by_pass_in_turn(infill_pair: Models) -> None:
    """Neither model is more than one event ahead until the other one has ended."""
    request = GenerationRequest(bars=1, seed=2, quality="draft")
    events: list[object] = []
    jobs.run(rewritten(infill_pair, request, 1), events.append)

    first_end = next(n for n, event in enumerate(events) if isinstance(event, SideEnd))
    sides = [event.side for event in events[:first_end] if isinstance(event, SideEvent)]
    assert sides == list("AB" * len(sides))[: len(sides)]
    assert len(sides) > 4
