"""Jobs of which only the latest matters: a new request replaces the one before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from musicrel.jobs import Job
from musicrel.ui.jobs.worker import Worker, end_jobs

MakeJob = Callable[[], Job[Any, Any]]


class LatestJob(QObject):
    """A runner of one job at a time, in a thread.

    A request stops the job before it and starts when that has ended. Events and the end of a job
    that was replaced or cancelled are dropped.
    """

    events_received = Signal(object)
    finished = Signal(object)
    failed = Signal(str)  # it failed; an error message for the user

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._worker = Worker(self)
        self._wanted: MakeJob | None = None
        self._running: MakeJob | None = None
        self._worker.events_received.connect(self._forward)
        self._worker.finished.connect(self._on_finished)
        self._worker.failed.connect(self._on_failed)
        self._worker.cancelled.connect(self._start_wanted)

    @property
    def busy(self) -> bool:
        """Return True until the latest request is finished, failed or cancelled."""
        return self._wanted is not None

    @property
    def idle(self) -> bool:
        """Return True while no job runs, not even one that was cancelled."""
        return not self._worker.busy

    def request(self, make_job: MakeJob) -> None:
        """Run the job that ``make_job`` returns, as soon as the one before has ended."""
        self._wanted = make_job
        if self._worker.busy:
            self._worker.stop()
        else:
            self._start_wanted()

    def cancel(self) -> None:
        """Stop the job, if one runs; it emits nothing more."""
        self._wanted = None
        self._worker.stop()

    def shut_down(self) -> tuple[Worker, ...]:
        """Request the end of the job; return the workers to wait for."""
        self._wanted = None
        return end_jobs(self._worker)

    @Slot(object)
    def _forward(self, events: tuple[object, ...]) -> None:
        if self._running is self._wanted:
            self.events_received.emit(events)

    @Slot(object)
    def _on_finished(self, result: object) -> None:
        if self._end():
            self.finished.emit(result)

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        if self._end():
            self.failed.emit(sentence)

    def _end(self) -> bool:
        """Return True if the latest job has ended; otherwise start it."""
        if self._running is self._wanted:
            self._running = self._wanted = None
            return True
        self._start_wanted()
        return False

    @Slot()
    def _start_wanted(self) -> None:
        self._running = self._wanted
        if self._wanted is not None:
            self._worker.start(self._wanted())
