"""Attention of one note as arcs over the piano roll.

The geometry is computed in ``musicrel.presentation.attention.arcs``.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPaintEvent, QPen

from musicrel.presentation.attention import arcs
from musicrel.presentation.attention.arcs import Cell, Curve
from musicrel.presentation.attention.piece_analysis import Head, PieceAnalysis
from musicrel.presentation.words.palette import Theme
from musicrel.ui.roll.roll_selection import LanesOverlay
from musicrel.ui.roll.roll_view import RollView

_TARGET_TINT: Final = 0.45
_LABEL_HEIGHT: Final = 16.0


class RollArcs(LanesOverlay):
    """The attention arcs of one cell over the visible part of the roll."""

    def __init__(self, roll: RollView) -> None:
        super().__init__(roll)
        self._analysis: PieceAnalysis | None = None
        self._head: Head | None = None
        self._cell: int | None = None
        roll.view_changed.connect(self.cover_lanes)

    def show_cell(
        self, analysis: PieceAnalysis | None, head: Head | None, cell: int | None
    ) -> None:
        """Show the arcs of ``cell`` for ``head`` (None: mean of all heads); None hides them."""
        self._analysis, self._head, self._cell = analysis, head, cell
        self.cover_lanes()

    def has_content(self) -> bool:
        """Return whether a cell is shown."""
        return self._analysis is not None and self._cell is not None

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the arcs, the attended cells and the query cell."""
        del event
        if self._analysis is None or self._cell is None:
            return
        picture = arcs.draw(self._analysis, self._head, self._cell, self.roll.seen)
        if picture is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for curve in picture.curves:
            _curve(painter, curve, self.theme)
        painter.setOpacity(1.0)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for colour, width in ((self.theme.lane, 4.0), (self.theme.text, 2.0)):
            painter.setPen(QPen(QColor(colour), width))
            painter.drawRoundedRect(_rectangle(picture.source).adjusted(-2, -2, 2, 2), 3, 3)
        _labels(painter, picture.curves, self.theme)
        painter.end()


def _curve(painter: QPainter, curve: Curve, theme: Theme) -> None:
    path = QPainterPath(QPointF(*curve.start))
    path.quadTo(QPointF(*curve.bend), QPointF(*curve.end))
    painter.setOpacity(curve.opacity)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(theme.accent), curve.width, c=Qt.PenCapStyle.RoundCap))
    painter.drawPath(path)
    painter.setPen(QPen(QColor(theme.text), 1.2))
    tint = QColor(theme.accent)
    tint.setAlphaF(_TARGET_TINT)
    painter.setBrush(tint)
    painter.drawRoundedRect(_rectangle(curve.target).adjusted(-1, -1, 1, 1), 2, 2)


def _labels(painter: QPainter, curves: tuple[Curve, ...], theme: Theme) -> None:
    """Draw the percentages of the strongest arcs above their cells, without overlaps."""
    font = QFont(painter.font())
    font.setPixelSize(11)
    font.setWeight(QFont.Weight.DemiBold)
    painter.setFont(font)
    metrics = QFontMetricsF(font)
    taken: list[QRectF] = []
    for curve in reversed(curves):
        if not curve.label:
            continue
        width = metrics.horizontalAdvance(curve.label) + 10
        above = max(curve.target.y - _LABEL_HEIGHT - 4, 2)
        box = QRectF(curve.end[0] - width / 2, above, width, _LABEL_HEIGHT)
        while any(box.intersects(other) for other in taken):
            up = box.top() > _LABEL_HEIGHT
            box.translate(0 if up else -width - 1, -_LABEL_HEIGHT - 1 if up else 0)
        taken.append(box)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.accent))
        painter.drawRoundedRect(box, 5, 5)
        painter.setPen(QColor(theme.on_accent))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, curve.label)


def _rectangle(cell: Cell) -> QRectF:
    return QRectF(*cell)
