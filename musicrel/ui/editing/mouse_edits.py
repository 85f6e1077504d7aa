"""Controller of the mouse on the roll: its gestures become edits."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Slot

from musicrel.chorale import Voice
from musicrel.editing import note_edits
from musicrel.editing.copies import copy_by
from musicrel.editing.notes import Note, span_between
from musicrel.editing.selection import Selection
from musicrel.presentation.roll.roll import RollNote
from musicrel.ui.document.document import Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.editing.editor import Editor
from musicrel.ui.roll.roll_drag import RollDrag
from musicrel.ui.roll.roll_view import RollView


class MouseEdits(QObject):
    """The controller of the gestures.

    Args:
        document: its piece is edited.
        messages: show where a dragged note would be.
        editor: applies the edits.
        roll: the view.
        mouse: the gestures on it.
    """

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
        """Add a quarter note of the selected voice, by default of the soprano."""
        piece, selection = self._document.piece, self._document.selection
        if piece is None:
            return
        one = selection is not None and len(selection.voices) == 1
        voice = selection.voices[0] if selection is not None and one else Voice.SOPRANO
        start, stop = span_between((step, step), piece.steps)
        note = Note(start, stop, pitch, int(voice))
        self._editor.apply(partial(note_edits.put, piece, note), sounds=True)

    @Slot(object)
    def _remove(self, note: RollNote) -> None:
        piece = self._document.piece
        if piece is not None:
            self._editor.apply(partial(note_edits.delete, piece, Selection.of_note(note)))

    @Slot(object)
    def _describe(self, note: RollNote) -> None:
        """Show in the status bar where a dragged note would be."""
        picture = self._roll.picture
        if picture is not None:
            self._messages.show_state(picture.describe(note))

    @Slot()
    def _update_enabled(self) -> None:
        """Refuse gestures while the piece cannot be edited."""
        self._mouse.set_disabled_reason(self._document.unready_reason)
