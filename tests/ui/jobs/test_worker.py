"""Jobs in threads of their own."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QDeadlineTimer, QObject, QTimer, Signal, Slot
from pytestqt.qtbot import QtBot

from musicrel.errors import NO_TORCH, ModelError
from musicrel.jobs import Job
from musicrel.ui.jobs import worker as worker_module
from musicrel.ui.jobs.worker import Worker, end_jobs, wait_for_all
from tests.ui.fakes import TIMEOUT


class Recorder(QObject):
    """A recorder of a worker's signals and of the thread in which they arrive."""

    ended = Signal()

    def __init__(self, worker: Worker) -> None:
        super().__init__()
        self.batches: list[tuple[object, ...]] = []
        self.ends: list[object] = []
        self.threads: set[int] = set()
        worker.events_received.connect(self.add)
        worker.finished.connect(self.end)
        worker.failed.connect(self.end)
        worker.cancelled.connect(self.cancel)

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

    @Slot()
    def cancel(self) -> None:
        self.end("cancelled")


class Gate:
    """A job that waits in the middle until ``opened`` is set."""

    def __init__(self) -> None:
        self.opened, self.reached = threading.Event(), threading.Event()
        self.ran_in, self.closed_in = 0, 0

    def job(self) -> Job[str, str]:
        self.ran_in = threading.get_ident()
        try:
            yield "before"
            self.reached.set()
            self.opened.wait(TIMEOUT)
            yield "after"
        finally:
            self.closed_in = threading.get_ident()
        return "result"


@pytest.fixture
def worker(qtbot: QtBot) -> Worker:
    del qtbot
    return Worker()


@pytest.fixture
def recorder(worker: Worker) -> Recorder:
    return Recorder(worker)


def counting(number: int) -> Job[int, str]:
    yield from range(number)
    return "done"


def failing(reason: Exception) -> Job[int, Any]:
    yield 1
    raise reason


def run(qtbot: QtBot, worker: Worker, recorder: Recorder, job: Job[Any, Any]) -> None:
    with qtbot.waitSignal(recorder.ended):
        worker.start(job)


def test_events_come_in_order_and_the_result_last(
    qtbot: QtBot, worker: Worker, recorder: Recorder
) -> None:
    """None is lost, and all arrive in the window's thread."""
    run(qtbot, worker, recorder, counting(5000))

    assert recorder.events == list(range(5000))
    assert recorder.ends == ["done"]
    assert recorder.threads == {threading.get_ident()}


def test_events_are_batched(qtbot: QtBot, worker: Worker, recorder: Recorder) -> None:
    """Events that come while the window is busy arrive in one report."""
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

    worker.events_received.connect(busy)
    run(qtbot, worker, recorder, job())

    assert [len(batch) for batch in recorder.batches] == [1, 4999]


class Clock:
    """The clock of the workers, which stands still, and the timer of one, which never runs."""

    def __init__(self, worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.waits = 100.0, list[int]()
        timer = worker.findChild(QTimer)
        assert timer is not None
        self.timer = timer
        monkeypatch.setattr(worker_module, "time", SimpleNamespace(monotonic=lambda: self.now))
        monkeypatch.setattr(timer, "start", self.waits.append)

    def goes_on(self) -> bool:
        """Let the time pass that the timer waits for."""
        self.now += 10.0
        self.timer.timeout.emit()
        return True


@pytest.fixture
def clock(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(worker, monkeypatch)


def test_a_report_waits_until_the_last_one_is_old_enough(
    qtbot: QtBot, worker: Worker, recorder: Recorder, clock: Clock
) -> None:
    """The window gets at most thirty reports per second."""
    gate = Gate()
    with qtbot.waitSignal(worker.events_received):
        worker.start(gate.job())
    gate.opened.set()
    qtbot.waitUntil(lambda: bool(clock.waits))

    assert set(clock.waits) == {34}
    assert recorder.events == ["before"]
    assert clock.goes_on()
    assert recorder.events == ["before", "after"]
    qtbot.waitUntil(lambda: clock.goes_on() and recorder.ends == ["result"])


def test_a_report_that_takes_long_to_draw_delays_the_next_one(
    qtbot: QtBot, worker: Worker, recorder: Recorder, clock: Clock
) -> None:
    """The interval begins when the window has drawn, so that it has time for input and paint."""
    gate = Gate()

    def draw(_: object) -> None:
        clock.now += 5.0

    worker.events_received.connect(draw)
    with qtbot.waitSignal(worker.events_received):
        worker.start(gate.job())
    gate.opened.set()

    qtbot.waitUntil(lambda: bool(clock.waits))
    qtbot.waitUntil(lambda: clock.goes_on() and recorder.ends == ["result"])


def test_job_runs_in_another_thread(qtbot: QtBot, worker: Worker, recorder: Recorder) -> None:
    """The window's thread stays free."""
    gate = Gate()
    gate.opened.set()
    run(qtbot, worker, recorder, gate.job())

    assert gate.ran_in == gate.closed_in != threading.get_ident()


def test_other_events_have_their_turn_before_the_end(
    qtbot: QtBot, worker: Worker, recorder: Recorder
) -> None:
    """The last notes and the end of a piece take long: the window draws in between."""
    order: list[str] = []

    def draw_soon(_: object) -> None:
        order.append("events")
        QTimer.singleShot(0, lambda: order.append("drawn"))

    worker.events_received.connect(draw_soon)
    worker.finished.connect(lambda _: order.append("end"))
    worker.start(counting(2))
    assert worker.wait(QDeadlineTimer(round(TIMEOUT * 1000)))  # events and end arrive together

    qtbot.waitUntil(lambda: len(recorder.ends) == 1)
    assert order == ["events", "drawn", "end"]


def test_lone_event_does_not_wait_for_the_next(
    qtbot: QtBot, worker: Worker, recorder: Recorder
) -> None:
    """A single event arrives although no other follows it."""
    gate = Gate()
    worker.start(gate.job())

    qtbot.waitUntil(lambda: recorder.events == ["before"])
    assert worker.busy
    with qtbot.waitSignal(recorder.ended):
        gate.opened.set()


def test_message_of_a_musicrel_error_is_unchanged(
    qtbot: QtBot, worker: Worker, recorder: Recorder
) -> None:
    """It follows the events before the error."""
    run(qtbot, worker, recorder, failing(ModelError("the model is broken; copy it again")))

    assert recorder.events == [1]
    assert recorder.ends == ["the model is broken; copy it again"]


def test_a_missing_torch_is_a_message_without_a_traceback(
    qtbot: QtBot, worker: Worker, recorder: Recorder, caplog: pytest.LogCaptureFixture
) -> None:
    """The light package goes without it."""
    reason = ModuleNotFoundError("No module named 'torch'", name="torch")
    run(qtbot, worker, recorder, failing(reason))

    assert recorder.ends == [NO_TORCH]
    assert not caplog.records


def test_unexpected_error_is_a_message_and_a_traceback_in_the_log(
    qtbot: QtBot, worker: Worker, recorder: Recorder, caplog: pytest.LogCaptureFixture
) -> None:
    """The message has only the first line of the error."""
    run(qtbot, worker, recorder, failing(ZeroDivisionError("division by zero\nmore")))

    cause = "ZeroDivisionError: division by zero"
    assert recorder.ends == [f"Unexpected error ({cause}); see the log file for details."]
    assert "Traceback" in caplog.text


def test_error_without_a_message_is_named(qtbot: QtBot, worker: Worker, recorder: Recorder) -> None:
    """The message has the name of its class."""
    run(qtbot, worker, recorder, failing(MemoryError()))

    assert "(MemoryError)" in str(recorder.ends[0])


def test_stopped_job_is_closed_in_its_own_thread(
    qtbot: QtBot, worker: Worker, recorder: Recorder
) -> None:
    """It is closed between two events, and emits no result."""
    gate = Gate()
    worker.start(gate.job())
    assert gate.reached.wait(TIMEOUT)
    with qtbot.waitSignal(recorder.ended):
        worker.stop()
        gate.opened.set()

    assert recorder.events == ["before", "after"]
    assert recorder.ends == ["cancelled"]
    assert gate.closed_in == gate.ran_in


def test_stop_without_a_job_does_nothing(qtbot: QtBot, worker: Worker, recorder: Recorder) -> None:
    """The next job is not stopped either."""
    worker.stop()
    run(qtbot, worker, recorder, counting(3))

    assert recorder.ends == ["done"]


def test_next_job_may_start_in_a_slot_of_finished(
    qtbot: QtBot, worker: Worker, recorder: Recorder
) -> None:
    """The worker is idle before it emits the end."""
    worker.finished.connect(lambda _: worker.start(counting(2)) if len(recorder.ends) < 3 else None)

    worker.start(counting(1))
    qtbot.waitUntil(lambda: len(recorder.ends) == 3 and not worker.busy)

    assert recorder.events == [0, 0, 1, 0, 1]


def test_busy_worker_rejects_another_job(qtbot: QtBot, worker: Worker, recorder: Recorder) -> None:
    """Two jobs at once would mix their events."""
    gate = Gate()
    worker.start(gate.job())

    with pytest.raises(RuntimeError, match="this worker is busy"):
        worker.start(counting(1))
    with qtbot.waitSignal(recorder.ended):
        gate.opened.set()


def test_shut_down_waits_and_emits_nothing(worker: Worker, recorder: Recorder) -> None:
    """The window closes: its slots must not be called any more."""
    gate = Gate()
    worker.start(gate.job())
    assert gate.reached.wait(TIMEOUT)
    gate.opened.set()

    assert wait_for_all(end_jobs(worker))
    assert gate.closed_in == gate.ran_in
    assert recorder.ends == []


def test_shut_down_cancels_a_waiting_report(
    qtbot: QtBot, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No timer is active once the window is closed."""
    timer, gate = worker.findChild(QTimer), Gate()
    assert timer is not None
    with qtbot.waitSignal(worker.events_received):
        worker.start(gate.job())
    monkeypatch.setattr(worker_module, "UPDATE_SECONDS", 1000.0)
    gate.opened.set()
    qtbot.waitUntil(timer.isActive)

    assert wait_for_all(end_jobs(worker))
    assert not timer.isActive()


def test_shut_down_gives_up_on_a_hanging_job(
    qtbot: QtBot, worker: Worker, recorder: Recorder
) -> None:
    """It returns False after the timeout."""
    gate = Gate()
    worker.start(gate.job())
    assert gate.reached.wait(TIMEOUT)

    assert not wait_for_all(end_jobs(worker), seconds=0.01)
    gate.opened.set()
    assert wait_for_all([worker])
    del qtbot, recorder


def test_jobs_that_wait_for_each_other_end(qtbot: QtBot) -> None:
    """All are interrupted before any of them is waited for."""
    interrupted = threading.Event()
    workers = [Worker(), Worker()]
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

    assert wait_for_all(end_jobs(*workers))
    assert interrupted.is_set()
    del qtbot
