"""Edits of the current piece: each is applied as a step of Undo, or refused with a sentence."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from typing import Final, TypeAlias

from PySide6.QtCore import QObject, Slot

from musicrel.chorale import Chorale
from musicrel.editing import note_edits
from musicrel.editing.edit import Edit
from musicrel.editing.notes import Note, notes_in
from musicrel.editing.selection import Selection
from musicrel.errors import MusicrelError
from musicrel.presentation.compose.blank_piece import blank_piece
from musicrel.presentation.roll.roll import RollNote
from musicrel.presentation.roll.selection import describe
from musicrel.presentation.takes import edit_effects
from musicrel.ui.document import edits
from musicrel.ui.document.document import Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.editing.note_sound import NoteSound
from musicrel.ui.roll.roll_view import RollView

UNCHANGED: Final = "Nothing to change: no note is selected"
EFFECT: Final = "{what}; {effect}"

MakeEdit: TypeAlias = Callable[[Chorale, Selection], Edit]


class Editor(QObject):
    """Applies edits to the document."""

    def __init__(
        self, document: Document, messages: Messages, roll: RollView, sound: NoteSound
    ) -> None:
        super().__init__(document)
        self._document, self._messages = document, messages
        self._roll, self._sound = roll, sound
        self._blank: Chorale | None = None

    def begun_piece(self) -> Chorale:
        """Return the current piece; on an empty sheet a blank one with the form.

        The blank piece is not shown before its first edit, whose Undo leads back to it.
        """
        piece = self._document.piece
        if piece is None:
            piece = self._blank = blank_piece(self._document.form)
        return piece

    def apply(
        self,
        make: Callable[[], Edit],
        *,
        sounds: bool = False,
        unchanged: str = UNCHANGED,
        edited: Collection[Note] | None = None,
    ) -> bool:
        """Apply an edit; return whether it could be made.

        One that changes nothing makes no step of Undo: its notes are selected and played.

        Args:
            sounds: True plays the edited notes.
            unchanged: message if the edit changes nothing; "": none.
            edited: the notes it is about; the status bar names others that it replaces or cuts.
                None: it names none.
        """
        if not self.check_ready():
            return False
        try:
            edit = make()
        except MusicrelError as error:
            self.explain(error)
            return False
        present = self._document.piece
        if edit.piece is not (present or self._blank):
            self._begin()
            edits.apply(self._document, edit)
            if edited is not None and present is not None and edit.source_T is None:
                self._report_effect(edit_effects.describe(present, edit.piece, edited))
        elif unchanged:
            self._messages.show_state(unchanged)
            return True
        elif present is not None:
            self._document.select(edit.selection)
        if edit.selection is not None:
            self._show(edit.selection, sounds=sounds)
        return True

    def check_ready(self) -> bool:
        """Return whether the piece can be edited now; if not, show the reason."""
        reason = self._document.unready_reason
        if reason:
            self._messages.show_state(reason)
        return not reason

    def edit_selection(self, make: MakeEdit, *, sounds: bool = False) -> None:
        """Apply an edit of the selected notes; without a selection, do nothing."""
        piece, selection = self._document.piece, self._document.selection
        if piece is not None and selection is not None:
            edited = notes_in(piece, selection)
            self.apply(partial(make, piece, selection), sounds=sounds, edited=edited)

    @Slot(int, int)
    def move(self, steps: int, semitones: int) -> None:
        make = partial(note_edits.move, steps=steps, semitones=semitones)
        self.edit_selection(make, sounds=semitones != 0)

    def _begin(self) -> None:
        """Show the blank piece before the first note of the document, for Undo to lead back to."""
        document = self._document
        if self._blank is not None and document.piece is None and document.undo_state is None:
            document.show_piece(self._blank)

    def explain(self, error: MusicrelError) -> None:
        """Show in the status bar why an edit is impossible."""
        text = str(error)
        self._messages.show_state(text[:1].upper() + text[1:])

    def _report_effect(self, effect: str) -> None:
        """Show the selected notes, and what an edit did to others, if anything."""
        piece, selection = self._document.piece, self._document.selection
        picture = self._roll.picture
        if piece is None or selection is None or picture is None:
            return
        found = notes_in(piece, selection)
        alone = len(found) == 1
        what = picture.describe(RollNote(*found[0])) if alone else describe(selection, picture)
        self._messages.show_state(EFFECT.format(what=what, effect=effect) if effect else what)

    def _show(self, selection: Selection, *, sounds: bool) -> None:
        """Scroll to the edited notes, and play them."""
        self._roll.follow(selection.start, resume=True)
        piece = self._document.piece
        if sounds and piece is not None:
            self._sound.play(piece, selection)
