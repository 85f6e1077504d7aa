"""The commands for takes; their keys work while the strip of takes has the focus."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar

from musicrel.project.take import MAX_RATING
from musicrel.ui.widgets import icons

_TEXTS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "show": ("&Takes", "Ctrl+T"),
        "use": ("&Use the take", "Return"),
        "play": ("&Play the take", "P"),
        "play_change": ("Play the &change in a loop", "C"),
        "end": ("&Stop playing the take", "Esc"),
        "rename": ("Re&name…", "F2"),
        "delete": ("&Delete", "Del"),
        "export": ("&Export takes…", "E"),
    }
)
"""Name of a command -> its text and key."""
_MENU: Final = "&Takes"
_STARS: Final = ("No star", "One star", "Two stars", "Three stars")


class TakeCommands(QObject):
    """The actions of the Takes menu, of the strip and of its context menu."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.show = self._with_key(*_TEXTS["show"])
        self.show.setCheckable(True)
        self.use = self._action("use", "use")
        self.play = self._action("play", "play")
        self.play_change = self._action("play_change", "loop")
        self.end = self._with_key(*_TEXTS["end"])
        self.end.setEnabled(False)  # the key belongs to other commands until a take is played
        self.rename = self._action("rename")
        self.delete = self._action("delete", "delete")
        self.export = self._action("export", "save")
        self.ratings = tuple(self._rating(number) for number in range(MAX_RATING + 1))

    @property
    def on_panel(self) -> tuple[QAction, ...]:
        return self.play, self.play_change, self.use, self.export, self.delete

    @property
    def with_keys(self) -> tuple[QAction, ...]:
        """Return the commands with keys of the strip; the strip itself handles Return."""
        others = (self.rename, self.export, self.delete)
        return (self.play, self.play_change, *others, *self.ratings)

    def fill(self, bar: QMenuBar) -> None:
        """Add the commands to a menu of ``bar``."""
        menu = bar.addMenu(_MENU)
        menu.setToolTipsVisible(True)
        self.fill_menu(menu)

    def fill_menu(self, menu: QMenu) -> None:
        """Add the commands that need a selected take to ``menu``."""
        menu.addActions([self.use, self.play, self.play_change, self.end])
        menu.addSeparator()
        menu.addActions(list(self.ratings))
        menu.addSeparator()
        menu.addActions([self.rename, self.export, self.delete])

    def _rating(self, number: int) -> QAction:
        action = self._of_strip(_STARS[number], str(number))
        action.setData(number)
        return action

    def _action(self, name: str, icon: str = "") -> QAction:
        action = self._of_strip(*_TEXTS[name])
        if icon:
            action.setIcon(icons.themed(icon))
            action.setIconVisibleInMenu(False)
        return action

    def _of_strip(self, text: str, key: str) -> QAction:
        action = self._with_key(text, key)
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        return action

    def _with_key(self, text: str, key: str) -> QAction:
        action = QAction(text, self)
        action.setShortcut(QKeySequence(key))
        return action
