"""Painting of Roman numerals with stacked figures."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from musicrel.harmony import numeral_text

_SMALL: Final = 0.62
"""Size of a figure, in font sizes."""
_RAISED: Final = 0.44
_LOWERED: Final = -0.2
"""Distance of the upper and the lower figure from the line, in font sizes."""
_GAP: Final = 0.06


def width(text: str, font: QFont) -> float:
    """Return the width of a numeral in ``font``, whose size is in pixels."""
    return _walk(None, QPointF(), text, font)


def draw(painter: QPainter, place: QPointF, text: str, font: QFont) -> None:
    """Draw a numeral with the left end of its line at ``place``.

    Args:
        font: with a size in pixels.
    """
    _walk(painter, place, text, font)


def _walk(painter: QPainter | None, place: QPointF, text: str, font: QFont) -> float:
    """Draw the pieces of a numeral, if there is a painter; return their width."""
    small = QFont(font)
    small.setPixelSize(max(round(font.pixelSize() * _SMALL), 1))
    on_line, of_figures = QFontMetricsF(font), QFontMetricsF(small)
    size, x = font.pixelSize(), 0.0
    for piece in numeral_text.pieces(text):
        if painter is not None:
            for part, used, up in (
                (piece.text, font, 0.0),
                (piece.upper, small, _RAISED),
                (piece.lower, small, _LOWERED),
            ):
                painter.setFont(used)
                painter.drawText(place + QPointF(x, -up * size), part)
        figures = max(map(of_figures.horizontalAdvance, (piece.upper, piece.lower)))
        x += on_line.horizontalAdvance(piece.text) + (figures + _GAP * size if figures else 0)
    return x
