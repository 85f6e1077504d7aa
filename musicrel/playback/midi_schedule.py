"""Which note is struck or let go when, from any second of a performance on, loops included.

Times are seconds since playing began. This file knows nothing of ports, threads or clocks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import repeat
from typing import Final

from musicrel.chorale import Voice
from musicrel.score.performance import Performance

_TOO_SHORT: Final = 0.005
"""Seconds of a note that are left out where a loop or a start cuts it."""


@dataclass(frozen=True, slots=True, order=True)
class Event:
    """One thing to do.

    Attributes:
        seconds: when.
        begins: True where a note is struck, False where it is let go, which comes first.
        voice: whose note it is.
        pitch: MIDI number.
    """

    seconds: float
    begins: bool
    voice: Voice
    pitch: int


def events(
    performance: Performance, start: float, loop: tuple[float, float] | None
) -> Iterator[Event]:
    """All that happens when ``performance`` is played, in order; without end where it loops.

    A note that sounds at the start, or where the loop begins, is struck there.

    Args:
        performance: what is played.
        start: the second of it to begin at.
        loop: the seconds to repeat; from behind them the piece goes on to its end.
    """
    end = performance.times.seconds
    first, last = loop or (end, end)
    loops = loop is not None and start < last and first < min(last, end)
    opening = _within(performance, start, min(last, end) if loops else end)
    again = _within(performance, first, min(last, end)) if loops else []
    return _played(opening, again, min(last, end) - start, min(last, end) - first)


def _played(
    opening: list[Event], again: list[Event], before: float, length: float
) -> Iterator[Event]:
    """``opening``, and after ``before`` seconds ``again`` each ``length`` seconds."""
    yield from opening
    for passes, events_ in enumerate(repeat(again) if again else ()):
        for event in events_:
            late = before + passes * length
            yield Event(event.seconds + late, event.begins, event.voice, event.pitch)


def _within(performance: Performance, begin: float, end: float) -> list[Event]:
    """What happens from second ``begin`` to ``end``, counted from ``begin``."""
    found = []
    for line in performance.notes:
        for note in line:
            struck, let_go = max(note.start, begin), min(note.stop, end)
            if let_go - struck > min(_TOO_SHORT, (note.stop - note.start) / 2):
                found.append(Event(struck - begin, True, note.voice, note.pitch))
                found.append(Event(let_go - begin, False, note.voice, note.pitch))
    return sorted(found)
