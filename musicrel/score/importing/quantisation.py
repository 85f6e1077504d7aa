"""Sounds at any time -> notes on the sixteenth grid, and one note at a time.

A note begins at the nearest step and ends at the nearest, at least one later. Of two notes that
follow each other within one step the longer stays; one that is over before its step is left out.
In a single voice the outer note of a chord stays, and a note ends where the next begins. What is
bent or left out goes into a ``Report``.

This file knows nothing of files, or of which voice a line is.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final

from musicrel.chorale import MAX_STEPS
from musicrel.score.importing.import_report import Report
from musicrel.score.importing.source import Sound, Trouble
from musicrel.score.notes import Note

_LEGATO: Final = 0.5
"""Sixteenths two notes of one voice may overlap."""
FARTHEST_FROM_GRID: Final = 0.25
"""Sixteenths a note may begin beside the grid without a word: less than a triplet does."""


def quantised(sounds: Iterable[Sound], report: Report) -> list[Note]:
    """``sounds`` (by start) on the grid, by start; those beyond the longest piece are left out."""
    found: list[Note] = []
    begun: dict[int, Sound] = {}  # of the last step the one that is over first, by its place
    for sound in sounds:
        first = math.floor(sound.start + 0.5)
        if first >= MAX_STEPS:
            break
        if not found or found[-1].start != first:
            begun = {}
        before = [(place, other) for place, other in begun.items() if other.stop <= sound.start]
        if trouble := _trouble(sound, first, follows=bool(before)):
            report.found(trouble, sound.start)
        if trouble in (None, "moved"):
            if not begun or sound.stop < min(other.stop for other in begun.values()):
                begun = {len(found): sound}
            found.append(_note(sound, first))
        elif before and _fits_better(sound, before[0][1], first):
            begun = {before[0][0]: sound}
            found[before[0][0]] = _note(sound, first)
    return found


def single(notes: Iterable[Note], report: Report, *, top: bool = True) -> list[Note]:
    """One note at a time.

    Args:
        notes: of one line, in any order.
        report: where what is left out or shortened is noted.
        top: keep the highest of notes that sound together, else the lowest.
    """
    kept: list[Note] = []
    for note in sorted(notes, key=lambda note: (note.start, -_height(note, top), -note.length)):
        if kept and note.start < kept[-1].stop:
            if _is_beneath(note, kept[-1], top):
                report.found("chord", note.start)
                continue
            report.found("overlap", note.start)
            kept[-1] = Note(kept[-1].start, note.start - kept[-1].start, kept[-1].pitch)
        kept.append(note)
    return kept


def chords(sounds: Sequence[Sound]) -> float:
    """The share of ``sounds`` (by start) that begin while another one sounds on, 0 to 1.

    An overlap of half a sixteenth is a player's legato and does not count.
    """
    together = 0
    stop = -1.0
    for sound in sounds:
        together += sound.start < stop - _LEGATO
        stop = max(stop, sound.stop)
    return together / max(len(sounds), 1)


def _trouble(sound: Sound, first: int, *, follows: bool) -> Trouble | None:
    """What is wrong with ``sound``, which is to begin at ``first``.

    Args:
        sound: the sound.
        first: the step nearest to its start.
        follows: whether one that begins at the same step ends before it.
    """
    if sound.stop <= sound.start:
        return "empty"
    beside = abs(sound.start - first) > FARTHEST_FROM_GRID
    if follows or (beside and sound.stop <= first):
        return "lost"
    return "moved" if beside else None


def _fits_better(sound: Sound, other: Sound, first: int) -> bool:
    """Whether ``sound`` is the one to keep of two that want the step ``first``."""
    return (sound.stop - sound.start, -abs(sound.start - first)) > (
        other.stop - other.start,
        -abs(other.start - first),
    )


def _note(sound: Sound, first: int) -> Note:
    return Note(first, max(round(sound.stop) - first, 1), sound.pitch)


def _height(note: Note, top: bool) -> int:
    return note.pitch if top else -note.pitch


def _is_beneath(note: Note, held: Note, top: bool) -> bool:
    """Whether ``note`` accompanies the outer note ``held`` rather than following it."""
    if note.start == held.start:
        return True
    together = min(held.stop, note.stop) - note.start
    return _height(note, top) < _height(held, top) and 2 * together > note.length
