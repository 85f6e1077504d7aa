"""What the marks of a piece lie on: notes of its picture or heads of its score, and lines between.

This file knows pictures, scores and marks; it knows nothing of pixels, colours or Qt.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple

from musicrel.chorale import Voice
from musicrel.presentation.roll.marks import Mark
from musicrel.presentation.roll.roll import Roll, RollNote
from musicrel.presentation.score.score_picture import Head, System


class Link(NamedTuple):
    """A rule that is about several voices: from the highest to the lowest of them at a step."""

    start: int
    stop: int
    high: int
    low: int


class Marked(NamedTuple):
    """What is drawn of marks.

    Attributes:
        notes: those at fault, each once.
        links: between those that are at fault together.
    """

    notes: tuple[RollNote, ...] = ()
    links: tuple[Link, ...] = ()


def of(picture: Roll, marks: Iterable[Mark]) -> Marked:
    """Where the marks of a piece lie on its picture."""
    rows = [[note for note in picture.notes if note.voice == voice] for voice in Voice]
    begins = [[note.start for note in row] for row in rows]
    notes: set[RollNote] = set()
    links: set[Link] = set()
    for mark in marks:
        found = [
            note
            for voice in mark.voices
            for note in _sounding(rows[voice], begins[voice], mark.step)
        ]
        notes.update(found)
        if len(found) > 1:
            pitches = [note.pitch for note in found]
            links.add(Link(mark.step, mark.step + 1, max(pitches), min(pitches)))
    return Marked(tuple(sorted(notes)), tuple(sorted(links)))


def about(marks: Iterable[Mark], note: RollNote) -> tuple[Mark, ...]:
    """The marks that a note is at fault in."""
    return tuple(
        mark
        for mark in marks
        if note.voice in mark.voices and mark.step < note.stop and mark.stop > note.start
    )


def words(marks: Iterable[Mark], note: RollNote) -> list[str]:
    """What the marks say of a note, and how often Bach does that."""
    return [f"{mark.sentence} {mark.bach}." for mark in about(marks, note)]


def on_system(system: System, marks: Iterable[Mark]) -> tuple[tuple[Head, ...], ...]:
    """For each mark that lies on a system the heads at fault, the highest on the page first."""
    found = (
        [head for head in system.sounding(mark.step) if head.note.voice in mark.voices]
        for mark in marks
        if system.start <= mark.step < system.stop
    )
    return tuple(tuple(sorted(heads, key=lambda head: head.y)) for heads in found if heads)


def _sounding(row: list[RollNote], begins: list[int], step: int) -> list[RollNote]:
    """The note of one voice that sounds at a step, if one does."""
    place = bisect_right(begins, step) - 1
    return [row[place]] if place >= 0 and row[place].stop > step else []
