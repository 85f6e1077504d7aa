"""One study as it stands: what it is at, its curves, its runs, its verdict and its small pieces.

A passive widget: it shows what it is told and tells what the user did.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from musicrel.presentation.study import progress, study_text
from musicrel.presentation.study.study_text import Deed
from musicrel.presentation.words.palette import Theme
from musicrel.ui.experiment.costs_view import CostsView
from musicrel.ui.experiment.curve_panel import CurvePanel
from musicrel.ui.experiment.run_table_view import RunTableView
from musicrel.ui.experiment.sample_panel import SamplePanel
from musicrel.ui.widgets import layout, stylesheet
from musicrel.ui.widgets.banner import Banner

if TYPE_CHECKING:
    from musicrel.experiment.study.layer_costs import LayerCosts
    from musicrel.experiment.study.study_watch import StudyNow

SIDE: Final = 268
_FINE: Final = 1000
_DEEDS: Final[tuple[tuple[Deed, str, str], ...]] = (
    ("start", "&Start", "Start it, or go on from the last checkpoint"),
    ("pause", "&Pause", "Hold after the step at work; the process stays"),
    ("resume", "&Go on", "Let it go on after a pause"),
    ("stop", "S&top and save", "Save and end; it can be resumed later"),
    ("cancel", "&Cancel…", "End it at once, or take it out of the queue"),
)


class StudyView(QWidget):
    """Everything about one study.

    Signals:
        done: the user wants to start, pause, resume, stop or cancel it; a ``Deed``.
        folder_wished: the user wants to see its folder.
    """

    done = Signal(str)
    folder_wished = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title, self.state = QLabel(), QLabel()
        self.progress = QProgressBar(textVisible=False, maximum=_FINE)
        self.buttons = {name: QPushButton(text) for name, text, _ in _DEEDS}
        self.folder = QPushButton("F&older")
        self.banner = Banner()
        self.curves, self.runs, self.costs = CurvePanel(), RunTableView(), CostsView()
        self.verdict, self.samples, self.log = QLabel(), SamplePanel(), QPlainTextEdit()
        self._log_title, self._samples_title = layout.heading("Log"), layout.heading("Small pieces")
        self._lay_out()
        for name, button in self.buttons.items():
            button.clicked.connect(lambda _=False, deed=name: self.done.emit(deed))
        self.folder.clicked.connect(self.folder_wished)

    # ------------------------------------------------------------------ what it is told

    def set_theme(self, theme: Theme) -> None:
        """Use other colours."""
        for part in (self.banner, self.curves, self.samples):
            part.set_theme(theme)

    def expect(self, folder: Path) -> None:
        """Another study is about to be shown."""
        self.title.setText(study_text.short(folder.name))
        self.state.setText("Reading …")
        self.progress.setValue(0)
        self.verdict.setText("")
        self._show_costs(None)
        self.curves.show_runs(folder.name, ())
        self.runs.show_runs(())
        self.samples.show_runs((), ended=False)
        self._tell_problem("")
        self._show_log("")
        for button in self.buttons.values():
            button.setEnabled(False)
            button.setToolTip("The folder is being read")

    def show_study(self, now: StudyNow, asked: Deed | None = None) -> None:
        """Show how a study stands, and what was asked of it last."""
        underway = study_text.underway(now, asked)
        self.title.setText(study_text.short(now.folder.name))
        self.title.setToolTip(str(now.folder))
        self.state.setText(underway or study_text.heading(now))
        self.state.setToolTip(study_text.carried_out_by(now))
        self.progress.setValue(round(progress.share(now) * _FINE))
        self.progress.setAccessibleDescription(f"{progress.share(now):.0%}")
        self._tell_problem(now.problem)
        self._show_costs(now.costs)
        for part in (self.samples, self._samples_title):
            part.setVisible(now.costs is None and now.samples)
        self.curves.show_runs(now.name, now.runs, unit=now.unit)
        self.runs.show_runs(now.runs, unit=now.unit, obstacle=study_text.not_for_compose(now))
        self.verdict.setText(study_text.verdict(now))
        self.samples.show_runs(now.runs, ended=now.state == "finished")
        self._show_log(study_text.log(now))
        self._show_buttons(now, underway)

    # ------------------------------------------------------------------ inside

    def _tell_problem(self, problem: str) -> None:
        sentence = problem[:1].upper() + problem[1:]
        if sentence and sentence != self.banner.sentence:
            self.banner.tell(sentence)
        self.banner.setVisible(bool(sentence))

    def _show_costs(self, costs: LayerCosts | None) -> None:
        """Tables in the place of curves and runs, where nothing is trained."""
        if costs is not None:
            self.costs.show_costs(costs)
        self.costs.setVisible(costs is not None)
        for part in (self.curves, self.runs, self.samples, self._samples_title):
            part.setVisible(costs is None)

    def _show_log(self, lines: str) -> None:
        if lines != self.log.toPlainText():
            self.log.setPlainText(lines)
        self.log.setVisible(bool(lines))
        self._log_title.setVisible(bool(lines))

    def _show_buttons(self, now: StudyNow, underway: str) -> None:
        """Pause and go on take turns; starting is offered while nothing is at work."""
        obstacles = study_text.obstacles(now.state, orphaned=now.orphaned)
        words = {name: says for name, _, says in _DEEDS}
        for name, button in self.buttons.items():
            obstacle = obstacles[name] or (underway if name != "cancel" else "")
            button.setEnabled(not obstacle)
            button.setToolTip(obstacle or words[name])
        self.buttons["start"].setText(f"&{study_text.start_title(now.state)}")
        self.buttons["cancel"].setText(study_text.cancel_title(now.state))
        self.buttons["start"].setVisible(not now.alive)
        self.buttons["pause"].setVisible(now.alive and now.state != "paused")
        self.buttons["resume"].setVisible(now.state == "paused")
        self.folder.setToolTip(f"See the files in {now.folder}")

    def _lay_out(self) -> None:
        halves = QSplitter(Qt.Orientation.Vertical)
        halves.setChildrenCollapsible(False)
        halves.setHandleWidth(8)
        halves.addWidget(self.curves)
        halves.addWidget(self.runs)
        halves.addWidget(self.costs)
        self.costs.hide()
        halves.setStretchFactor(0, 3)
        halves.setStretchFactor(1, 2)
        halves.setSizes([420, 220])
        body = QHBoxLayout()
        body.setSpacing(8)
        body.addWidget(halves, 1)
        body.addWidget(self._side())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self._top())
        column.addWidget(self.banner)
        column.addLayout(body, 1)

    def _top(self) -> QFrame:
        panel = QFrame()
        panel.setObjectName("panel")
        stylesheet.scaled(self.title, 1.2, QFont.Weight.DemiBold)
        self.state.setObjectName("quiet")
        for label in (self.title, self.state):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.progress.setAccessibleName("How much of the study is done")
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(self.title, 1)
        for button in self.buttons.values():
            row.addWidget(button)
        row.addWidget(self.folder)
        column = QVBoxLayout(panel)
        column.setContentsMargins(14, 10, 12, 10)
        column.setSpacing(6)
        column.addLayout(row)
        column.addWidget(self.state)
        column.addWidget(self.progress)
        return panel

    def _side(self) -> QFrame:
        """Verdict, small pieces and log, one below the other."""
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(14, 12, 12, 12)
        column.setSpacing(8)
        self.verdict.setWordWrap(True)
        self.verdict.setTextFormat(Qt.TextFormat.PlainText)
        self.verdict.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.log.setReadOnly(True)
        self.log.setAccessibleName("Log")
        self.log.setMinimumHeight(90)
        for widget in (
            layout.heading("Verdict"),
            self.verdict,
            self._samples_title,
            self.samples,
        ):
            column.addWidget(widget)
        column.addWidget(self._log_title)
        column.addWidget(self.log)
        column.addStretch(1)
        panel = QFrame()
        panel.setObjectName("panel")
        panel.setFixedWidth(SIDE)
        around = QVBoxLayout(panel)
        around.setContentsMargins(1, 1, 1, 1)
        around.addWidget(layout.scrolled(inside))
        return panel
