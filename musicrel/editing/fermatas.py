"""The notes that carry fermatas: these go where their notes go."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from musicrel.chorale import REST, Chorale, Flags, Pitches
from musicrel.editing.draft import Draft
from musicrel.editing.notes import Note


def carried(piece: Chorale, notes: Sequence[Note]) -> Flags:
    """Return the steps under a fermata that ``notes`` carry, bool (T,).

    The uppermost note of a step carries its fermata: that of the soprano unless it rests.
    """
    return _uppermost(piece.pitches, notes) & piece.fermatas


def move_fermatas(
    draft: Draft, piece: Chorale, before: Sequence[Note], after: Sequence[Note]
) -> None:
    """Move the fermatas of ``before`` in time with their notes; those at their place go."""
    steps = after[0].start - before[0].start
    if steps:
        own = np.flatnonzero(carried(piece, before))
        draft.fermatas[own] = False
        draft.fermatas[_uppermost(draft.pitches, after)] = False
        draft.fermatas[own + steps] = True


def _uppermost(pitches: Pitches, notes: Sequence[Note]) -> Flags:
    """Return the steps where no voice sounds above ``notes``, bool (T,)."""
    voices = np.argmax(pitches != REST, axis=1)
    flags = np.zeros(len(pitches), dtype=np.bool_)
    for note in notes:
        flags[note.start : note.stop] |= voices[note.start : note.stop] == note.voice
    return flags
