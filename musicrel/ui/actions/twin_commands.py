"""The commands for the pieces of two models, with their shortcuts."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from musicrel.ui.actions.compare_menu import CompareMenu

_TEXTS: Final[Mapping[str, tuple[str, str, str]]] = MappingProxyType(
    {
        "listen_a": ("Listen to &A", "A", "Play the piece of A"),
        "listen_b": ("Listen to &B", "B", "Play the piece of B"),
        "take_bar": ("Take this ba&r from B", "Ctrl+Shift+B", "Take the bar at the playhead"),
        "take_piece": ("Take the &whole piece of B", "", "Make the piece of B the current one"),
        "first": ("To the &first difference", "", "Move the playhead to the first difference"),
        "export_piece": ("&Export the piece of B…", "", "Export as MIDI, score, audio or image"),
        "export_differences": (
            "Export the &differences…", "", "Export the differing notes as SVG, PNG or CSV"
        ),
        "close": ("&End the comparison", "", "Compare with no other model"),
    }
)  # fmt: skip
"""Name of a command -> its text, key and tooltip."""
_MENU: Final = "T&wo models"


class TwinCommands(QObject):
    """The actions of the menu "Two models" and of the view of B."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.models = CompareMenu()
        self.listen_a, self.listen_b = self._action("listen_a"), self._action("listen_b")
        for action in (self.listen_a, self.listen_b):
            action.setCheckable(True)
        self.take_bar, self.take_piece = self._action("take_bar"), self._action("take_piece")
        self.first = self._action("first")
        self.export_piece = self._action("export_piece")
        self.export_differences = self._action("export_differences")
        self.close = self._action("close")

    def fill(self, menu: QMenu) -> QMenu:
        """Add a submenu of the commands to ``menu``, and return it."""
        more = menu.addMenu(_MENU)
        more.addMenu(self.models)
        more.addSeparator()
        self.fill_menu(more)
        return more

    def fill_menu(self, menu: QMenu) -> None:
        menu.setToolTipsVisible(True)
        menu.addActions([self.listen_a, self.listen_b, self.first])
        menu.addSeparator()
        menu.addActions([self.take_bar, self.take_piece])
        menu.addSeparator()
        menu.addActions([self.export_piece, self.export_differences])
        menu.addSeparator()
        menu.addAction(self.close)

    def _action(self, name: str) -> QAction:
        text, key, tip = _TEXTS[name]
        action = QAction(text, self)
        action.setShortcut(QKeySequence(key))
        action.setIconText(tip)  # the tooltip of an enabled command
        action.setToolTip(tip)
        return action
