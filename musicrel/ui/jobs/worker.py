"""Runs any job in a thread of its own and tells the window what happens, no faster than it draws.

This file knows jobs and threads; it knows nothing of what a job does.
"""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import dataclass
from typing import Any, Final, Literal

from PySide6.QtCore import QObject, Qt, QThread, QTimer, Signal, Slot

from musicrel.errors import MusicrelError
from musicrel.jobs import Job

UPDATE_SECONDS: Final = 1 / 30
"""Shortest time between two reports to the window."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Outcome:
    """How a job ended, and its result or the sentence that says what went wrong."""

    kind: Literal["finished", "failed", "cancelled"]
    value: object = None


class Worker(QObject):
    """Runs one job after another; lives in the thread of the window, as do its signals.

    Events come in order, gathered into one report for every ``UPDATE_SECONDS``; the end comes
    after all of them. A job is cancelled between two of its events and closed in its own thread.

    Signals:
        happened: a tuple of events.
        finished: the result of the job.
        failed: one sentence for the user.
        cancelled: the job was closed as ``stop`` asked.
    """

    happened = Signal(object)
    finished = Signal(object)
    failed = Signal(str)
    cancelled = Signal()
    _news = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread: _JobThread | None = None
        self._mailbox = _Mailbox()
        self._reported = 0.0
        self._later = QTimer(self, singleShot=True)
        self._later.timeout.connect(self._report)
        self._news.connect(self._report_in_time, Qt.ConnectionType.QueuedConnection)

    @property
    def busy(self) -> bool:
        """Whether a job was started whose end has not been told yet."""
        return self._thread is not None

    def start(self, job: Job[Any, Any]) -> None:
        """Run ``job``, which nobody has begun.

        Raises:
            RuntimeError: another job is running.
        """
        if self.busy:
            raise RuntimeError("this worker is busy: stop its job and wait for the end first")
        self._thread = _JobThread(job, self._mailbox, self._news)
        self._thread.start()

    def stop(self) -> None:
        """Ask the job to end; ``cancelled`` tells that it did. Without a job nothing happens."""
        if self._thread is not None:
            self._thread.requestInterruption()

    def shut_down(self, patience: float = 10.0) -> bool:
        """Stop the job, wait for its thread and tell nothing any more.

        Args:
            patience: seconds to wait at most.

        Returns:
            Whether the thread has ended.
        """
        self.stop()
        self.blockSignals(True)
        return self._thread is None or self._thread.wait(round(patience * 1000))

    @Slot()
    def _report_in_time(self) -> None:
        wait = self._reported + UPDATE_SECONDS - time.monotonic()
        if wait <= 0:
            self._report()
        elif not self._later.isActive():
            self._later.start(round(wait * 1000) + 1)

    @Slot()
    def _report(self) -> None:
        self._later.stop()
        self._reported = time.monotonic()
        events, outcome = self._mailbox.take()
        if events:
            self.happened.emit(events)
        if outcome is not None:
            self._end(outcome)

    def _end(self, outcome: _Outcome) -> None:
        if self._thread is not None:
            self._thread.wait()  # it has nothing left to do
            self._thread = None
        match outcome.kind:
            case "finished":
                self.finished.emit(outcome.value)
            case "failed":
                self.failed.emit(str(outcome.value))
            case "cancelled":
                self.cancelled.emit()


class _Mailbox:
    """What the job's thread has told and the window has not read yet."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._events: list[object] = []
        self._outcome: _Outcome | None = None

    def put(self, event: object) -> bool:
        """Leave an event or the outcome; whether the mailbox was empty before."""
        with self._lock:
            was_empty = not self._events and self._outcome is None
            if isinstance(event, _Outcome):
                self._outcome = event
            else:
                self._events.append(event)
            return was_empty

    def take(self) -> tuple[tuple[object, ...], _Outcome | None]:
        """All that is in it, in order, the outcome last."""
        with self._lock:
            events, outcome = tuple(self._events), self._outcome
            self._events, self._outcome = [], None
            return events, outcome


class _JobThread(QThread):
    """The thread of one job; everything here runs in it."""

    def __init__(self, job: Job[Any, Any], mailbox: _Mailbox, news: Any) -> None:
        super().__init__()
        self._job = job
        self._mailbox = mailbox
        self._news = news

    def run(self) -> None:
        """Run the job to its end, whichever that is."""
        try:
            outcome = self._outcome()
        except MusicrelError as reason:
            outcome = _Outcome("failed", str(reason))
        except Exception as reason:  # noqa: BLE001  # the border of the thread: nobody else would see it
            _log.exception("a job failed unexpectedly")
            outcome = _Outcome("failed", _unexpected(reason))
        self._tell(outcome)

    def _outcome(self) -> _Outcome:
        try:
            while not self.isInterruptionRequested():
                try:
                    self._tell(next(self._job))
                except StopIteration as end:
                    return _Outcome("finished", end.value)
            return _Outcome("cancelled")
        finally:
            self._job.close()

    def _tell(self, event: object) -> None:
        if self._mailbox.put(event):
            self._news.emit()


def _unexpected(reason: Exception) -> str:
    told = str(reason).strip().splitlines()
    said = f"{type(reason).__name__}: {told[0]}" if told else type(reason).__name__
    return f"Something went wrong inside musicrel ({said}); the log file has the details."
