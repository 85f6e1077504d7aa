"""Has the chosen model ready before it is needed.

This file knows when to warm up; how that is done stands in ``composing``.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal, Slot

from musicrel.jobs import Job
from musicrel.ui.jobs.generation_service import Loaded, Loading
from musicrel.ui.jobs.worker import Worker

WarmUp = Callable[[str, str], Job[Loading | Loaded, None]]


class Warming(QObject):
    """Warms up one model at a time; when another is wished for meanwhile, that one comes next.

    Signals:
        prepared: a Loading or Loaded event.
        failed: why a model cannot be used, one sentence.
    """

    prepared = Signal(object)
    failed = Signal(str)

    def __init__(self, warm_up: WarmUp, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._warm_up = warm_up
        self._worker = Worker(self)
        self._next: tuple[str, str] | None = None
        self._worker.happened.connect(self._happened)
        self._worker.failed.connect(self.failed)
        for signal in (self._worker.finished, self._worker.failed, self._worker.cancelled):
            signal.connect(self._go_on)

    @property
    def busy(self) -> bool:
        """Whether a model is being warmed up."""
        return self._worker.busy

    def want(self, model: str, device: str) -> None:
        """Make ``model`` ready on ``device``, now or as soon as the one before has ended."""
        if self._worker.busy:
            self._next = (model, device)
            self._worker.stop()
        else:
            self._worker.start(self._warm_up(model, device))

    def shut_down(self) -> bool:
        """End what runs and wait for that; whether it has ended."""
        self._next = None
        return self._worker.shut_down()

    @Slot(object)
    def _happened(self, events: tuple[object, ...]) -> None:
        for event in events:
            self.prepared.emit(event)

    @Slot()
    def _go_on(self) -> None:
        following, self._next = self._next, None
        if following is not None:
            self._worker.start(self._warm_up(*following))
