"""Learning curves of a study, with a choice of axis, split and scale."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QCheckBox, QFrame, QToolButton, QWidget

from musicrel import paths
from musicrel.errors import FileError
from musicrel.experiment.study import study_curves
from musicrel.experiment.study.study_curves import CurveChoice, CurveReader, Curves
from musicrel.figures.plots import library
from musicrel.language import tr
from musicrel.ui.files import dialogs
from musicrel.ui.widgets import layout, plots, stylesheet
from musicrel.ui.widgets.elided_label import ElidedLabel
from musicrel.ui.widgets.fields import ChoiceBox

if TYPE_CHECKING:
    from musicrel.experiment.study.run_watch import RunStatus
    from musicrel.figures.curves import CurvePlot

_LEGEND_TIP: Final = tr("Bold: mean, with its 95 % confidence interval. Thin: seeds.")
_LOG_X: Final = tr("Log &x")
_LOG_Y: Final = tr("Log &y")
_CURVES: Final = tr("Learning curves")
_EXPORT_TITLE: Final = tr("Export curves")
_RESET: Final = tr("Reset &zoom")

AXES: Final = (("step", tr("by steps")), ("tokens", tr("by tokens")), ("seconds", tr("by time")))
SHOWN: Final = (("valid", tr("Validation")), ("train", tr("Training")), ("both", tr("Both")))
LEGEND: Final = tr("Bold: mean, 95 % CI. Thin: seeds.")
HELP: Final = tr("Show everything again (0). Drag or arrow keys move, wheel or + and − zoom")
_HORIZONTAL: Final = tr("Horizontal axis")
_TIPS: Final = {
    "split": tr("Split on which the losses were measured"),
    "axis": _HORIZONTAL,
    "log_x": tr("Logarithmic horizontal axis"),
    "log_y": tr("Logarithmic scale for losses"),
    "reset": HELP,
    "export": tr("Save the curves as a picture, or their points as CSV"),
}


class CurvePanel(QFrame):
    failed = Signal(str)  # the curves could not be exported; the reason as one sentence

    def __init__(self) -> None:
        super().__init__()
        self._runs: tuple[RunStatus, ...] = ()
        self._reader = CurveReader()
        self.curves = Curves(title="", arms=(), choice=CurveChoice())
        self.plot: CurvePlot | None = None
        self.axis, self.split = ChoiceBox(_HORIZONTAL, AXES), ChoiceBox(tr("Split"), SHOWN)
        self.log_x, self.log_y = QCheckBox(_LOG_X), QCheckBox(_LOG_Y)
        self.reset, self.export = QToolButton(), QToolButton()
        self.view, self.words = plots.PlotHolder(self._make_plot), ElidedLabel()
        self._lay_out()
        for changed in (self.axis.currentIndexChanged, self.split.currentIndexChanged,
                        self.log_x.toggled, self.log_y.toggled):  # fmt: skip
            changed.connect(self._renew)
        self.reset.clicked.connect(self._reset)
        self.export.clicked.connect(
            lambda: dialogs.ask_new_path(
                self,
                _EXPORT_TITLE,
                name=self.curves.title,
                suffixes=(".png", ".svg", ".csv"),
                answer=self.write,
            )
        )

    def show_runs(
        self, title: str, runs: tuple[RunStatus, ...], *, unit: str = "nats/note"
    ) -> None:
        """Show the curves of a study; the zoom is kept if it is the same study."""
        is_other = title != self.curves.title or not self._runs
        if is_other or unit != self.curves.unit or runs is not self._runs:
            self._runs, self.curves = runs, replace(self.curves, title=title, unit=unit)
            self._renew()
        if is_other:
            self._reset()
            self._point(None)

    def write(self, path: Path) -> None:
        from musicrel.figures import figure

        try:
            if path.suffix.lower() == ".csv":
                text = study_curves.as_csv(self._runs, self.curves.choice.shown, self.curves.unit)
                paths.write_text(path, text)
            elif self.plot is not None:
                view = self.plot.view
                shown = figure.Figure(
                    width=view.width(),
                    height=view.height(),
                    background=stylesheet.current_theme().lane,
                    title=self.curves.description,
                    paint=lambda painter: view.render(painter, QRectF(view.rect()), view.rect()),
                )
                figure.write(shown, path)
        except FileError as reason:
            self.failed.emit(str(reason))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        changes = (QEvent.Type.PaletteChange, QEvent.Type.FontChange)
        if event.type() in changes and self.plot is not None:
            self.plot.set_theme(stylesheet.current_theme(), stylesheet.scaled_font(0.92))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Hide the crosshair when the mouse leaves the plot; zoom and move it by keyboard."""
        if event.type() == QEvent.Type.Leave:
            self._point(None)
        if isinstance(event, QFocusEvent) and self.plot is not None:
            accent = stylesheet.current_theme().accent
            self.plot.box.setBorder(accent if event.gotFocus() else None)
        if event.type() == QEvent.Type.Resize and self.plot is not None:
            self.plot.show_names()
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._press(Qt.Key(event.key()))
        return super().eventFilter(watched, event)

    def _make_plot(self) -> QWidget:
        from musicrel.figures.curves import CurvePlot

        view: QWidget = library().GraphicsLayoutWidget()
        font = stylesheet.scaled_font(0.92)
        self.plot = CurvePlot(view, stylesheet.current_theme(), font=font)
        view.setAccessibleName(_CURVES)
        view.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        view.installEventFilter(self)
        self.plot.view.scene().sigMouseMoved.connect(self._point)
        self._renew()
        return view

    @Slot()
    def _renew(self) -> None:
        choice = CurveChoice(
            axis=self.axis.currentData(),
            shown=self.split.currentData(),
            log_x=self.log_x.isChecked(),
            log_y=self.log_y.isChecked(),
        )
        arms = self._reader.read(self._runs, choice)
        self.curves = replace(self.curves, arms=arms, choice=choice)
        self.export.setEnabled(bool(arms))
        self.view.setAccessibleDescription(self.curves.description)
        if self.plot is not None:
            self.plot.show(self.curves)
            self.plot.view.setAccessibleDescription(self.curves.description)

    @Slot()
    def _reset(self) -> None:
        if self.plot is not None:
            self.plot.plot.enableAutoRange()

    def _press(self, key: Qt.Key) -> bool:
        """Zoom or scroll by a key; return whether it has a meaning here."""
        if key == Qt.Key.Key_0:
            self._reset()
        is_move = self.plot is not None and plots.press(self.plot.box, key)
        return is_move or key == Qt.Key.Key_0

    def _point(self, place: QPointF | None) -> None:
        x = None if self.plot is None else self.plot.point(place)
        losses = "" if x is None else self.curves.losses_at(x)
        several = any(len(curve.runs) > 1 for curve in self.curves.arms)
        self.words.setText(losses or (LEGEND if several else ""))
        self.words.setToolTip(losses or (_LEGEND_TIP if several else ""))

    def _lay_out(self) -> None:
        self.setObjectName("sheet")
        for name, tip in _TIPS.items():
            getattr(self, name).setToolTip(tip)
        self.reset.setText(_RESET)
        self.export.setText(tr("E&xport…"))
        self.words.setObjectName("quiet")
        self.view.setMinimumSize(300, 150)
        above = layout.Wrapped(
            layout.row(self.split, self.axis, None, spacing=8),
            layout.row(self.log_x, self.log_y, None, spacing=8),
        )
        below = layout.Wrapped(
            layout.row((self.words, 1)), layout.row(None, self.reset, self.export, spacing=8)
        )
        parts = (above, (self.view, 1), below)
        layout.column(*parts, owner=self, spacing=6, margins=(14, 10, 14, 8))
