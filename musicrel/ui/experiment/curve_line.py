"""The items of an arm's curve in the plot: runs, band, mean, markers and name."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFontMetricsF
from PySide6.QtWidgets import QGraphicsSimpleTextItem

from musicrel.presentation.study import line_ends
from musicrel.presentation.study.study_curves import ArmCurve, Points
from musicrel.presentation.words.palette import Theme
from musicrel.ui.widgets import plots
from musicrel.ui.widgets.paint import translucent

_SYMBOLS: Final = ((None, ""), ("o", "●  "), ("s", "■  "), ("t1", "▲  "))
"""Marker of a line and of its name; lines of one colour have different ones."""
_MAX_MARKERS: Final = 12
_DOT: Final = 7
"""Size of the dot of a run with one evaluation."""
_BAND: Final = 0.16
_THIN: Final = 0.4
"""Opacities of the confidence band and of the line of one run."""


class CurveLine:
    """The items of one arm on one split.

    Args:
        dashed: True to dash the lines of training.
    """

    def __init__(self, curve: ArmCurve, plot: Any, theme: Theme, *, dashed: bool) -> None:
        library = plots.library()
        self.key = curve.name, curve.number
        self._curve = curve
        self._shown: tuple[Points, ...] = ()
        colour = line_ends.colour(curve.number, theme)
        dashed = dashed and curve.split == "train"
        style = Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine
        symbol, self.mark = _SYMBOLS[curve.number // len(theme.voice_edges) % len(_SYMBOLS)]
        self._low, self._high = (library.PlotDataItem(pen=library.mkPen(None)) for _ in range(2))
        self._band = library.FillBetweenItem(
            self._low, self._high, brush=translucent(colour, _BAND)
        )
        thin = library.mkPen(translucent(colour, _THIN), width=1, style=style)
        self._runs = library.PlotDataItem(pen=thin, connect="finite")
        self._mean = library.PlotDataItem(
            pen=library.mkPen(colour, width=1.5 if dashed else 2.5, style=style)
        )
        self._marks = library.PlotDataItem(
            pen=None,
            symbol=None if dashed else symbol,
            symbolSize=8,
            symbolBrush=colour,
            symbolPen=None,
        )
        self._dots = library.PlotDataItem(
            pen=None, symbol="o", symbolSize=_DOT, symbolBrush=colour, symbolPen=None
        )
        band = (self._low, self._high, self._band)
        self._items = (*band, self._runs, self._mean, self._marks, self._dots)
        for item in self._items:
            plot.addItem(item, ignoreBounds=item in band)  # two seeds have a very wide one
        self.label = QGraphicsSimpleTextItem(plot)
        self.label.setBrush(QColor(colour))

    @property
    def mean(self) -> Points:
        """Return the points of the bold line."""
        return self._curve.mean

    @property
    def text(self) -> str:
        """Return the name with the last loss."""
        return f"{self._curve.name} {self.mean[1, -1]:.3f}"

    def fitting(self, metrics: QFontMetricsF, width: float, x: float | None) -> str:
        """Return the text for a width in pixels: the name is shortened, the loss never is.

        Args:
            x: where the loss is read; None: at the end.
        """
        loss = f" {self.mean[1, -1] if x is None else self._curve.at(x):.3f}"
        left, mode = width - metrics.horizontalAdvance(loss), Qt.TextElideMode.ElideRight
        return metrics.elidedText(self._curve.name, mode, left) + loss

    def show(self, curve: ArmCurve) -> None:
        """Replace the data, if they have changed."""
        self._curve = curve
        before, self._shown = self._shown, curve.runs
        if len(before) == len(curve.runs) and all(map(np.array_equal, before, curve.runs)):
            return
        several = len(curve.runs) > 1
        gap = np.full((2, 1), math.nan)
        parts = [part for run in curve.runs for part in (run, gap)] if several else [gap]
        self._runs.setData(*np.concatenate(parts, axis=1))
        self._mean.setData(*self.mean)
        self._marks.setData(*self.mean[:, :: -max(self.mean.shape[1] // _MAX_MARKERS, 1)])
        self._dots.setData(*np.concatenate([curve.alone, self._lone_mean()], axis=1))
        self._band.setVisible(several)
        for line, end in zip((self._low, self._high), curve.interval, strict=True):
            line.setData(self.mean[0], end)

    def _lone_mean(self) -> Points:
        """Return the mean if it has one point and no line, else nothing."""
        return self.mean if self.mean.shape[1] == 1 else np.empty((2, 0))

    def remove(self, plot: Any) -> None:
        for item in self._items:
            plot.removeItem(item)
        self.label.scene().removeItem(self.label)
