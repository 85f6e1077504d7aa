"""The places of the parts of a take's card: thumbnail, name, rating and origin."""

from __future__ import annotations

import math
from typing import Final

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize
from PySide6.QtGui import QPolygonF

from musicrel.project.take import MAX_RATING

SIZE: Final = QSize(204, 110)
LOW_SIZE: Final = QSize(180, 64)
"""Size of a card in a low window, which shows thumbnail, name and rating only."""
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
        cell: the cell, which includes the gap to the next card.
        low: True for a card in a low window.
    """

    def __init__(self, cell: QRect, *, low: bool) -> None:
        size = LOW_SIZE if low else SIZE
        self.low = low
        self.frame = QRect(cell.topLeft(), size)
        inner = self.frame.adjusted(_EDGE, _EDGE, -_EDGE, -_EDGE)
        height = _LOW_THUMBNAIL if low else _THUMBNAIL
        self.thumbnail = QRect(inner.topLeft(), QSize(inner.width(), height))
        stars = MAX_RATING * _STAR
        line = QRect(inner.left(), self.thumbnail.bottom() + 4, inner.width(), _LINE)
        self.origin = line.translated(0, _LINE)
        self.source = line.translated(0, 2 * _LINE)
        self.rating = QRect(line.right() + 1 - stars, line.top(), stars, _LINE)
        self.name = line.adjusted(0, 0, -stars - 6, 0)

    def star_at(self, place: QPoint) -> int | None:
        """Return the number of the star at a point, from 1; None beside them."""
        if not self.rating.contains(place):
            return None
        return min((place.x() - self.rating.left()) // _STAR + 1, MAX_RATING)

    def stars(self) -> list[QPolygonF]:
        """Return the outlines of the stars."""
        middle = self.rating.center().y() + 0.5
        lefts = [self.rating.left() + number * _STAR for number in range(MAX_RATING)]
        return [_star(QPointF(left + _STAR / 2, middle)) for left in lefts]

    @property
    def badge(self) -> QRectF:
        """Return the place of the mark of the current take, in a corner of the thumbnail."""
        return QRectF(self.thumbnail.right() - 47, self.thumbnail.top() + 1, 46, 14)


def _star(middle: QPointF) -> QPolygonF:
    """Return a star with five points around ``middle``."""
    outer, points = _STAR / 2 - 1, []
    for corner in range(2 * _POINTS):
        radius = outer * (_INNER if corner % 2 else 1)
        angle = math.pi * corner / _POINTS
        offset = QPointF(radius * math.sin(angle), -radius * math.cos(angle))
        points.append(middle + offset)
    return QPolygonF(points)
