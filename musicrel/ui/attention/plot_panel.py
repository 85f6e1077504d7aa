"""The base of the plots of attention, and the colours of attention levels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from musicrel.presentation.attention import colour_scale
from musicrel.presentation.attention.attention_record import MAX_LEVEL
from musicrel.presentation.words.palette import Theme
from musicrel.ui.widgets import plots, stylesheet


class PlotPanel(QWidget):
    """A widget that consists of a plot: rows run downwards, ticks are labels without lines.

    Args:
        axes: the axes and their widths in pixels; None: that of the labels.

    Attributes:
        box: the rectangle inside the axes, with its range.
        labels: places and texts of the ticks on each axis.
    """

    def __init__(self, name: str, axes: Mapping[str, int | None]) -> None:
        super().__init__()
        self.labels: dict[str, list[tuple[float, str]]] = {}
        self._axes = axes
        self.view: Any = plots.library().PlotWidget(enableMenu=False)
        self.plot: Any = self.view.getPlotItem()
        self.box: Any = self.plot.getViewBox()
        self.box.invertY()
        self.plot.hideButtons()
        self.plot.hideAxis("bottom")
        for side in axes:
            axis = self.plot.getAxis(side)
            self.plot.showAxis(side)
            axis.setStyle(tickLength=0, tickAlpha=0, hideOverlappingLabels=False)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.view)
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # keys are for this widget
        self.setAccessibleName(name)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self.set_theme(stylesheet.current_theme())

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of ``theme``, and axes as wide as their texts need."""
        for side, usual in self._axes.items():
            axis, width = self.plot.getAxis(side), usual and round(usual * stylesheet.text_scale())
            (axis.setWidth if side in ("left", "right") else axis.setHeight)(width)
        plots.apply_theme(self.plot, theme, background=theme.panel)

    def label(self, side: str, ticks: Iterable[tuple[float, str]]) -> None:
        """Replace the labels of an axis: places and texts."""
        labels = list(ticks)
        if self.labels.get(side) != labels:  # an axis is slow to paint
            self.labels[side] = labels
            self.plot.getAxis(side).setTicks([labels])


def colour_map(theme: Theme) -> Any:
    """Return the colours of levels 1 to 255; level 0, no weight, has that of the panel."""
    places = (0, 1 / MAX_LEVEL, 0.5, 1)
    return plots.library().ColorMap(places, [theme.panel, *colour_scale.stops(theme)])
