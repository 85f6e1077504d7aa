"""Schedule of note-on and note-off events from any second of a performance, loops included.

Times are seconds since playing began.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from musicrel.chorale import Voice
from musicrel.score.performance import Performance

_TOO_SHORT: Final = 0.005
"""Seconds of a note below which it is dropped if a loop or a start cuts it."""


@dataclass(frozen=True, slots=True, order=True)
class Event:
    """A note-on or note-off event.

    Attributes:
        seconds: its time.
        note_on: True for note on, False for note off, which sorts first.
        voice: the voice of the note.
        pitch: MIDI number.
    """

    seconds: float
    note_on: bool
    voice: Voice
    pitch: int


def events(
    performance: Performance, start: float, loop: tuple[float, float] | None
) -> Iterator[Event]:
    """Schedule ``performance``, in order; infinite if it loops.

    A note that sounds at the start, or at the start of the loop, is struck there.

    Args:
        performance: the piece as played.
        start: start of playback in seconds.
        loop: start and end of the loop in seconds, or None; a start behind it plays to the end.
    """
    end = performance.times.seconds
    first, last = loop or (end, end)
    loops = loop is not None and start < last and first < min(last, end)
    stop = min(last, end) if loops else end
    yield from _events_between(performance, start, stop)
    again = _events_between(performance, first, stop) if loops else []
    for passes in itertools.count() if again else ():
        late = stop - start + passes * (stop - first)
        for event in again:
            yield Event(event.seconds + late, event.note_on, event.voice, event.pitch)


def _events_between(performance: Performance, begin: float, end: float) -> list[Event]:
    """List the events from second ``begin`` to ``end``, counted from ``begin``."""
    found = []
    for line in performance.notes:
        for note in line:
            pressed, released = max(note.start, begin), min(note.stop, end)
            if released - pressed > min(_TOO_SHORT, (note.stop - note.start) / 2):
                found.append(Event(pressed - begin, True, note.voice, note.pitch))
                found.append(Event(released - begin, False, note.voice, note.pitch))
    return sorted(found)
