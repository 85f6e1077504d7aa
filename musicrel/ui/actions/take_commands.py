"""The commands for takes; their keys work while the strip of takes has the focus."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar

from musicrel.project.take import MAX_RATING
from musicrel.ui.widgets import icons

_STARS: Final = ("No star", "One star", "Two stars", "Three stars")


class TakeCommands(QObject):
    """The actions of the Takes menu, of the strip and of its context menu."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.show = QAction("&Takes", self)
        self.show.setShortcut(QKeySequence("Ctrl+T"))
        self.show.setCheckable(True)
        self.use = self._action("&Use the take", "Return", "use")
        self.play = self._action("&Play the take", "P", "play")
        self.play_change = self._action("Play the &change in a loop", "C", "loop")
        self.end = QAction("&Stop playing the take", self)
        self.end.setShortcut(QKeySequence("Esc"))
        self.end.setEnabled(False)  # the key belongs to other commands until a take is played
        self.rename = self._action("Re&name…", "F2")
        self.delete = self._action("&Delete", "Del", "delete")
        self.ratings = tuple(self._rating(number) for number in range(MAX_RATING + 1))

    @property
    def on_panel(self) -> tuple[QAction, ...]:
        """Return the commands with a button on the panel."""
        return self.play, self.play_change, self.use, self.delete

    @property
    def with_keys(self) -> tuple[QAction, ...]:
        """Return the commands with keys of the strip; the strip itself handles Return."""
        return (self.play, self.play_change, self.rename, self.delete, *self.ratings)

    @property
    def on_takes(self) -> tuple[QAction, ...]:
        """Return the commands that need a selected take."""
        return self.use, *self.with_keys

    def fill(self, bar: QMenuBar) -> None:
        """Add the commands to a menu of ``bar``."""
        menu = bar.addMenu("&Takes")
        menu.setToolTipsVisible(True)
        self.fill_menu(menu)

    def fill_menu(self, menu: QMenu) -> None:
        """Add the commands that need a selected take to ``menu``."""
        menu.addActions([self.use, self.play, self.play_change, self.end])
        menu.addSeparator()
        menu.addActions(list(self.ratings))
        menu.addSeparator()
        menu.addActions([self.rename, self.delete])

    def _rating(self, number: int) -> QAction:
        action = self._action(_STARS[number], str(number))
        action.setData(number)
        return action

    def _action(self, text: str, key: str, icon: str = "") -> QAction:
        action = QAction(text, self)
        action.setShortcut(QKeySequence(key))
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        if icon:
            action.setIcon(icons.themed(icon))
            action.setIconVisibleInMenu(False)
        return action
