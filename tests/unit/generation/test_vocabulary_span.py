"""Proposals for a piece that was moved into the models' span."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from musicrel import jobs
from musicrel.analysis import grade_reference
from musicrel.chorale import Chorale, Key, Voice
from musicrel.generation import edit_requests
from musicrel.generation.candidates import candidate_job
from musicrel.generation.candidates.candidate_job import Candidate, Event, Proposals, Stuck
from musicrel.generation.candidates.measures import Judge
from musicrel.generation.constraints.locks import UNKNOWN
from musicrel.generation.infill.infill_generator import Settling
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.vocabulary_span import moved_back
from musicrel.jobs import Job
from tests.helpers.music import random_chorale

HIGH = Chorale.of([(84, 79, 76, 60), (86, 79, 74, 62)] * 8, key=Key("Gb", "major"))
MOVED, DOWN = edit_requests.within_span(HIGH)


def rewritten(model: LoadedModel) -> Job[Event, Proposals]:
    """Two versions of alto and tenor in its last bar's second half."""
    request = edit_requests.infilling(MOVED, [Voice.ALTO, Voice.TENOR], 8, 16, rules=())
    judge = Judge(grade_reference.load().reference, [random_chorale(0, 40)])
    return candidate_job.propose(model, request, 2, original=MOVED, judge=judge)


def told_of(job: Job[Event, Proposals]) -> tuple[Proposals, list[Any]]:
    events: list[Any] = []
    return jobs.run(job, events.append), events


@pytest.mark.parametrize("which", ["model", "infill_model"])
def test_what_was_kept_comes_back_as_it_was(which: str, request: pytest.FixtureRequest) -> None:
    """Pitches and the key's spelling; what was written moves with them."""
    model: LoadedModel = request.getfixturevalue(which)
    assert DOWN == -5
    plain, _ = told_of(rewritten(model))
    made, events = told_of(moved_back(rewritten(model), DOWN, HIGH.key))

    assert made.original is not None
    assert made.original.chorale == HIGH
    for one, there in zip(made.ranked, plain.ranked, strict=True):
        kept = one.chorale.pitches.copy()
        assert (kept - there.chorale.pitches == -DOWN)[kept >= 0].all()
        kept[8:, 1:3] = HIGH.pitches[8:, 1:3]
        assert (kept == HIGH.pitches).all()
        assert (one.chorale.key, one.measures) == (HIGH.key, there.measures)
    candidates_told = [event for event in events if isinstance(event, Candidate)]
    assert {id(one.chorale.key) for one in candidates_told} == {id(HIGH.key)}
    for event in events:
        if isinstance(event, Settling):
            assert (event.pitches[0][:8] == HIGH.pitches[:8]).all()


def test_a_stuck_one_and_empty_places_come_back_too() -> None:
    """What is no pitch is not moved; without a key the one that comes out is taken."""
    empty = np.full((2, 4), UNKNOWN, dtype=np.int16)
    written = Chorale.of([(72, 67, 64, 48)] * 4, key=Key("C", "major"))
    passing = Settling(done=1, total=2, pitches=(empty,), onsets=(empty > 0,))

    def job() -> Job[Event, Proposals]:
        yield passing
        yield Stuck(number=1, seed=0, sentence="no way on", written=written)
        yield Stuck(number=2, seed=1, sentence="no way on", written=None)
        return Proposals(original=None, ranked=(), stuck=(), tokens=0, seconds=0.0)

    made, (seen, stuck, silent) = told_of(moved_back(job(), -5, None))
    assert (seen.pitches[0] == UNKNOWN).all()
    assert stuck.written == written.transposed(5)
    assert str(stuck.written.key) == "F major"
    assert (silent.written, made.original) == (None, None)


def test_what_was_not_moved_is_not_touched() -> None:
    """The very same events."""
    event = Stuck(number=1, seed=0, sentence="no way on", written=HIGH)
    end = Proposals(original=None, ranked=(), stuck=(event,), tokens=0, seconds=0.0)

    def job() -> Job[Event, Proposals]:
        yield event
        return end

    made, events = told_of(moved_back(job(), 0, HIGH.key))
    assert made is end
    assert events[0] is event
