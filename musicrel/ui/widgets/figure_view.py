"""A figure on the screen: painted as it is exported, at the size of the widget."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QWidget

from musicrel.figures.figure import Figure
from musicrel.presentation.words.palette import Theme
from musicrel.ui.widgets import stylesheet

# function from width and height in pixels and the colours to a figure; it may be higher
MakeFigure: TypeAlias = Callable[[int, int, Theme], Figure]
_TEXT: Final = 12  # font size of most texts in figures, which the font of the app replaces
_MIN_HEIGHT: Final = 60


class FigureView(QWidget):
    """A figure that is made for each size and theme; a passive widget.

    Args:
        grows: True: the widget is as high as the figure, for a scroll area.
    """

    # place under the mouse in pixels of the figure; (-1, -1) outside
    pointed = Signal(float, float)
    clicked = Signal(float, float)

    def __init__(self, name: str, *, grows: bool = False) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setMouseTracking(True)
        self._grows = grows
        self._make: MakeFigure | None = None
        self.figure: Figure | None = None  # the figure as it is shown; None without one
        self._pixels = QPixmap()

    @property
    def factor(self) -> float:
        return max(self.fontInfo().pixelSize() / _TEXT, 0.5)

    @property
    def drawn_width(self) -> int:
        return max(round(self.width() / self.factor), 1)

    def spoken_text(self) -> str:
        return self.figure.title if self.figure else ""

    def set_figure(self, make: MakeFigure | None) -> None:
        self._make = make
        self._renew()

    def minimumSizeHint(self) -> QSize:
        high = self.figure.height * self.factor if self._grows and self.figure else _MIN_HEIGHT
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
        if self.figure is None:
            return
        if self._pixels.isNull():
            self._pixels = self._painted(self.figure)
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._pixels)

    def _painted(self, figure: Figure) -> QPixmap:
        scale = self.devicePixelRatioF()
        pixels = QPixmap(self.size() * scale)
        pixels.setDevicePixelRatio(scale)
        pixels.fill(QColor(figure.background))
        with QPainter(pixels) as painter:
            painter.setFont(self.font())
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.scale(self.factor, self.factor)
            figure.paint(painter)
        return pixels

    def _renew(self) -> None:
        size = self.drawn_width, max(round(self.height() / self.factor), 1)
        theme = stylesheet.current_theme()
        self.figure = None if self._make is None else self._make(*size, theme)
        self._pixels = QPixmap()
        self.setAccessibleDescription(self.spoken_text())
        if self._grows:
            self.updateGeometry()
        self.update()
