"""The plot of learning curves: lines, bands, names at their ends and a crosshair.

Items are made once per arm; new points replace the data of the items, so that the user's zoom stays
and an update is cheap.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF
from PySide6.QtWidgets import QGraphicsSimpleTextItem

from musicrel.presentation.study import curves, line_ends, study_curves
from musicrel.presentation.study.study_curves import ArmCurve, CurveChoice
from musicrel.presentation.words.palette import Theme
from musicrel.ui.experiment.curve_line import CurveLine
from musicrel.ui.widgets import plots, stylesheet

_MARGIN: Final = (84.0, 164.0, 0.48)
"""Width for names: minimum, and maximum in pixels and as a share of the plot."""
_FONT: Final = 0.92
"""Size of names relative to the font of the app."""
_GAP: Final = 8.0


class CurvePlot:
    """The plot, for use once it can be seen.

    Attributes:
        labels: the names at the ends of the lines, one for each arm.
    """

    def __init__(self, theme: Theme) -> None:
        library = plots.library()
        self.view: Any = library.PlotWidget(enableMenu=False)
        self.labels: list[QGraphicsSimpleTextItem] = []
        self._theme, self._choice = theme, CurveChoice()
        self._curves: Sequence[ArmCurve] = ()
        self._lines: list[CurveLine] = []
        self._named: list[CurveLine] = []
        self._pointed: float | None = None
        self._plot = self.view.getPlotItem()
        self._box = self._plot.getViewBox()
        self._plot.hideButtons()
        self._cross = [library.InfiniteLine(angle=angle) for angle in (90, 0)]
        self._empty = QGraphicsSimpleTextItem(curves.EMPTY, self._plot)
        for line in self._cross:
            self._plot.addItem(line, ignoreBounds=True)
        self._box.sigRangeChanged.connect(self._place_labels)
        self._box.sigResized.connect(self._place_labels)
        self.set_theme(theme)
        self.point(None)

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of ``theme``."""
        self._theme = theme
        plots.apply_theme(self._plot, theme)
        self._plot.showGrid(y=True, alpha=0.4)
        for line in self._cross:
            line.setPen(theme.faint)
        self._empty.setBrush(QColor(theme.quiet))
        self._remove_lines()
        self._show_data()

    def show(self, found: Sequence[ArmCurve], choice: CurveChoice, unit: str) -> None:
        """Show curves; the zoom is kept unless the axes have changed."""
        self._curves = found
        if choice != self._choice:
            self._choice = choice
            self._plot.setLogMode(choice.log_x, choice.log_y)
            self._plot.enableAutoRange()
        self._name_axes(unit)
        self._show_data()

    def reset(self) -> None:
        """Show all curves, also those to come."""
        self._plot.enableAutoRange()

    def press(self, key: Qt.Key) -> bool:
        """Zoom or scroll by a key; return whether it has a meaning here."""
        if key == Qt.Key.Key_0:
            self.reset()
        return plots.press(self._box, key) or key == Qt.Key.Key_0

    def point(self, place: QPointF | None) -> float | None:
        """Move the crosshair to a place in the scene, and show the losses there.

        Args:
            place: the place; None hides the crosshair.
        """
        x = None
        if place is not None and self._curves and self._box.sceneBoundingRect().contains(place):
            value = self._box.mapSceneToView(place)
            x = float(10 ** value.x() if self._choice.log_x else value.x())
            for line, position in zip(self._cross, (value.x(), value.y()), strict=True):
                line.setValue(position)
        for line in self._cross:
            line.setVisible(x is not None)
        self._pointed = x
        self._place_labels()
        return x

    def set_focused(self, *, focused: bool) -> None:
        """Set whether the plot has the keyboard focus, which its frame shows."""
        self._box.setBorder(self._theme.accent if focused else None)

    # ------------------------------------------------------------------ inside

    def _show_data(self) -> None:
        keys = [(curve.name, curve.number) for curve in self._curves]
        if keys != [line.key for line in self._lines]:
            self._remove_lines()
            dashed = self._choice.shown == "both"
            self._lines = [CurveLine(curve, self._plot, self._theme, dashed=dashed)
                           for curve in self._curves]  # fmt: skip
            first = {line.key[1]: line for line in reversed(self._lines)}
            self._named = [line for line in self._lines if line in first.values()]
            self.labels = [line.label for line in self._named]
        for line, curve in zip(self._lines, self._curves, strict=True):
            line.show(curve)
        self._empty.setVisible(not self._curves)
        self._place_labels()

    def _remove_lines(self) -> None:
        for line in self._lines:
            line.remove(self._plot)
        self._lines, self._named, self.labels = [], [], []

    def _name_axes(self, unit: str) -> None:
        right = max((run[0, -1] for curve in self._curves for run in curve.runs), default=1.0)
        right = 1.0 if self._choice.log_x else right  # pyqtgraph has no scale for log ticks
        divisor, title = curves.x_unit(self._choice.axis, right, unit)
        for name, text, scale, log in (
            ("bottom", title, 1 / divisor, self._choice.log_x),
            ("left", study_curves.loss_label(self._choice, unit), 1.0, self._choice.log_y),
        ):
            axis = self._plot.getAxis(name)
            axis.enableAutoSIPrefix(False)
            axis.setStyle(maxTickLevel=1, showValues=bool(self._curves))
            axis.setLabel(text)
            axis.setScale(scale)
            axis.tickStrings = _log_tick_texts if log else _tick_texts
            axis.logTickValues = _log_tick_values

    def _place_labels(self) -> None:
        """Place the names beside the ends of their lines, or of what is visible of them."""
        font = stylesheet.scaled_font(_FONT, QFont.Weight.Medium)
        metrics = QFontMetricsF(font)
        least, most, share = _MARGIN
        widths = [metrics.horizontalAdvance(line.text) for line in self._named]
        indent = max((metrics.horizontalAdvance(line.mark) for line in self._named), default=0.0)
        widest = max(widths, default=0.0) + indent + 2 * _GAP
        margin = min(max(widest, least), max(most, share * self.view.width()))
        self._plot.layout.setContentsMargins(6, 10, margin, 6)
        area = self._box.sceneBoundingRect()
        self._empty.setPos(area.center() - self._empty.boundingRect().center())
        ends = {line: self._end_of(line) for line in self._named}
        ordered = sorted(self._named, key=lambda line: ends[line].y())
        heights = [min(max(ends[line].y(), area.top()), area.bottom()) for line in ordered]
        heights = line_ends.spread(heights, area.top(), area.bottom())
        for line, y in zip(ordered, heights, strict=True):
            line.label.setFont(font)
            text = line.fitting(metrics, margin - indent - 2 * _GAP, self._pointed)
            line.label.setText(line.mark + text)
            edge = self.view.width() - margin
            left = min(max(ends[line].x(), area.left()), edge)
            left += _GAP + (0.0 if line.mark else indent)
            line.label.setPos(left, y - metrics.height() / 2)

    def _end_of(self, line: CurveLine) -> QPointF:
        """Return the place in the scene at which a line leaves the visible area, or ends."""
        x, y = line.mean
        x = np.log10(x) if self._choice.log_x else x
        y = np.log10(y) if self._choice.log_y else y
        right = min(self._box.viewRange()[0][1], x[-1])
        end = QPointF(right, float(np.interp(right, x, y)))
        found: QPointF = self._box.mapViewToScene(end)
        return found


def _tick_texts(values: Sequence[float], scale: float, spacing: float) -> list[str]:
    """Return the texts of ticks; replaces ``AxisItem.tickStrings``."""
    del spacing
    return [curves.short_number(value * scale) for value in values]


def _log_tick_texts(values: Sequence[float], scale: float, spacing: float) -> list[str]:
    return _tick_texts([10**value for value in values], scale, spacing)


def _log_tick_values(
    low: float, high: float, size: float, levels: object
) -> list[tuple[float, list[float]]]:
    """Return the ticks of a logarithmic axis; replaces ``AxisItem.logTickValues``."""
    del size, levels
    return [(1.0, [math.log10(tick) for tick in study_curves.log_ticks(10**low, 10**high)])]
