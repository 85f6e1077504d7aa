"""Learning curves of a study, with a choice of axis, split and scale."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QVBoxLayout,
    QWidget,
)

from musicrel.presentation.drawing.drawing import Drawing
from musicrel.presentation.study import curves, study_curves
from musicrel.presentation.study.curve_frame import Frame
from musicrel.presentation.study.curves import Series
from musicrel.presentation.study.study_curves import CurveChoice
from musicrel.presentation.words.palette import LIGHT, Theme
from musicrel.ui.widgets.drawing_view import DrawingView
from musicrel.ui.widgets.short_label import ElidedLabel

if TYPE_CHECKING:
    from musicrel.experiment.study.run_watch import RunStatus

AXES: Final = (("step", "by steps"), ("tokens", "by tokens"), ("seconds", "by time"))
SHOWN: Final = (("valid", "Validation"), ("train", "Training"), ("both", "Both"))
LEGEND: Final = "Thick: mean. Thin: each seed. Band: lowest to highest seed."


class CurvePanel(QFrame):
    """Curves, the choices above and the losses at the mouse below; a passive widget."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._runs: tuple[RunStatus, ...] = ()
        self._title, self._unit = "", "nats/note"
        self._shown: list[Series] = []
        self._frame: Frame | None = None
        self.axis, self.split = _box(AXES, "Horizontal axis"), _box(SHOWN, "Split")
        self.logarithmic = QCheckBox("L&ogarithmic")
        self.view, self.words = DrawingView(), ElidedLabel(LEGEND)
        self.setObjectName("sheet")
        self._lay_out()
        self.view.setAccessibleName("Learning curves")
        self.view.pointed.connect(self._point)
        self.axis.currentIndexChanged.connect(self._renew)
        self.split.currentIndexChanged.connect(self._renew)
        self.logarithmic.toggled.connect(self._renew)

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of ``theme``."""
        self._theme = theme
        self._renew()

    def show_runs(
        self, title: str, runs: tuple[RunStatus, ...], *, unit: str = "nats/note"
    ) -> None:
        """Show the curves of a study.

        Args:
            title: of the study.
            runs: of the study.
            unit: of their losses.
        """
        if (title, unit) != (self._title, self._unit) or runs is not self._runs:
            self._title, self._runs, self._unit = title, runs, unit
            self._renew()

    @property
    def choice(self) -> CurveChoice:
        """Return the chosen axis, split and scale."""
        return CurveChoice(
            axis=self.axis.currentData(),
            shown=self.split.currentData(),
            logarithmic=self.logarithmic.isChecked(),
        )

    def _renew(self) -> None:
        self._shown = study_curves.series(self._runs, self.choice)
        self.view.show_drawing(self._draw)
        self._point(-1.0)

    def _draw(self, size: tuple[int, int]) -> Drawing:
        choice = self.choice
        self._frame = curves.framed(
            self._shown, size=size, logarithmic=choice.logarithmic, heading=False
        )
        return curves.draw(
            self._shown,
            title=self._title,
            unit=self._unit,
            axis=choice.axis,
            logarithmic=choice.logarithmic,
            theme=self._theme,
            size=size,
            heading=False,
        )

    def _point(self, x: float) -> None:
        """Show the losses at ``x`` pixels, or the legend outside the curves."""
        losses = ""
        if self._frame is not None and x >= 0:
            losses = study_curves.losses_at(
                self._shown, self._frame, self.choice.axis, x, self._unit
            )
        self.view.set_mark(x if losses else None, self._theme.faint)
        self.words.setText(losses or LEGEND)

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        self.split.setToolTip("Split on which the losses were measured")
        self.axis.setToolTip("Horizontal axis")
        self.logarithmic.setToolTip("Logarithmic scale for losses")
        for widget in (self.split, self.axis, self.logarithmic):
            row.addWidget(widget)
        row.addStretch(1)
        self.words.setObjectName("quiet")
        self.words.setToolTip(LEGEND)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 10, 14, 8)
        column.setSpacing(6)
        column.addLayout(row)
        column.addWidget(self.view, 1)
        column.addWidget(self.words)


def _box(entries: tuple[tuple[str, str], ...], name: str) -> QComboBox:
    box = QComboBox()
    box.setAccessibleName(name)
    for key, title in entries:
        box.addItem(title, key)
    return box
