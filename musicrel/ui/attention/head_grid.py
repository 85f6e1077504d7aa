"""Thumbnails of all heads of a model, from which one head or the mean is chosen.

A row is a layer, the first below the mean. Mouse or arrow keys choose; muted heads are crossed out.
"""

from __future__ import annotations

from itertools import product, starmap
from typing import Any, Final

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QPainterPath
from PySide6.QtWidgets import QGraphicsPathItem, QGraphicsRectItem

from musicrel.generation.heads.mutes import Head, Mutes
from musicrel.presentation.attention import colour_scale
from musicrel.presentation.attention.attention_record import MAX_LEVEL, Levels
from musicrel.presentation.attention.piece_analysis import PieceAnalysis, head_name
from musicrel.presentation.words.palette import Theme
from musicrel.ui.attention import mute_menu
from musicrel.ui.attention.plot_panel import PlotPanel, colour_map
from musicrel.ui.widgets import plots, stylesheet

_AXES: Final = {"left": 38, "top": 18}
"""Axes with layers and heads."""
_TILE: Final = 0.92
"""Width of a thumbnail, where its place is 1 wide."""
_SMALLEST: Final = 30
"""Least width of a place in pixels."""
_FRAME: Final = 2.5
"""Line width of the frame around the chosen head."""
_STEPS: Final = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}
_CROSS: Final = 2.0
"""Line width of the cross through a muted head."""
_TIP: Final = (
    "Select a head by mouse or arrow keys; each has its own colour scale. {keys} Right-click for "
    "more."
)
_MUTED: Final = "{head}, muted"


class HeadGrid(PlotPanel):
    """Thumbnails of the heads, above them that of their mean; a passive widget.

    Attributes:
        image: the thumbnails, each with its own colour scale.
    """

    chosen = Signal(object)  # a Head, or None for the mean
    mute_toggled = Signal(object)  # a Head, or a whole layer, to be muted or unmuted
    cleared = Signal()

    def __init__(self) -> None:
        super().__init__("Heads", _AXES)
        self.head: Head | None = None
        self._layers = self._heads = 0
        self.image = plots.library().ImageItem()
        self._mutes = Mutes()
        self._frames, self._crosses = QGraphicsPathItem(), QGraphicsPathItem()
        self._chosen = QGraphicsRectItem()
        for item in (self.image, self._frames, self._crosses, self._chosen):
            self.box.addItem(item, ignoreBounds=True)
        self.box.setMouseEnabled(x=False, y=False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setToolTip(_TIP.format(keys=mute_menu.MUTE_KEYS))
        self.view.scene().sigMouseClicked.connect(self._click)

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of ``theme``."""
        super().set_theme(theme)
        for side in _AXES:
            self.plot.getAxis(side).setPen(None)
        self.image.setColorMap(colour_map(theme))
        self._frames.setPen(plots.library().mkPen(theme.edge))
        self._crosses.setPen(plots.library().mkPen(theme.on_warning, width=_CROSS))
        self._chosen.setPen(plots.library().mkPen(theme.accent, width=_FRAME))

    def show_analysis(self, analysis: PieceAnalysis, head: Head | None) -> None:
        """Show the heads of an analysis and mark ``head`` (None: the mean)."""
        if (self._layers, self._heads) != (analysis.layers, analysis.heads):
            self._lay_out(analysis.layers, analysis.heads)
        self.image.setImage(self._tiled(analysis.thumbnails), levels=(0, MAX_LEVEL))
        self.image.setRect(QRectF(0, 0, self._heads, self._layers + 1))
        self.head = head
        self._chosen.setRect(self.tile(head))
        self._describe()

    def show_mutes(self, mutes: Mutes) -> None:
        """Cross the muted heads out."""
        self._mutes = mutes
        self._cross_out()
        self._describe()

    def tile(self, head: Head | None) -> QRectF:
        """Return the rectangle of a thumbnail in the plot; a place is 1 wide and 1 high."""
        row, column = (0, 0) if head is None else (head.layer + 1, head.head)
        return QRectF(column, row, _TILE, _TILE)

    def minimumSizeHint(self) -> QSize:
        left, top = (round(_AXES[side] * stylesheet.text_scale()) for side in ("left", "top"))
        return QSize(left + self._heads * _SMALLEST, top + (self._layers + 1) * _SMALLEST)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose a neighbour, the mean is above the first layer; or mute the chosen head."""
        step = _STEPS.get(Qt.Key(event.key()))
        muted = mute_menu.head_of_key(event, self.head)
        if muted is not None and self._heads:
            self.mute_toggled.emit(muted)
        elif step is None or not self._heads:
            super().keyPressEvent(event)
        elif self.head is None:
            self.chosen.emit(Head(0, 0) if step[0] >= 0 else None)
        else:
            layer, column = self.head.layer + step[0], self.head.head + step[1]
            inside = Head(min(layer, self._layers - 1), min(max(column, 0), self._heads - 1))
            self.chosen.emit(None if layer < 0 else inside)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == QContextMenuEvent.Reason.Keyboard and self.head is not None:
            self._open_menu(self.head, event.globalPos())
        else:
            event.accept()  # a click of the right button opens it

    # ------------------------------------------------------------------ inside

    def _click(self, event: Any) -> None:
        """Choose the clicked head; the right button offers to mute it."""
        at: QPointF = self.box.mapSceneToView(event.scenePos())
        head = next((head for head in self._all() if self.tile(head).contains(at)), False)
        if head is False:
            return
        if event.button() != Qt.MouseButton.RightButton:
            self.chosen.emit(head)
        elif isinstance(head, Head):
            self._open_menu(head, event.screenPos().toPoint())

    def _open_menu(self, head: Head, place: QPoint) -> None:
        toggle, clear = self.mute_toggled.emit, self.cleared.emit
        mute_menu.mute_menu(self, head, self._mutes, toggle, clear).popup(place)

    def _describe(self) -> None:
        """Name the chosen head for screen readers."""
        name = head_name(self.head)
        is_muted = self.head is not None and self.head in self._mutes
        self.setAccessibleDescription(_MUTED.format(head=name) if is_muted else name)

    def _cross_out(self) -> None:
        crosses = QPainterPath()
        for head in self._all():
            if head is not None and head in self._mutes:
                tile = self.tile(head)
                for one, other in (
                    (tile.topLeft(), tile.bottomRight()),
                    (tile.topRight(), tile.bottomLeft()),
                ):
                    crosses.moveTo(one)
                    crosses.lineTo(other)
        self._crosses.setPath(crosses)

    def _all(self) -> tuple[Head | None, ...]:
        return None, *starmap(Head, product(range(self._layers), range(self._heads)))

    def _tiled(self, thumbnails: Levels) -> Levels:
        """Return the thumbnails in rows and columns, each stretched to its own scale."""
        size = thumbnails.shape[-1]
        place = round(size / _TILE)
        stretch = 1 / np.sqrt(colour_scale.full_weights(thumbnails))
        tiles = np.zeros((self._layers + 1, self._heads, place, place), dtype=np.uint8)
        stretched = np.minimum(thumbnails * stretch[:, None, None], MAX_LEVEL)
        tiles[0, 0, :size, :size] = stretched[0]
        tiles[1:, :, :size, :size] = stretched[1:].reshape(self._layers, self._heads, size, size)
        return tiles.swapaxes(1, 2).reshape((self._layers + 1) * place, self._heads * place)

    def _lay_out(self, layers: int, heads: int) -> None:
        """Make room for the heads of another model."""
        self._layers, self._heads = layers, heads
        frames = QPainterPath()
        for head in self._all():
            frames.addRect(self.tile(head))
        self._frames.setPath(frames)
        self._cross_out()
        self.box.setRange(QRectF(0, 0, heads, layers + 1), padding=0.02)
        rows = ("Mean", *(f"L{layer + 1}" for layer in range(layers)))
        columns = (f"H{head + 1}" for head in range(heads))
        for side, labels in zip(_AXES, (rows, columns), strict=True):
            self.label(side, ((place + _TILE / 2, text) for place, text in enumerate(labels)))
        self.updateGeometry()
