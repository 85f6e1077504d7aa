"""The roll of B without a ruler of its own, on the time axis of the roll of A."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from musicrel.presentation.roll.roll import Roll
from musicrel.ui.roll.roll_paint import RULER_HEIGHT
from musicrel.ui.roll.roll_playhead import RollPlayhead
from musicrel.ui.roll.roll_view import RollView

_LEAST: Final = 60
"""Least height in pixels."""


class TwinRoll(QWidget):
    """A roll that shows the steps that another one shows.

    Its pitches always fit the height, as far as rows are legible. The ruler is above the upper edge
    of this widget, where nothing of it is visible.

    Args:
        above: the roll of A.
    """

    def __init__(self, above: RollView) -> None:
        super().__init__()
        self._above = above
        self.roll = RollView(self)
        self.roll.align(above.seen, fit=True)
        self.roll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.playhead = RollPlayhead(self.roll)
        self._aligning = False
        self.setMinimumHeight(_LEAST)
        above.view_changed.connect(self._follow_above)
        self.roll.view_changed.connect(self._lead_above)

    def show_roll(self, picture: Roll) -> None:
        """Show a picture on the time axis of A."""
        self._aligning = True
        self.roll.show_roll(picture)
        self._aligning = False
        self._follow_above()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the roll; its ruler stays outside."""
        super().resizeEvent(event)
        self._aligning = True
        self.roll.setGeometry(0, -RULER_HEIGHT, self.width(), self.height() + RULER_HEIGHT)
        self._aligning = False
        self._follow_above()

    @Slot()
    def _follow_above(self) -> None:
        """Show the steps of A."""
        if not self._aligning and not self.isHidden():
            self._aligning = True
            self.roll.align(self._above.seen, fit=True)
            self._aligning = False

    @Slot()
    def _lead_above(self) -> None:
        """Show in A the steps that the user scrolled or zoomed to here.

        In another width, as while the window is resized, nobody scrolled.
        """
        if self._aligning:
            return
        ours, theirs = self.roll.seen, self._above.seen
        if ours.width != theirs.width:
            self._follow_above()
        elif (ours.left, ours.step_width) != (theirs.left, theirs.step_width):
            self._aligning = True
            self._above.align(ours)
            self._aligning = False
