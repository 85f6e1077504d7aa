"""The diagnosis of a model as its user meets it, on jobs that need no model."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from musicrel.errors import ModelError
from musicrel.experiment.probes.examined import Probe
from musicrel.jobs import Job
from musicrel.ui.controllers.attention_controller import Looking
from musicrel.ui.controllers.compose_controller import Studio
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.fakes import PATIENCE, FakeJobs

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints

FOUND = (
    Probe(name="order", says="the model knows order"),
    Probe(name="length", says="longer sequences cost more", verdict="notable"),
)


class Examiner:
    """Two probes; the second waits at a gate."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.gate = threading.Event()
        self.problem = ""

    def examine(self, model: str, device: str) -> Job[Probe, list[Probe]]:
        """See ``diagnosing.examine``."""
        self.asked.append(f"{model} on {device}")
        if self.problem:
            raise ModelError(self.problem)
        yield FOUND[0]
        self.gate.wait(PATIENCE)
        yield FOUND[1]
        return list(FOUND)


@pytest.fixture
def examiner() -> Examiner:
    """With an open gate."""
    made = Examiner()
    made.gate.set()
    return made


@pytest.fixture
def looking(
    studio: Studio, window: MainWindow, jobs: FakeJobs, examiner: Examiner
) -> Iterator[Looking]:
    """The attention place, where models are examined by a fake."""
    conductor = Looking(window, studio, jobs.read)
    conductor.diagnosing.job = examiner.examine
    window.places.open("attention")
    yield conductor
    examiner.gate.set()
    jobs.gate.set()
    assert conductor.shut_down()


def rows(looking: Looking) -> list[list[str]]:
    """The texts of the table."""
    table = looking.diagnosing.panel.table
    return [
        [item.text() if (item := table.item(row, place)) else "" for place in range(3)]
        for row in range(table.rowCount())
    ]


def test_a_click_examines_the_chosen_model(
    looking: Looking, window: MainWindow, examiner: Examiner, qtbot: QtBot
) -> None:
    """Row by row, then the sum in words; verdicts are words, no colours."""
    window.attention.diagnose.click()
    panel = looking.diagnosing.panel
    qtbot.waitUntil(lambda: "1 notable" in panel.words.text())

    assert panel.isVisible()
    assert examiner.asked == ["full on auto"]
    assert panel.words.text() == "full: 0 wrong, 1 notable, 1 in order"
    assert rows(looking) == [
        ["order", "ok", "The model knows order"],
        ["length", "notable", "Longer sequences cost more"],
    ]


def test_probes_are_seen_as_they_come(
    looking: Looking, window: MainWindow, examiner: Examiner, qtbot: QtBot
) -> None:
    """The first one while the second is being made."""
    examiner.gate.clear()
    window.attention.diagnose.click()
    qtbot.waitUntil(lambda: len(rows(looking)) == 1)

    assert looking.diagnosing.panel.words.text() == "Examining full …"


def test_a_second_click_begins_anew(
    looking: Looking, window: MainWindow, examiner: Examiner, qtbot: QtBot
) -> None:
    """What was examined is given up."""
    examiner.gate.clear()
    window.attention.diagnose.click()
    qtbot.waitUntil(lambda: len(rows(looking)) == 1)
    window.attention.diagnose.click()
    examiner.gate.set()
    qtbot.waitUntil(lambda: "1 notable" in looking.diagnosing.panel.words.text())

    assert len(examiner.asked) == 2
    assert len(rows(looking)) == 2


def test_a_model_that_cannot_be_examined_is_told(
    looking: Looking, window: MainWindow, examiner: Examiner, qtbot: QtBot
) -> None:
    """In its one sentence."""
    examiner.problem = "the weights are damaged"
    window.attention.diagnose.click()

    qtbot.waitUntil(lambda: looking.diagnosing.panel.words.text() == "The weights are damaged")
    assert rows(looking) == []
