"""Loading of the chosen model before it is needed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal, Slot

from musicrel.jobs import Job
from musicrel.ui.jobs.generation_service import Loaded, Loading
from musicrel.ui.jobs.worker import Worker, end_jobs

WarmUp = Callable[[str, str], Job[Loading | Loaded, None]]


class Preloader(QObject):
    """A queue of length one for model warm-ups: a new request replaces the one that waits.

    Signals:
        load_progressed: a ``Loading`` or ``Loaded`` event.
        failed: a model cannot be used; the error message.
    """

    load_progressed = Signal(object)
    failed = Signal(str)

    def __init__(self, warm_up: WarmUp, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._warm_up = warm_up
        self._worker = Worker(self)
        self._next: tuple[str, str] | None = None
        self._worker.events_received.connect(self._forward)
        self._worker.failed.connect(self.failed)
        for signal in (self._worker.finished, self._worker.failed, self._worker.cancelled):
            signal.connect(self._start_next)

    @property
    def busy(self) -> bool:
        """Return True while a model is warmed up."""
        return self._worker.busy

    def preload(self, model: str, device: str) -> None:
        """Load ``model`` on ``device`` and warm it up, as soon as the warm-up before has ended."""
        if self._worker.busy:
            self._next = (model, device)
            self._worker.stop()
        else:
            self._worker.start(self._warm_up(model, device))

    def shut_down(self) -> tuple[Worker, ...]:
        """Request the end of the job; return the workers to wait for."""
        self._next = None
        return end_jobs(self._worker)

    @Slot(object)
    def _forward(self, events: tuple[object, ...]) -> None:
        for event in events:
            self.load_progressed.emit(event)

    @Slot()
    def _start_next(self) -> None:
        request, self._next = self._next, None
        if request is not None:
            self._worker.start(self._warm_up(*request))
