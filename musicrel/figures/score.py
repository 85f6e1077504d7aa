"""Painting of engraved systems: aligned to pixels on the screen, as outlines on paper."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QTransform

from musicrel.figures.paint import draw_numeral
from musicrel.presentation.score.score_picture import (
    Glyph,
    Ink,
    Outline,
    Owner,
    Score,
    Shape,
    Stroke,
    System,
    Words,
)

FAMILIES: Final = ["Times New Roman", "Times", "Liberation Serif", "Noto Serif", "DejaVu Serif"]
"""Fonts for text in a score, in order of preference."""
NUMERAL: Final = 88
"""Size of a Roman numeral in percent of what Verovio left room for: our fonts may be wider."""


class ScorePainter:
    """A painter for the systems of one score.

    Args:
        scale: pixels, or dots on paper, per unit of the score.
        snaps: True aligns straight lines to whole pixels, at least one pixel wide.
    """

    def __init__(self, score: Score, scale: float, *, snaps: bool) -> None:
        self._score, self._scale, self._snaps = score, scale, snaps
        self._paths: dict[str, QPainterPath] = {}

    def paint(
        self,
        painter: QPainter,
        system: System,
        corner: QPointF,
        colour: QColor,
        only: Collection[Owner] | None = None,
    ) -> None:
        """Paint a system with the upper left corner of its ink at ``corner``.

        Args:
            painter: in pixels, or in dots on paper.
            only: paint only the ink of these owners; None: all ink.
        """
        origin = QPointF(corner.x(), corner.y() - system.top * self._scale)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for ink in system.ink:
            if only is None or (not isinstance(ink, Words) and ink.owner in only):
                self._ink(painter, ink, origin, colour)

    def _ink(self, painter: QPainter, ink: Ink, origin: QPointF, colour: QColor) -> None:
        scale = self._scale
        match ink:
            case Glyph():
                place = origin + QPointF(ink.x, ink.y) * scale
                painter.fillPath(_placed(self._path(ink.name), place, scale * ink.scale), colour)
            case Stroke():
                self._stroke(painter, ink, origin, colour)
            case Shape():
                painter.setPen(QPen(colour, ink.width * scale) if ink.width else Qt.PenStyle.NoPen)
                painter.setBrush(colour)
                painter.drawPath(_placed(path_of(ink.outline), origin, scale))
            case Words():
                self._words(painter, ink, origin + QPointF(ink.x, ink.y) * scale, colour)

    def _stroke(self, painter: QPainter, ink: Stroke, origin: QPointF, colour: QColor) -> None:
        scale = self._scale
        x1, x2 = (origin.x() + x * scale for x in sorted((ink.x1, ink.x2)))
        y1, y2 = (origin.y() + y * scale for y in sorted((ink.y1, ink.y2)))
        width = ink.width * scale
        if ink.y1 == ink.y2:
            top, height = self._snapped(y1, width)
            painter.fillRect(QRectF(x1, top, x2 - x1, height), colour)
        elif ink.x1 == ink.x2:
            left, across = self._snapped(x1, width)
            painter.fillRect(QRectF(left, y1, across, y2 - y1), colour)
        else:
            painter.setPen(QPen(colour, width))
            painter.drawLine(QPointF(x1, origin.y() + ink.y1 * scale),
                             QPointF(x2, origin.y() + ink.y2 * scale))  # fmt: skip

    def _snapped(self, middle: float, width: float) -> tuple[float, float]:
        if not self._snaps:
            return middle - width / 2, width
        whole = max(round(width), 1)
        return float(round(middle - whole / 2)), float(whole)

    def _words(self, painter: QPainter, ink: Words, place: QPointF, colour: QColor) -> None:
        """Draw text; fonts come in whole pixels, so a large one is scaled down."""
        font = QFont(FAMILIES)
        font.setStyleHint(QFont.StyleHint.Serif)
        font.setPixelSize(100)
        font.setItalic(ink.style == "italic")
        font.setBold(ink.style == "bold")
        wide = QFontMetricsF(font).horizontalAdvance(ink.text)
        left = {"end": wide, "middle": wide / 2}.get(ink.anchor, 0.0)
        painter.save()
        painter.translate(place)
        painter.scale(ink.size * self._scale / 100, ink.size * self._scale / 100)
        painter.setFont(font)
        painter.setPen(colour)
        if ink.style == "numeral":
            font.setPixelSize(NUMERAL)
            draw_numeral(painter, QPointF(), ink.text, font)
        else:
            painter.drawText(QPointF(-left, 0), ink.text)
        painter.restore()

    def _path(self, name: str) -> QPainterPath:
        if name not in self._paths:
            self._paths[name] = path_of(self._score.outlines[name])
        return self._paths[name]


def path_of(outline: Outline) -> QPainterPath:
    """Return an outline as a path; parts that overlap are filled, too."""
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    for kind, points in outline:
        match kind:
            case "M":
                path.moveTo(*points)
            case "L":
                path.lineTo(*points)
            case "C":
                path.cubicTo(*points)
            case "Z":
                path.closeSubpath()
    return path


def _placed(path: QPainterPath, place: QPointF, scale: float) -> QPainterPath:
    return QTransform(scale, 0, 0, scale, place.x(), place.y()).map(path)
