"""The commands of the file menu."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar

_KEYS = QKeySequence.StandardKey


class FileCommands(QObject):
    """The actions of documents and files.

    Attributes:
        recent: the menu of documents that were open; a controller fills it.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.new = self._action("&New", _KEYS.New)
        self.new_window = self._action("New &window", "Ctrl+Shift+N")
        self.open = self._action("&Open…", _KEYS.Open)
        self.recent = QMenu("Open &recent")
        self.save = self._action("&Save", _KEYS.Save)
        self.save_as = self._action("Save &as…", "Ctrl+Shift+S")
        self.export = self._action("&Export…", "Ctrl+Shift+X")
        self.close = self._action("&Close", "Ctrl+W")
        self.quit = self._action("&Quit", "Ctrl+Q")

    def fill(self, bar: QMenuBar) -> None:
        """Add the menu to ``bar``."""
        menu = bar.addMenu("&File")
        menu.setToolTipsVisible(True)
        menu.addActions([self.new, self.new_window, self.open])
        menu.addMenu(self.recent)
        self.recent.setToolTipsVisible(True)
        menu.addSeparator()
        menu.addActions([self.save, self.save_as, self.export])
        menu.addSeparator()
        menu.addActions([self.close, self.quit])

    def _action(self, text: str, key: str | QKeySequence.StandardKey) -> QAction:
        action = QAction(text, self)
        action.setShortcut(QKeySequence(key))
        return action
