"""Attention maps: a head of a model, with bars and voices on its axes and a colour scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtWidgets import QGraphicsRectItem

from musicrel.chorale import Chorale, Voice
from musicrel.figures import plots
from musicrel.figures.figure import Figure, of_plot
from musicrel.figures.paint import write
from musicrel.generation.heads.mutes import Head
from musicrel.interpretability.piece_analysis import (
    MAX_LEVEL,
    Levels,
    PieceAnalysis,
    percent,
    shrunk,
)
from musicrel.meter_beats import written_unit
from musicrel.presentation.words import names
from musicrel.presentation.words.palette import Theme

Ticks = list[tuple[float, str]]

_SIDE: Final = 840  # greatest width and height of an exported map in pixels
_MIN_SIDE: Final = 360
_DOT: Final = 14  # greatest width of a cell in pixels
_WIDTHS: Final = {"left": 34, "top": 20, "right": 16, "bottom": 16}
"""Widths of the axes: bars or beats at the left and above, letters at the right and below."""
_SCALE_WIDTH, _SCALE_LABELS = 12, 56
_AROUND: Final = 150  # width of axes and colour scale
_LINE: Final = 22  # height of the title of a map in pixels
_MIN_LETTER_WIDTH: Final = 11.0
_MIN_NAME_WIDTH: Final = 22.0
_INSIDE: Final = 1e-6
"""Distance of the last label from the end of the scale: beyond it, labels are left out."""
_LINE_OPACITY: Final = 0.7
_VOICES: Final = len(Voice)


class MapPlot:
    """A map in a layout of pyqtgraph, kept up to date while its analysis grows."""

    def __init__(self, layout: Any, *, column: int = 0) -> None:
        library = plots.library()
        self._analysis: PieceAnalysis | None = None
        self._head: Head | None = None
        self._shown: tuple[object, ...] = ()
        self._rows = 0
        self._full, self._common = 0.0, 0.0
        self.labels: dict[str, Ticks] = {}
        self.scale_labels = ("", "", "")
        self.plot = layout.addPlot(0, column, enableMenu=False)
        self.plot.hideButtons()
        self.box = self.plot.getViewBox()
        self.box.invertY()
        for side in _WIDTHS:
            self.plot.showAxis(side)
            self.plot.getAxis(side).setStyle(tickLength=0, tickAlpha=0, hideOverlappingLabels=False)
        self.image = library.ImageItem()
        self._bars, self._row = library.PlotCurveItem(connect="pairs"), QGraphicsRectItem()
        for item in (self.image, self._bars, self._row):
            self.box.addItem(item, ignoreBounds=True)
        self._scale = library.ColorBarItem(
            width=_SCALE_WIDTH, interactive=False, colorMapMenu=False
        )
        self._scale.axis.setWidth(_SCALE_LABELS)
        self._scale.setImageItem(self.image, insert_in=self.plot)
        self.box.sigRangeChanged.connect(self._show_view)
        self.box.sigResized.connect(self._show_view)

    def set_theme(self, theme: Theme, font: QFont | None = None, text_scale: float = 1.0) -> None:
        for side, usual in _WIDTHS.items():
            axis = self.plot.getAxis(side)
            resize = axis.setWidth if side in ("left", "right") else axis.setHeight
            resize(round(usual * text_scale))
        for plot in (self.plot, self._scale):
            plots.apply_theme(plot, theme, font=font, background=theme.panel)
        line = QColor(theme.line_bar)
        line.setAlphaF(_LINE_OPACITY)
        self._scale.setColorMap(colour_map(theme))
        self._bars.setPen(line)
        self._row.setPen(plots.library().mkPen(theme.accent, width=1.5))

    def show(
        self, analysis: PieceAnalysis, head: Head | None, cell: int | None = None, *,
        full: float = 0.0,
    ) -> None:  # fmt: skip
        self._analysis, self._head, self._common = analysis, head, full
        self._show_pixels(analysis)
        self._show_ticks(analysis)
        self._row.setVisible(cell is not None)
        if cell is not None:
            self._row.setRect(QRectF(0, cell, analysis.width, 1))

    def show_all(self, least: int = 1) -> None:
        columns, rows = (self._analysis.width, self._analysis.tokens) if self._analysis else (1, 1)
        self.box.setLimits(
            xMin=0, xMax=columns, yMin=0, yMax=rows,
            minXRange=min(least, columns), minYRange=min(least, rows),
        )  # fmt: skip
        self.box.setRange(QRectF(0, 0, columns, rows), padding=0)

    def _show_view(self) -> None:
        if self._analysis is not None:
            self._show_pixels(self._analysis)
            self._show_ticks(self._analysis)

    def _show_pixels(self, analysis: PieceAnalysis) -> None:
        levels, size = analysis.map(self._head), self._resolution(analysis)
        shown = analysis, self._head, size
        if shown != self._shown or not analysis.is_causal:  # else rows become known in order
            self._shown, self._rows = shown, 0
            self.image.setImage(np.zeros(size, dtype=np.uint8), autoLevels=False)
            self.image.setRect(QRectF(0, 0, analysis.width, analysis.tokens))
        pixels: Levels = self.image.image
        top = self._rows * len(pixels) // analysis.tokens
        first = -(-top * analysis.tokens // len(pixels))
        if first < analysis.tokens:
            pixels[top:] = shrunk(levels[first:], len(pixels) - top, pixels.shape[1])
        self._rows = analysis.cells
        self.image.updateImage()
        self._show_scale(self._common or analysis.full_weight(self._head))

    def _resolution(self, analysis: PieceAnalysis) -> tuple[int, int]:
        """Return rows and columns of pixels of the map if its visible part fills the screen."""
        view = self.plot.getViewWidget()
        ratio = view.devicePixelRatioF() if view is not None else 1.0
        seen, room = self.box.viewRect(), self.box.size() * ratio
        down = math.ceil(seen.height() / max(room.height(), 1))
        across = math.ceil(seen.width() / max(room.width(), 1))
        return -(-analysis.tokens // max(down, 1)), -(-analysis.width // max(across, 1))

    def _show_scale(self, full: float) -> None:
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
        lines: list[tuple[float, float]] = []
        across, down = self.box.viewRange()
        width, height = max(self.box.width(), 1), max(self.box.height(), 1)
        cells, offset = (1 if analysis.is_causal else _VOICES), analysis.columns.before
        for place, _ in self._label("top", bar_ticks(analysis.chorale, across, cells, offset)):
            lines += (place, 0), (place, analysis.tokens)
        for place, _ in self._label("left", bar_ticks(analysis.chorale, down, 1, 0)):
            lines += (0, place), (analysis.width, place)
        self._label("right", voice_ticks(down, height, 0))
        self._label(
            "bottom",
            voice_ticks(across, width, offset) if analysis.is_causal
            else given_ticks(analysis, across, width),
        )  # fmt: skip
        self._bars.setData(*np.array(lines, dtype=np.float64).reshape(-1, 2).T)

    def _label(self, side: str, ticks: Ticks) -> Ticks:
        if self.labels.get(side) != ticks:  # an axis is slow to paint
            self.labels[side] = ticks
            self.plot.getAxis(side).setTicks([ticks])
        return ticks


def figure(
    maps: Sequence[tuple[PieceAnalysis, Head | None]], titles: Sequence[str], title: str,
    _width: int, _height: int, theme: Theme,
) -> Figure:  # fmt: skip
    """Return maps of one piece side by side, on one colour scale; two have titles above them."""
    full, high = max(one.full_weight(head) for one, head in maps), _LINE * (len(maps) > 1)
    side = min(max(_DOT * maps[0][0].tokens, _MIN_SIDE), _SIDE) // len(maps)
    width = side + _AROUND

    def make(view: Any) -> None:
        view.ci.layout.setContentsMargins(0, 0, 0, 0)
        view.kept = [MapPlot(view, column=column) for column in range(len(maps))]
        for made, (one, head) in zip(view.kept, maps, strict=True):
            made.set_theme(theme)
            made.show(one, head, full=full)
            made.show_all()

    plot = of_plot(make, width=len(maps) * width, height=side + 40, theme=theme, title=title)

    def paint(painter: QPainter) -> None:
        for column, text in enumerate(titles if high else ()):
            write(painter, QRectF(column * width, 0, width - 20, high), text, theme.text)
        painter.translate(0, high)
        plot.paint(painter)

    return replace(plot, height=plot.height + high, paint=paint)


def colour_map(theme: Theme) -> Any:
    """Return the colours of levels 1 to 255; level 0, no weight, has that of the panel."""
    places = (0, 1 / MAX_LEVEL, 0.5, 1)
    return plots.library().ColorMap(places, [theme.panel, theme.lane, theme.accent, theme.text])


def bar_ticks(
    chorale: Chorale, seen: Sequence[float], cells: int, offset: int, most: int = 8
) -> Ticks:
    """Return ticks at bars, or at beats, as "3.2", where fewer than two bars are visible.

    A row or column of the map has 1 or 4 ``cells``; ``offset`` of them are before the piece.
    """
    steps, meter = cells * (seen[1] - seen[0]) / _VOICES, chorale.meter
    scale = _VOICES / cells
    if steps < 2 * meter.steps:
        beat = written_unit(meter)
        places = range(chorale.pickup % beat, chorale.steps, beat)
        within = [divmod(step - chorale.pickup, meter.steps) for step in places]
        texts = [f"{bar + 1}.{rest // beat + 1}" for bar, rest in within]
        return [(step * scale + offset, text) for step, text in zip(places, texts, strict=True)]
    lines = list(enumerate(chorale.bar_line_steps(), start=1))
    stride, allowed = 1, most * max(round(chorale.steps / steps), 1)
    while len(lines) > allowed * stride:
        stride *= 2
    return [(step * scale + offset, str(number)) for number, step in lines[::stride]]


def voice_ticks(seen: Sequence[float], pixels: float, offset: int) -> Ticks:
    first, stop = seen
    if pixels < _MIN_LETTER_WIDTH * (stop - first):
        return []
    cells = range(max(int(first) - offset, 0), math.ceil(stop))
    return [(cell + 0.5 + offset, Voice(cell % _VOICES).letter) for cell in cells]


def given_ticks(analysis: PieceAnalysis, seen: Sequence[float], pixels: float) -> Ticks:
    piece, voice = analysis.chorale, int(analysis.given.any(axis=0).argmax())
    apart, free_from = _MIN_NAME_WIDTH * (seen[1] - seen[0]) / pixels, 0.0
    found: Ticks = []
    for step in np.flatnonzero(analysis.given[:, voice] & piece.onsets[:, voice]).tolist():
        if step >= free_from:
            free_from = step + apart
            found.append((step + 0.5, names.pitch(int(piece.pitches[step, voice]), piece.key)))
    return found
