"""A widget that shows a drawing, painted once and cached until it or the size changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from musicrel.presentation.drawing.drawing import Area, Drawing, Item, Line, Rectangle, Text

Draw = Callable[[tuple[int, int]], Drawing]
"""Function that makes the drawing for a width and height in pixels."""

_DASHES: Final = [5.0, 4.0]


class DrawingView(QWidget):
    """One drawing, as large as the widget.

    Signals:
        pointed: the mouse moved to this x in pixels; -1: it left the widget.
    """

    pointed = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._draw: Draw | None = None
        self._pixmap: QPixmap | None = None
        self._mark: float | None = None
        self._mark_colour = "#808080"
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def sizeHint(self) -> QSize:
        """Return a size at which curves are easy to read."""
        return QSize(520, 300)

    def minimumSizeHint(self) -> QSize:
        """Return the smallest size at which curves can be read."""
        return QSize(300, 150)

    def show_drawing(self, draw: Draw) -> None:
        """Show what ``draw`` makes, redrawn at every new size."""
        self._draw = draw
        self._invalidate()

    def set_mark(self, x: float | None, colour: str) -> None:
        """Draw a vertical line over the drawing at ``x`` in pixels; None: no line."""
        if x != self._mark:
            self._mark, self._mark_colour = x, colour
            self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Redraw at the new size."""
        super().resizeEvent(event)
        self._invalidate()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Emit the position of the mouse."""
        self.pointed.emit(event.position().x())

    def leaveEvent(self, event: QEvent) -> None:
        """Emit that the mouse has left."""
        super().leaveEvent(event)
        self.pointed.emit(-1.0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the cached drawing and the line."""
        del event
        painter = QPainter(self)
        if self._pixmap is None or self._pixmap.devicePixelRatio() != self.devicePixelRatio():
            self._pixmap = self._render()
        painter.drawPixmap(0, 0, self._pixmap)
        if self._mark is not None:
            painter.setPen(QPen(QColor(self._mark_colour), 1))
            painter.drawLine(QPointF(self._mark, 0), QPointF(self._mark, self.height()))
        painter.end()

    def _invalidate(self) -> None:
        self._pixmap = None
        self.update()

    def _render(self) -> QPixmap:
        ratio = self.devicePixelRatio()
        picture = QPixmap(self.size() * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        if self._draw is None:
            return picture
        drawing = self._draw((self.width(), self.height()))
        self.setAccessibleDescription(drawing.title)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), QColor(drawing.background))
        for item in drawing.items:
            paint(painter, item, self.font())
        painter.end()
        return picture


def paint(painter: QPainter, item: Item, font: QFont) -> None:
    """Paint one item; rasters are left out, they have widgets of their own."""
    match item:
        case Line():
            pen = QPen(QColor(item.colour), item.width)
            pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            if item.dashed:
                pen.setDashPattern(_DASHES)
            painter.setPen(pen)
            painter.drawPolyline(_polygon(item.points))
        case Area() | Rectangle():
            colour = QColor(item.fill)
            colour.setAlphaF(item.opacity)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            if isinstance(item, Area):
                painter.drawPolygon(_polygon(item.points))
            else:
                painter.drawRect(QRectF(item.x, item.y, item.width, item.height))
        case Text():
            _write(painter, item, font)


def _polygon(points: tuple[tuple[float, float], ...]) -> QPolygonF:
    return QPolygonF([QPointF(x, y) for x, y in points])


def _write(painter: QPainter, item: Text, font: QFont) -> None:
    font = QFont(font)
    font.setPixelSize(round(item.size))
    font.setBold(item.bold)
    wide = QFontMetricsF(font).horizontalAdvance(item.text)
    left = {"start": 0.0, "middle": wide / 2, "end": wide}[item.anchor]
    painter.setFont(font)
    painter.setPen(QColor(item.colour))
    painter.drawText(QPointF(item.x - left, item.y), item.text)
