"""Bars that are taken from another piece of the same form."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from musicrel.chorale import Chorale, onsets_where_pitch_changes
from musicrel.editing.edit import Edit
from musicrel.errors import UsageError

OTHER_FORM: Final = (
    "the other piece has no bar there: expected the same meter and pickup, and at least {steps} "
    "sixteenths"
)


def bar_at(piece: Chorale, step: float) -> tuple[int, int]:
    """Return the first step of the bar at ``step``, and the step after its last; both clipped."""
    place = min(max(int(step), 0), piece.steps - 1)
    start = piece.pickup + (place - piece.pickup) // piece.meter.steps * piece.meter.steps
    return max(start, 0), min(start + piece.meter.steps, piece.steps)


def take_bars(piece: Chorale, other: Chorale, start: int, stop: int) -> Edit:
    """Replace the notes of some steps by those of ``other``.

    A note that is held into the steps, or out of them, is cut there unless its pitch goes on.
    """
    if (other.meter, other.pickup) != (piece.meter, piece.pickup) or other.steps < stop:
        raise UsageError(OTHER_FORM.format(steps=stop))
    pitches, onsets = piece.pitches.copy(), piece.onsets.copy()
    pitches[start:stop], onsets[start:stop] = other.pitches[start:stop], other.onsets[start:stop]
    onsets |= onsets_where_pitch_changes(pitches)
    return Edit(piece=replace(piece, pitches=pitches, onsets=onsets))
