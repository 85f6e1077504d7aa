"""Controller of Undo and Redo."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction

from musicrel.ui.actions import commands
from musicrel.ui.actions.commands import Commands
from musicrel.ui.document.document import GENERATING, UNTITLED, Document
from musicrel.ui.document.messages import Messages
from musicrel.project.state import State

NOTHING_TO_UNDO: Final = "There is nothing to undo"
NOTHING_TO_REDO: Final = "There is nothing to redo"
LOCKS_RESTORED: Final = "Locks restored"


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
        """Restore the piece or locks before; without a piece, the last one."""
        before = self._document.piece
        self._report(before, self._document.undo())

    @Slot()
    def redo(self) -> None:
        """Restore the piece or locks after the current ones."""
        before = self._document.piece
        self._report(before, self._document.redo())

    def _report(self, before: object, restored: State | None) -> None:
        if restored is not None:
            title = f"Restored {self._document.title}"
            self._messages.show_state(LOCKS_RESTORED if restored.piece is before else title)

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
        title = (state.piece.title or UNTITLED).replace("&", "&&")
        same_piece = state.piece is self._document.piece
        action.setText(f"{verb}: {'locks' if same_piece else f'restore {title}'}")
        commands.set_enabled(action, "")
