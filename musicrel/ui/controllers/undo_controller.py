"""Controller of Undo and Redo: their commands name what they change, and show it on the roll."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction

from musicrel.chorale import Chorale
from musicrel.presentation.takes import edit_names
from musicrel.project.state import State
from musicrel.ui.actions import commands
from musicrel.ui.actions.commands import Commands
from musicrel.ui.document.document import GENERATING, UNTITLED, Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.roll.roll_view import RollView

NOTHING_TO_UNDO: Final = "There is nothing to undo"
NOTHING_TO_REDO: Final = "There is nothing to redo"
RESTORED: Final = "Restored {title}"
UNDONE: Final = "Undone: {effect}"
REDONE: Final = "Redone: {effect}"
DONE: Final[Mapping[str, str]] = MappingProxyType(
    {"locks": "Locks restored", "restore takes": "Takes restored", "delete takes": "Takes deleted"}
)
"""Effect of a step that keeps the piece -> message after it."""
_UNDO: Final = "&Undo"
_REDO: Final = "&Redo"
_RESTORE: Final = "restore {title}"
_LOCKS: Final = "locks"
_DELETE: Final = "delete takes"
_RESTORE_TAKES: Final = "restore takes"


class UndoController(QObject):
    """The controller of Undo and Redo.

    Attributes:
        closes_list: closes a list that covers the piece, and returns whether one was open; Undo and
            Redo do nothing else then.
    """

    def __init__(
        self, document: Document, messages: Messages, actions: Commands, roll: RollView
    ) -> None:
        super().__init__(document)
        self._document, self._messages, self._actions = document, messages, actions
        self._roll = roll
        self.closes_list: Callable[[], bool] = _no_list
        actions.undo.triggered.connect(self.undo)
        actions.redo.triggered.connect(self.redo)
        document.generation_started.connect(self._update_enabled)
        document.locks_changed.connect(self._update_enabled)
        self._update_enabled()

    @Slot()
    def undo(self) -> None:
        """Restore the piece, locks or takes before; without a piece, the last one."""
        if self.closes_list():
            return
        state, before = self._document.undo_state, self._document.piece
        edit, effect = self._edit(state, newer=False), self._effect(state)
        self._document.undo()
        self._report(state, before, effect=effect, text=UNDONE if edit else "")

    @Slot()
    def redo(self) -> None:
        if self.closes_list():
            return
        state, before = self._document.redo_state, self._document.piece
        edit, effect = self._edit(state, newer=True), self._effect(state, newer=True)
        self._document.redo()
        self._report(state, before, effect=effect, text=REDONE if edit else "")

    def _report(
        self, state: State | None, before: Chorale | None, *, effect: str, text: str
    ) -> None:
        """Show what was restored; after an edit, select and show its notes."""
        if state is None:
            return
        if text and before is not None:
            place = edit_names.place(state.piece, before)
            self._document.select(place)
            if place is not None:
                self._roll.follow(place.start, resume=True)
        restored = RESTORED.format(title=self._document.title)
        self._messages.show_state(text.format(effect=effect) or DONE.get(effect, restored))

    def _effect(self, state: State | None, *, newer: bool = False) -> str:
        """Name what restoring ``state`` does; "" without one.

        Args:
            newer: True if it is later than the present one.
        """
        if state is None:
            return ""
        if state.piece is not self._document.piece:
            title = state.piece.title or UNTITLED
            return self._edit(state, newer=newer) or _RESTORE.format(title=title)
        takes = self._document.takes
        deleted = {take.number for take in takes.all} - {take.number for take in takes.visible}
        if state.deleted == deleted:
            return _LOCKS
        return _DELETE if state.deleted - deleted else _RESTORE_TAKES

    def _edit(self, state: State | None, *, newer: bool) -> str:
        """Name the edit between ``state`` and the present one; "" if it is none.

        A piece that was made by a model, recorded or opened is a take of its own.
        """
        piece, take = self._document.piece, self._document.take
        number = take.number if take is not None else None
        if state is None or piece is None or state.piece is piece or state.take != number:
            return ""
        pieces = (piece, state.piece) if newer else (state.piece, piece)
        return edit_names.name(*pieces)

    @Slot()
    def _update_enabled(self) -> None:
        document, actions = self._document, self._actions
        undo, redo = document.undo_state, document.redo_state
        self._offer(actions.undo, _UNDO, self._effect(undo), NOTHING_TO_UNDO)
        self._offer(actions.redo, _REDO, self._effect(redo, newer=True), NOTHING_TO_REDO)

    def _offer(self, action: QAction, verb: str, effect: str, nothing: str) -> None:
        """Name what an action restores, or the reason why it is disabled."""
        if not effect:
            action.setText(verb)
            commands.set_enabled(action, GENERATING if self._document.generating else nothing)
            return
        action.setText(f"{verb}: {effect.replace('&', '&&')}")
        commands.set_enabled(action, "")


def _no_list() -> bool:
    return False
