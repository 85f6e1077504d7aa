"""What is examined about the chosen model, and the table that shows it.

The panel is passive: it shows probes as they come. The conductor runs them in a thread, one model
at a time. This file knows the panel and the job; the probes are ``musicrel.experiment.probes.probes``'.
"""

from __future__ import annotations

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
from musicrel.ui.jobs.worker import Worker

if TYPE_CHECKING:
    from musicrel.experiment.probes.examined import Probe

Examine = Callable[[str, str], Job[Any, Any]]
"""Makes the job that examines: model, device."""

COLUMNS: Final = ("Probe", "Verdict", "What was found")
WORKING: Final = "Examining {model} …"
DONE: Final = "{model}: {wrong} wrong, {notable} notable, {ok} in order"
_SIZE: Final = QSize(860, 400)


def examine(model: str, device: str) -> Job[Probe, list[Probe]]:
    """All probes of a model; torch is loaded in the job's own thread."""
    from musicrel.experiment.probes.diagnosis import diagnose
    from musicrel.model import devices

    return (yield from diagnose(model, devices.resolve(device)))


class DiagnosisPanel(QDialog):
    """A line of words and a table of probes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Diagnosis")
        self.words, self.table = QLabel(), QTableWidget(0, len(COLUMNS))
        self.words.setWordWrap(True)
        self.table.setHorizontalHeaderLabels(COLUMNS)
        self.table.setAccessibleName("What the probes found")
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
        """Show nothing yet but what is being done."""
        self.words.setText(sentence)
        self.table.setRowCount(0)

    def say(self, sentence: str) -> None:
        """Say how it stands, above what is there."""
        self.words.setText(sentence)

    def add(self, name: str, verdict: str, says: str) -> None:
        """One more row."""
        row = self.table.rowCount()
        self.table.insertRow(row)
        for place, text in enumerate((name, verdict, says[:1].upper() + says[1:])):
            self.table.setItem(row, place, QTableWidgetItem(text))
        self.table.resizeRowToContents(row)


class Diagnosing(QObject):
    """Has a model examined and shows what was found.

    Args:
        parent: the widget the panel stands before.
        job: makes the job that examines.
    """

    def __init__(self, parent: QWidget, job: Examine = examine) -> None:
        super().__init__(parent)
        self.job = job
        self.panel = DiagnosisPanel(parent)
        self._worker = Worker(self)
        self._model = ""
        self._wanted: tuple[str, str] | None = None
        self._worker.happened.connect(self._found)
        self._worker.finished.connect(self._finished)
        self._worker.failed.connect(self._failed)
        self._worker.cancelled.connect(self._start)
        self.panel.finished.connect(self._worker.stop)

    def open(self, model: str, device: str) -> None:
        """Examine ``model`` and show it; what was examined before is given up."""
        self._wanted = (model, device)
        self.panel.show()
        self.panel.raise_()
        if self._worker.busy:
            self._worker.stop()
        else:
            self._start()

    def shut_down(self) -> bool:
        """End what runs and wait for that; whether it has ended."""
        self._wanted = None
        self.panel.close()
        return self._worker.shut_down()

    @Slot()
    def _start(self) -> None:
        if self._wanted is None:
            return
        (self._model, device), self._wanted = self._wanted, None
        self.panel.begin(WORKING.format(model=self._model))
        self._worker.start(self.job(self._model, device))

    @Slot(object)
    def _found(self, probes: tuple[Probe, ...]) -> None:
        for probe in probes:
            self.panel.add(probe.name, probe.verdict, probe.says)

    @Slot(object)
    def _finished(self, probes: list[Probe]) -> None:
        if self._wanted is not None:
            self._start()
            return
        counts = dict.fromkeys(("wrong", "notable", "ok"), 0)
        for probe in probes:
            counts[probe.verdict] += 1
        self.panel.say(DONE.format(model=self._model, **counts))

    @Slot(str)
    def _failed(self, sentence: str) -> None:
        self.panel.say(sentence[:1].upper() + sentence[1:])
        self._start()
