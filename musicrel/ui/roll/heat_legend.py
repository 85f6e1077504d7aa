"""The colour scale of the notes, as a bar with its two ends: surprisal, or which model has more."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from musicrel.presentation.attention.piece_analysis import percent
from musicrel.presentation.attention.surprisal import Scale, Tint, tint
from musicrel.presentation.comparison import model_difference
from musicrel.presentation.words.palette import Theme
from musicrel.ui.widgets.stylesheet import current_theme

_BAR: Final = 110
_MIN_BAR_WIDTH: Final = 32
_THICK: Final = 12
_GAP: Final = 8
_LEFT, _RIGHT = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
_WIDEST: Final = ("0.0 nats", "9.9 nats +")
_TIP: Final = "Surprisal of each note's onset, -log p"
_TIP_OF_MODEL: Final = (
    "Surprisal of each note's onset, -log p, computed by {model}: "
    "from p = {low} to p = {high} or less"
)
_NATS: Final = "{nats:.1f} nats"
_MORE: Final = ("A +{nats:.1f}", "B +{nats:.1f} nats")
_TIP_OF_TWO: Final = (
    "Which model is surprised more by a note, and by how many nats. A: {first}, B: {second}"
)


class HeatLegend(QWidget):
    """The colour scale as a bar, with the values of its ends in nats."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ends = ("", "")
        self._colour: Callable[[Theme, float], Tint] = tint
        self.setAccessibleName("Surprisal")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.show_scale(None, "")

    def show_scale(self, scale: Scale | None, model: str) -> None:
        """Show a scale.

        Args:
            scale: of the surprisal shown; None while it is unknown.
        """
        self._ends = ("", "") if scale is None else (_value(scale.low), f"{_value(scale.high)} +")
        tip = _TIP
        if scale is not None:
            low, high = (percent(math.exp(-end)) for end in (scale.low, scale.high))
            tip = _TIP_OF_MODEL.format(model=model, low=low, high=high)
        self._colour = tint
        self._show_tip(tip)

    def show_difference(self, full: float, first: str, second: str) -> None:
        """Show the scale of the difference of two models.

        Args:
            full: its ends in nats.
        """
        self._ends = (_MORE[0].format(nats=full), _MORE[1].format(nats=full))
        self._colour = model_difference.at
        self._show_tip(_TIP_OF_TWO.format(first=first, second=second))

    def _show_tip(self, tip: str) -> None:
        self.setToolTip(tip)
        self.setAccessibleDescription(tip)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Return the size of the bar and its values; it does not change once they are known."""
        words = sum(
            max(map(self.fontMetrics().horizontalAdvance, texts))
            for texts in zip(self._ends, _WIDEST, strict=True)
        )
        return QSize(words + _BAR + 2 * _GAP, self.fontMetrics().height() + 4)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint() - QSize(_BAR - _MIN_BAR_WIDTH, 0)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = current_theme()
        low, high = (self.fontMetrics().horizontalAdvance(end) for end in self._ends)
        width = self.width() - low - high - 2 * _GAP
        box = QRectF(low + _GAP, (self.height() - _THICK) / 2, width, _THICK)
        colours = QLinearGradient(box.topLeft(), box.topRight())
        for place in (0.0, 0.25, 0.5, 0.75, 1.0):
            colours.setColorAt(place, QColor(self._colour(theme, place).fill))
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QColor(theme.quiet))
            for end, side in zip(self._ends, (_LEFT, _RIGHT), strict=True):
                painter.drawText(self.rect(), side | Qt.AlignmentFlag.AlignVCenter, end)
            painter.setPen(QColor(theme.line_bar))
            painter.setBrush(colours)
            painter.drawRoundedRect(box, 3, 3)


def _value(nats: float) -> str:
    return _NATS.format(nats=nats)
