"""Letters of the voices on the axes of an attention map, at zooms with enough room."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter

from musicrel.chorale import Voice
from musicrel.presentation.attention.map_window import MapWindow
from musicrel.presentation.words.palette import Theme

_MIN_LETTER_WIDTH: Final = 11.0


def draw_letters(painter: QPainter, area: QRectF, window: MapWindow, theme: Theme) -> None:
    """Write the voice of each row beside the map, and of each column above; START has none.

    Args:
        painter: active.
        area: the rectangle of the dots.
        window: the visible rows and columns.
        theme: the colours.
    """
    dot = area.width() / window.span
    if dot < _MIN_LETTER_WIDTH:
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
