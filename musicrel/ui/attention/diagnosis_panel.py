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
from musicrel.ui.jobs.worker import LatestJob

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
    from musicrel.experiment.probes.probes import diagnose
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


class DiagnosisController(QObject):
    """Runs the probes of a model in a worker thread and shows the findings."""

    def __init__(self, parent: QWidget, job: Diagnose = diagnosis_job) -> None:
        super().__init__(parent)
        self.job = job
        self.panel = DiagnosisPanel(parent)
        self._model = ""
        self._latest = LatestJob(self)
        for signal, slot in (
            (self._latest.events_received, self._on_probes),
            (self._latest.finished, self._on_finished),
            (self._latest.failed, self._on_failed),
            (self.panel.finished, self._latest.cancel),
        ):
            signal.connect(slot)

    def open(self, model: str, device: str) -> None:
        self._model = model
        self.panel.words.setText(WORKING.format(model=model))
        self.panel.table.setRowCount(0)
        self.panel.show()
        self.panel.raise_()
        self._latest.request(lambda: self.job(model, device))

    def shut_down(self) -> None:
        self.panel.close()

    @Slot(object)
    def _on_probes(self, probes: tuple[Probe, ...]) -> None:
        table = self.panel.table
        for probe in probes:
            row, finding = table.rowCount(), probe.finding[:1].upper() + probe.finding[1:]
            table.insertRow(row)
            for place, text in enumerate((probe.name, probe.verdict, finding)):
                table.setItem(row, place, QTableWidgetItem(text))
            table.resizeRowToContents(row)

    @Slot(object)
    def _on_finished(self, probes: list[Probe]) -> None:
        counts = Counter(probe.verdict for probe in probes)
        words = [f"{counts[verdict]} {verdict}" for verdict in ("wrong", "notable", "ok")]
        self.panel.words.setText(f"{self._model}: {', '.join(words)}")

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        self.panel.words.setText(sentence[:1].upper() + sentence[1:])
