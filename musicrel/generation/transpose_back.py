"""Candidates for a piece that was transposed into the range of the vocabulary."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from musicrel import jobs
from musicrel.chorale import Chorale, Key, Pitches
from musicrel.generation.candidates.candidate_job import (
    Candidate,
    CandidateEvent,
    CandidateSet,
    Stuck,
)
from musicrel.generation.infill.infill_generator import InfillProgress
from musicrel.jobs import Job


def transpose_back(
    job: Job[CandidateEvent, CandidateSet], semitones: int, key: Key | None
) -> Job[CandidateEvent, CandidateSet]:
    """Run ``job`` and transpose its pieces back.

    Args:
        job: a job that generates candidates for the transposed piece.
        semitones: semitones by which the piece was transposed.
        key: key of the piece before, so that its spelling is kept; None: the transposed key.
    """
    if not semitones:
        return (yield from job)
    back = _Transposer(semitones=semitones, key=key)
    return back.candidates((yield from jobs.map_events(job, back.event)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Transposer:
    """A transposition of everything a job yields; see ``transpose_back``."""

    semitones: int
    key: Key | None

    def event(self, event: CandidateEvent) -> CandidateEvent:
        """Return an event with its piece or pitches transposed."""
        match event:
            case Candidate():
                return self.candidate(event)
            case Stuck():
                return self.stuck(event)
            case InfillProgress():
                return replace(event, pitches=tuple(map(self._pitches, event.pitches)))
            case _:
                return event

    def candidates(self, candidates: CandidateSet) -> CandidateSet:
        """Return the set with all candidates transposed."""
        return replace(
            candidates,
            original=candidates.original and self.candidate(candidates.original),
            ranked=tuple(map(self.candidate, candidates.ranked)),
            stuck=tuple(map(self.stuck, candidates.stuck)),
        )

    def candidate(self, candidate: Candidate) -> Candidate:
        """Return a candidate with its piece transposed; measures are kept."""
        return replace(candidate, chorale=self._piece(candidate.chorale))

    def stuck(self, stuck: Stuck) -> Stuck:
        """Return a stuck candidate with its piece transposed."""
        return replace(stuck, written=stuck.written and self._piece(stuck.written))

    def _piece(self, piece: Chorale) -> Chorale:
        back = piece.transposed(-self.semitones)
        return back if self.key is None else replace(back, key=self.key)

    def _pitches(self, pitches: Pitches) -> Pitches:
        """Return transposed pitches; values below 0 are not pitches."""
        return np.where(pitches < 0, pitches, pitches - self.semitones).astype(np.int16)
