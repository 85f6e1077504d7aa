"""Overlays of an engraved system: selection, sounding notes, rule violations and playhead."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from musicrel.editing.selection import Selection
from musicrel.presentation.roll.marks import Mark
from musicrel.presentation.score import mark_positions
from musicrel.presentation.score.score_picture import SPACE
from musicrel.presentation.score.score_window import ScoreWindow
from musicrel.presentation.words.palette import Theme
from musicrel.ui.widgets.paint import translucent

_TINT: Final = 0.11
_HALO: Final = 0.353
_TRIANGLE: Final = QPolygonF([QPointF(-5.5, -4), QPointF(5.5, -4), QPointF(0, 5.5)])
_PLAYHEAD: Final = 1.5
_RING: Final = 1.4
_RING_WIDTH, _RING_HEIGHT = 1.05, 0.85
"""Ellipse around a notehead: its pen in pixels, its radii in staff spaces."""


class ScoreMarks:
    """A painter for the overlays of one system.

    Args:
        painter: in pixels of the window.
        window: the visible part of the score.
        index: of the system.
        theme: the colours.
    """

    def __init__(self, painter: QPainter, window: ScoreWindow, index: int, theme: Theme) -> None:
        self._painter, self._window, self._index, self._theme = painter, window, index, theme
        self._system, self._space = window.system(index), SPACE * window.scale

    def _point(self, x: float, y: float) -> QPointF:
        return QPointF(*self._window.point(self._index, x, y))

    def selection(self, chosen: Selection) -> None:
        """Draw a tint over the selected steps and voices, and a line at each end."""
        band = self._system.band(chosen.voices, chosen.start, chosen.stop)
        if band is None:
            return
        box = QRectF(self._point(*band[:2]), self._point(*band[2:]))
        self._painter.fillRect(box, translucent(self._theme.accent, _TINT))
        for x, visible in (
            (box.left(), chosen.start >= self._system.start),
            (box.right(), chosen.stop <= self._system.stop),
        ):
            if visible:
                line = QRectF(round(x), box.top(), 1, box.height())
                self._painter.fillRect(line, QColor(self._theme.accent))

    def sounding(self, step: float) -> None:
        """Draw a halo behind each notehead that sounds at ``step``."""
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(translucent(self._theme.accent, _HALO))
        for head in self._system.sounding(step):
            middle = self._point(head.x, head.y)
            self._painter.drawEllipse(middle, self._space * 1.1, self._space * 0.9)

    def violations(self, marks: tuple[Mark, ...]) -> None:
        """Draw a ring around the noteheads of each rule violation, and a dotted line between."""
        colour, down = QColor(self._theme.on_warning), QPointF(0, self._space * _RING_HEIGHT)
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        for heads in mark_positions.on_system(self._system, marks):
            middles = [self._point(head.x, head.y) for head in heads]
            self._painter.setPen(QPen(colour, _RING))
            for middle in middles:
                self._painter.drawEllipse(middle, self._space * _RING_WIDTH, down.y())
            self._painter.setPen(QPen(colour, _RING, Qt.PenStyle.DotLine))
            if middles[-1].y() - middles[0].y() > 2 * down.y():
                self._painter.drawLine(QLineF(middles[0] + down, middles[-1] - down))

    def playhead(self, step: float) -> None:
        """Draw a line through all staves below a triangle, as on the piano roll."""
        x, staves = self._system.x_at(step), self._system.staves
        head = self._point(x, staves[0].top - 3.5 * SPACE)
        length = self._point(x, staves[-1].bottom + 2.5 * SPACE).y() - head.y()
        colour = QColor(self._theme.text)
        line = QRectF(round(head.x()) - 0.25, head.y(), _PLAYHEAD, length)  # exactly one full pixel
        self._painter.fillRect(line, colour)
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(colour)
        self._painter.drawPolygon(_TRIANGLE.translated(head))
