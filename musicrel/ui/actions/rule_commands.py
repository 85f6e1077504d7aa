"""The commands about rule violations, with their shortcuts."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

LIST: Final = "List of rule &violations"
NEXT: Final = "Next violatio&n"
PREVIOUS: Final = "Previous violati&on"
REWRITE: Final = "&Write candidates without this"


class RuleCommands(QObject):
    """The actions of the list of rule violations."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.list = self._action(LIST, "Ctrl+F8")
        self.list.setCheckable(True)
        self.next = self._action(NEXT, "F8")
        self.previous = self._action(PREVIOUS, "Shift+F8")
        self.rewrite = self._action(REWRITE, "Ctrl+Shift+F8")

    def fill_view(self, menu: QMenu) -> None:
        """Add the commands that show violations to a menu."""
        menu.addActions([self.list, self.next, self.previous])

    def fill_menu(self, menu: QMenu) -> None:
        """Add the commands about the violations of a note to its menu."""
        menu.addSeparator()
        menu.addActions([self.rewrite, self.list])

    def _action(self, text: str, key: str) -> QAction:
        action = QAction(text, self)
        action.setShortcut(QKeySequence(key))
        return action
