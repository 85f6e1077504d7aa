"""Differences between a piece and the one it was made from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from musicrel.chorale import Chorale
from musicrel.editing.notes import Note, notes
from musicrel.presentation.words import names


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    new: frozenset[Note] = frozenset()  # notes of the piece only
    gone: frozenset[Note] = frozenset()  # notes of the piece before only
    # steps of the piece from the first to the last change; None without any
    region: tuple[int, int] | None = None
    added_bars: int = 0  # bars that were added at the end of an unchanged piece; 0: something else

    def describe(self) -> str:
        if self.added_bars:
            return f"{names.count(self.added_bars, 'bar')} added"
        if self.gone and not self.new:
            return f"{names.count(len(self.gone), 'note')} removed"
        return f"{names.count(len(self.new), 'note')} changed" if self.new else "no note changed"


def compare(piece: Chorale, before: Chorale) -> Changes:
    new, old = frozenset(notes(piece)), frozenset(notes(before))
    longer = piece.steps > before.steps
    kept = longer and not old - new and all(note.start >= before.steps for note in new - old)
    return Changes(
        new=new - old,
        gone=old - new,
        region=_region(piece, before),
        added_bars=piece.bars - before.bars if kept else 0,
    )


def _region(piece: Chorale, before: Chorale) -> tuple[int, int] | None:
    """Return the steps with other pitches, or else with other onsets; new steps are included."""
    common = min(piece.steps, before.steps)
    for one, other in ((piece.pitches, before.pitches), (piece.onsets, before.onsets)):
        changed = np.ones(piece.steps, dtype=np.bool_)
        changed[:common] = (one[:common] != other[:common]).any(axis=1)
        if changed.any():
            steps = np.flatnonzero(changed)
            return int(steps[0]), int(steps[-1]) + 1
    return None
