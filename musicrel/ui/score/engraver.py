"""Engraving in a worker thread: one piece at a time, the latest request wins."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal, Slot

from musicrel.chorale import Chorale
from musicrel.jobs import Job
from musicrel.presentation.score.engraver import Engraved
from musicrel.presentation.score.score_picture import Score
from musicrel.score.musicxml.musicxml_writer import Layout
from musicrel.ui.jobs.worker import Worker, end_jobs


class EngraveRequest(NamedTuple):
    """A piece to be engraved.

    Attributes:
        piece: the piece.
        width: of the page, in units of the score.
        layout: two staves or one per voice.
        ended: False while the piece is being generated.
    """

    piece: Chorale
    width: float
    layout: Layout
    ended: bool


Engrave = Callable[[EngraveRequest], Job[Engraved, Score]]
"""Factory of engraving jobs."""


class Engraver(QObject):
    """A service that engraves in a worker thread; it and its signals live in the main thread.

    Signals:
        progressed: an ``EngraveRequest`` and the ``Engraved`` part of it so far, or all of it.
        failed: the reason as one sentence.
    """

    progressed = Signal(object, object)
    failed = Signal(str)

    def __init__(self, engrave: Engrave, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.engrave = engrave
        self._worker = Worker(self)
        self._requested: EngraveRequest | None = None
        self._running: EngraveRequest | None = None
        self._began = 0.0
        self.seconds = 0.0
        """Duration of the last complete engraving."""
        self._worker.events_received.connect(self._on_engraved)
        self._worker.finished.connect(self._finished)
        self._worker.failed.connect(self._failed)
        self._worker.cancelled.connect(self._start_next)

    @property
    def busy(self) -> bool:
        """Return whether a piece is being engraved."""
        return self._running is not None

    def request(self, request: EngraveRequest | None) -> None:
        """Replace the current request and its job; None cancels."""
        self._requested = request
        if self._worker.busy:
            self._worker.stop()
        else:
            self._start_next()

    def shut_down(self) -> tuple[Worker, ...]:
        """Stop the job; return the workers to wait for."""
        self._requested = None
        return end_jobs(self._worker)

    # ------------------------------------------------------------------ inside

    @Slot(object)
    def _on_engraved(self, events: tuple[Engraved, ...]) -> None:
        if self._running is not None and self._running is self._requested:
            self.progressed.emit(self._running, events[-1])

    @Slot(object)
    def _finished(self) -> None:
        self.seconds = time.monotonic() - self._began
        if self._running is self._requested:
            self._requested = None
        self._start_next()

    @Slot(str)
    def _failed(self, sentence: str) -> None:
        current = self._running is self._requested
        if current:
            self._requested = None
        self._start_next()
        if current:
            self.failed.emit(sentence)

    @Slot()
    def _start_next(self) -> None:
        """Start the job of the current request, if any."""
        self._running = self._requested
        if self._requested is not None:
            self._began = time.monotonic()
            self._worker.start(self.engrave(self._requested))
