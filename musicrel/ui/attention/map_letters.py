"""The letters of the voices on the axes of an attention map, where there is room for them.

This file knows rows and columns; it knows nothing of weights.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter

from musicrel.chorale import Voice
from musicrel.presentation.attention.map_window import MapWindow
from musicrel.presentation.words.palette import Theme

_NARROWEST: Final = 11.0


def draw_letters(painter: QPainter, area: QRectF, window: MapWindow, theme: Theme) -> None:
    """Write the voice of each row beside the map, and of each column above; START has none.

    Args:
        painter: active.
        area: where the dots lie.
        window: which of them.
        theme: the colours.
    """
    dot = area.width() / window.span
    if dot < _NARROWEST:
        return
    font = QFont(painter.font())
    font.setPixelSize(10)
    painter.setFont(font)
    painter.setPen(QColor(theme.quiet))
    for place in range(window.span):
        row, column = window.top + place, window.left + place - 1
        beside = QRectF(area.left() - 10, area.top() + place * dot, 9, dot)
        painter.drawText(beside, Qt.AlignmentFlag.AlignCenter, _letter(row))
        if column >= 0:
            above = QRectF(area.left() + place * dot, area.top() - 13, dot, 12)
            painter.drawText(above, Qt.AlignmentFlag.AlignCenter, _letter(column))


def _letter(cell: int) -> str:
    return Voice(cell % len(Voice)).letter
