"""A drawing on the screen: the shapes of its exported picture, at the size of the widget."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from musicrel.presentation.drawing.drawing import Area, Drawing, Item, Line, Raster, Rectangle, Text
from musicrel.presentation.words.palette import Theme
from musicrel.ui.widgets import stylesheet

Draw = Callable[[int, int, Theme], Drawing]
"""Function from width and height in pixels and the colours to a drawing; it may be higher."""
_TEXT: Final = 12
"""Font size of most texts in drawings, which the font of the app replaces."""
_MIN_HEIGHT: Final = 60


class DrawingView(QWidget):
    """A drawing that is made for each size and theme; a passive widget.

    Args:
        grows: True: the widget is as high as the drawing, for a scroll area.
    """

    # place under the mouse in pixels of the drawing; (-1, -1) outside
    pointed = Signal(float, float)
    clicked = Signal(float, float)

    def __init__(self, name: str, *, grows: bool = False) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setMouseTracking(True)
        self._grows = grows
        self._draw: Draw | None = None
        self._drawing: Drawing | None = None
        self._pixels = QPixmap()

    @property
    def drawing(self) -> Drawing | None:
        """Return the drawing as it is shown; None without one."""
        return self._drawing

    @property
    def factor(self) -> float:
        """Return pixels of the widget per pixel of the drawing, by the size of the app's font."""
        return max(self.fontInfo().pixelSize() / _TEXT, 0.5)

    @property
    def drawn_width(self) -> int:
        """Return the width of the widget in pixels of the drawing."""
        return max(round(self.width() / self.factor), 1)

    def spoken_text(self) -> str:
        """Return the description for screen readers: the title of the drawing."""
        return self._drawing.title if self._drawing else ""

    def set_draw(self, draw: Draw | None) -> None:
        """Show another drawing; None: none."""
        self._draw = draw
        self._renew()

    def minimumSizeHint(self) -> QSize:
        high = self._drawing.height * self.factor if self._grows and self._drawing else _MIN_HEIGHT
        return QSize(0, round(high))

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._renew()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self._renew()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = event.position() / self.factor
        self.pointed.emit(place.x(), place.y())

    def leaveEvent(self, event: QEvent) -> None:
        self.pointed.emit(-1.0, -1.0)
        super().leaveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            place = event.position() / self.factor
            self.clicked.emit(place.x(), place.y())

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._drawing is None:
            return
        scale = self.devicePixelRatioF()
        if self._pixels.isNull():
            self._pixels = QPixmap(self.size() * scale)
            self._pixels.setDevicePixelRatio(scale)
            self._pixels.fill(QColor(self._drawing.background))
            with QPainter(self._pixels) as painter:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.scale(self.factor, self.factor)
                for item in self._drawing.items:
                    paint(painter, item)
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._pixels)

    def _renew(self) -> None:
        """Make the drawing for the present size and theme."""
        size = self.drawn_width, max(round(self.height() / self.factor), 1)
        theme = stylesheet.current_theme()
        self._drawing = None if self._draw is None else self._draw(*size, theme)
        self._pixels = QPixmap()
        self.setAccessibleDescription(self.spoken_text())
        if self._grows:
            self.updateGeometry()
        self.update()


def paint(painter: QPainter, item: Item) -> None:
    match item:
        case Rectangle():
            _rectangle(painter, item)
        case Line():
            painter.setPen(QPen(QColor(item.colour), item.width))
            painter.drawPolyline(QPolygonF([QPointF(*point) for point in item.points]))
        case Area():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(_colour(item.fill, item.opacity))
            painter.drawPolygon(QPolygonF([QPointF(*point) for point in item.points]))
        case Text():
            _text(painter, item)
        case Raster():
            (rows, columns, _), dots = item.pixels.shape, item.pixels.tobytes()
            image = QImage(dots, columns, rows, 3 * columns, QImage.Format.Format_RGB888)
            painter.drawImage(QRectF(item.x, item.y, item.width, item.height), image)


def _rectangle(painter: QPainter, item: Rectangle) -> None:
    box = QRectF(item.x, item.y, item.width, item.height)
    painter.fillRect(box, _colour(item.fill, item.opacity))
    if item.edge:
        painter.setPen(QColor(item.edge))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))


def _text(painter: QPainter, item: Text) -> None:
    font = QFont(painter.font())
    font.setPixelSize(max(round(item.size), 1))
    font.setBold(item.bold)
    painter.setFont(font)
    painter.setPen(QColor(item.colour))
    width = painter.fontMetrics().horizontalAdvance(item.text)
    before = {"start": 0.0, "middle": width / 2, "end": float(width)}[item.anchor]
    painter.drawText(QPointF(item.x - before, item.y), item.text)


def _colour(name: str, opacity: float) -> QColor:
    colour = QColor(name)
    colour.setAlphaF(opacity)
    return colour
