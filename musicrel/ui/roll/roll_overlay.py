"""Widgets on top of the piano roll that ignore the mouse.

Only what a moving one leaves and enters is repainted.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QWidget

from musicrel.ui.roll.roll_paint import KEYBOARD_WIDTH, RULER_HEIGHT
from musicrel.ui.roll.roll_view import RollView


class Overlay(QWidget):
    """A widget on top of a roll; subclasses place it whenever the visible part changes."""

    def __init__(self, roll: RollView) -> None:
        super().__init__(roll.viewport())
        self.roll = roll
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        roll.view_changed.connect(self.rearrange)

    @Slot()
    def rearrange(self) -> None:
        raise NotImplementedError


class LanesOverlay(Overlay):
    """An overlay that covers the visible lanes."""

    def has_content(self) -> bool:
        """Return whether there is anything to draw."""
        raise NotImplementedError

    @Slot()
    def rearrange(self) -> None:
        """Cover the visible lanes; hide without content."""
        view = self.roll.seen
        self.setGeometry(KEYBOARD_WIDTH, RULER_HEIGHT, view.width, view.height)
        self.setVisible(self.has_content())
        self.update()
