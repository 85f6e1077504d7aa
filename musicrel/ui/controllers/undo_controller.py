"""Controller of Undo and Redo."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction

from musicrel.project.state import State
from musicrel.ui.actions import commands
from musicrel.ui.actions.commands import Commands
from musicrel.ui.document.document import GENERATING, UNTITLED, Document
from musicrel.ui.document.messages import Messages

NOTHING_TO_UNDO: Final = "There is nothing to undo"
NOTHING_TO_REDO: Final = "There is nothing to redo"
DONE: Final[Mapping[str, str]] = MappingProxyType(
    {"locks": "Locks restored", "restore takes": "Takes restored", "delete takes": "Takes deleted"}
)
"""Effect of a step that keeps the piece -> message after it."""


class UndoController(QObject):
    """The controller of Undo and Redo.

    Args:
        document: has the undo stack.
        messages: show what was restored.
        actions: the menu commands.
    """

    def __init__(self, document: Document, messages: Messages, actions: Commands) -> None:
        super().__init__(document)
        self._document, self._messages, self._actions = document, messages, actions
        actions.undo.triggered.connect(self.undo)
        actions.redo.triggered.connect(self.redo)
        document.generation_started.connect(self._update_enabled)
        document.locks_changed.connect(self._update_enabled)
        self._update_enabled()

    @Slot()
    def undo(self) -> None:
        """Restore the piece, locks or takes before; without a piece, the last one."""
        effect = self._effect(self._document.undo_state)
        self._report(effect, self._document.undo())

    @Slot()
    def redo(self) -> None:
        """Restore the piece, locks or takes after the current ones."""
        effect = self._effect(self._document.redo_state)
        self._report(effect, self._document.redo())

    def _report(self, effect: str, restored: State | None) -> None:
        if restored is not None:
            title = f"Restored {self._document.title}"
            self._messages.show_state(DONE.get(effect, title))

    def _effect(self, state: State | None) -> str:
        """Name what restoring ``state`` does; "" without one."""
        if state is None:
            return ""
        if state.piece is not self._document.piece:
            return f"restore {state.piece.title or UNTITLED}"
        takes = self._document.takes
        deleted = {take.number for take in takes.all} - {take.number for take in takes.visible}
        if state.deleted == deleted:
            return "locks"
        return "delete takes" if state.deleted - deleted else "restore takes"

    @Slot()
    def _update_enabled(self) -> None:
        document, actions = self._document, self._actions
        self._offer(actions.undo, "&Undo", document.undo_state, NOTHING_TO_UNDO)
        self._offer(actions.redo, "&Redo", document.redo_state, NOTHING_TO_REDO)

    def _offer(self, action: QAction, verb: str, state: State | None, nothing: str) -> None:
        """Name what an action restores, or the reason why it is disabled."""
        if state is None:
            action.setText(verb)
            commands.set_enabled(action, GENERATING if self._document.generating else nothing)
            return
        action.setText(f"{verb}: {self._effect(state).replace('&', '&&')}")
        commands.set_enabled(action, "")
