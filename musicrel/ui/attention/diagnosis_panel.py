"""The diagnosis of the chosen model: a table of probes and the controller that runs them.

The probes themselves are in ``musicrel.experiment.probes``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, QSize, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHeaderView,
    QLabel,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from musicrel.jobs import Job
from musicrel.ui.jobs.latest_job import LatestJob
from musicrel.ui.jobs.worker import Worker

if TYPE_CHECKING:
    from musicrel.experiment.probes.probes import Probe

Diagnose = Callable[[str, str], Job[Any, Any]]
"""Factory of diagnosis jobs: model, device."""

COLUMNS: Final = ("Probe", "Verdict", "Finding")
WORKING: Final = "Testing {model} …"
_SIZE: Final = QSize(860, 400)
_FINDINGS: Final = "Findings of the probes"


def diagnosis_job(model: str, device: str) -> Job[Probe, list[Probe]]:
    """Run all probes of a model; torch is imported in the thread of the job."""
    from musicrel.experiment.probes.diagnosis import diagnose
    from musicrel.model import devices

    return (yield from diagnose(model, devices.resolve(device)))


class DiagnosisPanel(QDialog):
    """A status line and a table of probes; a passive widget."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Diagnosis")
        self.words, self.table = QLabel(), QTableWidget(0, len(COLUMNS))
        self.words.setWordWrap(True)
        self.table.setHorizontalHeaderLabels(COLUMNS)
        self.table.setAccessibleName(_FINDINGS)
        self.table.verticalHeader().hide()
        self.table.setWordWrap(True)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        head = self.table.horizontalHeader()
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setSectionResizeMode(len(COLUMNS) - 1, QHeaderView.ResizeMode.Stretch)
        column = QVBoxLayout(self)
        column.addWidget(self.words)
        column.addWidget(self.table, 1)
        self.resize(_SIZE)

    def begin(self, sentence: str) -> None:
        """Clear the table and show a status."""
        self.words.setText(sentence)
        self.table.setRowCount(0)

    def add(self, name: str, verdict: str, finding: str) -> None:
        """Append a row."""
        row = self.table.rowCount()
        self.table.insertRow(row)
        for place, text in enumerate((name, verdict, finding[:1].upper() + finding[1:])):
            self.table.setItem(row, place, QTableWidgetItem(text))
        self.table.resizeRowToContents(row)


class DiagnosisController(QObject):
    """Runs the probes of a model in a worker thread and shows the findings."""

    def __init__(self, parent: QWidget, job: Diagnose = diagnosis_job) -> None:
        super().__init__(parent)
        self.job = job
        self.panel = DiagnosisPanel(parent)
        self._model = ""
        self._latest = LatestJob(self)
        self._latest.events_received.connect(self._on_probes)
        self._latest.finished.connect(self._on_finished)
        self._latest.failed.connect(self._on_failed)
        self.panel.finished.connect(self._latest.cancel)

    def open(self, model: str, device: str) -> None:
        """Show the panel and test ``model``; a running test is cancelled."""
        self._model = model
        self.panel.begin(WORKING.format(model=model))
        self.panel.show()
        self.panel.raise_()
        self._latest.request(lambda: self.job(model, device))

    def shut_down(self) -> tuple[Worker, ...]:
        """Stop the job and close the panel; return the workers to wait for."""
        self.panel.close()
        return self._latest.shut_down()

    @Slot(object)
    def _on_probes(self, probes: tuple[Probe, ...]) -> None:
        for probe in probes:
            self.panel.add(probe.name, probe.verdict, probe.finding)

    @Slot(object)
    def _on_finished(self, probes: list[Probe]) -> None:
        counts = Counter(probe.verdict for probe in probes)
        words = [f"{counts[verdict]} {verdict}" for verdict in ("wrong", "notable", "ok")]
        self.panel.words.setText(f"{self._model}: {', '.join(words)}")

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        self.panel.words.setText(sentence[:1].upper() + sentence[1:])
