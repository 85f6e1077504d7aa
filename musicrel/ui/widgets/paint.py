"""Painting shared by several widgets: fonts, translucent colours and round boxes."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter


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
    """Fill a rectangle with round corners, without an outline."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    painter.drawRoundedRect(box, radius, radius)
