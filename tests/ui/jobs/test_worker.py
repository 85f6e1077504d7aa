"""Jobs in threads of their own."""

from __future__ import annotations

import threading
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QDeadlineTimer, QObject, QTimer, Signal, Slot
from pytestqt.qtbot import QtBot

from musicrel.errors import NO_TORCH, GenerationError, ModelError
from musicrel.jobs import Job
from musicrel.ui.jobs import worker as worker_module
from musicrel.ui.jobs.worker import LatestJob, end_all
from tests.ui.controllers.user_actions import child
from tests.ui.fakes import TIMEOUT


class Recorder(QObject):
    """Collects what a runner emits."""

    ended = Signal()

    def __init__(self, worker: LatestJob, qtbot: QtBot) -> None:
        super().__init__()
        self.worker, self.qtbot = worker, qtbot
        self.batches: list[tuple[object, ...]] = []
        self.ends: list[object] = []
        self.threads: set[int] = set()
        worker.events_received.connect(self.add)
        worker.finished.connect(self.end)
        worker.failed.connect(self.end)
        worker.stopped.connect(lambda: self.end("stopped"))

    def run(self, job: Job[Any, Any]) -> None:
        with self.qtbot.waitSignal(self.ended):
            self.worker.start(job)

    def request(self, gate: Gate, *names: str) -> None:
        """Request a job that waits for ``gate``, and then others."""
        first, *others = names
        self.worker.request(partial(gate.job, first))
        assert gate.reached.wait(TIMEOUT)
        for name in others:
            self.worker.request(partial(gate.job, name))

    @property
    def events(self) -> list[object]:
        return [event for batch in self.batches for event in batch]

    @Slot(object)
    def add(self, batch: tuple[object, ...]) -> None:
        self.batches.append(batch)
        self.threads.add(threading.get_ident())

    @Slot(object)
    def end(self, result: object) -> None:
        self.ends.append(result)
        self.ended.emit()


class Gate:
    """Jobs that wait for it after their first event."""

    def __init__(self) -> None:
        self.opened, self.reached = threading.Event(), threading.Event()
        self.ran_in, self.closed_in = 0, 0
        self.started: list[str] = []

    def job(self, name: str = "job") -> Job[str, str]:
        self.ran_in = threading.get_ident()
        self.started.append(name)
        try:
            yield f"{name} begins"
            self.reached.set()
            self.opened.wait(TIMEOUT)
            if name == "bad":
                raise GenerationError("it is bad")
            yield f"{name} ends"
        finally:
            self.closed_in = threading.get_ident()
        return name


@pytest.fixture
def owner() -> QObject:
    return QObject()


@pytest.fixture
def worker(owner: QObject) -> LatestJob:
    return LatestJob(owner)


@pytest.fixture
def recorder(worker: LatestJob, qtbot: QtBot) -> Recorder:
    return Recorder(worker, qtbot)


def counting(number: int) -> Job[int, str]:
    yield from range(number)
    return "done"


def failing(reason: Exception) -> Job[int, Any]:
    yield 1
    raise reason


def test_events_come_in_order_and_the_result_last(recorder: Recorder) -> None:
    recorder.run(counting(5000))

    assert recorder.events == list(range(5000))
    assert recorder.ends == ["done"]
    assert recorder.threads == {threading.get_ident()}


def test_events_are_batched(recorder: Recorder) -> None:
    received, finished = threading.Event(), threading.Event()

    def job() -> Job[int, str]:
        yield 0
        received.wait(TIMEOUT)
        yield from range(1, 5000)
        finished.set()
        return "done"

    def busy(batch: tuple[int, ...]) -> None:
        if batch == (0,):
            received.set()
            finished.wait(TIMEOUT)

    recorder.worker.events_received.connect(busy)
    recorder.run(job())

    assert [len(batch) for batch in recorder.batches] == [1, 4999]


class Clock:
    def __init__(self, worker: LatestJob, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.waits = 100.0, list[int]()
        timer = child(worker, QTimer)
        self.timer = timer
        monkeypatch.setattr(worker_module, "time", SimpleNamespace(monotonic=lambda: self.now))
        monkeypatch.setattr(timer, "start", self.waits.append)

    def goes_on(self) -> bool:
        self.now += 10.0
        self.timer.timeout.emit()
        return True


@pytest.fixture
def clock(worker: LatestJob, monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(worker, monkeypatch)


def test_a_report_waits_until_the_last_one_is_old_enough(recorder: Recorder, clock: Clock) -> None:
    gate = Gate()
    with recorder.qtbot.waitSignal(recorder.worker.events_received):
        recorder.worker.start(gate.job())
    gate.opened.set()
    recorder.qtbot.waitUntil(lambda: bool(clock.waits))

    assert set(clock.waits) == {34}
    assert recorder.events == ["job begins"]
    assert clock.goes_on()
    assert recorder.events == ["job begins", "job ends"]
    recorder.qtbot.waitUntil(lambda: clock.goes_on() and recorder.ends == ["job"])


def test_a_report_that_takes_long_to_draw_delays_the_next_one(
    recorder: Recorder, clock: Clock
) -> None:
    """The interval begins when the window has drawn, so that it has time for input and paint."""
    gate = Gate()

    def draw(_: object) -> None:
        clock.now += 5.0

    recorder.worker.events_received.connect(draw)
    with recorder.qtbot.waitSignal(recorder.worker.events_received):
        recorder.worker.start(gate.job())
    gate.opened.set()

    recorder.qtbot.waitUntil(lambda: bool(clock.waits))
    recorder.qtbot.waitUntil(lambda: clock.goes_on() and recorder.ends == ["job"])


def test_other_events_have_their_turn_before_the_end(recorder: Recorder) -> None:
    """The last notes and the end of a piece take long: the window draws in between."""
    order: list[str] = []

    def draw_soon(_: object) -> None:
        order.append("events")
        QTimer.singleShot(0, lambda: order.append("drawn"))

    recorder.worker.events_received.connect(draw_soon)
    recorder.worker.finished.connect(lambda _: order.append("end"))
    recorder.worker.start(counting(2))
    assert recorder.worker.wait(
        QDeadlineTimer(round(TIMEOUT * 1000))
    )  # events and end arrive together

    recorder.qtbot.waitUntil(lambda: len(recorder.ends) == 1)
    assert order == ["events", "drawn", "end"]


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        (ModelError("the model is broken"), "the model is broken"),
        (
            ZeroDivisionError("division by zero\nmore"),
            "Unexpected error (ZeroDivisionError: division by zero); see the log file for details.",
        ),
        (MemoryError(), "Unexpected error (MemoryError); see the log file for details."),
    ],
    ids=["musicrel", "unexpected", "without a message"],
)
def test_a_failure_is_a_message_for_the_user(
    recorder: Recorder, caplog: pytest.LogCaptureFixture, reason: Exception, sentence: str
) -> None:
    """The traceback of an unexpected one is in the log."""
    recorder.run(failing(reason))

    assert (recorder.events, recorder.ends) == ([1], [sentence])
    assert ("Traceback" in caplog.text) != isinstance(reason, ModelError)


def test_a_missing_torch_is_a_message_without_a_traceback(
    recorder: Recorder, caplog: pytest.LogCaptureFixture
) -> None:
    reason = ModuleNotFoundError("No module named 'torch'", name="torch")
    recorder.run(failing(reason))

    assert recorder.ends == [NO_TORCH]
    assert not caplog.records


def test_stopped_job_is_closed_in_its_own_thread(recorder: Recorder) -> None:
    gate = Gate()
    recorder.worker.start(gate.job())
    assert gate.reached.wait(TIMEOUT)
    with recorder.qtbot.waitSignal(recorder.ended):
        recorder.worker.stop()
        gate.opened.set()

    assert recorder.events == ["job begins", "job ends"]
    assert recorder.ends == ["stopped"]
    assert gate.closed_in == gate.ran_in


def test_only_the_last_request_counts(recorder: Recorder) -> None:
    """Of several requests during a job only the last one follows; the first emits no more."""
    gate = Gate()
    recorder.request(gate, "first")
    recorder.qtbot.waitUntil(lambda: recorder.events == ["first begins"])
    recorder.request(gate, "second", "third")
    gate.opened.set()
    recorder.qtbot.waitUntil(lambda: not recorder.worker.busy)

    assert gate.started == ["first", "third"]
    assert recorder.events == ["first begins", "third begins", "third ends"]
    assert recorder.ends == ["third"]


def test_a_cancelled_job_emits_nothing_more(recorder: Recorder) -> None:
    gate = Gate()
    recorder.request(gate, "first")
    recorder.worker.cancel()
    assert (recorder.worker.busy, recorder.worker.idle) == (False, False)
    gate.opened.set()
    recorder.qtbot.waitUntil(lambda: recorder.worker.idle)

    assert "first ends" not in recorder.events
    assert recorder.ends == []


def test_a_request_that_has_not_begun_is_stopped_at_once(recorder: Recorder) -> None:
    gate = Gate()
    recorder.request(gate, "first", "second")
    recorder.worker.stop()
    assert recorder.ends == ["stopped"]
    gate.opened.set()
    recorder.qtbot.waitUntil(lambda: recorder.worker.idle)

    assert "second" not in gate.started


def test_a_failure_is_reported_and_the_next_request_runs(recorder: Recorder) -> None:
    gate = Gate()
    gate.opened.set()
    recorder.request(gate, "bad")
    recorder.qtbot.waitUntil(lambda: recorder.ends == ["it is bad"])
    recorder.request(gate, "good")
    recorder.qtbot.waitUntil(lambda: recorder.ends == ["it is bad", "good"])

    assert not recorder.worker.busy


def test_ending_drops_the_waiting_request(owner: QObject, recorder: Recorder) -> None:
    gate = Gate()
    recorder.request(gate, "first", "second")
    gate.opened.set()

    assert end_all(owner)
    assert "second" not in gate.started


def test_next_job_may_start_in_a_slot_of_finished(recorder: Recorder) -> None:
    recorder.worker.finished.connect(
        lambda _: recorder.worker.start(counting(2)) if len(recorder.ends) < 3 else None
    )

    recorder.worker.start(counting(1))
    recorder.qtbot.waitUntil(lambda: len(recorder.ends) == 3 and not recorder.worker.busy)

    assert recorder.events == [0, 0, 1, 0, 1]


def test_ending_waits_and_emits_nothing(owner: QObject, recorder: Recorder) -> None:
    """The window closes: its slots must not be called any more."""
    gate = Gate()
    recorder.worker.start(gate.job())
    assert gate.reached.wait(TIMEOUT)
    gate.opened.set()

    assert end_all(owner)
    assert gate.closed_in == gate.ran_in
    assert recorder.ends == []


def test_ending_cancels_a_waiting_report(
    qtbot: QtBot, owner: QObject, worker: LatestJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    timer, gate = worker.findChild(QTimer), Gate()
    assert timer is not None
    with qtbot.waitSignal(worker.events_received):
        worker.start(gate.job())
    monkeypatch.setattr(worker_module, "UPDATE_SECONDS", 1000.0)
    gate.opened.set()
    qtbot.waitUntil(timer.isActive)

    assert end_all(owner)
    assert not timer.isActive()


def test_ending_gives_up_on_a_hanging_job(owner: QObject, recorder: Recorder) -> None:
    gate = Gate()
    recorder.worker.start(gate.job())
    assert gate.reached.wait(TIMEOUT)

    assert not end_all(owner, seconds=0.01)
    gate.opened.set()
    assert end_all(owner)


def test_jobs_that_wait_for_each_other_end() -> None:
    interrupted = threading.Event()
    owner = QObject()
    workers = [LatestJob(owner), LatestJob(owner)]
    started = [threading.Event(), threading.Event()]

    def waits_for_the_second() -> Job[str, None]:
        started[0].set()
        interrupted.wait(TIMEOUT)
        yield "interrupted"

    def reports_its_interruption() -> Job[str, None]:
        started[1].set()
        try:
            while True:
                yield "running"
        finally:
            interrupted.set()

    workers[0].start(waits_for_the_second())
    workers[1].start(reports_its_interruption())
    assert all(event.wait(TIMEOUT) for event in started)

    assert end_all(owner)
    assert interrupted.is_set()
