"""The places of the parts of a take's card: thumbnail, name, rating and origin."""

from __future__ import annotations

import math
from typing import Final

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize
from PySide6.QtGui import QFontMetrics, QPolygonF

from musicrel.project.take import MAX_RATING

_WIDTH, _LOW_WIDTH = 204, 180
"""Widths at the usual height of a line; a card in a low window has thumbnail, name and rating."""
_USUAL_LINE: Final = 17
_BADGE_EDGE: Final = 5
GAP: Final = 8
"""Pixels between two cards."""
_EDGE: Final = 6
_LINE: Final = 18
_STAR: Final = 14
_THUMBNAIL: Final = 44
_LOW_THUMBNAIL: Final = 32
_POINTS: Final = 5
_INNER: Final = 0.45
"""Inner radius of a star as a share of the outer one."""


class TakeCard:
    """A card in a cell of the strip.

    Args:
        low: True for a card in a low window.
    """

    def __init__(self, cell: QRect, metrics: QFontMetrics, *, low: bool) -> None:
        size = card_size(metrics, low=low)
        self.low, self._metrics = low, metrics
        self.frame = QRect(cell.topLeft(), size)
        inner = self.frame.adjusted(_EDGE, _EDGE, -_EDGE, -_EDGE)
        height = _LOW_THUMBNAIL if low else _THUMBNAIL
        self.thumbnail = QRect(inner.topLeft(), QSize(inner.width(), height))
        stars = MAX_RATING * _STAR
        step = _line(metrics)
        line = QRect(inner.left(), self.thumbnail.bottom() + 4, inner.width(), step)
        self.origin = line.translated(0, step)
        self.source = line.translated(0, 2 * step)
        self.rating = QRect(line.right() + 1 - stars, line.top(), stars, step)
        self.name = line.adjusted(0, 0, -stars - 6, 0)

    def star_at(self, place: QPoint) -> int | None:
        """Return the number of the star at a point, from 1; None beside them."""
        if not self.rating.contains(place):
            return None
        return min((place.x() - self.rating.left()) // _STAR + 1, MAX_RATING)

    def stars(self) -> list[QPolygonF]:
        middle = self.rating.center().y() + 0.5
        lefts = [self.rating.left() + number * _STAR for number in range(MAX_RATING)]
        return [_star(QPointF(left + _STAR / 2, middle)) for left in lefts]

    def badge(self, metrics: QFontMetrics, text: str) -> QRectF:
        """Return the place of a mark in a corner of the thumbnail, in a font of its own."""
        width = metrics.horizontalAdvance(text) + 2 * _BADGE_EDGE
        right, top = self.thumbnail.right() - 1, self.thumbnail.top() + 1
        return QRectF(right - width, top, width, metrics.height())


def card_size(metrics: QFontMetrics, *, low: bool) -> QSize:
    """Return the size of a card, which grows with the texts."""
    lines, thumbnail = (1, _LOW_THUMBNAIL) if low else (3, _THUMBNAIL)
    width = (_LOW_WIDTH if low else _WIDTH) * metrics.height() // _USUAL_LINE
    height = 2 * _EDGE + thumbnail + 2 + lines * _line(metrics)
    return QSize(max(width, _LOW_WIDTH if low else _WIDTH), height)


def _line(metrics: QFontMetrics) -> int:
    return max(metrics.height(), _LINE)


def _star(middle: QPointF) -> QPolygonF:
    """Return a star with five points around ``middle``."""
    outer, points = _STAR / 2 - 1, []
    for corner in range(2 * _POINTS):
        radius = outer * (_INNER if corner % 2 else 1)
        angle = math.pi * corner / _POINTS
        offset = QPointF(radius * math.sin(angle), -radius * math.cos(angle))
        points.append(middle + offset)
    return QPolygonF(points)
