"""The roll of B without a ruler of its own, with the steps and rows of the roll of A."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from musicrel.presentation.roll.roll import Roll
from musicrel.presentation.roll.viewport import Viewport
from musicrel.ui.roll.roll_paint import RULER_HEIGHT
from musicrel.ui.roll.roll_playhead import RollPlayhead
from musicrel.ui.roll.roll_view import RollView

_LEAST: Final = 60
"""Least height in pixels."""


class TwinRoll(QWidget):
    """A roll that shows the steps and rows that another one shows.

    The ruler is above the upper edge of this widget, where nothing of it is visible.
    """

    def __init__(self, above: RollView) -> None:
        super().__init__()
        self._above = above
        self.roll = RollView(self)
        self.roll.align(above.seen)
        self.roll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        bar = above.verticalScrollBar()
        bar.rangeChanged.connect(self._match_bar)
        self._match_bar(bar.minimum(), bar.maximum())
        self.playhead = RollPlayhead(self.roll)
        self._aligning, self._size = False, _size(self.roll.seen)
        self.setMinimumHeight(_LEAST)
        above.view_changed.connect(self._follow_above)
        self.roll.view_changed.connect(self._lead_above)

    def show_roll(self, picture: Roll) -> None:
        """Show a picture on the time axis of A, and at least the rows of A."""
        self._aligning = True
        if self._above.picture is not None:
            self.roll.reserve(self._above.picture.low, self._above.picture.high)
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

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._follow_above()

    @Slot(int, int)
    def _match_bar(self, _lowest: int, highest: int) -> None:
        """Leave room for a vertical scroll bar if A has one, so that both are as wide."""
        policy = Qt.ScrollBarPolicy
        self.roll.setVerticalScrollBarPolicy(
            policy.ScrollBarAlwaysOn if highest else policy.ScrollBarAlwaysOff
        )

    @Slot()
    def _follow_above(self) -> None:
        if self._aligning or not self.isVisible():
            return
        self._aligning = True
        self._above.refit()
        self.roll.align(self._above.seen)
        if self.roll.seen.row_height != self._above.seen.row_height:  # this one is higher
            self._above.align(self.roll.seen, follow=True)
        self._size = _size(self.roll.seen)
        self._aligning = False

    @Slot()
    def _lead_above(self) -> None:
        """Show in A the steps and rows that the user scrolled or zoomed to here.

        In another size, as while the window is resized, nobody scrolled.
        """
        if self._aligning or not self.isVisible():
            return
        ours, theirs = self.roll.seen, self._above.seen
        if _size(ours) == self._size and _place(ours) != _place(theirs):
            self._aligning = True
            self._above.align(ours)
            self._aligning = False
        self._follow_above()


def _place(seen: Viewport) -> tuple[float, float, float, float]:
    """Return the steps and rows that are visible, as far as the user changes them."""
    return seen.left, seen.step_width, seen.top, seen.row_height


def _size(seen: Viewport) -> tuple[int, int, int]:
    return seen.width, seen.height, seen.rows
