"""Preferences of the user, saved between sessions: theme, device, folders, rules."""

from __future__ import annotations

import logging
from dataclasses import replace

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction, QGuiApplication

from musicrel import settings as file
from musicrel.errors import FileError
from musicrel.presentation.compose.form import parse_rules
from musicrel.settings import Settings
from musicrel.ui.actions import commands
from musicrel.ui.shell.main_window import MainWindow
from musicrel.ui.widgets import stylesheet

_log = logging.getLogger(__name__)


class Preferences(QObject):
    """The settings, applied to the window and saved when they change.

    Args:
        window: the main window, not shown yet.
        settings: the saved settings.
        parent: the Qt parent.

    Attributes:
        settings: the current settings.
    """

    def __init__(self, window: MainWindow, settings: Settings, parent: QObject) -> None:
        super().__init__(parent)
        self._window = window
        self.settings = settings
        commands.check(window.commands.themes, settings.theme)
        commands.check(window.commands.devices, settings.device)
        window.restore_geometry_text(settings.window)
        self._compose_form = window.compose_page.controls.compose_form
        self._compose_form.set_rules(parse_rules(settings.rules))
        self._compose_form.rules_chosen.connect(self._remember_rules)
        window.commands.themes.triggered.connect(self.choose_theme)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self.apply_theme)
        stylesheet.set_color_scheme(settings.theme)
        self.apply_theme()

    def remember(self, **changes: str) -> None:
        """Change settings and save them; unsaved ones stay in effect until the app ends."""
        self.settings = replace(self.settings, **changes)
        try:
            file.save(self.settings)
        except FileError as reason:
            _log.warning("the settings cannot be saved: %s", reason)

    @Slot()
    def _remember_rules(self) -> None:
        self.remember(rules=",".join(self._compose_form.rules.value()))

    @Slot(QAction)
    def choose_theme(self, action: QAction) -> None:
        """Change the theme."""
        self.remember(theme=action.data())
        stylesheet.set_color_scheme(self.settings.theme)
        self.apply_theme()

    @Slot()
    def apply_theme(self) -> None:
        """Apply the selected theme, or the one of the system."""
        theme = stylesheet.theme_for(self.settings.theme)
        stylesheet.apply(theme)
        self._window.set_theme(theme)
