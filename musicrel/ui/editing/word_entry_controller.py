"""Words typed under the notes, in a bar above the sheet; keys lead from note to note.

The note at the cursor is selected. Whatever leads away from a note writes the word that was typed
there, each as one step of Undo.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QSizePolicy, QWidget

from musicrel.chorale import Chorale, Voice
from musicrel.language import tr
from musicrel.score.editing import word_entry
from musicrel.score.editing.selection import Selection
from musicrel.score.editing.word_entry import WordCursor
from musicrel.ui.editing.edit_controller import Editor
from musicrel.ui.shell.main_window import Services
from musicrel.ui.widgets import icons, layout, stylesheet
from musicrel.ui.widgets.elided_label import ElidedLabel

NO_NOTES: Final = tr("There is no note to write words under: select one")
NAME: Final = tr("Words under the notes")
PLACE: Final = tr("{voice}, verse {verse}")
KEYS: Final = tr("Space: next note, hyphen: next syllable, Return: next verse, Esc: end")
KEYS_TIP: Final = tr(
    "Space: the next note, a new word\n"
    "Hyphen: the next note, the word goes on\n"
    "Underscore: the next note, the word is held\n"
    "Tilde: two words on one note\n"
    "Return, Down: the next verse under this note; Up: the verse before\n"
    "Left, Right: the note before or after\n"
    "Esc: leave the words"
)
CLOSE_TIP: Final = tr("Leave the words (Esc)")


class Leave(NamedTuple):
    """A way from one word to another, by notes or verses."""

    notes: int = 0
    verses: int = 0
    hyphen: bool | None = None  # whether the word goes on; None: as before
    extends: bool | None = None  # whether it is held; None: as before


_OTHER_COMMANDS: Final = (
    Qt.KeyboardModifier.ControlModifier
    | Qt.KeyboardModifier.AltModifier
    | Qt.KeyboardModifier.MetaModifier
)
_ALWAYS: Final[Mapping[int, Leave]] = {
    Qt.Key.Key_Space: Leave(notes=1, hyphen=False, extends=False),
    Qt.Key.Key_Minus: Leave(notes=1, hyphen=True, extends=False),
    Qt.Key.Key_Underscore: Leave(notes=1, hyphen=False, extends=True),
    Qt.Key.Key_Return: Leave(verses=1),
    Qt.Key.Key_Enter: Leave(verses=1),
    Qt.Key.Key_Down: Leave(verses=1),
    Qt.Key.Key_Up: Leave(verses=-1),
}


class WordLine(QLineEdit):
    left = Signal(object)  # a key leads to another note or verse: a ``Leave``
    ended = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        leave = None if event.modifiers() & _OTHER_COMMANDS else self._leave_by(event.key())
        if event.key() == Qt.Key.Key_Escape:
            self.ended.emit()
        elif leave is not None:
            self.left.emit(leave)
        else:
            super().keyPressEvent(event)

    def _leave_by(self, key: int) -> Leave | None:
        text, at, chosen = self.text(), self.cursorPosition(), self.selectedText()
        starts = at == 0 and not chosen
        if (key == Qt.Key.Key_Backspace and starts) or (
            key == Qt.Key.Key_Left and (starts or chosen == text)
        ):
            return Leave(notes=-1)
        if key == Qt.Key.Key_Right and (chosen == text or at == len(text)):
            return Leave(notes=1)
        return _ALWAYS.get(key)


class WordBar(QFrame):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("input")
        self.setAccessibleName(NAME)
        self.place, self.line = QLabel(), WordLine()
        self.line.setAccessibleName(NAME)
        stylesheet.fix_width(self.line, 160)
        self.close_button = icons.button("close", CLOSE_TIP)
        self.keys = ElidedLabel()
        self.keys.setText(KEYS)
        self.keys.setToolTip(KEYS_TIP)
        self.keys.setObjectName("quiet")
        self.keys.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        layout.row(
            self.place, 8, self.line, 12, (self.keys, 1), self.close_button,
            owner=self, margins=(14, 3, 10, 3),
        )  # fmt: skip

    def show_word(self, place: str, text: str) -> None:
        self.place.setText(place)
        self.line.setText(text)
        self.line.selectAll()


class WordEntryController(QObject):
    started = Signal()  # words are typed now; the sheet is to be visible

    def __init__(self, services: Services, editor: Editor) -> None:
        super().__init__(services.document)
        self._document, self._messages, self._editor = services.document, services.messages, editor
        self._page, self.bar = services.page, WordBar()
        self._action = services.commands.edit.type_words
        self._notes = services.commands.rewriting.draw
        self.cursor: WordCursor | None = None
        self._leaving = False
        self._page.add_above_sheet(self.bar)
        self.bar.hide()
        self._connect()

    @Slot(bool)
    def _toggle(self, on: bool) -> None:
        piece = self._document.piece
        if not on:
            self._leave(Leave())
            self.cursor = None
            self._page.shown.setFocus()
        elif piece is not None:
            self.started.emit()
            self._notes.setChecked(False)
            self._show(word_entry.cursor_at(piece, self._document.selection))
            if self.cursor is None:
                self._messages.show_state(NO_NOTES)
        self.bar.setVisible(self.cursor is not None)
        if self.cursor is not None:
            self._document.select(self.cursor.selection)
            self.bar.line.setFocus()
        else:
            self._action.setChecked(False)

    def _show(self, cursor: WordCursor | None) -> None:
        piece, self.cursor = self._document.piece, cursor
        if cursor is None or piece is None:
            return
        place = PLACE.format(voice=Voice(cursor.note.voice).title, verse=cursor.verse)
        self.bar.show_word(place, word_entry.typed(piece, cursor))

    @Slot(object)
    def _leave(self, how: Leave, to: WordCursor | None = None) -> None:
        """Write the word, and go to another note or verse."""
        piece, cursor, text = self._document.piece, self.cursor, self.bar.line.text()
        if piece is None or cursor is None:
            return
        after = to or cursor.moved(piece, how.notes).in_verse(how.verses)
        self._leaving = True
        edit = word_entry.write(piece, cursor, text, hyphen=how.hyphen, extends=how.extends)
        applied = self._editor.apply(lambda: replace(edit, selection=after.selection), unchanged="")
        self._leaving = False
        if applied:
            self._show(after)

    @Slot(object)
    def _on_selection_changed(self, selection: Selection | None) -> None:
        piece, cursor = self._document.piece, self.cursor
        if piece is None or cursor is None or selection is None or self._leaving:
            return
        to = word_entry.cursor_at(piece, selection, cursor.verse)
        if to is not None and to.note != cursor.note:
            self._leave(Leave(), to)
            self.bar.line.setFocus()

    @Slot(object)
    def _on_piece_changed(self, piece: Chorale | None) -> None:
        """Follow Undo and edits, or end where the note is gone."""
        if self.cursor is None or self._leaving:
            return
        cursor = (
            word_entry.cursor_at(piece, self.cursor.selection, self.cursor.verse) if piece else None
        )
        if cursor is None or cursor.note != self.cursor.note:
            self.cursor = None
            self._action.setChecked(False)
        else:
            self._show(cursor)

    @Slot()
    def _end(self) -> None:
        self._action.setChecked(False)

    def _connect(self) -> None:
        for signal, slot in (
            (self._action.toggled, self._toggle),
            (self._notes.toggled, lambda on: self._end() if on else None),
            (self.bar.line.left, self._leave),
            (self.bar.line.ended, self._end),
            (self.bar.close_button.clicked, self._end),
            (self._document.piece_changed, self._on_piece_changed),
            (self._document.selection_changed, self._on_selection_changed),
        ):
            signal.connect(slot)
