"""The cells and notes that a selection covers on a roll, and its description."""

from __future__ import annotations

import math
from dataclasses import replace

from musicrel.chorale import Voice
from musicrel.editing.selection import Selection
from musicrel.presentation.roll.roll import Roll, RollNote
from musicrel.presentation.words import names


def describe(selection: Selection, roll: Roll) -> str:
    """Describe a selection, as 'Alto, Tenor: bar 2, beat 1 to bar 3, beat 4¾'."""
    voices = ", ".join(Voice(voice).title for voice in selection.voices)
    first, last = (
        names.position(step, roll.meter, roll.pickup)
        for step in (selection.start, selection.stop - 1)
    )
    return f"{voices}: {first}" + (f" to {last}" if last != first else "")


def in_band(roll: Roll, steps: tuple[float, float], pitches: tuple[int, int]) -> Selection | None:
    """Select the voices with a note in a rubber band; None if there is none."""
    start, stop = max(math.floor(min(steps)), 0), min(math.ceil(max(steps)), roll.steps)
    low, high = min(pitches), max(pitches)
    if start >= stop:
        return None
    band = replace(everything(roll), start=start, stop=stop)
    voices = {n.voice for n in roll.notes if low <= n.pitch <= high and band.touches(n)}
    return replace(band, voices=tuple(sorted(voices))) if voices else None


def everything(roll: Roll) -> Selection:
    """Select all voices from beginning to end."""
    return Selection(voices=tuple(map(int, Voice)), start=0, stop=roll.steps)


def bar_at(roll: Roll, step: float) -> Selection:
    """Select all voices of the bar with ``step``, within the roll; a pickup is a bar."""
    here = int(min(max(step, 0), roll.steps - 1))
    return whole_bars(roll, replace(everything(roll), start=here, stop=here + 1))


def whole_bars(roll: Roll, selection: Selection) -> Selection:
    """Select all voices of the bars that ``selection`` touches."""
    lines = sorted({0, *(line.step for line in roll.bars), roll.steps})
    start = max(line for line in lines if line <= selection.start)
    stop = min((line for line in lines if line >= selection.stop), default=roll.steps)
    return replace(everything(roll), start=start, stop=stop)


def parts_in(roll: Roll, selection: Selection) -> tuple[RollNote, ...]:
    """Return the selected parts of notes, cut at the edges of the selection."""
    return tuple(
        note._replace(start=max(note.start, selection.start), stop=min(note.stop, selection.stop))
        for note in roll.notes
        if selection.touches(note)
    )
