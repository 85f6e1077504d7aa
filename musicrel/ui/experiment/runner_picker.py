"""The choice of a runner: this computer with runs side by side, or a Ray cluster."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from musicrel.experiment.runners import ray_cluster
from musicrel.experiment.runners.runner_choice import AUTO, LOCAL, RAY, THIS_CLUSTER, RunnerChoice
from musicrel.experiment.study import study_text
from musicrel.experiment.study.study_text import NodeRow
from musicrel.language import tr
from musicrel.ui.widgets import fields, layout, stylesheet
from musicrel.ui.widgets.fields import ChoiceBox

_JOBS_NAME: Final = tr("Runs side by side")
_JOBS_TIP: Final = tr("Runs side by side slow each other down; losses stay the same")
_ADDRESS: Final = tr("Address of the cluster")
_PLACEHOLDER: Final = tr("auto, or HOST:PORT")
_ADDRESS_TIP: Final = tr(
    "HOST:PORT of its head node; auto: the cluster that this computer belongs to"
)
_FETCH: Final = tr("Fetch files")
_FETCH_TIP: Final = tr("For machines that do not share the folder of the study")
_NODES: Final = tr("Nodes of the cluster")

RUNNERS: Final = ((LOCAL, tr("This computer")), (RAY, tr("A Ray cluster")))
_SIDE_BY_SIDE: Final = tr("{} runs side by side")
JOBS: Final = (
    (1, tr("one run at a time")),
    *((jobs, _SIDE_BY_SIDE.format(jobs)) for jobs in (2, 3, 4, 6, 8, 12, 16)),
    (AUTO, tr("as many as there is room for")),
)
_RUNNER: Final = tr("Where the runs are trained")


class RunnerPicker(QWidget):
    edited = Signal(object)  # the user chose a runner or edited an entry; the ``RunnerChoice``

    def __init__(self, *, stacked: bool = False) -> None:
        super().__init__()
        self.runner, self.jobs = ChoiceBox(_RUNNER, RUNNERS), ChoiceBox(_JOBS_NAME, JOBS)
        self.address, self.fetch = QLineEdit(placeholderText=_PLACEHOLDER), QCheckBox(_FETCH)
        self.address.setAccessibleName(_ADDRESS)
        self._shown: RunnerChoice | None = None
        self._no_cluster = "" if ray_cluster.is_installed() else study_text.NO_RAY
        self._fixed = ""
        item = self.runner.model().item(self.runner.findData(RAY))  # type: ignore[attr-defined]
        item.setEnabled(not self._no_cluster)
        item.setToolTip(self._no_cluster)
        self._lay_out(stacked=stacked)
        self.show_choice(RunnerChoice())
        self.runner.activated.connect(self._choose)
        self.jobs.activated.connect(self._choose)
        self.address.editingFinished.connect(self._choose)
        self.fetch.clicked.connect(self._choose)

    def choice(self) -> RunnerChoice:
        on_cluster, was = self.runner.currentData() == RAY, self._shown or RunnerChoice()
        of_cluster = was.jobs if was.runner == RAY else AUTO
        return RunnerChoice(
            runner=self.runner.currentData(),
            jobs=of_cluster if on_cluster else self.jobs.currentData(),
            address=self.address.text().strip() or THIS_CLUSTER,
            fetch=on_cluster and self.fetch.isChecked(),
            gpus=was.gpus,
        )

    def show_choice(self, chosen: RunnerChoice) -> None:
        """Show a choice without a signal, unless it was shown last: the user may have edited it."""
        if chosen == self._shown:
            return
        self._shown = chosen
        self.runner.choose(chosen.runner)
        if chosen.runner == LOCAL:
            known, jobs = dict(JOBS), chosen.jobs
            named = {jobs: known.get(jobs, _SIDE_BY_SIDE.format(jobs))}
            self.jobs.set_entries((known | named).items())
            self.jobs.choose(chosen.jobs)
        with QSignalBlocker(self.address):
            self.address.setText("" if chosen.address == THIS_CLUSTER else chosen.address)
        self.fetch.setChecked(chosen.fetch)
        self._show_entries()

    def expect(self) -> None:
        """Forget what is shown: the next choice is that of another study."""
        self._shown = None

    def set_fixed(self, reason: str) -> None:
        """Disable all entries if there is a reason against another choice."""
        self._fixed = reason
        self._show_entries()

    @Slot()
    def _choose(self) -> None:
        self._show_entries()
        self.edited.emit(self.choice())

    def _show_entries(self) -> None:
        """Show the entries of the chosen runner, and the reasons why some cannot be edited."""
        on_cluster = self.runner.currentData() == RAY
        self.jobs.setVisible(not on_cluster)
        self.address.setVisible(on_cluster)
        self.fetch.setVisible(on_cluster)
        for widget, tip in (
            (self.runner, self._no_cluster or _RUNNER),
            (self.jobs, _JOBS_TIP),
            (self.address, _ADDRESS_TIP),
            (self.fetch, _FETCH_TIP),
        ):
            fields.enable(widget, self._fixed, tip)

    def _lay_out(self, *, stacked: bool) -> None:
        for box in (self.runner, self.jobs):
            box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        entries = layout.row((self.jobs, 1), (self.address, 1), self.fetch, spacing=8)
        if stacked:
            layout.column(self.runner, entries, owner=self, spacing=6)
        else:
            layout.row((self.runner, 1), (entries, 2), owner=self, spacing=8)


class NodeList(QFrame):
    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(_NODES)
        self._rows: tuple[NodeRow, ...] = ()
        self.lines: list[QLabel] = []
        self.queue = _label("quiet")
        self._column: QVBoxLayout = layout.column(self.queue, owner=self, spacing=2)
        self.show_nodes((), "")

    def show_nodes(self, rows: Sequence[NodeRow], queue: str) -> None:
        """Show the machines and a sentence about the queue; nothing without either."""
        self.setVisible(bool(rows or queue))
        self.queue.setText(queue)
        self.queue.setVisible(bool(queue))
        if tuple(rows) == self._rows:
            return
        self._rows = tuple(rows)
        while self.lines:
            self.lines.pop().deleteLater()
        for row in rows:
            title = _label("problem" if row.lost else "")
            title.setText(("✕  " if row.lost else "●  ") + row.title)
            stylesheet.scale_font(title, 1.0, QFont.Weight.DemiBold)
            text = _label("quiet")
            text.setText(row.text)
            text.setContentsMargins(18, 0, 0, 6)
            self.lines += [title, text]
        for place, line in enumerate(self.lines):
            self._column.insertWidget(place, line)


def _label(style: str) -> QLabel:
    label = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
    label.setObjectName(style)
    return label
