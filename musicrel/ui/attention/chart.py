"""A chart of pyqtgraph, made again for other data, sizes and colours, or a sentence."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from PySide6.QtCore import QEvent, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from musicrel.figures.charts import Canvas
from musicrel.figures.plots import library
from musicrel.ui.widgets import layout, stylesheet

Make: TypeAlias = Callable[[Canvas], Any]
"""Function that adds a chart to a canvas.

It returns the plot whose horizontal axis has the steps of a piece, or None.
"""
_MARGIN: Final = 40
_LEAST_MS: Final = 250
"""Least time between two charts while a model writes: each takes the window some time."""
_FONT: Final = 0.92
"""Size of the texts relative to the app's font."""


class Chart(QStackedWidget):
    """A chart or a sentence; a passive widget.

    Attributes:
        view: the pyqtgraph ``GraphicsLayoutWidget``, made with the first chart; None before.
        plot: the plot whose horizontal axis is in steps; None without one.
    """

    pointed = Signal(object)  # the step under the mouse; None outside of the plot
    clicked = Signal(int)  # a step

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.view: Any = None
        self.plot: Any = None
        self.empty = layout.quiet_notice()
        self.empty.setMargin(_MARGIN)
        self.addWidget(self.empty)
        self._make: Make | None = None
        self._height: Callable[[float], int] | None = None
        self._timer = QTimer(self, singleShot=True, interval=_LEAST_MS)
        self._timer.timeout.connect(self._renew_late)
        self._is_late = False

    @property
    def has_chart(self) -> bool:
        return self._make is not None

    def show_chart(
        self, make: Make | None, words: str = "", *, height: Callable[[float], int] | None = None
    ) -> None:
        """Show a chart; None: ``words`` in its place.

        Args:
            words: of the chart, for screen readers.
            height: function from the width to the height in pixels, for a chart that scrolls where
                this does not fit; None: it is as high as there is room.
        """
        self._make, self._height = make, height
        self.setAccessibleDescription(words)
        self.empty.setText("" if make is not None else words)
        if make is None:
            self.setCurrentWidget(self.empty)
        elif self.view is not None and self._timer.isActive():
            self._is_late = True
        else:
            self.renew()
            self._timer.start()

    def renew(self) -> None:
        if self._make is None:
            return
        if self.view is None:
            self._add_view()
        self.setCurrentIndex(1)
        theme, width = stylesheet.current_theme(), float(self.width())
        self.view.clear()
        self.view.setBackground(theme.panel)
        font = stylesheet.scaled_font(_FONT)
        whole = Canvas(layout=self.view.ci, theme=theme, width=width, font=font)
        self.plot = self._make(whole.inside())
        if self._height is not None:
            self.view.setFixedHeight(self._height(width))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._renew_soon()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self._renew_soon()  # not now: Qt still visits the widgets of the chart

    def leaveEvent(self, event: QEvent) -> None:
        self.pointed.emit(None)
        super().leaveEvent(event)

    def _renew_soon(self) -> None:
        self._is_late = self._make is not None
        if self._is_late and not self._timer.isActive():
            self._timer.start()

    def _renew_late(self) -> None:
        if self._is_late:
            self._is_late = False
            self.renew()
            self._timer.start()

    def _add_view(self) -> None:
        self.view = library().GraphicsLayoutWidget()
        self.view.ci.layout.setContentsMargins(0, 0, 0, 0)
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.view.scene().sigMouseMoved.connect(lambda at: self.pointed.emit(self._step_at(at)))
        self.view.scene().sigMouseClicked.connect(self._click)
        if self._height is None:
            self.addWidget(self.view)
        else:
            inside = QWidget()
            layout.column(self.view, None, owner=inside)
            self.addWidget(layout.ColumnScroller(inside))

    def _click(self, event: Any) -> None:
        step = self._step_at(event.scenePos())
        if step is not None and event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit(step)

    def _step_at(self, scene: QPointF) -> int | None:
        box = self.plot.getViewBox() if self.plot is not None else None
        if box is None or not box.sceneBoundingRect().contains(scene):
            return None
        step: int = math.floor(box.mapSceneToView(scene).x())
        return step
