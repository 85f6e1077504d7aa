"""The keys of note input on roll and score: those of MuseScore."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final, TypeAlias

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from musicrel.chorale import Chorale
from musicrel.editing.note_input import DURATIONS, Cursor
from musicrel.editing.notes import voice_end

Move: TypeAlias = Callable[[Chorale, Cursor], Cursor]

_LETTERS: Final = frozenset("ABCDEFG")
_NOTE_INPUT: Final = "N"
_REST: Final = "0"
_DOT: Final = "."
_OTHER_COMMANDS: Final = (
    Qt.KeyboardModifier.ControlModifier
    | Qt.KeyboardModifier.AltModifier
    | Qt.KeyboardModifier.MetaModifier
)
_MOVES: Final[Mapping[int, Move]] = MappingProxyType(
    {
        Qt.Key.Key_Left: lambda piece, cursor: cursor.previous(piece),
        Qt.Key.Key_Right: lambda piece, cursor: cursor.next(piece),
        Qt.Key.Key_Up: lambda _piece, cursor: cursor.in_voice(-1),
        Qt.Key.Key_Down: lambda _piece, cursor: cursor.in_voice(1),
        Qt.Key.Key_Home: lambda _piece, cursor: replace(cursor, step=0),
        Qt.Key.Key_End: lambda piece, cursor: replace(cursor, step=voice_end(piece, cursor.voice)),
    }
)
"""Key -> where it moves the cursor."""


class NoteKeys(QObject):
    """An event filter for the keys.

    Attributes:
        writes: True while the piece can be written.
    """

    toggled = Signal()  # note input is to be switched on or off
    ended = Signal()  # it is to be switched off
    letter_typed = Signal(str)
    rest_typed = Signal()
    removed = Signal()  # the note before the cursor is to be removed
    duration_typed = Signal(int)  # the steps of the next note
    dot_typed = Signal()  # the dot is to be added or removed
    moved = Signal(object)

    def __init__(self, views: tuple[QWidget, ...], parent: QObject) -> None:
        super().__init__(parent)
        self.on = self.writes = False
        for view in views:
            view.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        if event.modifiers() & _OTHER_COMMANDS:
            return False
        if event.text().upper() == _NOTE_INPUT:
            if not event.isAutoRepeat():
                self.toggled.emit()
        elif self.on and event.key() == Qt.Key.Key_Escape:
            self.ended.emit()
        else:
            return self.on and self.writes and self._key(event)
        return True

    def _key(self, event: QKeyEvent) -> bool:
        """Handle a key that writes or moves; with Shift, the others extend the selection."""
        if self._character(event.text().upper()):
            return True
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            return False
        if event.key() == Qt.Key.Key_Backspace:
            self.removed.emit()
        elif event.key() in _MOVES:
            self.moved.emit(_MOVES[event.key()])
        else:
            return False
        return True

    def _character(self, text: str) -> bool:
        if text in _LETTERS:
            self.letter_typed.emit(text)
        elif text in DURATIONS:
            self.duration_typed.emit(DURATIONS[text])
        elif text == _REST:
            self.rest_typed.emit()
        elif text == _DOT:
            self.dot_typed.emit()
        else:
            return False
        return True
