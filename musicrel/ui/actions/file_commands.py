"""The commands of the file menu."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar

_KEYS: Final = QKeySequence.StandardKey
_TEXTS: Final[Mapping[str, tuple[str, str | QKeySequence.StandardKey]]] = MappingProxyType(
    {
        "new": ("&New", _KEYS.New),
        "new_window": ("New &window", "Ctrl+Shift+N"),
        "open": ("&Open…", _KEYS.Open),
        "save": ("&Save", _KEYS.Save),
        "save_as": ("Save &as…", "Ctrl+Shift+S"),
        "export": ("&Export…", "Ctrl+Shift+X"),
        "practice": ("Export practice &files…", ""),
        "print": ("&Print…", _KEYS.Print),
        "close": ("&Close", "Ctrl+W"),
        "quit": ("&Quit", "Ctrl+Q"),
    }
)
"""Name of a command -> its text and key."""
_FILE: Final = "&File"
_RECENT: Final = "Open &recent"


class FileCommands(QObject):
    """The actions of documents and files.

    Attributes:
        recent: the menu of documents that were open; a controller fills it.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.new = self._action("new")
        self.new_window = self._action("new_window")
        self.open = self._action("open")
        self.recent = QMenu(_RECENT)
        self.save = self._action("save")
        self.save_as = self._action("save_as")
        self.export = self._action("export")
        self.practice = self._action("practice")
        self.print = self._action("print")
        self.close = self._action("close")
        self.quit = self._action("quit")

    def fill(self, bar: QMenuBar) -> None:
        """Add the menu to ``bar``."""
        menu = bar.addMenu(_FILE)
        menu.setToolTipsVisible(True)
        menu.addActions([self.new, self.new_window, self.open])
        menu.addMenu(self.recent)
        self.recent.setToolTipsVisible(True)
        menu.addSeparator()
        menu.addActions([self.save, self.save_as, self.export, self.practice])
        menu.addSeparator()
        menu.addAction(self.print)
        menu.addSeparator()
        menu.addActions([self.close, self.quit])

    def _action(self, name: str) -> QAction:
        text, key = _TEXTS[name]
        action = QAction(text, self)
        action.setShortcut(QKeySequence(key))
        return action
