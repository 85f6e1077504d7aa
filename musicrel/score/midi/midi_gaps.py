"""Gaps in a MIDI file: a damaged time of a few bytes may claim hours without an event.

The music is read up to the first gap that is longer than ``MAX_GAP`` quarters, which the variable
``MUSICREL_MAX_GAP`` overrides.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from musicrel.errors import UsageError
from musicrel.score.midi.midi_events import MAX_TICK, Event, MidiFile

MAX_GAP: Final = 256
"""Quarters; the longest of the bundled chorales has 193 in all."""
VARIABLE: Final = "MUSICREL_MAX_GAP"
_NOTE_KINDS: Final = ("note_on", "note_off")
_MAX_DIGITS: Final = 9


def without_gaps(file: MidiFile) -> tuple[MidiFile, int | None]:
    """Cut a file at its first gap.

    Returns:
        The file up to where the limit is reached, and the tick at which the gap begins; the file
        itself and None without a gap.

    Raises:
        UsageError: the variable holds no number of quarters.
    """
    limit = round(_limit() * file.division)
    ticks = {e.tick for track in file.tracks for e in track if e.kind in _NOTE_KINDS}
    ends = [track[-1].tick for track in file.tracks if track]
    for before, after in pairwise(sorted({0, *ticks, max(ends, default=0)})):
        if after - before > limit:
            stop = before + limit
            return replace(file, tracks=tuple(_cut(t, stop) for t in file.tracks)), before
    return file, None


def _cut(track: Sequence[Event], stop: int) -> tuple[Event, ...]:
    """Return the events up to ``stop``, and the end of the track no later."""
    kept = tuple(event for event in track[:-1] if event.tick <= stop)
    return (*kept, *(last._replace(tick=min(last.tick, stop)) for last in track[-1:]))


def _limit() -> int:
    text = os.environ.get(VARIABLE, str(MAX_GAP))
    if not (text.isascii() and text.isdigit() and 0 < int(text[:_MAX_DIGITS]) <= MAX_TICK):
        raise UsageError(f"{VARIABLE} is {text!r}: expected a number of quarters such as {MAX_GAP}")
    return int(text[:_MAX_DIGITS])
