"""Heads and maps of one model or of two, with the shares of attention of one, side by side.

Rows are queries, columns are keys: START and cells, or steps. The wheel, plus and minus zoom,
dragging and the arrow keys scroll, 0 shows everything.
"""

from __future__ import annotations

import math
from functools import cached_property, partial
from itertools import product, starmap
from typing import Any, Final

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFont, QKeyEvent, QPainterPath
from PySide6.QtWidgets import QGraphicsPathItem, QGraphicsRectItem, QHBoxLayout, QWidget

from musicrel.figures import shares
from musicrel.figures.maps import AXES, STEP_AXES, MapPlot, colour_map
from musicrel.figures.plots import library
from musicrel.generation.heads.mutes import Head, Mutes
from musicrel.presentation.attention.piece_analysis import (
    MAX_LEVEL,
    Levels,
    PieceAnalysis,
    full_weights,
    head_name,
)
from musicrel.presentation.comparison import share_difference
from musicrel.presentation.comparison.share_difference import Groups
from musicrel.presentation.comparison.views import Shown
from musicrel.presentation.words.palette import Theme
from musicrel.ui.attention import mute_menu
from musicrel.ui.attention.chart import Chart
from musicrel.ui.widgets import layout, plots, stylesheet
from musicrel.ui.widgets.elided_label import ElidedLabel

_FONT: Final = 0.92
_MIN_SIZE: Final = QSize(270, 190)
_MIN_SPAN: Final = 16
"""Least number of visible rows and columns."""
_SPACING: Final = 22
_MAP: Final = "Attention map"
_SHARES: Final = "Shares of attention"
_TITLE: Final = "{letter}: {model}, {head}"
_TILE: Final = 0.92
"""Width of a thumbnail, where its place is 1 wide."""
_SMALLEST: Final = 30
"""Least width of a place in pixels."""
_FRAME: Final = 2.5
"""Line width of the frame around the chosen head."""
_CROSS: Final = 2.0
"""Line width of the cross through a muted head."""
_TIP: Final = (
    "Select a head by mouse or arrow keys; each has its own colour scale. {keys} Right-click for "
    "more."
)
_MUTED: Final = "{head}, muted"


class AttentionMap(QWidget):
    """The map of one head of an analysis; a passive widget.

    Attributes:
        map: the figure.
        box: the rectangle inside its axes, with its range.
    """

    pointed = Signal(int, int)  # row and column under the mouse; (-1, -1) outside the map
    cell_chosen = Signal(int)  # the cell whose row was clicked

    def __init__(self) -> None:
        super().__init__()
        self._analysis: PieceAnalysis | None = None
        plot_items = library()
        self.view: Any = plot_items.GraphicsLayoutWidget()
        self.map = MapPlot(self.view)
        self.box = self.map.box
        self._cross = tuple(plot_items.InfiniteLine(angle=angle) for angle in (0, 90))
        for line in self._cross:
            self.box.addItem(line, ignoreBounds=True)
        self._point(QPointF(-1, -1))
        layout.column(self.view, owner=self)
        self.view.ci.layout.setContentsMargins(0, 0, 0, 0)
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # keys are for this widget
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(_MAP)
        self.setToolTip(AXES)
        self.view.scene().sigMouseMoved.connect(self._point)
        self.view.scene().sigMouseClicked.connect(self._click)
        self.set_theme(stylesheet.current_theme())

    def set_theme(self, theme: Theme) -> None:
        self.map.set_theme(theme, stylesheet.scaled_font(_FONT), stylesheet.text_scale())
        for line in self._cross:
            line.setPen(library().mkPen(theme.quiet, style=Qt.PenStyle.DashLine))

    def show_analysis(
        self, analysis: PieceAnalysis, head: Head | None, cell: int | None, *, full: float = 0.0
    ) -> None:
        """Show a head; zoom and place are kept. See ``MapPlot.show``."""
        before, self._analysis = self._analysis, analysis
        self.map.show(analysis, head, cell, full=full)
        if before is None or (before.width, before.tokens) != (analysis.width, analysis.tokens):
            self.setToolTip(AXES if analysis.is_causal else STEP_AXES)
            self.show_all()

    def show_all(self) -> None:
        self.map.show_all(_MIN_SPAN)

    def minimumSizeHint(self) -> QSize:
        return _MIN_SIZE

    def leaveEvent(self, event: QEvent) -> None:
        self._point(QPointF(-1, -1))
        super().leaveEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self.set_theme(stylesheet.current_theme())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_0:
            self.show_all()
        elif not plots.press(self.box, Qt.Key(event.key())):
            super().keyPressEvent(event)

    def _point(self, scene: QPointF) -> None:
        place = self._cell_at(scene)
        for line, at in zip(self._cross, place or (-1, -1), strict=True):
            line.setVisible(place is not None)
            line.setValue(at + 0.5)
        self.pointed.emit(*(place or (-1, -1)))

    def _click(self, event: Any) -> None:
        place = self._cell_at(event.scenePos())
        if event.button() == Qt.MouseButton.LeftButton and place is not None:
            self.cell_chosen.emit(place[0])

    def _cell_at(self, scene: QPointF) -> tuple[int, int] | None:
        analysis = self._analysis
        if analysis is None or not self.box.sceneBoundingRect().contains(scene):
            return None
        at = self.box.mapSceneToView(scene)
        row, column = math.floor(at.y()), math.floor(at.x())
        return (row, column) if analysis.is_visible(row, column) else None


class HeadMap(QWidget):
    """The heads of a model and the map of the chosen one, below a title; a passive widget.

    Attributes:
        title: names model and head where two are compared.
    """

    def __init__(self) -> None:
        super().__init__()
        self.title = ElidedLabel(elide=Qt.TextElideMode.ElideMiddle)
        self.grid, self.map = HeadGrid(), AttentionMap()
        stylesheet.scale_font(self.title, 1.0, QFont.Weight.DemiBold)
        row = layout.row((self.grid, 3), (self.map, 6), spacing=_SPACING)
        layout.column(self.title, (row, 1), owner=self, spacing=4)
        self.title.hide()

    def show_analysis(
        self, analysis: PieceAnalysis, head: Head | None, cell: int | None, *, full: float,
        letter: str,
    ) -> None:  # fmt: skip
        """Show one head of an analysis; see ``MapPlot.show``.

        Args:
            letter: of the model, for the title; "": none.
        """
        self.title.setVisible(bool(letter))
        self.title.setText(
            _TITLE.format(letter=letter, model=analysis.model, head=head_name(head).lower())
        )
        self.grid.show_analysis(analysis, head)
        self.map.show_analysis(analysis, head, cell if analysis.has_cell(cell) else None, full=full)


class AttentionPlots(QWidget):
    """The plots of one or two analyses; a passive widget."""

    second_made = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.first, self.shares = HeadMap(), Chart(_SHARES)
        self._row: QHBoxLayout = layout.row(
            (self.first, 9), (self.shares, 7), owner=self, spacing=_SPACING
        )
        self._has_second = False

    @property
    def grid(self) -> HeadGrid:
        return self.first.grid

    @property
    def map(self) -> AttentionMap:
        return self.first.map

    @cached_property
    def second(self) -> HeadMap:
        made = HeadMap()
        self._row.insertWidget(1, made, 9)
        self.second_made.emit(made)
        return made

    def show_analysis(self, shown: Shown) -> None:
        """Show one head of each analysis on one scale; of a single model the shares, too."""
        first, second, (head, other) = shown.first, shown.second, shown.heads
        self._has_second = second is not None
        self.shares.setVisible(second is None)
        if self._has_second or "second" in self.__dict__:
            self.second.setVisible(self._has_second)
        if second is None:
            self.first.show_analysis(first, head, shown.cell, full=0.0, letter="")
            show_shares(self.shares, shown.shares)
            return
        full = max(first.full_weight(head), second.full_weight(other))
        self.first.show_analysis(first, head, shown.cell, full=full, letter="A")
        self.second.show_analysis(second, other, shown.cell, full=full, letter="B")

    def show_all(self) -> None:
        for half in (self.first, self.second) if self._has_second else (self.first,):
            half.map.show_all()


def show_shares(chart: Chart, groups: Groups) -> None:
    lines = [share_difference.describe(pair) for _, pairs in groups for pair in pairs]
    chart.setToolTip("\n".join(lines))
    chart.show_chart(
        lambda canvas: shares.make(canvas, groups),
        "; ".join(lines),
        height=partial(shares.height, groups),
    )


_AXES: Final = {"left": 38, "top": 18}
"""Axes with layers and heads."""


class HeadGrid(QWidget):
    """Thumbnails of the heads, above them that of their mean; a passive widget.

    A row is a layer. Mouse or arrow keys choose; muted heads are crossed out.

    Attributes:
        image: the thumbnails, each with its own colour scale.
        labels: places and texts of the ticks on each axis.
    """

    chosen = Signal(object)  # a Head, or None for the mean
    mute_toggled = Signal(object)  # a Head, or a whole layer, to be muted or unmuted
    cleared = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.labels: dict[str, list[tuple[float, str]]] = {}
        self.view: Any = library().PlotWidget(enableMenu=False)
        self.plot: Any = self.view.getPlotItem()
        self.box: Any = self.plot.getViewBox()
        self._lay_out_plot()
        self.setAccessibleName("Heads")
        self.head: Head | None = None
        self._layers = self._heads = 0
        self.image = library().ImageItem()
        self._mutes = Mutes()
        self._frames, self._crosses = QGraphicsPathItem(), QGraphicsPathItem()
        self._chosen = QGraphicsRectItem()
        for item in (self.image, self._frames, self._crosses, self._chosen):
            self.box.addItem(item, ignoreBounds=True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setToolTip(_TIP.format(keys=mute_menu.MUTE_KEYS))
        self.view.scene().sigMouseClicked.connect(self._click)
        self.set_theme(stylesheet.current_theme())

    def _lay_out_plot(self) -> None:
        self.box.invertY()
        self.box.setMouseEnabled(x=False, y=False)
        self.plot.hideButtons()
        self.plot.hideAxis("bottom")
        for side in _AXES:
            self.plot.showAxis(side)
            self.plot.getAxis(side).setStyle(tickLength=0, tickAlpha=0, hideOverlappingLabels=False)
        layout.column(self.view, owner=self)
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # keys are for this widget

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self.set_theme(stylesheet.current_theme())

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of ``theme``, and axes as wide as their texts need."""
        left, top = (round(width * stylesheet.text_scale()) for width in _AXES.values())
        self.plot.getAxis("left").setWidth(left)
        self.plot.getAxis("top").setHeight(top)
        plots.apply_theme(self.plot, theme, background=theme.panel)
        for side in _AXES:
            self.plot.getAxis(side).setPen(None)
        self.image.setColorMap(colour_map(theme))
        self._frames.setPen(library().mkPen(theme.edge))
        self._crosses.setPen(library().mkPen(theme.on_warning, width=_CROSS))
        self._chosen.setPen(library().mkPen(theme.accent, width=_FRAME))

    def show_analysis(self, analysis: PieceAnalysis, head: Head | None) -> None:
        if (self._layers, self._heads) != (analysis.layers, analysis.heads):
            self._lay_out(analysis.layers, analysis.heads)
        self.image.setImage(self._tiled(analysis.thumbnails), levels=(0, MAX_LEVEL))
        self.image.setRect(QRectF(0, 0, self._heads, self._layers + 1))
        self.head = head
        self._chosen.setRect(self.tile(head))
        self._describe()

    def show_mutes(self, mutes: Mutes) -> None:
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
        size, toggle = (self._layers, self._heads), self.mute_toggled.emit
        if not mute_menu.press(event, self.head, size, toggle, self.chosen.emit, has_mean=True):
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == QContextMenuEvent.Reason.Keyboard and self.head is not None:
            self._open_menu(self.head, event.globalPos())
        else:
            event.accept()  # a click of the right button opens it

    # ------------------------------------------------------------------ inside

    def _click(self, event: Any) -> None:
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
        size = thumbnails.shape[-1]
        place = round(size / _TILE)
        stretch = 1 / np.sqrt(full_weights(thumbnails))
        tiles = np.zeros((self._layers + 1, self._heads, place, place), dtype=np.uint8)
        stretched = np.minimum(thumbnails * stretch[:, None, None], MAX_LEVEL)
        tiles[0, 0, :size, :size] = stretched[0]
        tiles[1:, :, :size, :size] = stretched[1:].reshape(self._layers, self._heads, size, size)
        return tiles.swapaxes(1, 2).reshape((self._layers + 1) * place, self._heads * place)

    def _lay_out(self, layers: int, heads: int) -> None:
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
            self.labels[side] = [(at + _TILE / 2, text) for at, text in enumerate(labels)]
            self.plot.getAxis(side).setTicks([self.labels[side]])
        self.updateGeometry()
