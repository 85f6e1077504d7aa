"""A figure on the screen: painted as it is exported, at the size of the widget."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final, TypeAlias

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QStackedWidget, QToolTip, QWidget

from musicrel.figures.figure import Figure, Hit
from musicrel.interpretability.view import View
from musicrel.presentation.words.palette import Theme
from musicrel.ui.widgets import layout, stylesheet

# function from width and height in pixels and the colours to a figure; it may be higher
MakeFigure: TypeAlias = Callable[[int, int, Theme], Figure]
_LEAST_HEIGHT: Final = 60  # pixels at the usual text size
_TEXT: Final = 12  # font size of most texts in figures, which the font of the app replaces


class FigureView(QWidget):
    """A figure that is made for each size and theme; a passive widget."""

    described = Signal(str)  # what is under the mouse, in words; "" where nothing is
    chosen = Signal(object)  # what was clicked

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

    def set_figure(self, make: MakeFigure | None) -> None:
        self._make = make
        self._renew()

    def minimumSizeHint(self) -> QSize:
        if self.figure is None:
            return QSize(0, _LEAST_HEIGHT)
        width, height = self.figure.least
        high = self.figure.height if self._grows else max(height, _LEAST_HEIGHT)
        return QSize(math.ceil(width * self.factor), math.ceil(high * self.factor))

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._renew()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self._renew()

    def hit(self, place: QPointF) -> Hit | None:
        if self.figure is None:
            return None
        return self.figure.at(place.x() / self.factor, place.y() / self.factor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        hit = self.hit(event.position())
        self.described.emit(hit.words if hit else "")

    def leaveEvent(self, event: QEvent) -> None:
        self.described.emit("")
        super().leaveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        hit = self.hit(event.position())
        if hit is not None and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(hit.value)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            hit = self.hit(event.pos().toPointF())
            tip = (hit.tip if hit else "") or self.toolTip()
            if tip:
                QToolTip.showText(event.globalPos(), tip, self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

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
        width, height = (max(round(side / self.factor), 1) for side in self.size().toTuple())
        theme = stylesheet.current_theme()
        self.figure = None if self._make is None else self._make(width, height, theme)
        self._pixels = QPixmap()
        self.setAccessibleDescription(self.figure.title if self.figure else "")
        self.updateGeometry()
        self.update()


class FigurePage(QStackedWidget):
    """A figure, or a sentence in its place."""

    def __init__(self, name: str, *, grows: bool = False) -> None:
        super().__init__()
        self.empty, self.shown = layout.quiet_notice(), FigureView(name, grows=grows)
        self.empty.setMargin(40)
        self.addWidget(self.empty)
        self.addWidget(layout.ColumnScroller(self.shown) if grows else self.shown)

    @property
    def has_view(self) -> bool:
        return self.currentIndex() == 1

    def show_view(self, view: View | None, sentence: str = "") -> None:
        self.shown.set_figure(None if view is None else view.body)
        self.empty.setText(sentence)
        self.setCurrentIndex(view is not None)
