"""Jobs in threads of their own, with events for the window no faster than it draws."""

from __future__ import annotations

import logging
import os
import sys
import time
from collections import deque
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from PySide6.QtCore import QDeadlineTimer, QObject, Qt, QThread, QTimer, Signal, Slot

from musicrel.errors import MusicrelError, torch_may_be_missing
from musicrel.jobs import Job
from musicrel.language import tr
from musicrel.ui.jobs.turn import Turn

_UNEXPECTED: Final = tr("Unexpected error ({cause}); see the log file for details.")

UPDATE_SECONDS: Final = 1 / 30
"""Shortest time in seconds from the end of a report to the window to the next one."""
END_SECONDS: Final = 10.0
"""Longest time in seconds that the closing window waits for all jobs together."""
_NICENESS: Final = 5
"""Added to the niceness of a job's thread, so that the window goes first."""
_log = logging.getLogger(__name__)
MakeJob = Callable[[], Job[Any, Any]]


class _Outcome(NamedTuple):
    signal: str  # the signal of the runner that is emitted: finished, failed or stopped
    values: tuple[object, ...] = ()


class LatestJob(QObject):
    """A runner of one job at a time; it lives in the window's thread and emits its signals there.

    A request stops the job before it and starts when that has ended. Events and the end of a job
    that was replaced or cancelled are dropped. Events arrive in order, batched into one report
    every ``UPDATE_SECONDS``; the end follows all of them. A job is stopped between two of its
    events and closed in its own thread.
    """

    events_received = Signal(object)
    finished = Signal(object)  # the result of the job
    failed = Signal(str)  # an error message for the user
    stopped = Signal()  # the job was closed after ``stop``
    _posted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread: _JobThread | None = None
        self._wanted: MakeJob | None = None
        self._running: MakeJob | None = None
        self._mailbox: deque[object] = deque()
        self._last_report = 0.0
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._report)
        self._outcome: _Outcome | None = None
        self._ending = Turn(self)  # the end of a piece takes long, like the notes before it
        self._ending.due.connect(self._end)
        self._posted.connect(self._schedule_report, Qt.ConnectionType.QueuedConnection)

    @property
    def busy(self) -> bool:
        return self._wanted is not None

    @property
    def idle(self) -> bool:
        return self._thread is None

    def request(self, make_job: MakeJob) -> None:
        """Run the job that ``make_job`` returns, as soon as the one before has ended."""
        self._wanted = make_job
        if self.idle:
            self._start_wanted()
        else:
            self._interrupt()

    def start(self, job: Job[Any, Any]) -> None:
        """Run ``job``, a generator that has not started; no other job may run."""
        if not self.idle:
            raise RuntimeError("another job is running: stop it and wait for the end first")
        self.request(lambda: job)

    def stop(self) -> None:
        """Stop the job after its next event; ``stopped`` is emitted when it has ended."""
        if self._running is not self._wanted:
            self._wanted = None  # it has not begun
            self.stopped.emit()
        self._interrupt()

    def cancel(self) -> None:
        self._wanted = None
        self._interrupt()

    def request_end(self) -> None:
        """Request the end of the job and emit no more signals; ``wait`` waits for the end."""
        self.cancel()
        self._timer.stop()
        self._ending.stop()
        self.blockSignals(True)

    def wait(self, deadline: QDeadlineTimer) -> bool:
        return self._thread is None or self._thread.wait(deadline)

    def _interrupt(self) -> None:
        if self._thread is not None:
            self._thread.requestInterruption()

    def _start_wanted(self) -> None:
        self._running = self._wanted
        if self._wanted is not None:
            self._thread = _JobThread(self._wanted(), self._post)
            self._thread.start()

    def _post(self, event: object) -> None:
        """Put an event or the outcome into the mailbox; called in the thread of the job."""
        self._mailbox.append(event)
        if len(self._mailbox) == 1:  # otherwise the report of the one before takes this one, too
            self._posted.emit()

    @Slot()
    def _schedule_report(self) -> None:
        wait = self._last_report + UPDATE_SECONDS - time.monotonic()
        if wait <= 0:
            self._report()
        elif not self._timer.isActive():
            self._timer.start(round(wait * 1000) + 1)

    @Slot()
    def _report(self) -> None:
        self._timer.stop()
        events = [self._mailbox.popleft() for _ in range(len(self._mailbox))]
        if self._mailbox:  # more has come meanwhile
            self._posted.emit()
        last = events[-1] if events else None
        if isinstance(last, _Outcome):
            self._outcome = last
            self._ending.start()
            events.pop()
        if events and self._running is self._wanted:
            self.events_received.emit(tuple(events))
        self._last_report = time.monotonic()  # after the drawing: a busy window gets time to paint

    @Slot()
    def _end(self) -> None:
        outcome, self._outcome = self._outcome, None
        if self._thread is not None:
            self._thread.wait()  # its work is done: this returns at once
            self._thread = None
        if self._running is not self._wanted:
            self._start_wanted()
            return
        self._running = self._wanted = None
        if outcome is not None:
            getattr(self, outcome.signal).emit(*outcome.values)


def end_all(*owners: QObject, seconds: float = END_SECONDS) -> bool:
    """End all jobs below ``owners``; return True if they have ended in time."""
    found = [job for owner in owners for job in owner.findChildren(LatestJob)]
    for job in found:
        job.request_end()
    deadline = QDeadlineTimer(round(seconds * 1000))
    return all(job.wait(deadline) for job in found)


class _JobThread(QThread):
    def __init__(self, job: Job[Any, Any], post: Callable[[object], None]) -> None:
        super().__init__()
        self._job, self._post = job, post

    def run(self) -> None:
        if sys.platform == "linux":  # the only one with a niceness for each thread
            os.nice(_NICENESS)
        try:
            with torch_may_be_missing():
                outcome = self._outcome()
        except MusicrelError as reason:
            outcome = _Outcome("failed", (str(reason),))
        except Exception as reason:  # noqa: BLE001  # nothing above would report it
            _log.exception("a job failed unexpectedly")
            outcome = _Outcome("failed", (_unexpected(reason),))
        del self._job
        self._post(outcome)

    def _outcome(self) -> _Outcome:
        try:
            while not self.isInterruptionRequested():
                try:
                    self._post(next(self._job))
                except StopIteration as end:
                    return _Outcome("finished", (end.value,))
            return _Outcome("stopped")
        finally:
            self._job.close()


def _unexpected(reason: Exception) -> str:
    lines = str(reason).strip().splitlines()
    kind = type(reason).__name__
    cause = f"{kind}: {lines[0]}" if lines else kind
    return _UNEXPECTED.format(cause=cause)
