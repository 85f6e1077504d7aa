"""Quantisation of notes to the sixteenth-note grid, and reduction to one note at a time.

Start and end of a note are rounded to the nearest step, with a length of at least one. Of two
successive notes within one step the longer is kept; a note that ends before its step is left out.
In a single voice the outer note of a chord is kept, and a note ends where the next starts. Every
change is added to a ``Report``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final

from musicrel.chorale import MAX_STEPS
from musicrel.score.importing.import_report import Report
from musicrel.score.importing.source import IssueKind, RawNote
from musicrel.score.notes import Note

LEGATO: Final = 0.5
"""Overlap of successive notes, in sixteenths, that counts as legato whatever their lengths."""
MAX_UNREPORTED_DEVIATION: Final = 0.25
"""Deviation from the grid, in sixteenths, that is not reported: less than that of a triplet."""


def quantise(raw_notes: Iterable[RawNote], report: Report) -> list[Note]:
    """Quantise ``raw_notes`` (sorted by start), up to the length limit; sorted by start."""
    found: list[Note] = []
    current: dict[int, RawNote] = {}  # index -> note of the last step that ends first
    for raw in raw_notes:
        first = math.floor(raw.start + 0.5)
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
        elif before and _fits_better(raw, before[0][1], first):
            current = {before[0][0]: raw}
            found[before[0][0]] = _note(raw, first)
    return found


def make_monophonic(notes: Iterable[Note], report: Report, *, top: bool = True) -> list[Note]:
    """Reduce a line to one note at a time.

    Args:
        notes: the notes of one line, in any order.
        report: receives the notes left out or shortened.
        top: keep the highest of simultaneous notes, else the lowest.
    """
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
    """Return the issue with a note quantised to step ``first``, None if it has none.

    Args:
        raw: the note before quantisation.
        first: the step nearest to its start.
        follows: whether an earlier note of the same step ends before it.
    """
    if raw.stop <= raw.start:
        return "empty"
    off_grid = abs(raw.start - first) > MAX_UNREPORTED_DEVIATION
    if follows or (off_grid and raw.stop <= first):
        return "lost"
    return "moved" if off_grid else None


def _fits_better(raw: RawNote, other: RawNote, first: int) -> bool:
    """Return whether ``raw`` is a better choice than ``other`` for the step ``first``."""
    return (raw.stop - raw.start, -abs(raw.start - first)) > (
        other.stop - other.start,
        -abs(other.start - first),
    )


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
