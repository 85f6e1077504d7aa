"""Differences between arms: an interval for each pair, a dot for each piece."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF

from musicrel.experiment.study.blocks import Intervals, PieceDifferences
from musicrel.experiment.study.statistics import MIN_EFFECT, Comparison
from musicrel.figures import figure, plots
from musicrel.figures.figure import Figure
from musicrel.language import decimal, tr
from musicrel.presentation.words import display_names
from musicrel.presentation.words.palette import LIGHT, Theme

_WIDTH: Final = 760
_ROW: Final = 30
_AROUND: Final = 110  # height of title and axis around the rows
_DOTS_HEIGHT: Final = 300
_NAMES: Final = 230.0  # greatest width of the names beside the rows
_BAND_OPACITY: Final = 0.7


def of_pairs(found: Intervals, theme: Theme = LIGHT, title: str = "") -> Figure:
    """Return the mean difference of each pair and its confidence interval, the largest first.

    The grey band is the range of differences that are too small to matter.
    """
    pairs = sorted(found.pairs, key=lambda pair: pair.difference)  # the largest on top
    return figure.of_plot(
        lambda view: _draw_pairs(view, pairs, theme),
        width=_WIDTH,
        height=_AROUND + _ROW * len(pairs),
        theme=theme,
        title=title,
    )


def of_pieces(found: PieceDifferences, theme: Theme = LIGHT, title: str = "") -> Figure:
    """Return a dot for the difference of each piece, from the smallest to the largest.

    Mean and interval of the pair are drawn across; the dots of the marked pieces are filled, others
    are pale.
    """
    return figure.of_plot(
        lambda view: _draw_pieces(view, found, theme),
        width=_WIDTH,
        height=_DOTS_HEIGHT,
        theme=theme,
        title=title,
    )


def _in_words(pair: Comparison, *, shared: bool) -> tuple[str, str]:
    """Return the title, and the label of the axis; ``shared``: all pairs have the first arm."""
    title = tr("← {first} has the lower loss  ·  {first} has the higher loss →")
    axis = tr("{unit}, loss of {first} minus that of the arm")
    if not shared:
        title = tr("← the first arm has the lower loss  ·  the first arm has the higher loss →")
        axis = tr("{unit}, loss of the first arm minus that of the second")
    first = display_names.arm(pair.first)
    return title.format(first=first), axis.format(unit=pair.unit, first=first)


def _draw_pairs(view: Any, pairs: Sequence[Comparison], theme: Theme) -> None:
    library = plots.library()
    shared = len({pair.first for pair in pairs}) == 1
    plot = _plot(view, theme)
    title, axis = _in_words(pairs[0], shared=shared)
    plot.setTitle(title, color=theme.quiet, size="9pt")
    metrics = QFontMetricsF(QFont())
    names, values = [], []
    plot.addItem(_band(-MIN_EFFECT, MIN_EFFECT, theme, "vertical"))
    plot.addItem(library.InfiniteLine(0.0, pen=theme.quiet))
    for row, pair in enumerate(pairs):
        second = display_names.arm(pair.second)
        name = second if shared else f"{display_names.arm(pair.first)} − {second}"
        names.append((row, metrics.elidedText(name, Qt.TextElideMode.ElideRight, _NAMES)))
        values.append((row, decimal(pair.difference, "+.3f").replace("-", "\N{MINUS SIGN}")))
        _draw_interval(plot, row, pair, theme)
    plot.showAxis("right")
    for name, ticks in (("left", names), ("right", values)):
        plot.getAxis(name).setTicks([ticks])
        plot.getAxis(name).setTextPen(theme.text)
        plot.getAxis(name).setStyle(tickLength=0)
    plot.getAxis("right").setPen(None)
    plot.getAxis("bottom").setLabel(axis)
    plot.setYRange(-0.5, len(pairs) - 0.5, padding=0)
    ends = [0.0, *(end for pair in pairs for end in (pair.low, pair.high) if math.isfinite(end))]
    plot.setXRange(min(ends), max(ends), padding=0.06)


def _draw_interval(plot: Any, row: int, pair: Comparison, theme: Theme) -> None:
    library = plots.library()
    colour = theme.quiet if pair.better is None else theme.accent
    mean, low, high = (np.array([end]) for end in (pair.difference, pair.low, pair.high))
    bar = {"left": mean - low, "right": high - mean, "beam": 0.25}
    pen = library.mkPen(colour, width=2.5)
    plot.addItem(library.ErrorBarItem(x=mean, y=np.array([row]), pen=pen, **bar))
    plot.plot(mean, [row], pen=None, symbol="o", symbolSize=10, symbolBrush=colour,
              symbolPen=None, useCache=False)  # fmt: skip


def _draw_pieces(view: Any, found: PieceDifferences, theme: Theme) -> None:
    library, pair = plots.library(), found.pair
    marked = {piece.index for piece in found.pieces[: found.marked]}
    ordered = sorted(found.pieces, key=lambda piece: piece.difference)
    plot = _plot(view, theme)
    plot.addItem(_band(pair.low, pair.high, theme, "horizontal"))
    for value, pen in (
        (0.0, library.mkPen(theme.quiet)),
        (pair.difference, library.mkPen(theme.accent, width=1.5, style=Qt.PenStyle.DashLine)),
    ):
        plot.addItem(library.InfiniteLine(value, angle=0, pen=pen))
    plot.plot(
        [*range(1, len(ordered) + 1)],
        [piece.difference for piece in ordered],
        pen=None,
        symbol="o",
        symbolSize=7,
        useCache=False,
        symbolPen=None,
        symbolBrush=[QColor(theme.accent if piece.index in marked else theme.faint)
                     for piece in ordered],
    )  # fmt: skip
    first, second = (display_names.arm(name) for name in (pair.first, pair.second))
    plot.getAxis("left").setLabel(
        tr("{unit}, {first} minus {second}", unit=pair.unit, first=first, second=second)
    )
    plot.getAxis("bottom").setLabel(
        tr("{observations}, ordered by difference", observations=pair.observations)
    )
    plot.getAxis("bottom").setStyle(showValues=False, tickLength=0)


def _plot(view: Any, theme: Theme) -> Any:
    plot = view.addPlot(enableMenu=False)
    plot.hideButtons()
    plots.apply_theme(plot, theme)
    for name in ("left", "bottom"):
        plot.getAxis(name).enableAutoSIPrefix(False)
    return plot


def _band(low: float, high: float, theme: Theme, orientation: str) -> Any:
    fill = QColor(theme.line_beat)
    fill.setAlphaF(_BAND_OPACITY)
    region = plots.library().LinearRegionItem(
        (low, high), orientation, brush=fill, pen=QColor(0, 0, 0, 0), movable=False
    )
    region.setZValue(-10)
    return region
