"""The agreement of two pieces of the same form: which notes both have, and where they differ.

A note agrees if the other piece has one of the same voice, beginning, length and pitch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from musicrel.chorale import Chorale
from musicrel.presentation.roll.roll import RollNote
from musicrel.presentation.takes.changes import notes_of
from musicrel.presentation.words import names

_COUNT: Final = "{percent} of notes agree"
_EQUAL: Final = "All notes agree"
_NO_NOTES: Final = "No notes to compare yet"
_FIRST: Final = "{count}; first difference {place}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Agreement:
    """The comparison of the pieces of A and B."""

    pieces: tuple[Chorale, Chorale]  # of A and B, cut to the compared steps
    notes: int  # number of notes of both pieces together
    only: tuple[frozenset[RollNote], frozenset[RollNote]]
    first: int | None  # first step at which they differ; None: they are equal

    @property
    def share(self) -> float:
        """Return the share of the notes of both pieces that agree; 1 without notes."""
        differing = sum(len(notes) for notes in self.only)
        return 1 - differing / self.notes if self.notes else 1.0

    def describe(self) -> str:
        """Describe it, as '61 % of notes agree; first difference bar 3, beat 2'."""
        if not self.notes:
            return _NO_NOTES
        if self.first is None:
            return _EQUAL
        count = _COUNT.format(percent=percent(self.share))
        piece = self.pieces[0]
        place = names.position(self.first, piece.meter, piece.pickup)
        return _FIRST.format(count=count, place=place)


def compare(first: Chorale, second: Chorale, written: int | None = None) -> Agreement | None:
    """Compare the pieces of A and B step by step, from the beginning of both.

    Args:
        written: steps that both have written; None: all.
    """
    steps = min(first.steps, second.steps, first.steps if written is None else written)
    if not steps or (first.meter, first.pickup) != (second.meter, second.pickup):
        return None
    one, other = first.cropped(0, steps), second.cropped(0, steps)
    ours, theirs = frozenset(notes_of(one)), frozenset(notes_of(other))
    return Agreement(
        pieces=(one, other),
        notes=len(ours) + len(theirs),
        only=(ours - theirs, theirs - ours),
        first=_first_difference(one, other),
    )


def percent(share: float) -> str:
    """Return a share as '61 %'; '100 %' and '0 %' only where it is exactly that."""
    rounded = round(100 * share)
    return f"{min(max(rounded, int(share > 0)), 100 - int(share < 1))} %"


def _first_difference(one: Chorale, other: Chorale) -> int | None:
    """Return the first step at which a pitch or a beginning of a note differs."""
    differs = ((one.pitches != other.pitches) | (one.onsets != other.onsets)).any(axis=1)
    return int(np.argmax(differs)) if differs.any() else None
