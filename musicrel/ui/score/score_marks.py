"""Overlays of an engraved system: selection, sounding notes, rule violations and playhead."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from musicrel.presentation.roll.marks import Mark
from musicrel.presentation.roll.selection import Selection
from musicrel.presentation.score import mark_positions
from musicrel.presentation.score.score_picture import SPACE
from musicrel.presentation.score.score_window import ScoreWindow
from musicrel.presentation.words.palette import Theme

_TINT: Final = 28
_HALO: Final = 90
_TRIANGLE: Final = ((-5.5, -4.0), (5.5, -4.0), (0.0, 5.5))
_PLAYHEAD: Final = 1.5
_RING: Final = 1.4
_RING_WIDTH, _RING_HEIGHT = 1.05, 0.85
"""Ellipse around a notehead: its pen in pixels, its radii in staff spaces."""


class ScoreMarks:
    """A painter for the overlays of one system at a time.

    Args:
        painter: in pixels of the window.
        window: the visible part of the score.
        theme: the colours.
    """

    def __init__(self, painter: QPainter, window: ScoreWindow, theme: Theme) -> None:
        self._painter, self._window, self._theme = painter, window, theme

    def selection(self, index: int, chosen: Selection) -> None:
        """Draw a tint over the selected steps and voices, and a line at each end."""
        system = self._window.score.systems[index] if self._window.score else None
        band = system.band(chosen.voices, chosen.start, chosen.stop) if system else None
        if system is None or band is None:
            return
        corners = (self._window.point(index, *band[at : at + 2]) for at in (0, 2))
        box = QRectF(*(QPointF(*corner) for corner in corners))
        accent = QColor(self._theme.accent)
        tint = QColor(accent)
        tint.setAlpha(_TINT)
        self._painter.fillRect(box, tint)
        if chosen.start >= system.start:
            self._painter.fillRect(QRectF(round(box.left()), box.top(), 1, box.height()), accent)
        if chosen.stop <= system.stop:
            self._painter.fillRect(QRectF(round(box.right()), box.top(), 1, box.height()), accent)

    def sounding(self, index: int, step: float) -> None:
        """Draw a halo behind each notehead that sounds at ``step``."""
        if self._window.score is None:
            return
        halo = QColor(self._theme.accent)
        halo.setAlpha(_HALO)
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(halo)
        size = SPACE * self._window.scale
        for head in self._window.score.systems[index].sounding(step):
            middle = QPointF(*self._window.point(index, head.x, head.y))
            self._painter.drawEllipse(middle, size * 1.1, size * 0.9)

    def violations(self, index: int, marks: tuple[Mark, ...]) -> None:
        """Draw a ring around the noteheads of each rule violation, and a dotted line between."""
        if self._window.score is None:
            return
        size, colour = SPACE * self._window.scale, QColor(self._theme.on_warning)
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        for heads in mark_positions.on_system(self._window.score.systems[index], marks):
            middles = [QPointF(*self._window.point(index, head.x, head.y)) for head in heads]
            self._painter.setPen(QPen(colour, _RING))
            for middle in middles:
                self._painter.drawEllipse(middle, size * _RING_WIDTH, size * _RING_HEIGHT)
            self._painter.setPen(QPen(colour, _RING, Qt.PenStyle.DotLine))
            down = QPointF(0, size * _RING_HEIGHT)
            if middles[-1].y() - middles[0].y() > 2 * down.y():
                self._painter.drawLine(QLineF(middles[0] + down, middles[-1] - down))

    def playhead(self, index: int, step: float) -> None:
        """Draw a line through all staves below a triangle, as on the piano roll."""
        if self._window.score is None:
            return
        system = self._window.score.systems[index]
        x, staves = system.x_at(step), system.staves
        left, top = self._window.point(index, x, staves[0].top - 3.5 * SPACE)
        _, foot = self._window.point(index, x, staves[-1].bottom + 2.5 * SPACE)
        colour = QColor(self._theme.text)
        line = QRectF(round(left) - 0.25, top, _PLAYHEAD, foot - top)  # exactly one full pixel
        self._painter.fillRect(line, colour)
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(colour)
        self._painter.drawPolygon(
            QPolygonF([QPointF(left + right, top + down) for right, down in _TRIANGLE])
        )
