"""Proposals for a piece that was moved into the span models know: all that is told is moved back.

This file knows what a job tells; how far a piece is moved stands in ``harmonising``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from musicrel import jobs
from musicrel.chorale import Chorale, Key, Pitches
from musicrel.generation.candidates.candidate_job import Candidate, Event, Proposals, Stuck
from musicrel.generation.infill.infill_generator import Settling
from musicrel.jobs import Job


def moved_back(
    job: Job[Event, Proposals], semitones: int, key: Key | None
) -> Job[Event, Proposals]:
    """What ``job`` tells, in the key its piece was in before it was moved.

    Args:
        job: writes proposals for the moved piece.
        semitones: how far up that was moved.
        key: as the piece had it, so that its spelling stays; None: the one that comes out.
    """
    if not semitones:
        return (yield from job)
    back = _Back(semitones=semitones, key=key)
    return back.proposals((yield from jobs.mapped(job, back.event)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Back:
    """The way back; see ``moved_back``."""

    semitones: int
    key: Key | None

    def event(self, event: Event) -> Event:
        """With its piece or its pitches moved, where it has any."""
        match event:
            case Candidate():
                return self.candidate(event)
            case Stuck():
                return self.stuck(event)
            case Settling():
                return replace(event, pitches=tuple(map(self._pitches, event.pitches)))
            case _:
                return event

    def proposals(self, made: Proposals) -> Proposals:
        """All of them."""
        return replace(
            made,
            original=made.original and self.candidate(made.original),
            ranked=tuple(map(self.candidate, made.ranked)),
            stuck=tuple(map(self.stuck, made.stuck)),
        )

    def candidate(self, one: Candidate) -> Candidate:
        """Its piece; what was measured stays as it was."""
        return replace(one, chorale=self._piece(one.chorale))

    def stuck(self, one: Stuck) -> Stuck:
        """What was written of it."""
        return replace(one, written=one.written and self._piece(one.written))

    def _piece(self, piece: Chorale) -> Chorale:
        back = piece.transposed(-self.semitones)
        return back if self.key is None else replace(back, key=self.key)

    def _pitches(self, pitches: Pitches) -> Pitches:
        """Below 0 is no pitch."""
        return np.where(pitches < 0, pitches, pitches - self.semitones).astype(np.int16)
