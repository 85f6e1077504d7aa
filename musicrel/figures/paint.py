"""Painting shared by figures and widgets: fonts, colours, round boxes, Roman numerals."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from musicrel.chorale import Voice
from musicrel.harmony import numeral
from musicrel.presentation.words.palette import Theme


def sized_font(font: QFont, pixels: float, weight: QFont.Weight = QFont.Weight.DemiBold) -> QFont:
    sized = QFont(font)
    sized.setPixelSize(round(pixels))
    sized.setWeight(weight)
    return sized


def translucent(colour: str, opacity: float) -> QColor:
    mixed = QColor(colour)
    mixed.setAlphaF(opacity)
    return mixed


def fill_rounded(painter: QPainter, box: QRectF, radius: float, colour: str) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    painter.drawRoundedRect(box, radius, radius)


def draw_letter(painter: QPainter, box: QRectF, voice: int, theme: Theme, size: float = 10) -> None:
    fill_rounded(painter, box, 3, theme.voices[voice])
    painter.setFont(sized_font(painter.font(), size, QFont.Weight.Bold))
    painter.setPen(QColor(theme.on_voice))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, Voice(voice).letter)


def draw_numeral(painter: QPainter | None, place: QPointF, text: str, font: QFont) -> float:
    """Draw a Roman numeral with stacked figures, the left end of its line at ``place``.

    Args:
        painter: None measures only.
        font: with a size in pixels.

    Returns:
        The width of the numeral.
    """
    small = QFont(font)
    small.setPixelSize(max(round(font.pixelSize() * 0.62), 1))
    on_line, of_figures = QFontMetricsF(font), QFontMetricsF(small)
    size, x = font.pixelSize(), 0.0
    for piece in numeral.pieces(text):
        if painter is not None:
            for part, used, up in (
                (piece.text, font, 0.0),
                (piece.upper, small, 0.44),
                (piece.lower, small, -0.2),
            ):
                painter.setFont(used)
                painter.drawText(place + QPointF(x, -up * size), part)
        figures = max(map(of_figures.horizontalAdvance, (piece.upper, piece.lower)))
        x += on_line.horizontalAdvance(piece.text) + (figures + 0.06 * size if figures else 0)
    return x
