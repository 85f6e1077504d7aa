"""The colour scale beside an attention map."""

from __future__ import annotations

from typing import Final

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter

from musicrel.presentation.attention import colour_scale
from musicrel.presentation.attention.piece_analysis import percent
from musicrel.presentation.words.palette import Theme

_WIDTH: Final = 12
_HIGHEST: Final = 190
_MARKS: Final = (0.0, 0.5, 1.0)


def draw_scale(painter: QPainter, corner: QPointF, room: float, full: float, theme: Theme) -> None:
    """Draw the colours from the largest weight down, with three weights beside them.

    Args:
        painter: active.
        corner: upper left corner.
        room: available height in pixels.
        full: weight of the last colour, 0 to 1.
        theme: the colours.
    """
    height = min(room, _HIGHEST)
    box = QRectF(corner.x(), corner.y(), _WIDTH, height)
    colours = np.ascontiguousarray(colour_scale.colours(theme)[::-1])
    painter.drawImage(box, QImage(colours.data, 1, len(colours), 3, QImage.Format.Format_RGB888))
    font = QFont(painter.font())
    font.setPixelSize(11)
    painter.setFont(font)
    painter.setPen(QColor(theme.quiet))
    for mark in _MARKS:
        more = "≥ " if mark == 1 and full < 1 else ""
        words = QRectF(box.right() + 5, box.top() + (1 - mark) * (height - 12), 60, 12)
        text = f"{more}{percent(full * mark**2)}"
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, text)
