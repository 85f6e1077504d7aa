"""The attention map of one head, with bars and voices on its axes and its colour scale.

Rows are queries, columns are keys: START and cells, or steps. The wheel, plus and minus zoom,
dragging and the arrow keys scroll, 0 shows everything.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGraphicsRectItem

from musicrel.generation.heads.mutes import Head
from musicrel.presentation.attention import axis_ticks, colour_scale
from musicrel.presentation.attention.attention_record import MAX_LEVEL, Levels, shrunk
from musicrel.presentation.attention.downsampled_map import DownsampledMap
from musicrel.presentation.attention.piece_analysis import PieceAnalysis, percent
from musicrel.presentation.words.palette import Theme
from musicrel.ui.attention.plot_panel import PlotPanel, colour_map
from musicrel.ui.widgets import plots
from musicrel.ui.widgets.paint import translucent

AXES: Final = "Rows: predicted cells. Columns: the cells attended to, START first. Numbers: bars."
STEP_AXES: Final = "Rows: predicted cells. Columns: the sixteenths attended to. Numbers: bars."
_BARS: Final = {"left": 34, "top": 20}
"""Axes with bars or beats, and their widths."""
_LETTERS: Final = {"right": 16, "bottom": 16}
"""Axes with the letters of the voices, at zooms with enough room."""
_MIN_LETTER_WIDTH: Final = 11.0
_SCALE_WIDTH: Final = 12
_SCALE_LABELS: Final = 56
_INSIDE: Final = 1e-6
"""Distance of the last label from the end of the scale: beyond it, labels are left out."""
_LINE_OPACITY: Final = 0.7
_MIN_SIZE: Final = QSize(270, 190)
_MIN_SPAN: Final = 16
_NAME: Final = "Attention map"


class AttentionMap(PlotPanel):
    """The map of one head of an analysis; a passive widget.

    Attributes:
        image: the pixels of the map.
        scale_labels: the weights at start, middle and end of the colour scale.
    """

    pointed = Signal(int, int)  # row and column under the mouse; (-1, -1) outside the map
    cell_chosen = Signal(int)  # the cell whose row was clicked

    def __init__(self) -> None:
        super().__init__(_NAME, _BARS | _LETTERS)
        self.setToolTip(AXES)
        self._analysis: PieceAnalysis | None = None
        self._head: Head | None = None
        self._pixels: DownsampledMap | None = None
        self._full, self._common = 0.0, 0.0
        self.scale_labels = ("", "", "")
        library = plots.library()
        self.image = library.ImageItem()
        self._bars = library.PlotCurveItem(connect="pairs")
        self._row = QGraphicsRectItem()
        self._cross = tuple(library.InfiniteLine(angle=angle) for angle in (0, 90))
        for item in (self.image, self._bars, self._row, *self._cross):
            self.box.addItem(item, ignoreBounds=True)
        self._scale = library.ColorBarItem(
            width=_SCALE_WIDTH, interactive=False, colorMapMenu=False
        )
        self._scale.axis.setWidth(_SCALE_LABELS)
        self._scale.setImageItem(self.image, insert_in=self.plot)
        self._point(QPointF(-1, -1))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.box.sigRangeChanged.connect(self._show_view)
        self.box.sigResized.connect(self._show_view)
        self.view.scene().sigMouseMoved.connect(self._point)
        self.view.scene().sigMouseClicked.connect(self._click)

    # ------------------------------------------------------------------ what is shown

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of ``theme``."""
        library = plots.library()
        super().set_theme(theme)
        plots.apply_theme(self._scale, theme, background=theme.panel)
        self._scale.setColorMap(colour_map(theme))
        self._bars.setPen(translucent(theme.line_bar, _LINE_OPACITY))
        self._row.setPen(library.mkPen(theme.accent, width=1.5))
        for line in self._cross:
            line.setPen(library.mkPen(theme.quiet, style=Qt.PenStyle.DashLine))

    def show_analysis(
        self, analysis: PieceAnalysis, head: Head | None, cell: int | None, *, full: float = 0.0
    ) -> None:
        """Show a head (None: the mean of all), and mark the row of ``cell``.

        Only the rows that are new since the last call are drawn; zoom and place are kept.

        Args:
            cell: the chosen note; None: none.
            full: the weight of the last colour; 0: that which suits the map.
        """
        before = self._analysis, self._head
        self._analysis, self._head, self._common = analysis, head, full
        if before != (analysis, head):
            self._pixels = None
            self._show_ticks(analysis)
        if before[0] is None or _size(before[0]) != _size(analysis):
            self.setToolTip(STEP_AXES if analysis.cells_per_column > 1 else AXES)
            self.show_all()
        self._show_pixels(analysis)
        self._row.setVisible(cell is not None)
        if cell is not None:
            self._row.setRect(QRectF(0, cell, analysis.columns, 1))

    def show_all(self) -> None:
        """Show the whole map; zooming and scrolling end at its edges."""
        columns, tokens = _size(self._analysis) if self._analysis else (1, 1)
        least = min(_MIN_SPAN, columns), min(_MIN_SPAN, tokens)
        self.box.setLimits(
            xMin=0, xMax=columns, yMin=0, yMax=tokens, minXRange=least[0], minYRange=least[1]
        )
        self.box.setRange(QRectF(0, 0, columns, tokens), padding=0)

    def minimumSizeHint(self) -> QSize:
        return _MIN_SIZE

    # ------------------------------------------------------------------ events

    def leaveEvent(self, event: QEvent) -> None:
        self._point(QPointF(-1, -1))
        super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_0:
            self.show_all()
        elif not plots.press(self.box, Qt.Key(event.key())):
            super().keyPressEvent(event)

    def _point(self, scene: QPointF) -> None:
        """Emit the dot under the mouse, and draw a cross through it."""
        place = self._cell_at(scene)
        for line, at in zip(self._cross, place or (-1, -1), strict=True):
            line.setVisible(place is not None)
            line.setValue(at + 0.5)
        self.pointed.emit(*(place or (-1, -1)))

    def _click(self, event: Any) -> None:
        """Choose the row of a clicked dot."""
        place = self._cell_at(event.scenePos())
        if event.button() == Qt.MouseButton.LeftButton and place is not None:
            self.cell_chosen.emit(place[0])

    def _cell_at(self, scene: QPointF) -> tuple[int, int] | None:
        """Return row and column at a point; None for an unknown row or a masked column."""
        analysis = self._analysis
        if analysis is None or not self.box.sceneBoundingRect().contains(scene):
            return None
        at = self.box.mapSceneToView(scene)
        row, column = math.floor(at.y()), math.floor(at.x())
        known = analysis.has_cell(row) and analysis.is_visible(row, column)
        return (row, column) if known else None

    # ------------------------------------------------------------------ drawing

    def _show_view(self) -> None:
        """Adapt pixels and ticks to another part of the map, or another size."""
        if self._analysis is not None:
            self._show_pixels(self._analysis)
            self._show_ticks(self._analysis)

    def _show_pixels(self, analysis: PieceAnalysis) -> None:
        """Draw the rows that are new, or the whole map at another resolution."""
        levels, (across, down) = analysis.map(self._head), self._resolution(analysis)
        if analysis.cells_per_column > 1:  # rows become known in any order
            pixels = shrunk(shrunk(levels, down, axis=0), across, axis=1)
            self._set_image(pixels, analysis)
        else:
            if self._pixels is None or len(self._pixels.pixels) != min(across, down):
                self._pixels = DownsampledMap(analysis.tokens, min(across, down))
                self._set_image(self._pixels.pixels, analysis)
            self._pixels.update(levels)
            self.image.updateImage()
        self._show_scale(self._common or colour_scale.full_weight(levels))

    def _set_image(self, pixels: Levels, analysis: PieceAnalysis) -> None:
        self.image.setImage(pixels, autoLevels=False)
        self.image.setRect(QRectF(0, 0, analysis.columns, analysis.tokens))

    def _resolution(self, analysis: PieceAnalysis) -> tuple[int, int]:
        """Return columns and rows of pixels of the map if its visible part fills the screen."""
        seen, room = self.box.viewRect(), self.box.size() * self.devicePixelRatioF()
        across = math.ceil(seen.width() / max(room.width(), 1))
        down = math.ceil(seen.height() / max(room.height(), 1))
        return -(-analysis.columns // max(across, 1)), -(-analysis.tokens // max(down, 1))

    def _show_scale(self, full: float) -> None:
        """Stretch the colours to weights up to ``full``."""
        if full == self._full:
            return
        self._full = full
        last = MAX_LEVEL * math.sqrt(full)
        self._scale.setLevels((0, last))
        most = "≥ " if full < 1 else ""
        self.scale_labels = percent(0), percent(full / 4), most + percent(full)
        places = (0, last / 2, last * (1 - _INSIDE))
        self._scale.axis.setTicks([list(zip(places, self.scale_labels, strict=True))])

    def _show_ticks(self, analysis: PieceAnalysis) -> None:
        """Label bars or beats, and voices if there is room; column m is cell m - 1."""
        lines: list[tuple[float, float]] = []
        columns, tokens = _size(analysis)
        for axis, offset, cells, bars, letters in (
            (0, analysis.first_column, analysis.cells_per_column, "top", "bottom"),
            (1, 0, 1, "left", "right"),
        ):
            first, stop = self.box.viewRange()[axis]
            ticks = axis_ticks.ticks(analysis.chorale, cells * (stop - first))
            room = (self.box.width(), self.box.height())[axis]
            legible = cells == 1 and room >= _MIN_LETTER_WIDTH * (stop - first)
            voices = axis_ticks.voice_ticks(int(first) - offset, math.ceil(stop)) if legible else ()
            self.label(bars, ((place / cells + offset, text) for place, text in ticks))
            self.label(letters, ((place + offset, text) for place, text in voices))
            for place, _ in ticks:
                at = place / cells + offset
                lines += ((at, 0), (at, tokens)) if axis == 0 else ((0, at), (columns, at))
        self._bars.setData(*np.array(lines, dtype=np.float64).reshape(-1, 2).T)


def _size(analysis: PieceAnalysis) -> tuple[int, int]:
    """Return columns and rows of the whole map."""
    return analysis.columns, analysis.tokens
