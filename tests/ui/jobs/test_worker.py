"""Jobs in a thread of their own."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest
from PySide6.QtCore import QObject, Signal, Slot
from pytestqt.qtbot import QtBot

from musicrel.errors import ModelError
from musicrel.jobs import Job
from musicrel.ui.jobs import worker as worker_module
from musicrel.ui.jobs.worker import UPDATE_SECONDS, Worker
from tests.ui.fakes import PATIENCE


class Diary(QObject):
    """Writes down what a worker tells, and in which thread it is heard."""

    ended = Signal()

    def __init__(self, worker: Worker) -> None:
        super().__init__()
        self.batches: list[tuple[object, ...]] = []
        self.ends: list[object] = []
        self.threads: set[int] = set()
        worker.happened.connect(self.hear)
        worker.finished.connect(self.end)
        worker.failed.connect(self.end)
        worker.cancelled.connect(self.cancel)

    @property
    def events(self) -> list[object]:
        return [event for batch in self.batches for event in batch]

    @Slot(object)
    def hear(self, batch: tuple[object, ...]) -> None:
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
    """A job that waits in the middle until it is let through."""

    def __init__(self) -> None:
        self.opened, self.reached = threading.Event(), threading.Event()
        self.ran_in, self.closed_in = 0, 0

    def job(self) -> Job[str, str]:
        self.ran_in = threading.get_ident()
        try:
            yield "before"
            self.reached.set()
            self.opened.wait(PATIENCE)
            yield "after"
        finally:
            self.closed_in = threading.get_ident()
        return "result"


@pytest.fixture
def worker(qtbot: QtBot) -> Worker:
    del qtbot
    return Worker()


@pytest.fixture
def diary(worker: Worker) -> Diary:
    return Diary(worker)


def counting(number: int) -> Job[int, str]:
    yield from range(number)
    return "done"


def failing(reason: Exception) -> Job[int, Any]:
    yield 1
    raise reason


def run(qtbot: QtBot, worker: Worker, diary: Diary, job: Job[Any, Any]) -> None:
    with qtbot.waitSignal(diary.ended):
        worker.start(job)


def test_events_come_in_order_and_the_result_last(
    qtbot: QtBot, worker: Worker, diary: Diary
) -> None:
    """Nothing is lost, nothing overtakes, and it is heard in the window's thread."""
    run(qtbot, worker, diary, counting(5000))

    assert diary.events == list(range(5000))
    assert diary.ends == ["done"]
    assert diary.threads == {threading.get_ident()}


def test_events_are_gathered(qtbot: QtBot, worker: Worker, diary: Diary) -> None:
    """However fast a job is, the window hears of it thirty times a second at most."""
    began = time.monotonic()
    run(qtbot, worker, diary, counting(5000))

    assert len(diary.batches) <= (time.monotonic() - began) / UPDATE_SECONDS + 2


def test_job_runs_in_another_thread(qtbot: QtBot, worker: Worker, diary: Diary) -> None:
    """The window's thread stays free."""
    gate = Gate()
    gate.opened.set()
    run(qtbot, worker, diary, gate.job())

    assert gate.ran_in == gate.closed_in != threading.get_ident()


def test_lone_event_does_not_wait_for_the_next(qtbot: QtBot, worker: Worker, diary: Diary) -> None:
    """What happened is told although nothing more happens for long."""
    gate = Gate()
    worker.start(gate.job())

    qtbot.waitUntil(lambda: diary.events == ["before"])
    assert worker.busy
    with qtbot.waitSignal(diary.ended):
        gate.opened.set()


def test_users_error_is_told_as_it_stands(qtbot: QtBot, worker: Worker, diary: Diary) -> None:
    """After the events before it."""
    run(qtbot, worker, diary, failing(ModelError("the model is broken; copy it again")))

    assert diary.events == [1]
    assert diary.ends == ["the model is broken; copy it again"]


def test_unexpected_error_is_one_sentence_and_a_traceback_in_the_log(
    qtbot: QtBot, worker: Worker, diary: Diary, caplog: pytest.LogCaptureFixture
) -> None:
    """The user is not shown the traceback, nor is it lost."""
    run(qtbot, worker, diary, failing(ZeroDivisionError("division by zero\nmore")))

    said = "(ZeroDivisionError: division by zero); the log file has the details."
    assert diary.ends == [f"Something went wrong inside musicrel {said}"]
    assert "Traceback" in caplog.text


def test_error_without_words_is_named(qtbot: QtBot, worker: Worker, diary: Diary) -> None:
    """Its kind is better than nothing."""
    run(qtbot, worker, diary, failing(MemoryError()))

    assert "(MemoryError)" in str(diary.ends[0])


def test_stopped_job_is_closed_in_its_own_thread(
    qtbot: QtBot, worker: Worker, diary: Diary
) -> None:
    """Between two events; what had happened is told, a result is not."""
    gate = Gate()
    worker.start(gate.job())
    assert gate.reached.wait(PATIENCE)
    with qtbot.waitSignal(diary.ended):
        worker.stop()
        gate.opened.set()

    assert diary.events == ["before", "after"]
    assert diary.ends == ["cancelled"]
    assert gate.closed_in == gate.ran_in


def test_stop_without_a_job_does_nothing(qtbot: QtBot, worker: Worker, diary: Diary) -> None:
    """Nor does it stop the next one."""
    worker.stop()
    run(qtbot, worker, diary, counting(3))

    assert diary.ends == ["done"]


def test_next_job_may_start_as_soon_as_the_end_is_told(
    qtbot: QtBot, worker: Worker, diary: Diary
) -> None:
    """Even in the slot that hears of it."""
    worker.finished.connect(lambda _: worker.start(counting(2)) if len(diary.ends) < 3 else None)

    worker.start(counting(1))
    qtbot.waitUntil(lambda: len(diary.ends) == 3 and not worker.busy)

    assert diary.events == [0, 0, 1, 0, 1]


def test_busy_worker_takes_no_other_job(qtbot: QtBot, worker: Worker, diary: Diary) -> None:
    """Two at once would mix their events."""
    gate = Gate()
    worker.start(gate.job())

    with pytest.raises(RuntimeError, match="this worker is busy"):
        worker.start(counting(1))
    with qtbot.waitSignal(diary.ended):
        gate.opened.set()


def test_shut_down_waits_and_tells_nothing(worker: Worker, diary: Diary) -> None:
    """The window is going: its slots must not be called any more."""
    gate = Gate()
    worker.start(gate.job())
    assert gate.reached.wait(PATIENCE)
    gate.opened.set()

    assert worker.shut_down()
    assert gate.closed_in == gate.ran_in
    assert diary.ends == []


def test_shut_down_gives_up_on_a_job_that_hangs(qtbot: QtBot, worker: Worker, diary: Diary) -> None:
    """It says so instead of waiting for ever."""
    gate = Gate()
    worker.start(gate.job())
    assert gate.reached.wait(PATIENCE)

    assert not worker.shut_down(patience=0.01)
    gate.opened.set()
    assert worker.shut_down()
    del qtbot, diary


def test_thread_does_what_the_worker_promises(qtbot: QtBot) -> None:
    """The same, run in this thread, where coverage sees it."""
    worker, mailbox = Worker(), worker_module._Mailbox()
    thread = worker_module._JobThread(counting(2), mailbox, worker._news)

    thread.run()

    events, outcome = mailbox.take()
    assert events == (0, 1)
    assert outcome is not None
    assert (outcome.kind, outcome.value) == ("finished", "done")
    del qtbot
