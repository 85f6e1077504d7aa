"""Quantisation of notes to the sixteenth-note grid, and reduction to one note at a time.

Start and end of a note are rounded to the nearest step, with a length of at least one. Of two
successive notes within one step the longer is kept; a note that ends before its step is left out.
In a single voice the outer note of a chord is kept, and a note ends where the next starts. Every
change is added to a ``Report``.

Pairing of note-on and note-off events.

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
from typing import Final, NamedTuple

from musicrel.chorale import MAX_STEPS, STEPS_PER_QUARTER
from musicrel.score.importing.conversion import Report
from musicrel.score.importing.source import IssueKind, RawNote, Time, step_of
from musicrel.score.notes import Note

# Overlap of successive notes, in sixteenths, that counts as legato whatever their lengths.
LEGATO: Final = 0.5
# Deviation from the grid, in sixteenths, that is not reported: less than that of a triplet.
MAX_UNREPORTED_DEVIATION: Final = 0.25


def quantise(raw_notes: Iterable[RawNote], report: Report) -> list[Note]:
    """Quantise ``raw_notes`` (sorted by start), up to the length limit; sorted by start."""
    found: list[Note] = []
    current: dict[int, RawNote] = {}  # index -> note of the last step that ends first
    for raw in raw_notes:
        first = step_of(raw.start)
        if first >= MAX_STEPS:
            break
        if not found or found[-1].start != first:
            current = {}
        before = [(index, other) for index, other in current.items() if other.stop <= raw.start]
        if issue := _issue(raw, first, follows=bool(before)):
            report.add_issue(issue, raw.start)
        if issue in (None, "moved"):
            if not current or raw.stop < min(other.stop for other in current.values()):
                current = {len(found): raw}
            found.append(_note(raw, first))
        elif before and _fit(raw, first) > _fit(before[0][1], first):
            current = {before[0][0]: raw}
            found[before[0][0]] = _note(raw, first)
    return found


def make_monophonic(notes: Iterable[Note], report: Report, *, top: bool = True) -> list[Note]:
    """Reduce a line to one note at a time."""
    kept: list[Note] = []
    for note in sorted(notes, key=lambda note: (note.start, -_height(note, top), -note.length)):
        if kept and note.start < kept[-1].stop:
            if _is_beneath(note, kept[-1], top):
                if (note.start, note.pitch) != (kept[-1].start, kept[-1].pitch):
                    report.add_issue("chord", note.start)
                continue
            report.add_issue("overlap", note.start)
            kept[-1] = Note(kept[-1].start, note.start - kept[-1].start, kept[-1].pitch)
        kept.append(note)
    return kept


def chord_share(raw_notes: Sequence[RawNote]) -> float:
    """Return the share, 0 to 1, of ``raw_notes`` (sorted by start) that overlap an earlier note.

    Legato does not count: an overlap of up to half a sixteenth, or a third of the note, at most a
    sixteenth. A note that is repeated while it still sounds is no chord.
    """
    together = 0
    longest, other = RawNote(-1.0, -1.0, -1), -1.0
    for raw in raw_notes:
        is_repeated = raw.pitch == longest.pitch and raw.start > longest.start
        stop = other if is_repeated else longest.stop
        together += raw.start < stop - max(LEGATO, min((raw.stop - raw.start) / 3, 1.0))
        if raw.pitch != longest.pitch:
            other = max(other, min(raw.stop, longest.stop))
        if raw.stop > longest.stop:
            longest = raw
    return together / max(len(raw_notes), 1)


def _issue(raw: RawNote, first: int, *, follows: bool) -> IssueKind | None:
    if raw.stop <= raw.start:
        return "empty"
    off_grid = abs(raw.start - first) > MAX_UNREPORTED_DEVIATION
    if follows or (off_grid and raw.stop <= first):
        return "lost"
    return "moved" if off_grid else None


def _fit(raw: RawNote, first: int) -> tuple[Time, Time]:
    return raw.stop - raw.start, -abs(raw.start - first)


def _note(raw: RawNote, first: int) -> Note:
    return Note(first, max(round(raw.stop) - first, 1), raw.pitch)


def _height(note: Note, top: bool) -> int:
    return note.pitch if top else -note.pitch


def _is_beneath(note: Note, held: Note, top: bool) -> bool:
    """Return whether ``note`` is simultaneous with the outer note ``held``, not its successor."""
    if note.start == held.start:
        return True
    together = min(held.stop, note.stop) - note.start
    return _height(note, top) < _height(held, top) and 2 * together > note.length


class KeyEvent(NamedTuple):
    """A key press (note-on) or release (note-off)."""

    time: Time
    pressed: bool
    pitch: int


class Paired(NamedTuple):
    """The notes of one channel."""

    notes: list[RawNote]  # those with an end, in any order
    endless: list[RawNote]  # those without; they stop where their key is pressed again, else never
    empty: list[RawNote]  # those that were released where they were pressed


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
