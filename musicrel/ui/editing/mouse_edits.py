"""Controller of the mouse on the roll: its gestures become edits."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Slot

from musicrel.editing import note_edits
from musicrel.editing.copies import copy_by
from musicrel.editing.notes import Note, span_between
from musicrel.editing.placing import fitting_voice
from musicrel.editing.selection import Selection
from musicrel.presentation.compose import bound_ranges
from musicrel.presentation.roll.roll import RollNote
from musicrel.ui.document.document import Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.editing.editor import Editor
from musicrel.ui.roll.roll_drag import RollDrag
from musicrel.ui.roll.roll_view import RollView

DELETED: Final = "Deleted: {note}"


class MouseEdits(QObject):
    """The controller of the gestures."""

    def __init__(
        self,
        document: Document,
        messages: Messages,
        editor: Editor,
        *,
        roll: RollView,
        mouse: RollDrag,
    ) -> None:
        super().__init__(document)
        self._document, self._messages, self._editor = document, messages, editor
        self._roll, self._mouse = roll, mouse
        for signal, slot in (
            (mouse.moved, editor.move),
            (mouse.copied, self._copy_by),
            (mouse.resized, self._resize),
            (mouse.added, self._add),
            (mouse.removed, self._remove),
            (mouse.pointed_at, self._describe),
            (mouse.refused, messages.show_state),
            (document.piece_changed, mouse.cancel),
            (document.shown_changed, self._update_enabled),
            (document.generation_started, self._update_enabled),
        ):
            signal.connect(slot)
        self._update_enabled()

    @Slot(int, int)
    def _copy_by(self, steps: int, semitones: int) -> None:
        self._editor.edit_selection(partial(copy_by, steps=steps, semitones=semitones), sounds=True)

    @Slot(int)
    def _resize(self, steps: int) -> None:
        self._editor.edit_selection(partial(note_edits.resize, steps=steps))

    @Slot(float, int)
    def _add(self, step: float, pitch: int) -> None:
        piece, selection = self._document.piece, self._document.selection
        if piece is None:
            return
        start, stop = span_between((step, step), piece.steps)
        if selection is not None and len(selection.voices) == 1:
            voice = selection.voices[0]
        else:
            ranges = bound_ranges.of_piece(piece, self._document.form)
            voice = fitting_voice(piece, start, pitch, ranges)
        note = Note(start, stop, pitch, int(voice))
        self._editor.apply(partial(note_edits.put, piece, note), sounds=True, edited=())

    @Slot(object)
    def _remove(self, note: RollNote) -> None:
        piece, picture = self._document.piece, self._roll.picture
        if piece is None or picture is None:
            return
        deleted = DELETED.format(note=picture.describe(note))
        if self._editor.apply(partial(note_edits.delete, piece, Selection.of_note(note))):
            self._messages.show_state(deleted)

    @Slot(object)
    def _describe(self, note: RollNote) -> None:
        picture = self._roll.picture
        if picture is not None:
            self._messages.show_state(picture.describe(note))

    @Slot()
    def _update_enabled(self) -> None:
        self._mouse.set_disabled_reason(self._document.unready_reason)
