"""Learning curves of a study, with a choice of axis, split and scale."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QToolButton,
    QWidget,
)

from musicrel import paths
from musicrel.errors import FileError
from musicrel.presentation.study import study_curves
from musicrel.presentation.study.study_curves import ArmCurve, CurveChoice, CurveReader
from musicrel.ui.experiment.choice_box import ChoiceBox
from musicrel.ui.experiment.curve_plot import CurvePlot
from musicrel.ui.files import file_dialogs
from musicrel.ui.widgets import layout, plots, stylesheet
from musicrel.ui.widgets.elided_label import ElidedLabel

if TYPE_CHECKING:
    from musicrel.experiment.study.run_watch import RunStatus

AXES: Final = (("step", "by steps"), ("tokens", "by tokens"), ("seconds", "by time"))
SHOWN: Final = (("valid", "Validation"), ("train", "Training"), ("both", "Both"))
LEGEND: Final = "Bold: mean, 95 % CI. Thin: seeds."
_LEGEND_TIP: Final = "Bold: mean, with its 95 % confidence interval. Thin: seeds."
HELP: Final = "Show everything again (0). Drag or arrow keys move, wheel or + and − zoom"
_MIN_SIZE: Final = (300, 150)
_HORIZONTAL: Final = "Horizontal axis"
_LOG_X: Final = "Log &x"
_LOG_Y: Final = "Log &y"
_CURVES: Final = "Learning curves"
_EXPORT_TITLE: Final = "Export curves"
_SPLIT_TIP: Final = "Split on which the losses were measured"
_LOG_X_TIP: Final = "Logarithmic horizontal axis"
_LOG_Y_TIP: Final = "Logarithmic scale for losses"
_EXPORT_TIP: Final = "Save the curves as a picture, or their points as CSV"
_RESET: Final = "Reset &zoom"


class CurvePanel(QFrame):
    """Curves, the choices above, losses at the mouse and actions below; a passive widget."""

    failed = Signal(str)  # the curves could not be exported; the reason as one sentence

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runs: tuple[RunStatus, ...] = ()
        self._title, self.unit = "", "nats/note"
        self._reader = CurveReader()
        self.curves: list[ArmCurve] = []
        self.plot: CurvePlot | None = None
        """The plot; None until it is seen."""
        self.axis, self.split = ChoiceBox(_HORIZONTAL, AXES), ChoiceBox("Split", SHOWN)
        self.log_x, self.log_y = QCheckBox(_LOG_X), QCheckBox(_LOG_Y)
        self.reset, self.export = QToolButton(), QToolButton()
        self.view, self.words = plots.PlotHolder(self._make_plot), ElidedLabel()
        self._lay_out()
        for box in (self.axis, self.split):
            box.currentIndexChanged.connect(self._renew)
        for check in (self.log_x, self.log_y):
            check.toggled.connect(self._renew)
        self.reset.clicked.connect(self._reset)
        self.export.clicked.connect(self._ask_for_path)

    def show_runs(
        self, title: str, runs: tuple[RunStatus, ...], *, unit: str = "nats/note"
    ) -> None:
        """Show the curves of a study; the zoom is kept if it is the same study."""
        is_other = title != self._title or not self._runs
        if is_other or unit != self.unit or runs is not self._runs:
            self._title, self._runs, self.unit = title, runs, unit
            self._renew()
        if is_other:
            self._reset()
            self._point(None)

    @property
    def choice(self) -> CurveChoice:
        """Return the chosen axis, split and scales."""
        return CurveChoice(
            axis=self.axis.currentData(),
            shown=self.split.currentData(),
            log_x=self.log_x.isChecked(),
            log_y=self.log_y.isChecked(),
        )

    def write(self, path: Path) -> None:
        """Write the plot as it is shown as PNG or SVG, or all of its points as CSV."""
        try:
            if path.suffix.lower() == ".csv":
                text = study_curves.as_csv(self._runs, self.choice.shown, self.unit)
                paths.write_text(path, text)
            elif self.plot is not None:
                plots.export(self.plot.view, path)
        except FileError as reason:
            self.failed.emit(str(reason))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self.plot is not None:
            self.plot.set_theme(stylesheet.current_theme())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Hide the crosshair when the mouse leaves the plot; zoom and move it by keyboard."""
        if event.type() == QEvent.Type.Leave:
            self._point(None)
        if isinstance(event, QFocusEvent) and self.plot is not None:
            self.plot.set_focused(focused=event.gotFocus())
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self.plot is not None and self.plot.press(Qt.Key(event.key()))
        return super().eventFilter(watched, event)

    # ------------------------------------------------------------------ inside

    def _make_plot(self) -> QWidget:
        self.plot = CurvePlot(stylesheet.current_theme())
        view: QWidget = self.plot.view
        view.setAccessibleName(_CURVES)
        view.installEventFilter(self)
        self.plot.view.scene().sigMouseMoved.connect(self._point)
        self._renew()
        return view

    @Slot()
    def _renew(self) -> None:
        self.curves = self._reader.read(self._runs, self.choice)
        text = study_curves.description(self._title, self.curves, self.unit)
        self.view.setAccessibleDescription(text)
        self.export.setEnabled(bool(self.curves))
        if self.plot is not None:
            self.plot.show(self.curves, self.choice, self.unit)
            self.plot.view.setAccessibleDescription(text)

    @Slot()
    def _reset(self) -> None:
        if self.plot is not None:
            self.plot.reset()

    def _point(self, place: QPointF | None) -> None:
        """Show the losses at a place in the scene, or the legend outside the curves."""
        x = None if self.plot is None else self.plot.point(place)
        losses = ""
        if x is not None:
            losses = study_curves.losses_at(self.curves, self.choice.axis, x, self.unit)
        several = any(len(curve.runs) > 1 for curve in self.curves)
        self.words.setText(losses or (LEGEND if several else ""))
        self.words.setToolTip(losses or (_LEGEND_TIP if several else ""))

    @Slot()
    def _ask_for_path(self) -> None:
        file_dialogs.ask_new_path(
            self,
            _EXPORT_TITLE,
            name=self._title,
            suffixes=(*plots.PICTURES, ".csv"),
            answer=self.write,
        )

    def _lay_out(self) -> None:
        self.setObjectName("sheet")
        for widget, tip in (
            (self.split, _SPLIT_TIP),
            (self.axis, _HORIZONTAL),
            (self.log_x, _LOG_X_TIP),
            (self.log_y, _LOG_Y_TIP),
            (self.reset, HELP),
            (self.export, _EXPORT_TIP),
        ):
            widget.setToolTip(tip)
        self.reset.setText(_RESET)
        self.export.setText("E&xport…")
        self.words.setObjectName("quiet")
        self.view.setMinimumSize(*_MIN_SIZE)
        above = layout.Wrapped(
            layout.row(self.split, self.axis, None, spacing=8),
            layout.row(self.log_x, self.log_y, None, spacing=8),
        )
        below = layout.Wrapped(
            layout.row((self.words, 1)), layout.row(None, self.reset, self.export, spacing=8)
        )
        parts = (above, (self.view, 1), below)
        layout.column(*parts, owner=self, spacing=6, margins=(14, 10, 14, 8))
