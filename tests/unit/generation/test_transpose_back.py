"""Candidates for a piece that was transposed into the range of the vocabulary."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from musicrel import jobs
from musicrel.analysis import grade_reference
from musicrel.chorale import Chorale, Key, Voice
from musicrel.generation import edit_requests
from musicrel.generation.candidates import candidate_job
from musicrel.generation.candidates.candidate_job import (
    Candidate,
    CandidateEvent,
    CandidateSet,
    Stuck,
)
from musicrel.generation.candidates.measures import CandidateEvaluator
from musicrel.generation.constraints.locks import UNKNOWN
from musicrel.generation.infill.infill_generator import InfillProgress
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.transpose_back import transpose_back
from musicrel.jobs import Job
from tests.helpers.music import random_chorale

HIGH = Chorale.of([(84, 79, 76, 60), (86, 79, 74, 62)] * 8, key=Key("Gb", "major"))
MOVED, DOWN = edit_requests.fit_to_vocabulary(HIGH)


def rewritten(model: LoadedModel) -> Job[CandidateEvent, CandidateSet]:
    """Return a job of two candidates for alto and tenor in the second half of the last bar."""
    request = edit_requests.infill_request(MOVED, [Voice.ALTO, Voice.TENOR], 8, 16, rules=())
    evaluator = CandidateEvaluator(grade_reference.load().reference, [random_chorale(0, 40)])
    return candidate_job.generate_candidates(model, request, 2, original=MOVED, evaluator=evaluator)


def run_job(job: Job[CandidateEvent, CandidateSet]) -> tuple[CandidateSet, list[Any]]:
    events: list[Any] = []
    return jobs.run(job, events.append), events


@pytest.mark.parametrize("which", ["model", "infill_model"])
def test_kept_notes_are_transposed_back(which: str, request: pytest.FixtureRequest) -> None:
    """Kept pitches and the spelling of the key are restored; new notes are transposed with them."""
    model: LoadedModel = request.getfixturevalue(which)
    assert DOWN == -5
    plain, _ = run_job(rewritten(model))
    made, events = run_job(transpose_back(rewritten(model), DOWN, HIGH.key))

    assert made.original is not None
    assert made.original.chorale == HIGH
    for one, there in zip(made.ranked, plain.ranked, strict=True):
        kept = one.chorale.pitches.copy()
        assert (kept - there.chorale.pitches == -DOWN)[kept >= 0].all()
        kept[8:, 1:3] = HIGH.pitches[8:, 1:3]
        assert (kept == HIGH.pitches).all()
        assert (one.chorale.key, one.measures) == (HIGH.key, there.measures)
    finished = [event for event in events if isinstance(event, Candidate)]
    assert {id(one.chorale.key) for one in finished} == {id(HIGH.key)}
    for event in events:
        if isinstance(event, InfillProgress):
            assert (event.pitches[0][:8] == HIGH.pitches[:8]).all()


def test_stuck_candidates_and_empty_cells_are_transposed_back() -> None:
    """Values that are no pitches are not transposed; without a key the transposed one is used."""
    empty = np.full((2, 4), UNKNOWN, dtype=np.int16)
    written = Chorale.of([(72, 67, 64, 48)] * 4, key=Key("C", "major"))
    passing = InfillProgress(done=1, total=2, pitches=(empty,), onsets=(empty > 0,))

    def job() -> Job[CandidateEvent, CandidateSet]:
        yield passing
        yield Stuck(number=1, seed=0, sentence="no way on", written=written)
        yield Stuck(number=2, seed=1, sentence="no way on", written=None)
        return CandidateSet(original=None, ranked=(), stuck=(), tokens=0, seconds=0.0)

    made, (seen, stuck, silent) = run_job(transpose_back(job(), -5, None))
    assert (seen.pitches[0] == UNKNOWN).all()
    assert stuck.written == written.transposed(5)
    assert str(stuck.written.key) == "F major"
    assert (silent.written, made.original) == (None, None)


def test_without_a_transposition_nothing_changes() -> None:
    """The very same events."""
    event = Stuck(number=1, seed=0, sentence="no way on", written=HIGH)
    end = CandidateSet(original=None, ranked=(), stuck=(event,), tokens=0, seconds=0.0)

    def job() -> Job[CandidateEvent, CandidateSet]:
        yield event
        return end

    made, events = run_job(transpose_back(job(), 0, HIGH.key))
    assert made is end
    assert events[0] is event
