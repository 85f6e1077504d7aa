"""The diagnosis of a model, with jobs that need no model."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from musicrel.errors import ModelError
from musicrel.experiment.probes.probes import Probe
from musicrel.jobs import Job
from musicrel.ui.app_controller import AppController
from musicrel.ui.controllers.attention_controller import AttentionController
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.fakes import TIMEOUT, FakeJobs

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints

FOUND = (
    Probe(name="order", finding="the model knows order"),
    Probe(name="length", finding="longer sequences cost more", verdict="notable"),
)


class Examiner:
    """A fake diagnosis with two probes; the second waits at a gate."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.gate = threading.Event()
        self.problem = ""

    def examine(self, model: str, device: str) -> Job[Probe, list[Probe]]:
        """Yield the two probes, or fail with ``problem``."""
        self.calls.append(f"{model} on {device}")
        if self.problem:
            raise ModelError(self.problem)
        yield FOUND[0]
        self.gate.wait(TIMEOUT)
        yield FOUND[1]
        return list(FOUND)


@pytest.fixture
def examiner() -> Examiner:
    """Return a fake with an open gate."""
    made = Examiner()
    made.gate.set()
    return made


@pytest.fixture
def attention(
    app_controller: AppController, window: MainWindow, jobs: FakeJobs, examiner: Examiner
) -> Iterator[AttentionController]:
    """Return the controller of the Attention page with a fake diagnosis."""
    app_controller.attention.diagnosis.job = examiner.examine
    window.pages.open("attention")
    yield app_controller.attention
    examiner.gate.set()
    jobs.gate.set()


def rows(attention: AttentionController) -> list[list[str]]:
    """Return the texts of the table."""
    table = attention.diagnosis.panel.table
    return [
        [item.text() if (item := table.item(row, place)) else "" for place in range(3)]
        for row in range(table.rowCount())
    ]


def test_a_click_diagnoses_the_chosen_model(
    attention: AttentionController, window: MainWindow, examiner: Examiner, qtbot: QtBot
) -> None:
    """The table fills row by row, then a summary is shown; verdicts are texts."""
    window.attention.diagnose.click()
    panel = attention.diagnosis.panel
    qtbot.waitUntil(lambda: "1 notable" in panel.words.text())

    assert panel.isVisible()
    assert examiner.calls == ["full on auto"]
    assert panel.words.text() == "full: 0 wrong, 1 notable, 1 ok"
    assert rows(attention) == [
        ["order", "ok", "The model knows order"],
        ["length", "notable", "Longer sequences cost more"],
    ]


def test_probes_are_shown_one_by_one(
    attention: AttentionController, window: MainWindow, examiner: Examiner, qtbot: QtBot
) -> None:
    """The first is shown while the second is being computed."""
    examiner.gate.clear()
    window.attention.diagnose.click()
    qtbot.waitUntil(lambda: len(rows(attention)) == 1)

    assert attention.diagnosis.panel.words.text() == "Testing full …"


def test_a_second_click_restarts_the_diagnosis(
    attention: AttentionController, window: MainWindow, examiner: Examiner, qtbot: QtBot
) -> None:
    """The running job is cancelled."""
    examiner.gate.clear()
    window.attention.diagnose.click()
    qtbot.waitUntil(lambda: len(rows(attention)) == 1)
    window.attention.diagnose.click()
    examiner.gate.set()
    qtbot.waitUntil(lambda: "1 notable" in attention.diagnosis.panel.words.text())

    assert len(examiner.calls) == 2
    assert len(rows(attention)) == 2


def test_a_failed_diagnosis_is_reported(
    attention: AttentionController, window: MainWindow, examiner: Examiner, qtbot: QtBot
) -> None:
    """The status shows the error."""
    examiner.problem = "the weights are damaged"
    window.attention.diagnose.click()

    qtbot.waitUntil(lambda: attention.diagnosis.panel.words.text() == "The weights are damaged")
    assert rows(attention) == []
