"""Engraving in a worker thread: one piece at a time, the latest request wins."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal, Slot

from musicrel.chorale import Chorale
from musicrel.jobs import Job
from musicrel.presentation.score.engraver import Engraved
from musicrel.presentation.score.score_picture import Score
from musicrel.score.musicxml.musicxml_writer import Layout
from musicrel.ui.jobs.latest_job import LatestJob
from musicrel.ui.jobs.worker import Worker


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
        self._job = LatestJob(self)
        self._running: EngraveRequest | None = None
        self._began = 0.0
        self.seconds = 0.0
        """Duration of the last complete engraving."""
        self._job.events_received.connect(self._on_engraved)
        self._job.finished.connect(self._on_finished)
        self._job.failed.connect(self.failed)

    @property
    def busy(self) -> bool:
        """Return True while a piece is being engraved."""
        return not self._job.idle

    def request(self, request: EngraveRequest | None) -> None:
        """Replace the current request and its job; None cancels."""
        if request is None:
            self._job.cancel()
        else:
            self._job.request(partial(self._start, request))

    def shut_down(self) -> tuple[Worker, ...]:
        """Stop the job; return the workers to wait for."""
        return self._job.shut_down()

    def _start(self, request: EngraveRequest) -> Job[Engraved, Score]:
        """Return the job of a request, the one before having ended."""
        self._running, self._began = request, time.monotonic()
        return self.engrave(request)

    @Slot(object)
    def _on_engraved(self, events: tuple[Engraved, ...]) -> None:
        self.progressed.emit(self._running, events[-1])

    @Slot()
    def _on_finished(self) -> None:
        self.seconds = time.monotonic() - self._began
