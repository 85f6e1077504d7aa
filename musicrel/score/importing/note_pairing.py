"""Pairing of note-on and note-off events.

Of one pitch the first note-on gets the first note-off: repeated notes may overlap, and two voices
may share a channel. If a note-off is missing, those that are there belong to the notes just before
them.
"""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter, itemgetter
from typing import NamedTuple

from musicrel.chorale import STEPS_PER_QUARTER
from musicrel.score.importing.quantisation import LEGATO
from musicrel.score.importing.source import RawNote, Time


class KeyEvent(NamedTuple):
    """A key press (note-on) or release (note-off)."""

    time: Time
    pressed: bool
    pitch: int


class Paired(NamedTuple):
    """The notes of one channel.

    Attributes:
        notes: those with an end, in any order.
        endless: those without; they stop where their key is pressed again, else never.
        empty: those that were released where they were pressed.
    """

    notes: list[RawNote]
    endless: list[RawNote]
    empty: list[RawNote]


def paired(events: Iterable[KeyEvent]) -> Paired:
    """Pair the events of one channel, in order of time; releases without a press are ignored."""
    keys: dict[int, list[KeyEvent]] = {}
    for event in events:
        keys.setdefault(event.pitch, []).append(event)
    found = Paired([], [], [])
    for pitch, of_key in keys.items():
        presses = [event.time for event in of_key if event.pressed]
        starts, stops, endless, empty = _matched(of_key)
        found.notes.extend(RawNote(*span, pitch) for span in zip(starts, stops, strict=True))
        found.empty.extend(RawNote(time, time, pitch) for time in empty)
        for start in endless:
            after = bisect.bisect_right(presses, start)
            stop = presses[after] if after < len(presses) else math.inf
            found.endless.append(RawNote(start, stop, pitch))
    return found


def ended(found: Paired, end: Time) -> list[RawNote]:
    """Return the notes by start, without the empty ones, and end those without a release.

    They end where their key is pressed again, or where more keys would be down than ever are
    without them: in a single voice at its next note. The last ones stop at ``end``, after a quarter
    at least.
    """
    voices = max(itertools.chain([1], (len(keys) for _, keys, _ in _held(found.notes))))
    notes, hanging = list(found.notes), list[RawNote]()
    for start, keys, begun in _held(found.notes, found.endless):
        notes += [note for note in hanging if note.stop <= start]
        hanging = [note for note in hanging if note.stop > start]
        excess = max(len(keys) + len(hanging) + len(begun) - voices, 0)
        notes += [note._replace(stop=start) for note in hanging[:excess]]
        hanging = [*hanging[excess:], *begun]
    for note in hanging:
        notes.append(note._replace(stop=min(note.stop, max(end, note.start + STEPS_PER_QUARTER))))
    return sorted(notes)


def _matched(
    events: Sequence[KeyEvent],
) -> tuple[list[Time], list[Time], list[Time], list[Time]]:
    """Match the events of one key.

    Returns:
        Starts and stops of the notes, both sorted; presses without a release; and presses that are
        released at once.
    """
    sounding: list[Time] = []
    starts: list[Time] = []
    stops: list[Time] = []
    empty: list[Time] = []
    for time, at_once in itertools.groupby(events, key=attrgetter("time")):
        begun = 0
        for event in at_once:
            if event.pressed:
                begun += 1
            elif sounding:  # at one time, notes end before others start, whatever their order
                overlaps = len(sounding) > 1 and time - sounding[-1] < LEGATO
                starts.append(sounding.pop(-2 if overlaps else -1))
                stops.append(time)
            elif begun:
                begun -= 1
                empty.append(time)
        sounding += [time] * begun
    return sorted(starts), stops, sounding, empty


def _held(
    notes: Iterable[RawNote], endless: Iterable[RawNote] = ()
) -> Iterator[tuple[Time, dict[int, Time], list[RawNote]]]:
    """Yield each start, the keys of ``notes`` then down, and the endless notes that start there."""
    keys: dict[int, Time] = {}
    ordered = sorted([*((n, False) for n in notes), *((n, True) for n in endless)])
    for start, group in itertools.groupby(ordered, key=lambda pair: pair[0].start):
        keys = {pitch: stop for pitch, stop in keys.items() if stop - LEGATO > start}
        begun = []
        for note, is_endless in sorted(group, key=itemgetter(1)):
            if is_endless:
                begun.append(note)
            else:
                keys[note.pitch] = max(note.stop, keys.get(note.pitch, note.stop))
        yield start, keys, begun
