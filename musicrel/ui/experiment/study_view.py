"""The status of one study: progress, curves, runs, verdict and samples."""

from __future__ import annotations

import html
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QMenu,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QSplitter,
    QWidget,
)

from musicrel.experiment.study import statistics, study_text
from musicrel.experiment.study.study_status import StudyStatus
from musicrel.experiment.study.study_text import Action
from musicrel.language import decimal, tr
from musicrel.presentation.words import display_names
from musicrel.ui.experiment.curve_panel import CurvePanel
from musicrel.ui.experiment.runner_picker import NodeList, RunnerPicker
from musicrel.ui.experiment.sample_panel import SamplePanel
from musicrel.ui.experiment.tables import CostsView, RunTableView
from musicrel.ui.widgets import fields, layout, stylesheet
from musicrel.ui.widgets.banner import Banner
from musicrel.ui.widgets.elided_label import ElidedLabel

_READING: Final = tr("Reading …")
_FOLDER_TIP: Final = tr("Show the files in {folder}")
_HEADLINE: Final = "font-size: large; font-weight: 600"
_FIGURES: Final = "font-size: small"
_RUNS_ON: Final = tr("Runs on")
_PROGRESS: Final = tr("Progress of the study")
_REPORT: Final = tr("Save report…")
_REPORT_TIP: Final = tr("Save question, verdict, tables and curves as one HTML page or as a PDF")
_NO_REPORT: Final = tr("There is no result to report yet")
RENAME_TIP: Final = tr("Give the study another name; its files stay as they are")
ARCHIVE_TIP: Final = tr(
    "Remove the study from the list; it is kept, and Show archived lists it again"
)
BACK_TIP: Final = tr("List the study among the others again")
DELETE_TIP: Final = tr("Move the study to the trash")
_MORE_TIP: Final = tr("Rename, archive or delete the study")
_BACK: Final = tr("Take from the &archive")

_FINE: Final = 1000
_ACTIONS: Final[tuple[tuple[Action, str, str], ...]] = (
    ("start", tr("&Start"), tr("Start the study, or resume it from the last checkpoint")),
    ("pause", tr("P&ause"), tr("Pause after the current step; the process keeps running")),
    ("resume", tr("&Resume"), tr("Resume after a pause")),
    ("stop", tr("Stop and save"), tr("Save and stop; the study can be resumed later")),
    ("cancel", tr("Cance&l…"), tr("Stop now without saving, or remove from the queue")),
)
_WAIT: Final = tr("The folder is being read")
_PARAGRAPH: Final = "<p style='{style}'>{text}</p>"


_ARCHIVE: Final = tr("&Archive")


class StudyView(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.title, self.state = ElidedLabel(), ElidedLabel()
        self.progress = QProgressBar(textVisible=False, maximum=_FINE)
        self.buttons = {name: QPushButton(text) for name, text, _ in _ACTIONS}
        self.folder, self.report = QPushButton(tr("F&older")), QPushButton(_REPORT)
        self.more = ShelfMenu()
        self.banner = Banner()
        self.curves, self.runs, self.costs = CurvePanel(), RunTableView(), CostsView()
        self.verdict = QLabel(
            wordWrap=True,
            textFormat=Qt.TextFormat.RichText,
            textInteractionFlags=Qt.TextInteractionFlag.TextSelectableByMouse,
        )
        self.runner, self.nodes = RunnerPicker(stacked=True), NodeList()
        self.samples, self.log = SamplePanel(), QPlainTextEdit(readOnly=True)
        self._runner_title = layout.heading(_RUNS_ON)
        self._log_title = layout.heading(tr("Log"))
        self._samples_title = layout.heading(tr("Samples"))
        self._lay_out()

    def expect(self, folder: Path) -> None:
        """Clear the view for another study until its status is read."""
        self.show_study(StudyStatus(folder=folder, name=folder.name, kind="study", state="queued"))
        self.state.setText(_READING)
        self._show_verdict("")
        self._runner_title.hide()
        self.runner.hide()
        self.runner.expect()
        for button in self.buttons.values():
            fields.enable(button, _WAIT)
        self.more.set_state(disabled_reason=_WAIT, archived=False)

    def show_study(self, now: StudyStatus, pending: Action | None = None) -> None:
        pending_text = study_text.pending_text(now, pending)
        self.title.setText(study_text.title(now))
        self.title.setToolTip(str(now.folder))
        self.state.setText(pending_text or study_text.heading(now))
        self.state.setToolTip(study_text.process_text(now))
        self.progress.setValue(round(study_text.share(now) * _FINE))
        self.progress.setAccessibleDescription(decimal(study_text.share(now), ".0%"))
        self._show_problem(now.problem)
        if now.costs is not None:
            self.costs.show_costs(now.costs)
        for part, shown in (
            (self.costs, now.costs is not None),
            (self.curves, now.costs is None),
            (self.runs, now.costs is None),
            (self.samples, now.costs is None and now.samples),
            (self._samples_title, now.costs is None and now.samples),
        ):
            part.setVisible(shown)
        self.curves.show_runs(display_names.study(now.name), now.compared, unit=now.unit)
        self.runs.show_runs(
            now.listed, unit=now.unit, disabled_reason=study_text.not_for_compose(now)
        )
        self._show_verdict(study_text.verdict(now))
        fields.enable(self.report, "" if study_text.has_report(now) else _NO_REPORT, _REPORT_TIP)
        self.samples.show_runs(now.runs, ended=now.state == "finished")
        self._show_log(study_text.log(now))
        self._show_runner(now)
        self._show_buttons(now, pending_text)
        self.more.set_state(disabled_reason=study_text.fixed_reason(now), archived=now.archived)

    def _show_verdict(self, text: str) -> None:
        """Show the findings; where there is no verdict, this is the headline, figures are last."""
        self.verdict.setAccessibleName(text)
        looks = {
            statistics.works(): _HEADLINE,
            statistics.not_enough(): _HEADLINE,
            statistics.figures_begin(): _FIGURES,
        }
        self.verdict.setText("".join(
            _PARAGRAPH.format(
                style=next((looks[of] for of in looks if line.startswith(of)), ""),
                text=html.escape(line),
            )
            for line in text.splitlines() if line
        ))  # fmt: skip

    def _show_problem(self, problem: str) -> None:
        sentence = problem[:1].upper() + problem[1:]
        if sentence and sentence != self.banner.message:
            self.banner.show_message(sentence)
        self.banner.setVisible(bool(sentence))

    def _show_runner(self, now: StudyStatus) -> None:
        shown = study_text.can_choose(now)
        self._runner_title.setVisible(shown)
        self.runner.setVisible(shown)
        self.runner.show_choice(now.runner)
        self.runner.set_fixed(study_text.FIXED if now.alive else "")
        self.nodes.show_nodes(study_text.nodes(now), study_text.queue(now))

    def _show_log(self, lines: str) -> None:
        if lines != self.log.toPlainText():
            self.log.setPlainText(lines)
        self.log.setVisible(bool(lines))
        self._log_title.setVisible(bool(lines))

    def _show_buttons(self, now: StudyStatus, pending_text: str) -> None:
        disabled_reasons = study_text.disabled_reasons(now)
        tips = {name: tip for name, _, tip in _ACTIONS}
        for name, button in self.buttons.items():
            disabled_reason = disabled_reasons[name] or (pending_text if name != "cancel" else "")
            fields.enable(button, disabled_reason, tips[name])
        queued = now.state == "queued"
        self.buttons["start"].setText(tr("&Start") if queued else tr("&Resume"))
        self.buttons["cancel"].setText(tr("Remove…") if queued else tr("Cancel…"))
        self.buttons["start"].setVisible(not now.alive)
        self.buttons["pause"].setVisible(now.alive and now.state != "paused")
        self.buttons["resume"].setVisible(now.state == "paused")
        self.folder.setToolTip(_FOLDER_TIP.format(folder=now.folder))

    def _lay_out(self) -> None:
        halves = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False, handleWidth=8)
        for part in (self.curves, self.runs, self.costs):
            halves.addWidget(part)
        self.costs.hide()
        halves.setStretchFactor(0, 3)
        halves.setStretchFactor(1, 2)
        halves.setSizes([420, 220])
        body = layout.row((halves, 1), self._side(), spacing=8)
        layout.column(self._top(), self.banner, (body, 1), owner=self, spacing=8)

    def _top(self) -> QFrame:
        panel = QFrame()
        panel.setObjectName("panel")
        stylesheet.scale_font(self.title, 1.2, QFont.Weight.DemiBold)
        self.state.setObjectName("quiet")
        self.progress.setAccessibleName(_PROGRESS)
        row = layout.Wrapped(
            layout.row((self.title, 1)),
            layout.row(None, *self.buttons.values(), self.folder, self.more, spacing=6),
        )
        margins = (14, 10, 12, 10)
        layout.column(row, self.state, self.progress, owner=panel, spacing=6, margins=margins)
        return panel

    def _side(self) -> QFrame:
        inside = QWidget()
        self.log.setAccessibleName(tr("Log"))
        self.log.setMinimumHeight(90)
        parts = (
            layout.heading(tr("Result")), self.verdict, self.report, self._runner_title,
            self.runner, self.nodes, self._samples_title, self.samples, self._log_title, self.log,
            None,
        )  # fmt: skip
        layout.column(*parts, owner=inside, spacing=8, margins=(14, 12, 12, 12))
        panel = layout.SideColumn(268)
        panel.setObjectName("panel")
        layout.column(layout.ColumnScroller(inside), owner=panel, margins=(1, 1, 1, 1))
        return panel


class ShelfMenu(QPushButton):
    def __init__(self) -> None:
        super().__init__(tr("&More", "actions"))
        self.setToolTip(_MORE_TIP)
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        self.rename = menu.addAction(tr("Re&name…"))
        self.archive = menu.addAction(_ARCHIVE)
        menu.addSeparator()
        self.delete = menu.addAction(tr("&Delete"))
        self.setMenu(menu)
        self.set_state(disabled_reason="", archived=False)

    def set_state(self, *, disabled_reason: str, archived: bool) -> None:
        self.archive.setText(_BACK if archived else _ARCHIVE)
        fields.enable(self.rename, disabled_reason, RENAME_TIP)
        fields.enable(self.archive, disabled_reason, BACK_TIP if archived else ARCHIVE_TIP)
        fields.enable(self.delete, disabled_reason, DELETE_TIP)
