"""Schedule of notes and metronome clicks from any second of a performance, loops included.

Times are seconds since playing began.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Final

from musicrel.chorale import Voice
from musicrel.score.audio.metronome import Clicks
from musicrel.score.performance import Performance

_ROUNDING: Final = 1e-4
"""Seconds that a click, placed at a whole frame, may be off its beat."""
_TOO_SHORT: Final = 0.005
"""Seconds of a note below which it is dropped if a loop or a start cuts it."""


@dataclass(frozen=True, slots=True, order=True)
class Event:
    """A note-on or note-off event."""

    seconds: float
    note_on: bool  # True for note on, False for note off, which sorts first
    voice: Voice
    pitch: int  # MIDI number


@dataclass(frozen=True, slots=True)
class Click:
    seconds: float
    stress: int  # how strong it is, 0 the strongest
    counts_in: bool = False


@dataclass(frozen=True, slots=True)
class ClickTimes:
    piece: tuple[Click, ...] = ()  # those of the piece, in order
    # those before it, their seconds counted from the start of playing
    count_in: tuple[Click, ...] = ()
    lead: float = 0.0  # duration of the count-in in seconds; the performance begins after it

    @classmethod
    def of(cls, piece: Clicks, count_in: Clicks, left: float, rate: int) -> ClickTimes:
        """Convert clicks on tapes; ``left``: frames of the count-in that are not played yet."""
        begun = count_in.frames - left
        counted = [(at, stress) for at, stress in _pairs(count_in) if at >= begun] if left else []
        return cls(
            tuple(Click(at / rate, stress) for at, stress in _pairs(piece)),
            tuple(Click((at - begun) / rate, stress, counts_in=True) for at, stress in counted),
            left / rate,
        )

    def between(self, begin: float, end: float) -> list[Click]:
        """List the clicks of the piece from second ``begin`` to ``end``, counted from ``begin``."""
        return [
            replace(click, seconds=max(click.seconds - begin, 0.0))
            for click in self.piece
            if begin <= click.seconds + _ROUNDING < end
        ]


def events(
    performance: Performance,
    start: float,
    loop: tuple[float, float] | None,
    clicks: ClickTimes | None = None,
) -> Iterator[Event | Click]:
    """Schedule ``performance``, in order; infinite if it loops.

    A note that sounds at the start, or at the start of the loop, is struck there.

    Args:
        start: start of playback in seconds.
        loop: start and end of the loop in seconds, or None; a start behind it plays to the end.
        clicks: the metronome and its count-in, which delays the performance; None: none.
    """
    beat = clicks or ClickTimes()
    yield from beat.count_in
    for event in _played(performance, start, loop, beat):
        yield replace(event, seconds=event.seconds + beat.lead) if beat.lead else event


def _played(
    performance: Performance,
    start: float,
    loop: tuple[float, float] | None,
    clicks: ClickTimes,
) -> Iterator[Event | Click]:
    """Schedule notes and clicks without the count-in."""
    end = performance.times.seconds
    first, last = loop or (end, end)
    loops = loop is not None and start < last and first < min(last, end)
    stop = min(last, end) if loops else end
    yield from _between(performance, clicks, start, stop)
    again = _between(performance, clicks, first, stop) if loops else []
    for passes in itertools.count() if again else ():
        late = stop - start + passes * (stop - first)
        for event in again:
            yield replace(event, seconds=event.seconds + late)


def _between(
    performance: Performance, clicks: ClickTimes, begin: float, end: float
) -> list[Event | Click]:
    """List notes and clicks from second ``begin`` to ``end``, counted from ``begin``."""
    found: list[Event | Click] = [*_events_between(performance, begin, end)]
    found += clicks.between(begin, end)
    return sorted(found, key=attrgetter("seconds"))


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


def _pairs(clicks: Clicks) -> list[tuple[int, int]]:
    return list(zip(clicks.starts, clicks.stresses, strict=True))
