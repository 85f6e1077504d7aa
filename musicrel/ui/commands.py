"""All commands of the menus, with their shortcuts.

This file knows names and keys; what a command does is wired in ``studio``.
"""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar

from musicrel.settings import THEMES

DEVICES = (
    ("auto", "&Automatic"),
    ("cpu", "&Processor (CPU)"),
    ("cuda", "&NVIDIA GPU (CUDA)"),
    ("mps", "A&pple GPU (Metal)"),
)


class Commands(QObject):
    """The actions; each is named for what it does."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.save = self._action("&Save…", QKeySequence.StandardKey.Save)
        self.quit = self._action("&Quit", "Ctrl+Q")
        self.generate = self._action("&Generate", "Ctrl+G")
        self.stop = self._action("S&top", "Esc")
        self.roll_seed = self._action("&Roll a new seed", "Ctrl+R")
        self.zoom_in = self._action("Zoom &in", "Ctrl++", "Ctrl+=")
        self.zoom_out = self._action("Zoom &out", "Ctrl+-")
        self.zoom_fit = self._action("&Whole piece", "Ctrl+0")
        self.about = self._action("&About musicrel")
        self.themes = self._group([(name, f"&{name.capitalize()}") for name in THEMES])
        self.devices = self._group(DEVICES)

    def fill(self, bar: QMenuBar) -> None:
        """Put all commands into the menus of ``bar``."""
        _menu(bar, "&File", self.save, None, self.quit)
        compose = _menu(bar, "&Compose", self.generate, self.stop, self.roll_seed, None)
        devices = compose.addMenu("Compute &on")
        devices.addActions(self.devices.actions())
        view = _menu(bar, "&View", self.zoom_in, self.zoom_out, self.zoom_fit, None)
        view.addMenu("&Colours").addActions(self.themes.actions())
        _menu(bar, "&Help", self.about)

    def _action(self, text: str, *keys: str | QKeySequence.StandardKey) -> QAction:
        action = QAction(text, self)
        action.setShortcuts([QKeySequence(key) for key in keys])
        return action

    def _group(self, entries: list[tuple[str, str]] | tuple[tuple[str, str], ...]) -> QActionGroup:
        """Actions of which one is checked; the data of each is its name."""
        group = QActionGroup(self)
        for name, text in entries:
            action = group.addAction(text)
            action.setData(name)
            action.setCheckable(True)
        return group


def allow(action: QAction, obstacle: str) -> None:
    """Enable the action, or disable it and say why in its tooltip."""
    action.setEnabled(not obstacle)
    action.setToolTip(obstacle or action.iconText())


def check(group: QActionGroup, name: str) -> None:
    """Check the action called ``name``, without triggering it."""
    for action in group.actions():
        action.setChecked(action.data() == name)


def _menu(bar: QMenuBar, title: str, *actions: QAction | None) -> QMenu:
    menu = bar.addMenu(title)
    menu.setToolTipsVisible(True)
    for action in actions:
        if action is None:
            menu.addSeparator()
        else:
            menu.addAction(action)
    return menu
