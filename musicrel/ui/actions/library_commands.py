"""The commands around a document: models, preferences, shortcuts, guides."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

_MODELS: Final = "&Models…"
_PREFERENCES: Final = "Pre&ferences…"
_SHORTCUTS: Final = "&Keyboard shortcuts"
_OFFERS: Final = "&First steps on the empty sheet"
_GUIDES: Final = "&Guides"
_WEB_PAGES: Final = "Guides in the &browser"
_LOGS: Final = "Open the folder with the &log"


class LibraryCommands(QObject):
    """The actions of dialogs that belong to no document."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.models = self._action(_MODELS, "Ctrl+Shift+I")
        self.preferences = self._action(_PREFERENCES, "Ctrl+,")
        self.preferences.setMenuRole(QAction.MenuRole.PreferencesRole)
        self.shortcuts = self._action(_SHORTCUTS, "?")
        self.offers = self._action(_OFFERS, "")
        self.offers.setCheckable(True)
        self.web_pages = self._action(_WEB_PAGES, "")
        self.logs = self._action(_LOGS, "")
        self.guides = QMenu(_GUIDES)

    def fill_help(self, menu: QMenu) -> None:
        menu.addMenu(self.guides)
        menu.addActions([self.web_pages, self.shortcuts, self.offers, self.logs])
        menu.addSeparator()

    def _action(self, text: str, key: str) -> QAction:
        action = QAction(text, self)
        action.setShortcut(QKeySequence(key))
        return action
