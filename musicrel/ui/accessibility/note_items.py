"""The notes of the piano roll and of the engraved score as items, in the order of time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QRect, QRectF

from musicrel.chorale import Chorale, Flags
from musicrel.editing.selection import Selection
from musicrel.presentation.roll import roll
from musicrel.presentation.roll.marks import Mark
from musicrel.presentation.roll.roll import Roll, RollNote
from musicrel.presentation.score.score_picture import SPACE, Head, Score
from musicrel.presentation.spoken.note_texts import NoteTexts
from musicrel.ui.document.document import Document
from musicrel.ui.roll.roll_paint import KEYBOARD_WIDTH, RULER_HEIGHT
from musicrel.ui.roll.roll_view import RollView
from musicrel.ui.score.score_view import ScoreView

_HEAD: Final = 0.7 * SPACE
"""Half the width of a note head, with room around it, in units of the score."""


class RollItems:
    """The notes of a roll.

    Args:
        own: True if the roll shows the piece of the document, which can be selected and locked.
    """

    def __init__(
        self,
        view: RollView,
        document: Document,
        marks: Callable[[], tuple[Mark, ...]],
        *,
        own: bool = True,
    ) -> None:
        self._view, self._document, self._marks, self._own = view, document, marks, own

    @property
    def notes(self) -> tuple[RollNote, ...]:
        """Return the notes, by start, then from soprano to bass."""
        return self._view.picture.notes if self._view.picture is not None else ()

    def count(self) -> int:
        return len(self.notes)

    def text(self, index: int) -> str:
        """Return voice, pitch, place, length, lock and broken rules of a note."""
        return self.texts().note(self.notes[index])

    def explanation(self, index: int) -> str:
        """Return the explanation of the rules that a note breaks."""
        return self.texts().explanation(self.notes[index])

    def passage(self, selection: Selection) -> str:
        return self.texts().passage(selection, self.notes)

    def box(self, index: int) -> QRect:
        """Return the rectangle of a note."""
        note, seen = self.notes[index], self._view.seen
        width = (note.stop - note.start) * seen.step_width
        box = QRectF(seen.x(note.start), seen.y(note.pitch), width, seen.row_height)
        return box.translated(KEYBOARD_WIDTH, RULER_HEIGHT).toAlignedRect()

    def is_selected(self, index: int) -> bool:
        """Return whether a part of a note, at least, is selected."""
        selection = self._document.selection if self._own else None
        return selection is not None and selection.touches(self.notes[index])

    def select(self, index: int) -> None:
        """Select a whole note, and scroll to it."""
        if self._own:
            self._document.select(Selection.of_note(self.notes[index]))
            self._view.follow(self.notes[index].start, resume=True)

    def current(self) -> int | None:
        """Return the only note that is selected, from its beginning."""
        return current_note(self.notes, self._document.selection if self._own else None)

    def texts(self) -> NoteTexts:
        """Return the texts of the notes of the shown piece."""
        picture: Roll = self._view.picture or _NO_ROLL
        return NoteTexts(
            meter=picture.meter,
            pickup=picture.pickup,
            key=picture.key,
            locked=locks_of(self._document, picture.steps) if self._own else None,
            marks=self._marks(),
        )


class ScoreItems:
    """The notes of the engraved score, each at its first head."""

    def __init__(self, view: ScoreView, roll: RollItems, document: Document) -> None:
        self._view, self._roll, self._document = view, roll, document
        self._of: Score | None = None
        self._heads: tuple[tuple[int, Head], ...] = ()

    @property
    def heads(self) -> tuple[tuple[int, Head], ...]:
        """Return the index of the system and the first head of every note, in order."""
        score = self._view.score
        if score is not self._of:
            self._of, self._heads = score, _first_heads(score)
        return self._heads

    @property
    def notes(self) -> tuple[RollNote, ...]:
        """Return the notes, by start, then from soprano to bass."""
        return tuple(head.note for _system, head in self.heads)

    def count(self) -> int:
        return len(self.heads)

    def text(self, index: int) -> str:
        """Return voice, pitch, place, length, lock and broken rules of a note."""
        return self._roll.texts().note(self.heads[index][1].note)

    def explanation(self, index: int) -> str:
        """Return the explanation of the rules that a note breaks."""
        return self._roll.texts().explanation(self.heads[index][1].note)

    def box(self, index: int) -> QRect:
        """Return the rectangle of the first head of a note."""
        system, head = self.heads[index]
        seen = self._view.seen
        x, y = seen.point(system, head.x, head.y)
        reach = _HEAD * seen.scale
        return QRectF(x - reach, y - reach, 2 * reach, 2 * reach).toAlignedRect()

    def is_selected(self, index: int) -> bool:
        """Return whether a part of a note, at least, is selected."""
        selection = self._document.selection
        return selection is not None and selection.touches(self.heads[index][1].note)

    def select(self, index: int) -> None:
        """Select a whole note, which scrolls to it."""
        self._document.select(Selection.of_note(self.heads[index][1].note))

    def current(self) -> int | None:
        """Return the only note that is selected, from its beginning."""
        return current_note(self.notes, self._document.selection)


def current_note(notes: tuple[RollNote, ...], selection: Selection | None) -> int | None:
    """Return the index of the note that a selection of one voice begins with and lies in."""
    if selection is None or len(selection.voices) > 1:
        return None
    here = (
        index
        for index, note in enumerate(notes)
        if note.voice == selection.voices[0] and note.start == selection.start
    )
    found = next(here, None)
    return found if found is not None and selection.stop <= notes[found].stop else None


def locks_of(document: Document, steps: int) -> Flags | None:
    """Return the locked cells of the shown piece, bool (T, 4); None if it has none."""
    locks = document.locks
    return locks if locks is not None and len(locks) == steps else None


def _first_heads(score: Score | None) -> tuple[tuple[int, Head], ...]:
    """Return the first head of every note of a score; tied notes have several."""
    found: dict[tuple[int, int], tuple[int, Head]] = {}
    for index, system in enumerate(score.systems if score is not None else ()):
        for head in sorted(system.heads, key=lambda head: head.start):
            found.setdefault((head.note.start, head.note.voice), (index, head))
    return tuple(found[key] for key in sorted(found))


_NO_ROLL: Final = roll.draw(Chorale.of([(-1, -1, -1, -1)]))
"""What a view shows before the first picture."""
