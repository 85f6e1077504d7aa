"""The diagnosis of the chosen model: probes run in a thread, and the table of their findings.

The probes themselves are in ``musicrel.experiment.probes``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QSize, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHeaderView,
    QLabel,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from musicrel.jobs import Job
from musicrel.language import tr
from musicrel.presentation.words import display_names
from musicrel.ui.jobs.worker import LatestJob
from musicrel.ui.widgets import layout

if TYPE_CHECKING:
    from musicrel.experiment.probes import Probe, Verdict

Diagnose = Callable[[str, str], Job[Any, Any]]  # factory of diagnosis jobs: model, device

_FINDINGS: Final = tr("Findings of the probes")
COLUMNS: Final = (tr("Probe"), tr("Verdict"), tr("Finding"))
_NAMES: Final = {
    "order": tr("order", "probe"), "flat": tr("flat", "probe"), "padding": tr("padding"),
    "collapse": tr("collapse"), "scale": tr("scale", "probe"), "length": tr("length", "probe"),
    "cache": tr("cache"), "mask": tr("mask"),
}  # fmt: skip
_VERDICTS: Final[Mapping[Verdict, str]] = {
    "wrong": tr("wrong"),
    "notable": tr("notable"),
    "ok": tr("ok"),
}
WORKING: Final = tr("Testing {model} …")
_SIZE: Final = QSize(860, 400)


def diagnosis_job(model: str, device: str) -> Job[Probe, list[Probe]]:
    """Run all probes of a model; torch is imported in the thread of the job."""
    from musicrel.experiment.probes import diagnose
    from musicrel.model import device_choice

    return (yield from diagnose(model, device_choice.chosen(device, "writing")))


class Diagnosis(QDialog):
    def __init__(self, parent: QWidget | None = None, job: Diagnose = diagnosis_job) -> None:
        super().__init__(parent)
        self.job = job
        self._model = ""
        self._latest = LatestJob(self)
        self.setWindowTitle(tr("Diagnosis"))
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
        layout.column(self.words, (self.table, 1), owner=self, spacing=6, margins=(9, 9, 9, 9))
        self.resize(_SIZE)
        self._latest.events_received.connect(self._show_probes)
        self._latest.finished.connect(self._show_verdicts)
        self._latest.failed.connect(self._show_problem)
        self.finished.connect(self._latest.cancel)

    def diagnose(self, model: str, device: str) -> None:
        self._model = display_names.model(model)
        self.words.setText(WORKING.format(model=self._model))
        self.table.setRowCount(0)
        self.show()
        self.raise_()
        self._latest.request(lambda: self.job(model, device))

    @Slot(object)
    def _show_probes(self, probes: tuple[Probe, ...]) -> None:
        for probe in probes:
            row, name = self.table.rowCount(), _NAMES.get(probe.name, probe.name)
            finding = probe.finding[:1].upper() + probe.finding[1:]
            self.table.insertRow(row)
            for place, text in enumerate((name, _VERDICTS[probe.verdict], finding)):
                self.table.setItem(row, place, QTableWidgetItem(text))
            self.table.resizeRowToContents(row)

    @Slot(object)
    def _show_verdicts(self, probes: list[Probe]) -> None:
        counts = Counter(probe.verdict for probe in probes)
        words = [f"{counts[verdict]} {word}" for verdict, word in _VERDICTS.items()]
        self.words.setText(f"{self._model}: {', '.join(words)}")

    @Slot(str)
    def _show_problem(self, sentence: str) -> None:
        self.words.setText(sentence[:1].upper() + sentence[1:])
