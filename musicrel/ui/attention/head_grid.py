"""Thumbnails of all heads of a model, from which one head or the mean is chosen.

A row is a layer, the first at the top. Mouse or arrow keys choose.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    qRgb,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from musicrel.presentation.attention import colour_scale
from musicrel.presentation.attention.piece_analysis import Head, PieceAnalysis
from musicrel.presentation.words.palette import LIGHT, Theme

_GAP: Final = 6
_LABEL: Final = 30
_HEAD: Final = 18
_BESIDE: Final = 9
_MAX_CELL_SIDE: Final = 84
_MIN_CELL_SIDE: Final = 26
_STEPS: Final = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}
MEAN: Final = "Mean of all heads"


class HeadGrid(QWidget):
    """Thumbnails of the heads, below that of their mean; a passive widget.

    Signals:
        chosen: a Head, or None for the mean.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._analysis: PieceAnalysis | None = None
        self._head: Head | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Heads")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setToolTip("Select a head by mouse or arrow keys; each has its own colour scale")

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of ``theme``."""
        self._theme = theme
        self.update()

    def show_analysis(self, analysis: PieceAnalysis | None, head: Head | None) -> None:
        """Show the heads of an analysis and mark ``head`` (None: the mean)."""
        shape = (self._analysis.layers, self._analysis.heads) if self._analysis else (0, 0)
        self._analysis, self._head = analysis, head
        self.setAccessibleDescription(str(head) if head else MEAN)
        if analysis is not None and shape != (analysis.layers, analysis.heads):
            self.updateGeometry()
        self.update()

    @property
    def head(self) -> Head | None:
        """Return the chosen head; None for the mean."""
        return self._head

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Update the size hint, whose width follows the height."""
        super().resizeEvent(event)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Return the size at which the thumbnails fill the height."""
        _, heads = self._shape
        side = self._side(self.height())
        width = max(_LABEL + heads * (side + _GAP), self._width_of_mean(side))
        return QSize(width, (side + _GAP) * (self._shape[0] + 1) + _HEAD)

    def minimumSizeHint(self) -> QSize:
        """Return the size of the smallest thumbnails."""
        layers, heads = self._shape
        width = max(_LABEL + heads * (_MIN_CELL_SIDE + _GAP), self._width_of_mean(_MIN_CELL_SIDE))
        return QSize(width, (layers + 1) * (_MIN_CELL_SIDE + _GAP) + _HEAD)

    def box(self, head: Head | None) -> QRect:
        """Return the rectangle of the thumbnail of ``head`` (None: the mean)."""
        side = self._side(self.height())
        row, column = (0, 0) if head is None else (head.layer + 1, head.head)
        down = _HEAD if head is not None else 0
        corner = QPoint(_LABEL + column * (side + _GAP), 2 + row * (side + _GAP) + down)
        return QRect(corner, QSize(side, side))

    # ------------------------------------------------------------------ events

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the clicked head."""
        place = event.position().toPoint()
        for head in (None, *self._all()):
            if self.box(head).contains(place):
                self.chosen.emit(head)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose a neighbour; the mean is above the first layer."""
        step = _STEPS.get(Qt.Key(event.key()))
        layers, heads = self._shape
        if step is None or self._analysis is None:
            super().keyPressEvent(event)
        elif self._head is None:
            self.chosen.emit(Head(0, 0) if step[0] >= 0 else None)
        else:
            layer, column = self._head.layer + step[0], self._head.head + step[1]
            inside = Head(min(layer, layers - 1), min(max(column, 0), heads - 1))
            self.chosen.emit(None if layer < 0 else inside)

    # ------------------------------------------------------------------ drawing

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw thumbnails, their labels and a frame around the chosen one."""
        del event
        painter = QPainter(self)
        painter.setFont(self._small)
        for head in (None, *self._all()):
            self._thumbnail(painter, head)
        if self._analysis is not None:
            self._labels(painter)
        painter.end()

    def _thumbnail(self, painter: QPainter, head: Head | None) -> None:
        box = self.box(head)
        painter.fillRect(box, QColor(self._theme.lane))
        if self._analysis is not None:
            levels = np.ascontiguousarray(self._analysis.thumbnail(head))
            side = len(levels)
            image = QImage(levels.data, side, side, side, QImage.Format.Format_Indexed8)
            table = colour_scale.stretched(self._theme, colour_scale.full_weight(levels))
            image.setColorTable([qRgb(*colour) for colour in table.tolist()])
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(box, image)
        is_chosen = head == self._head and self._analysis is not None
        painter.setBrush(Qt.BrushStyle.NoBrush)
        pen = painter.pen()
        pen.setColor(QColor(self._theme.accent if is_chosen else self._theme.edge))
        pen.setWidth(2 if is_chosen else 1)
        painter.setPen(pen)
        painter.drawRect(box.adjusted(-1, -1, 1, 1) if is_chosen else box)

    def _labels(self, painter: QPainter) -> None:
        painter.setPen(QColor(self._theme.quiet))
        centre, middle = Qt.AlignmentFlag.AlignHCenter, Qt.AlignmentFlag.AlignVCenter
        mean = self.box(None)
        beside = QRect(mean.right() + _BESIDE, mean.top(), self.width(), mean.height())
        painter.drawText(beside, middle, MEAN)
        layers, heads = self._shape
        for layer in range(layers):
            box = self.box(Head(layer, 0))
            row = QRect(0, box.top(), _LABEL - 7, box.height())
            painter.drawText(row, middle | Qt.AlignmentFlag.AlignRight, f"L{layer + 1}")
        for head in range(heads):
            box = self.box(Head(0, head))
            above = QRect(box.left(), box.top() - _HEAD + 1, box.width(), _HEAD - 3)
            painter.drawText(above, centre | middle, f"H{head + 1}")

    # ------------------------------------------------------------------ inside

    @property
    def _shape(self) -> tuple[int, int]:
        return (self._analysis.layers, self._analysis.heads) if self._analysis else (5, 4)

    @property
    def _small(self) -> QFont:
        font = QFont(self.font())
        font.setPixelSize(11)
        return font

    def _width_of_mean(self, side: int) -> int:
        """Return the width of the first row: the thumbnail of the mean and its name."""
        return _LABEL + side + _BESIDE + QFontMetrics(self._small).horizontalAdvance(MEAN) + 2

    def _all(self) -> tuple[Head, ...]:
        layers, heads = self._shape
        return tuple(Head(layer, head) for layer in range(layers) for head in range(heads))

    def _side(self, height: int) -> int:
        rows = self._shape[0] + 1
        return min(max((height - _HEAD - 4) // rows - _GAP, _MIN_CELL_SIDE), _MAX_CELL_SIDE)
