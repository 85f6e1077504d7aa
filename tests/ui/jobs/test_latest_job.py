"""Jobs of which only the latest matters."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from musicrel.errors import GenerationError
from musicrel.jobs import Job
from musicrel.ui.jobs.worker import LatestJob, end_all
from tests.ui.fakes import TIMEOUT


class Gate:
    def __init__(self) -> None:
        self.opened, self.reached = threading.Event(), threading.Event()
        self.started: list[str] = []

    def job(self, name: str) -> Callable[[], Job[str, str]]:
        return partial(self._job, name)

    def _job(self, name: str) -> Job[str, str]:
        self.started.append(name)
        yield f"{name} begins"
        self.reached.set()
        self.opened.wait(TIMEOUT)
        if name == "bad":
            raise GenerationError("it is bad")
        yield f"{name} ends"
        return name


@pytest.fixture
def gate() -> Gate:
    return Gate()


@pytest.fixture
def emitted() -> list[object]:
    return []


@pytest.fixture
def owner() -> QObject:
    return QObject()


@pytest.fixture
def latest(owner: QObject, emitted: list[object]) -> LatestJob:
    """Return the runner; what it emits is collected."""
    latest = LatestJob(owner)
    latest.events_received.connect(emitted.extend)
    latest.finished.connect(emitted.append)
    latest.failed.connect(emitted.append)
    return latest


def test_only_the_last_request_counts(
    latest: LatestJob, gate: Gate, emitted: list[object], qtbot: QtBot
) -> None:
    """Of several requests during a job only the last one follows; the first emits no more."""
    latest.request(gate.job("first"))
    qtbot.waitUntil(lambda: emitted == ["first begins"])
    latest.request(gate.job("second"))
    latest.request(gate.job("third"))
    gate.opened.set()
    qtbot.waitUntil(lambda: not latest.busy)

    assert gate.started == ["first", "third"]
    assert emitted == ["first begins", "third begins", "third ends", "third"]


def test_a_cancelled_job_emits_nothing_more(
    latest: LatestJob, gate: Gate, emitted: list[object], qtbot: QtBot
) -> None:
    latest.request(gate.job("first"))
    assert gate.reached.wait(TIMEOUT)
    latest.cancel()
    assert (latest.busy, latest.idle) == (False, False)
    gate.opened.set()
    qtbot.waitUntil(lambda: latest.idle)

    assert "first ends" not in emitted


def test_a_stopped_job_delivers_its_events_and_says_that_it_has_ended(
    latest: LatestJob, gate: Gate, emitted: list[object], qtbot: QtBot
) -> None:
    latest.request(gate.job("first"))
    assert gate.reached.wait(TIMEOUT)
    with qtbot.waitSignal(latest.stopped):
        latest.stop()
        gate.opened.set()

    assert emitted == ["first begins", "first ends"]
    assert (latest.busy, latest.idle) == (False, True)


def test_a_request_that_has_not_begun_is_stopped_at_once(
    latest: LatestJob, gate: Gate, qtbot: QtBot
) -> None:
    latest.request(gate.job("first"))
    latest.request(gate.job("second"))
    with qtbot.waitSignal(latest.stopped):
        latest.stop()
    gate.opened.set()
    qtbot.waitUntil(lambda: latest.idle)

    assert "second" not in gate.started


def test_a_failure_is_reported_and_the_next_request_runs(
    latest: LatestJob, gate: Gate, emitted: list[object], qtbot: QtBot
) -> None:
    gate.opened.set()
    latest.request(gate.job("bad"))
    qtbot.waitUntil(lambda: "it is bad" in emitted)
    latest.request(gate.job("good"))
    qtbot.waitUntil(lambda: "good" in emitted)

    assert not latest.busy


def test_ending_drops_the_waiting_request(owner: QObject, latest: LatestJob, gate: Gate) -> None:
    latest.request(gate.job("first"))
    latest.request(gate.job("second"))
    gate.opened.set()

    assert end_all(owner)
    assert "second" not in gate.started
