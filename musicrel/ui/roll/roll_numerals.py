"""The Roman numerals under the lanes of the piano roll."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QEvent, QLineF, QPoint, QPointF, QRectF, Slot
from PySide6.QtGui import QColor, QFont, QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from musicrel.harmony.numeral import Numeral, key_label
from musicrel.presentation.roll import numeral_lane
from musicrel.ui.roll.roll_paint import KEYBOARD_WIDTH
from musicrel.ui.roll.roll_view import RollView
from musicrel.ui.widgets import numeral_paint
from musicrel.ui.widgets.paint import sized_font
from musicrel.ui.widgets.stylesheet import current_theme

NAME: Final = "Roman numerals"
HEIGHT: Final = 26
_SIZE: Final = 13.0
_LINE: Final = 18.0
"""Distance of the baseline from the upper edge."""
_TICK: Final = 5.0
_INDENT: Final = 3.0
"""Distance of a label from the beginning of its chord."""


class RollNumerals(QWidget):
    """A strip with the numerals of the visible steps; where they are close, some are left out.

    The key of the first visible chord is shown at the left.

    Args:
        roll: the view that it belongs to; it gives way while numerals are shown.
    """

    def __init__(self, roll: RollView) -> None:
        super().__init__(roll)
        self._roll = roll
        self.numerals: tuple[Numeral, ...] | None = None
        self.setAccessibleName(NAME)
        self.hide()
        roll.view_changed.connect(self._arrange)

    def show_numerals(self, numerals: Sequence[Numeral] | None) -> None:
        """Show numerals; None hides the strip."""
        hidden = numerals is None
        if hidden != self.isHidden():
            self.setHidden(hidden)
            self._roll.setViewportMargins(0, 0, 0, 0 if hidden else HEIGHT)
        self.numerals = None if numerals is None else tuple(numerals)
        self.setAccessibleDescription(", ".join(found.text for found in numerals or ()))
        self._arrange()

    def tip_at(self, place: QPoint) -> str:
        """Return the chord and the key at a point, "" where there is none."""
        view, x = self._roll.seen, place.x() - KEYBOARD_WIDTH
        if x < 0:
            return ""
        found = numeral_lane.numeral_at(self.numerals or (), int(view.step_at(x)))
        return numeral_lane.describe(found) if found is not None else ""

    def event(self, event: QEvent) -> bool:
        """Show the chord and the key under the mouse."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self.tip_at(event.pos()), self)
            return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, seen = current_theme(), self._visible()
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(theme.panel))
            painter.fillRect(QRectF(0, 0, self.width(), 1), QColor(theme.line_bar))
            font = self._font()
            if seen:
                painter.setPen(QColor(theme.quiet))
                numeral_paint.draw(painter, QPointF(10, _LINE), key_label(seen[0].key), font)
            painter.setClipRect(QRectF(KEYBOARD_WIDTH, 0, self.width(), self.height()))
            painter.setPen(QPen(QColor(theme.quiet), 1))
            for numeral in seen:
                x = round(self._x(numeral.start)) + 0.5
                painter.drawLine(QLineF(x, 1, x, _TICK))
            painter.setPen(QColor(theme.text))
            for label in self.labels:
                place = QPointF(label.x + _INDENT, _LINE)
                numeral_paint.draw(painter, place, label.numeral.text, font)

    @property
    def labels(self) -> tuple[numeral_lane.Label, ...]:
        """Return what is shown at the right of the first key, which is not repeated there."""
        seen, font = self._visible(), self._font()
        seen[:1] = [replace(first, text=first.figure) for first in seen[:1]]
        return numeral_lane.labels(seen, self._x, lambda text: numeral_paint.width(text, font))

    def _visible(self) -> list[Numeral]:
        steps = self._roll.seen.seen_steps
        return [n for n in self.numerals or () if n.stop > steps.start and n.start < steps.stop]

    def _x(self, step: int) -> float:
        return KEYBOARD_WIDTH + self._roll.seen.x(step)

    def _font(self) -> QFont:
        return sized_font(self.font(), _SIZE, QFont.Weight.Medium)

    @Slot()
    def _arrange(self) -> None:
        lanes = self._roll.viewport().geometry()
        self.setGeometry(lanes.left(), lanes.bottom() + 1, lanes.width(), HEIGHT)
        self.update()
