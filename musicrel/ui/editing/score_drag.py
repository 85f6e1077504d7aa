"""Notes of the engraved score that are dragged up or down the staff with the mouse.

A ghost with the name of the note shows where it would be: it gets the pitch of its line or space in
the key signature. Of several selected notes all move. It is one step of Undo; Escape cancels.
"""

from __future__ import annotations

from functools import partial
from typing import Final, NamedTuple

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Slot
from PySide6.QtGui import QKeyEvent

from musicrel.chorale import Chorale
from musicrel.editing import degrees, note_edits
from musicrel.editing.edit import Edit
from musicrel.editing.notes import Note, note_at, notes_in
from musicrel.editing.selection import Selection
from musicrel.presentation.score import ghost, staff_positions
from musicrel.presentation.score.ghost import Ghost
from musicrel.presentation.score.score_picture import SPACE, Head, System
from musicrel.ui.document.document import Document
from musicrel.ui.editing.editor import Editor
from musicrel.ui.score.score_view import ScoreView

NOTE_TIP: Final = "Drag up or down to change the pitch, click to select"


class _Grab(NamedTuple):
    """A note that the mouse holds."""

    piece: Chorale
    note: Note
    moved: Selection
    row: int  # index of the system
    system: System
    head: Head

    @property
    def alone(self) -> bool:
        """Return True if no other note moves."""
        return notes_in(self.piece, self.moved) == [self.note]

    @property
    def degree(self) -> int:
        """Return the line or space of the head."""
        staff = staff_positions.staff_of(self.system, self.note.voice)
        return staff_positions.degree_at(staff, self.head.y)

    def pitch(self, by: int) -> int:
        """Return the pitch of the note after a move by scale steps."""
        if by and self.alone:
            return degrees.pitch_of(self.degree + by, self.piece.key)
        return degrees.by_degrees(self.note.pitch, self.piece.key, by)

    def edit(self, by: int) -> Edit:
        """Return the edit that moves by scale steps, at least one."""
        if self.alone:
            moved = self.note._replace(pitch=self.pitch(by))
            return note_edits.replace_note(self.piece, self.note, moved)
        return note_edits.move_by_scale(self.piece, self.moved, by)


class ScoreDrag(QObject):
    """Drags of note heads on one score."""

    def __init__(self, document: Document, editor: Editor, view: ScoreView) -> None:
        super().__init__(view)
        self._document, self._editor, self._view = document, editor, view
        self._grab: _Grab | None = None
        self._cancelled = False
        view.note_tip = NOTE_TIP
        view.installEventFilter(self)
        view.dragged.connect(self._on_drag)
        view.dropped.connect(self._on_drop)

    @Slot(QPoint, QPoint)
    def _on_drag(self, start: QPoint, place: QPoint) -> None:
        if self._cancelled or self._view.input_cursor is not None:
            return
        if self._grab is None:
            self._grab = self._grabbed(start)
        if self._grab is not None:
            self._view.set_ghost(_ghost(self._grab, self._degrees(start, place)))

    @Slot(QPoint, QPoint, bool)
    def _on_drop(self, start: QPoint, place: QPoint, _extends: bool) -> None:
        grab, self._grab, self._cancelled = self._grab, None, False
        if grab is None:
            return
        by = self._degrees(start, place)
        if by and grab.piece is self._document.piece:
            self._editor.apply(partial(grab.edit, by), sounds=True)
        self._view.set_ghost(None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        if watched is not self._view or self._grab is None or event.key() != Qt.Key.Key_Escape:
            return False
        self._grab, self._cancelled = None, True
        self._view.set_ghost(None)
        return True

    def _grabbed(self, start: QPoint) -> _Grab | None:
        """Return the note at a point, if the piece can be edited."""
        spot, piece = self._view.spot_at(start), self._document.piece
        if spot is None or spot.head is None or piece is None or not self._editor.check_ready():
            return None
        head = spot.head
        note = note_at(piece, head.note.voice, head.start)
        if note is None:
            return None
        row = self._view.seen.system_of(head.start)
        moved = _moved_with(piece, note, self._document.selection)
        return _Grab(piece, note, moved, row or 0, spot.system, head)

    def _degrees(self, start: QPoint, place: QPoint) -> int:
        """Return the scale steps between two points, positive upwards."""
        return round((start.y() - place.y()) / (SPACE / 2 * self._view.seen.scale))


def _moved_with(piece: Chorale, note: Note, selection: Selection | None) -> Selection:
    if selection is not None and note in notes_in(piece, selection):
        return selection
    return Selection.of_note(note)


def _ghost(grab: _Grab, by: int) -> Ghost:
    """Return the ghost of a note that is moved by scale steps."""
    return ghost.ghost(
        grab.row,
        grab.system,
        x=grab.head.x,
        voice=grab.note.voice,
        degree=grab.degree + by,
        pitch=grab.pitch(by),
        key=grab.piece.key,
    )
