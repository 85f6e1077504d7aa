"""Positions of rule marks: notes of the roll or heads of the score, and lines between them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple

from musicrel.chorale import Voice
from musicrel.editing.notes import Note
from musicrel.presentation.roll.marks import Mark
from musicrel.presentation.roll.roll import Roll
from musicrel.presentation.score.score_picture import Head, System


class Link(NamedTuple):
    """A line between the voices of a mark, from the highest to the lowest pitch at a step."""

    start: int
    stop: int
    high: int
    low: int


class MarkPositions(NamedTuple):
    notes: tuple[Note, ...] = ()
    links: tuple[Link, ...] = ()  # lines between the notes of a mark


def locate(picture: Roll, marks: Iterable[Mark]) -> MarkPositions:
    rows = [[note for note in picture.notes if note.voice == voice] for voice in Voice]
    starts = [[note.start for note in row] for row in rows]
    notes: set[Note] = set()
    links: set[Link] = set()
    for mark in marks:
        found = [
            note
            for voice in mark.voices
            for note in _sounding(rows[voice], starts[voice], mark.step)
        ]
        notes.update(found)
        if len(found) > 1:
            pitches = [note.pitch for note in found]
            links.add(Link(mark.step, mark.step + 1, max(pitches), min(pitches)))
    return MarkPositions(tuple(sorted(notes)), tuple(sorted(links)))


def marks_of(marks: Iterable[Mark], note: Note) -> tuple[Mark, ...]:
    return tuple(
        mark
        for mark in marks
        if note.voice in mark.voices and mark.step < note.stop and mark.stop > note.start
    )


def descriptions(marks: Iterable[Mark], note: Note) -> list[str]:
    """Return the descriptions of a note's marks, with their sources and Bach's rates."""
    return [f"{mark.sentence} {mark.source}. {mark.bach}." for mark in marks_of(marks, note)]


def on_system(system: System, marks: Iterable[Mark]) -> tuple[tuple[Head, ...], ...]:
    """Return the heads of each mark on a system, the highest on the page first."""
    found = (
        [head for head in system.sounding(mark.step) if head.note.voice in mark.voices]
        for mark in marks
        if system.start <= mark.step < system.stop
    )
    return tuple(tuple(sorted(heads, key=lambda head: head.y)) for heads in found if heads)


def _sounding(row: list[Note], starts: list[int], step: int) -> list[Note]:
    place = bisect_right(starts, step) - 1
    return [row[place]] if place >= 0 and row[place].stop > step else []
