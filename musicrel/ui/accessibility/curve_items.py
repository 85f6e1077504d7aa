"""The learning curves of a study as items, one for each line."""

from __future__ import annotations

from PySide6.QtCore import QRect

from musicrel.presentation.spoken import curve_texts
from musicrel.ui.experiment.curve_panel import CurvePanel


class CurveItems:
    """The curves of a panel; they cannot be selected."""

    def __init__(self, panel: CurvePanel) -> None:
        self._panel = panel

    def count(self) -> int:
        return len(self._panel.curves)

    def text(self, index: int) -> str:
        """Return first, lowest and last loss of a curve."""
        panel = self._panel
        return curve_texts.arm(panel.curves[index], panel.choice.axis, panel.unit)

    def explanation(self, _index: int) -> str:
        return ""

    def box(self, index: int) -> QRect:
        """Return the rectangle of the name at the end of a curve, or that of the plot."""
        plot = self._panel.plot
        if plot is None or index >= len(plot.labels):
            return self._panel.view.rect()
        label = plot.labels[index]
        box: QRect = plot.view.mapFromScene(label.sceneBoundingRect()).boundingRect()
        return box

    def is_selected(self, _index: int) -> bool:
        return False

    def select(self, _index: int) -> None:
        """Select nothing."""

    def current(self) -> int | None:
        return None
