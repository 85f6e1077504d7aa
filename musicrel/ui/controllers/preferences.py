"""What the user chose once and for all: colours, device, folders, rules; kept from start to start.

This file knows the settings and the window's looks; it knows nothing of what is written.
"""

from __future__ import annotations

import logging
from dataclasses import replace

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction, QGuiApplication

from musicrel import settings as file
from musicrel.errors import FileError
from musicrel.presentation.compose.form import rules_told
from musicrel.settings import Settings
from musicrel.ui.actions import commands
from musicrel.ui.shell.main_window import MainWindow
from musicrel.ui.widgets import stylesheet

_log = logging.getLogger(__name__)


class Preferences(QObject):
    """Keeps the settings, and the window in their colours and place.

    Args:
        window: not shown yet.
        settings: what was remembered.
        parent: who needs them.
    """

    def __init__(self, window: MainWindow, settings: Settings, parent: QObject) -> None:
        super().__init__(parent)
        self._window = window
        self.settings = settings
        """What holds now."""
        commands.check(window.commands.themes, settings.theme)
        commands.check(window.commands.devices, settings.device)
        window.restore_place(settings.window)
        self._entries = window.page.controls.entries
        self._entries.set_rules(rules_told(settings.rules))
        self._entries.rules_chosen.connect(self._remember_rules)
        window.commands.themes.triggered.connect(self.choose_theme)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self.dress)
        stylesheet.ask_system_for(settings.theme)
        self.dress()

    def remember(self, **changes: str) -> None:
        """Change entries and write them down; where that fails they hold until the end."""
        self.settings = replace(self.settings, **changes)
        try:
            file.save(self.settings)
        except FileError as reason:
            _log.warning("the settings are not remembered: %s", reason)

    @Slot()
    def _remember_rules(self) -> None:
        self.remember(rules=",".join(self._entries.rules.value()))

    @Slot(QAction)
    def choose_theme(self, action: QAction) -> None:
        """Use other colours."""
        self.remember(theme=action.data())
        stylesheet.ask_system_for(self.settings.theme)
        self.dress()

    @Slot()
    def dress(self) -> None:
        """Put on the colours that are wished for, or those of the system."""
        theme = stylesheet.chosen(self.settings.theme)
        stylesheet.dress(theme)
        self._window.set_theme(theme)
