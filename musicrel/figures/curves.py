"""Learning curves: lines, bands, dots, and a column of names with the last losses.

The items of an arm are made once; new points replace their data, so that the user's zoom stays and
an update is cheap. There are four colours: the first four arms have no markers, the next four have
dots, then squares, then triangles.

The cost of layers by length on logarithmic axes: powers are straight lines.
"""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF

from musicrel.experiment.study.layer_report import CostCurves, prefixed
from musicrel.experiment.study.study_curves import ArmCurve, CurveChoice, Curves
from musicrel.figures import figure, plots
from musicrel.figures.figure import Figure
from musicrel.language import decimal, tr
from musicrel.presentation.words import display_names
from musicrel.presentation.words.palette import LIGHT, Theme

EMPTY: Final = tr("Curves appear after the first evaluation.")
SIZE: Final = (760, 420)
_SYMBOLS: Final = ((None, ""), ("o", "●"), ("s", "■"), ("t1", "▲"))
"""Marker of a line and of its name; lines of one colour have different ones."""
_MAX_MARKERS: Final = 12
_DOT: Final = 7  # size of the dot of a run with one evaluation
_BAND: Final = 0.16
_THIN: Final = 0.4  # opacities of the confidence band and of the line of one run
_WIDEST: Final = 0.48  # greatest width of the names as a share of the figure
_GAP: Final = 14.0
_MAX_DECADES: Final = 2
"""Decades of a logarithmic axis up to which 2 and 5 times a power of ten are ticks, too."""


def of_curves(curves: Curves, theme: Theme = LIGHT) -> Figure:
    def make(view: Any) -> None:
        plot = CurvePlot(view, theme, title=curves.title)
        plot.show(curves)

    width, height = SIZE
    return figure.of_plot(make, width=width, height=height, theme=theme, title=curves.description)


def colour(number: int, theme: Theme) -> str:
    return theme.voice_edges[number % len(theme.voice_edges)]


def symbol(number: int, theme: Theme) -> tuple[str | None, str]:
    return _SYMBOLS[number // len(theme.voice_edges) % len(_SYMBOLS)]


class Names:
    def __init__(self, view: Any) -> None:
        self._view = view
        self.label = plots.library().LabelItem(justify="left")
        self.texts: list[str] = []  # the lines of the column
        self._numbers: list[int] = []
        view.addItem(self.label, 0, 1)
        view.ci.layout.setColumnStretchFactor(0, 1)

    def show(self, names: Sequence[tuple[int, str, str]], theme: Theme) -> None:
        metrics = QFontMetricsF(self.label.item.font())
        most = _WIDEST * self._view.width()
        marks = {number: symbol(number, theme)[1] for number, _, _ in names}
        indent = "\N{EN SPACE}" if any(marks.values()) else ""
        self.texts = []
        self._numbers = [number for number, _, _ in names]
        for number, name, value in names:
            start = f"{marks[number] or indent}{' ' if indent else ''}"
            room = most - metrics.horizontalAdvance(f"{start} {value}")
            self.texts.append(
                f"{start}{metrics.elidedText(name, Qt.TextElideMode.ElideRight, room)} {value}"
            )
        style = "color: {}; white-space: pre"
        self.label.setText("".join(
            f'<div style="{style.format(colour(number, theme))}">{html.escape(line)}</div>'
            for number, line in zip(self._numbers, self.texts, strict=True)
        ))  # fmt: skip
        width = max((metrics.horizontalAdvance(line) for line in self.texts), default=0.0)
        self.label.setMinimumHeight(0)
        self.label.setMaximumWidth(width + _GAP)
        self.label.setMinimumWidth(width + _GAP)

    def box(self, number: int) -> QRectF:
        whole: QRectF = self.label.item.sceneBoundingRect()
        height = whole.height() / max(len(self._numbers), 1)
        place = self._numbers.index(number)
        return QRectF(whole.left(), whole.top() + place * height, whole.width(), height)


class CurvePlot:
    def __init__(
        self, view: Any, theme: Theme, *, font: QFont | None = None, title: str = ""
    ) -> None:
        library = plots.library()
        self.view = view
        self._curves = Curves(title="", arms=(), choice=CurveChoice())
        self._lines: list[_Line] = []
        self._pointed: float | None = None
        self.plot = view.addPlot(0, 0, enableMenu=False, title=title or None)
        self.names = Names(view)
        self.box = self.plot.getViewBox()
        self.plot.hideButtons()
        self._cross = [library.InfiniteLine(angle=angle) for angle in (90, 0)]
        for line in self._cross:
            self.plot.addItem(line, ignoreBounds=True)
        self._empty = library.LabelItem(EMPTY, parent=self.plot)
        self._empty.anchor(itemPos=(0.5, 0.5), parentPos=(0.5, 0.5))
        self.set_theme(theme, font)
        self.point(None)

    def set_theme(self, theme: Theme, font: QFont | None = None) -> None:
        self._theme = theme
        plots.apply_theme(self.plot, theme, font=font)
        for label in (self.names.label, self._empty) if font is not None else ():
            label.item.setFont(font)
        self.plot.showGrid(y=True, alpha=0.4)
        self.plot.titleLabel.setText(self.plot.titleLabel.text, color=theme.text, bold=True)
        for line in self._cross:
            line.setPen(theme.faint)
        self._empty.setText(EMPTY, color=theme.quiet)
        self._remove_lines()
        self._show_data()

    def show(self, curves: Curves) -> None:
        before, self._curves = self._curves.choice, curves
        choice = curves.choice
        if choice != before:
            self.plot.setLogMode(choice.log_x, choice.log_y)
            self.plot.enableAutoRange()
        divisor, title = curves.x_unit
        for name, text, scale, log in (
            ("bottom", title, 1 / divisor, choice.log_x),
            ("left", curves.loss_label, 1.0, choice.log_y),
        ):
            axis = self.plot.getAxis(name)
            axis.enableAutoSIPrefix(False)
            axis.setStyle(maxTickLevel=1, showValues=bool(curves.arms))
            axis.setLabel(text)
            axis.setScale(scale)
            axis.tickStrings = _log_tick_texts if log else _tick_texts
            axis.logTickValues = _log_tick_values
        self._show_data()

    def point(self, place: QPointF | None) -> float | None:
        x = None
        if place is not None and self._lines and self.box.sceneBoundingRect().contains(place):
            value = self.box.mapSceneToView(place)
            x = float(10 ** value.x() if self._curves.choice.log_x else value.x())
            for line, position in zip(self._cross, (value.x(), value.y()), strict=True):
                line.setValue(position)
        for line in self._cross:
            line.setVisible(x is not None)
        self._pointed = x
        self.show_names()
        return x

    def show_names(self) -> None:
        """Show the names as far as there is room, the curve that ends highest first."""
        first = {curve.number: curve for curve in reversed(self._curves.arms)}
        ordered = sorted(first.values(), key=lambda curve: -curve.mean[1, -1])
        x = self._pointed
        losses = (curve.mean[1, -1] if x is None else curve.at(x) for curve in ordered)
        names = [(curve.number, curve.name, decimal(loss, ".3f"))
                 for curve, loss in zip(ordered, losses, strict=True)]  # fmt: skip
        self.names.show(names, self._theme)

    # ------------------------------------------------------------------ inside

    def _show_data(self) -> None:
        arms = self._curves.arms
        if [(one.name, one.number) for one in arms] != [line.key for line in self._lines]:
            self._remove_lines()
            dashed = self._curves.choice.shown == "both"
            self._lines = [_Line(one, self.plot, self._theme, dashed=dashed) for one in arms]
        for line, curve in zip(self._lines, arms, strict=True):
            line.show(curve)
        self._empty.setVisible(not arms)
        self.show_names()

    def _remove_lines(self) -> None:
        for line in self._lines:
            for item in line.items:
                self.plot.removeItem(item)
        self._lines = []


class _Line:
    def __init__(self, curve: ArmCurve, plot: Any, theme: Theme, *, dashed: bool) -> None:
        library = plots.library()
        self.key = curve.name, curve.number
        self._shown: tuple[Any, ...] = ()
        dashed = dashed and curve.split == "train"
        style = Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine
        own = colour(curve.number, theme)
        band, thin = QColor(own), QColor(own)
        band.setAlphaF(_BAND)
        thin.setAlphaF(_THIN)
        # without the cache, symbols are paths in SVG, not images
        dots = {"pen": None, "symbolBrush": own, "symbolPen": None, "useCache": False}
        mark = None if dashed else symbol(curve.number, theme)[0]
        self._low, self._high = (library.PlotDataItem(pen=library.mkPen(None)) for _ in range(2))
        self._band = library.FillBetweenItem(self._low, self._high, brush=band)
        self._runs = library.PlotDataItem(
            pen=library.mkPen(thin, width=1.4, style=style), connect="finite"
        )
        self._mean = library.PlotDataItem(
            pen=library.mkPen(own, width=1.8 if dashed else 2.8, style=style)
        )
        self._marks = library.PlotDataItem(symbol=mark, symbolSize=8, **dots)
        self._dots = library.PlotDataItem(symbol="o", symbolSize=_DOT, **dots)
        bands = (self._low, self._high, self._band)
        self.items = (*bands, self._runs, self._mean, self._marks, self._dots)
        for item in self.items:
            plot.addItem(item, ignoreBounds=item in bands)  # two seeds have a very wide one

    def show(self, curve: ArmCurve) -> None:
        before, self._shown = self._shown, curve.runs
        if len(before) == len(curve.runs) and all(map(np.array_equal, before, curve.runs)):
            return
        several = len(curve.runs) > 1
        gap = np.full((2, 1), math.nan)
        parts = [part for run in curve.runs for part in (run, gap)] if several else [gap]
        self._runs.setData(*np.concatenate(parts, axis=1))
        self._mean.setData(*curve.mean)
        self._marks.setData(*curve.mean[:, :: -max(curve.mean.shape[1] // _MAX_MARKERS, 1)])
        self._dots.setData(*curve.alone)
        self._band.setVisible(several)
        for line, end in zip((self._low, self._high), curve.interval, strict=True):
            line.setData(curve.mean[0], end)


def short_number(number: float) -> str:
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if number >= size:
            return f"{decimal(number / size, '.4g')}{letter}"
    return decimal(number, ".4g")


def _tick_texts(values: Sequence[float], scale: float, spacing: float) -> list[str]:
    del spacing
    return [short_number(value * scale) for value in values]


def _log_tick_texts(values: Sequence[float], scale: float, spacing: float) -> list[str]:
    return _tick_texts([10**value for value in values], scale, spacing)


def _log_tick_values(
    low: float, high: float, size: float, levels: object
) -> list[tuple[float, list[float]]]:
    """Return the ticks of a logarithmic axis; replaces ``AxisItem.logTickValues``.

    They are 1, 2 and 5 times a power of ten; less than a decade has its share of linear ticks.
    """
    del size, levels
    left, right = 10**low, 10**high
    if high - low < 1:
        step = 10 ** math.floor(math.log10((right - left) / 4))
        step *= next(unit for unit in (1, 2, 5, 10) if (right - left) / (unit * step) <= 6)  # noqa: PLR2004
        ticks = [step * place for place in range(math.ceil(left / step), int(right / step) + 1)]
    else:
        units = (1, 2, 5) if high - low <= _MAX_DECADES else (1,)
        powers = range(math.floor(low), math.ceil(high) + 1)
        ticks = [unit * 10.0**power for power in powers for unit in units]
    return [(1.0, [math.log10(tick) for tick in ticks if left <= tick <= right])]


_LEAST: Final = 1e-9  # least value, as logarithmic axes have no 0
_EVERY: Final = 6.0  # most powers of ten that all have a tick


def of_costs(found: CostCurves, theme: Theme = LIGHT) -> Figure:
    width, height = SIZE
    return figure.of_plot(
        lambda view: _draw(view, found, theme),
        width=width,
        height=height,
        theme=theme,
        title=found.title,
    )


def _draw(view: Any, found: CostCurves, theme: Theme) -> None:
    plot = view.addPlot(0, 0, enableMenu=False)
    plot.hideButtons()
    plots.apply_theme(plot, theme)
    plot.setTitle(found.title, color=theme.text, bold=True)
    plot.showGrid(y=True, alpha=0.4)
    ends = []
    for number, arm in enumerate(found.costs.study.arms):
        if rows := found.costs.rows_of(arm):
            values = [[row.length, max(getattr(row, found.quantity), _LEAST)] for row in rows]
            points = np.log10(values).T
            _draw_arm(plot, points, sum(not row.estimated for row in rows), number, theme)
            ends.append((points[1, -1], number, display_names.arm(arm)))
    names = Names(view)
    names.show([(number, name, "") for _, number, name in sorted(ends, reverse=True)], theme)
    lengths = sorted({row.length for row in found.costs.rows})
    low, high = plot.getViewBox().childrenBounds()[1]
    powers = range(math.ceil(low), math.floor(high) + 1, math.ceil((high - low + 1) / _EVERY))
    for name, ticks in (
        ("left", [(power, prefixed(10.0**power, found.unit)) for power in powers]),
        ("bottom", [(math.log10(length), decimal(length, ",")) for length in lengths]),
    ):
        plot.getAxis(name).setTicks([ticks])
    plot.getAxis("bottom").setLabel(tr("tokens"))


def _draw_arm(plot: Any, points: Any, measured: int, number: int, theme: Theme) -> None:
    library, own = plots.library(), colour(number, theme)
    dashed = library.mkPen(own, width=1.8, style=Qt.PenStyle.DashLine)
    plot.plot(*points[:, :measured], pen=library.mkPen(own, width=2.8))
    plot.plot(*points[:, max(measured - 1, 0) :], pen=dashed)
    mark = symbol(number, theme)[0]
    plot.plot(*points, pen=None, symbol=mark, symbolSize=8, symbolBrush=own, symbolPen=None,
              useCache=False)  # fmt: skip
