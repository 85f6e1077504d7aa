"""All heads of a model side by side, each a small map; one of them, or their mean, is chosen.

A row is a layer, the first at the top; click or arrow keys choose. This file knows Qt; the small
maps are made in ``musicrel.presentation.attention.piece_analysis``.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
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
from musicrel.presentation.attention.piece_analysis import Head, Reading
from musicrel.presentation.words.palette import LIGHT, Theme

_GAP: Final = 6
_LABEL: Final = 30
_HEAD: Final = 18
_MOST: Final = 84
_LEAST: Final = 26
_STEPS: Final = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}
MEAN: Final = "Mean of all heads"


class HeadGrid(QWidget):
    """Thumbnails of the heads; the first row holds the mean alone.

    Signals:
        chosen: a Head, or None for the mean.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._reading: Reading | None = None
        self._head: Head | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Heads")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setToolTip(
            "Choose a head with the mouse or the arrow keys; each has a scale of its own"
        )

    def set_theme(self, theme: Theme) -> None:
        """Use other colours."""
        self._theme = theme
        self.update()

    def show_reading(self, reading: Reading | None, head: Head | None) -> None:
        """Show the heads of a reading, one of them chosen."""
        shape = (self._reading.layers, self._reading.heads) if self._reading else (0, 0)
        self._reading, self._head = reading, head
        self.setAccessibleDescription(str(head) if head else MEAN)
        if reading is not None and shape != (reading.layers, reading.heads):
            self.updateGeometry()
        self.update()

    @property
    def head(self) -> Head | None:
        """The chosen one, None: the mean."""
        return self._head

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Thumbnails grow with the height, and the grid becomes wider."""
        super().resizeEvent(event)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Room for the thumbnails as high as the grid is."""
        _, heads = self._shape
        side = self._side(self.height())
        return QSize(_LABEL + heads * (side + _GAP), (side + _GAP) * (self._shape[0] + 1) + _HEAD)

    def minimumSizeHint(self) -> QSize:
        """Room for the smallest thumbnails."""
        layers, heads = self._shape
        return QSize(_LABEL + heads * (_LEAST + _GAP), (layers + 1) * (_LEAST + _GAP) + _HEAD)

    def box(self, head: Head | None) -> QRect:
        """Where a head's thumbnail lies; None: the mean's."""
        side = self._side(self.height())
        row, column = (0, 0) if head is None else (head.layer + 1, head.head)
        down = _HEAD if head is not None else 0
        corner = QPoint(_LABEL + column * (side + _GAP), 2 + row * (side + _GAP) + down)
        return QRect(corner, QSize(side, side))

    # ------------------------------------------------------------------ what the user did

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose what was clicked."""
        place = event.position().toPoint()
        for head in (None, *self._all()):
            if self.box(head).contains(place):
                self.chosen.emit(head)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose the neighbour; above the first layer is the mean."""
        way = _STEPS.get(Qt.Key(event.key()))
        layers, heads = self._shape
        if way is None or self._reading is None:
            super().keyPressEvent(event)
        elif self._head is None:
            self.chosen.emit(Head(0, 0) if way[0] >= 0 else None)
        else:
            layer, column = self._head.layer + way[0], self._head.head + way[1]
            inside = Head(min(layer, layers - 1), min(max(column, 0), heads - 1))
            self.chosen.emit(None if layer < 0 else inside)

    # ------------------------------------------------------------------ drawing

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw thumbnails, their labels and a frame around the chosen one."""
        del event
        painter = QPainter(self)
        font = QFont(painter.font())
        font.setPixelSize(11)
        painter.setFont(font)
        for head in (None, *self._all()):
            self._thumbnail(painter, head)
        if self._reading is not None:
            self._labels(painter)
        painter.end()

    def _thumbnail(self, painter: QPainter, head: Head | None) -> None:
        box = self.box(head)
        painter.fillRect(box, QColor(self._theme.lane))
        if self._reading is not None:
            levels = np.ascontiguousarray(self._reading.thumbnail(head))
            side = len(levels)
            image = QImage(levels.data, side, side, side, QImage.Format.Format_Indexed8)
            table = colour_scale.stretched(self._theme, colour_scale.full_weight(levels))
            image.setColorTable([qRgb(*colour) for colour in table.tolist()])
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(box, image)
        is_chosen = head == self._head and self._reading is not None
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
        beside = QRect(mean.right() + 9, mean.top(), self.width(), mean.height())
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
        return (self._reading.layers, self._reading.heads) if self._reading else (5, 4)

    def _all(self) -> tuple[Head, ...]:
        layers, heads = self._shape
        return tuple(Head(layer, head) for layer in range(layers) for head in range(heads))

    def _side(self, height: int) -> int:
        rows = self._shape[0] + 1
        return min(max((height - _HEAD - 4) // rows - _GAP, _LEAST), _MOST)
