"""Edits of the current piece: each is applied as a step of Undo, or refused with a sentence."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, TypeAlias

from PySide6.QtCore import QObject, Slot

from musicrel.chorale import Chorale
from musicrel.editing import note_edits
from musicrel.editing.edit import Edit
from musicrel.editing.selection import Selection
from musicrel.errors import MusicrelError, UsageError
from musicrel.presentation.compose.blank_piece import blank_piece
from musicrel.ui.document import edits
from musicrel.ui.document.document import Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.editing.note_sound import NoteSound
from musicrel.ui.roll.roll_view import RollView

UNCHANGED: Final = "Nothing to change: no note is selected"


MakeEdit: TypeAlias = Callable[[Chorale, Selection], Edit]


class Editor(QObject):
    """Applies edits to the document.

    Args:
        document: its piece is edited.
        messages: show why an edit is impossible.
        roll: scrolls to the edited place.
        sound: plays notes with another pitch.
    """

    def __init__(
        self, document: Document, messages: Messages, roll: RollView, sound: NoteSound
    ) -> None:
        super().__init__(document)
        self._document, self._messages = document, messages
        self._roll, self._sound = roll, sound

    def begun_piece(self) -> Chorale:
        """Return the current piece; begin one with the form on an empty sheet.

        Raises:
            UsageError: an entry of the form is invalid.
        """
        if self._document.piece is None:
            self._document.show_piece(blank_piece(self._document.form))
        if self._document.piece is None:
            raise UsageError(self._document.unready_reason)
        return self._document.piece

    def apply(
        self, make: Callable[[], Edit], *, sounds: bool = False, unchanged: str = UNCHANGED
    ) -> bool:
        """Apply an edit; return whether it could be made.

        Args:
            make: returns the edit of the current piece, or raises the reason why there is none.
            sounds: True plays the edited notes.
            unchanged: message if the edit changes nothing; "": none.
        """
        reason = self._document.unready_reason
        if reason:
            self._messages.show_state(reason)
            return False
        try:
            edit = make()
        except MusicrelError as error:
            self.explain(error)
            return False
        if edit.piece is self._document.piece:
            if unchanged:
                self._messages.show_state(unchanged)
            return True
        edits.apply(self._document, edit)
        if edit.selection is not None:
            self._show(edit.selection, sounds=sounds)
        return True

    def edit_selection(self, make: MakeEdit, *, sounds: bool = False) -> None:
        """Apply an edit of the selected notes; without a selection, do nothing."""
        piece, selection = self._document.piece, self._document.selection
        if piece is not None and selection is not None:
            self.apply(partial(make, piece, selection), sounds=sounds)

    @Slot(int, int)
    def move(self, steps: int, semitones: int) -> None:
        """Move the selected notes in time and pitch."""
        make = partial(note_edits.move, steps=steps, semitones=semitones)
        self.edit_selection(make, sounds=semitones != 0)

    def explain(self, error: MusicrelError) -> None:
        """Show in the status bar why an edit is impossible."""
        text = str(error)
        self._messages.show_state(text[:1].upper() + text[1:])

    def _show(self, selection: Selection, *, sounds: bool) -> None:
        """Scroll to the edited notes, and play them."""
        self._roll.follow(selection.start, resume=True)
        piece = self._document.piece
        if sounds and piece is not None:
            self._sound.play(piece, selection)
