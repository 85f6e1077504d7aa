"""Notes and passages as a screen reader speaks them: voice, pitch, place, length, lock and rules.

A note without the word "locked" is not locked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from musicrel.chorale import Flags, Key, Meter, Voice
from musicrel.editing.notes import Note
from musicrel.editing.selection import Selection
from musicrel.presentation.marks import Mark, descriptions, marks_of
from musicrel.presentation.words import names

LOCKED: Final = "locked"
PARTLY_LOCKED: Final = "partly locked"
REST: Final = "rest"
HELD: Final = "{note}, held"
_SIGNS: Final = str.maketrans({"♯": " sharp ", "♭": " flat "})

_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_PERCENT: Final = re.compile(r"(\d+)\s?%$")
_PART: Final = re.compile(r"^(?!Stopped).*\b(?:bar|candidate) (\d+) of (\d+)$")
_SEARCH: Final = "Searching"
_QUARTERS: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NoteTexts:
    meter: Meter  # time signature
    pickup: int  # steps before the first bar line
    key: Key | None  # for the spelling of pitches; None if it is not known
    locked: Flags | None = None  # locked cells, bool (T, 4); None: none
    marks: tuple[Mark, ...] = ()  # the rule violations

    def note(self, note: Note) -> str:
        """Describe a note, as 'Alto F sharp 4, bar 3, beat 2½, quarter, locked'."""
        parts = (
            self._sound(note),
            self._place(note.start),
            names.length(note.stop - note.start),
            self._lock((note.voice,), note.start, note.stop),
            *(f"{mark.title}: {mark.who}" for mark in marks_of(self.marks, note)),
        )
        return ", ".join(part for part in parts if part)

    def explanation(self, note: Note) -> str:
        """Return why the rules that a note breaks exist, with their sources; "" for none."""
        return " ".join(descriptions(self.marks, note))

    def passage(self, selection: Selection, notes: Iterable[Note]) -> str:
        """Describe a selection.

        A cell is described by its note, or as a rest; a longer passage by voices, ends and notes.
        """
        inside = [note for note in notes if selection.touches(note)]
        single = len(selection.voices) == 1
        if single and len(inside) == 1:
            note = inside[0]
            if note.start <= selection.start and selection.stop <= note.stop:
                return self._part(selection, note)
        if single and selection.stop - selection.start == 1:
            place = self._place(selection.start)
            return ", ".join(
                filter(None, (_voices(selection), REST, place, self._locks(selection)))
            )
        ends = (self._place(step) for step in (selection.start, selection.stop - 1))
        parts = (_voices(selection), " to ".join(ends), names.count(len(inside), "note"))
        return ", ".join(filter(None, (*parts, self._locks(selection))))

    def _part(self, selection: Selection, note: Note) -> str:
        """Describe a note, or where in it a selection begins."""
        if selection.start == note.start:
            return self.note(note)
        held = HELD.format(note=self._sound(note))
        return ", ".join(filter(None, (held, self._place(selection.start), self._locks(selection))))

    def _sound(self, note: Note) -> str:
        pitch = names.pitch(note.pitch, self.key).translate(_SIGNS)
        return f"{Voice(note.voice).title} {pitch}"

    def _place(self, step: int) -> str:
        return names.position(step, self.meter, self.pickup)

    def _locks(self, selection: Selection) -> str:
        return self._lock(selection.voices, selection.start, selection.stop)

    def _lock(self, voices: tuple[int, ...], start: int, stop: int) -> str:
        if self.locked is None:
            return ""
        cells = self.locked[start:stop, list(voices)]
        return LOCKED if cells.size and cells.all() else PARTLY_LOCKED if cells.any() else ""


def _voices(selection: Selection) -> str:
    return ", ".join(Voice(voice).title for voice in selection.voices)


class MessageFilter:
    """A filter of the messages of one window, which remembers what was announced."""

    def __init__(self) -> None:
        self._announced: set[tuple[str, int]] = set()

    def is_due(self, text: str) -> bool:
        """Return whether ``text`` is to be announced, and remember it as announced if so."""
        if not text:
            return False
        quarter = quarter_of(text)
        if quarter is None:
            self._announced.clear()
            return True
        kind = (_NUMBER.sub("", text), quarter)
        if kind in self._announced:
            return False
        self._announced.add(kind)
        return True


def quarter_of(text: str) -> int | None:
    """Return the quarter, 0 to 4, that a message of progress has reached; None for any other."""
    if percent := _PERCENT.search(text):
        return int(percent[1]) * _QUARTERS // 100
    if part := _PART.search(text):
        return (int(part[1]) - 1) * _QUARTERS // max(int(part[2]), 1)
    return 0 if text.startswith(_SEARCH) else None
