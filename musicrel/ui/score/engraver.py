"""Engraving in a worker thread: one piece at a time, the latest request wins."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

from PySide6.QtCore import QObject, Signal, Slot

from musicrel.chorale import Chorale
from musicrel.jobs import Job
from musicrel.presentation.score.engraver import Engraved
from musicrel.presentation.score.score_picture import Score
from musicrel.score.musicxml.musicxml_writer import Layout
from musicrel.ui.jobs.latest_job import LatestJob
from musicrel.ui.jobs.worker import Worker


class EngraveRequest(NamedTuple):
    piece: Chorale
    width: float  # of the page, in units of the score
    layout: Layout  # two staves or one per voice
    ended: bool  # False while the piece is being generated
    numerals: bool = False  # whether Roman numerals are drawn


Engrave = Callable[[EngraveRequest], Job[Engraved, Score]]
"""Factory of engraving jobs."""

_SOON: Final = 2_048
"""Steps of a piece that is engraved to its end before the next one begins: while a key is held
down the score follows, instead of waiting for the last edit."""


class Engraver(QObject):
    """A service that engraves in a worker thread; it and its signals live in the main thread."""

    # an ``EngraveRequest`` and the ``Engraved`` part of it so far, or all of it
    progressed = Signal(object, object)
    failed = Signal(str)  # the reason as one sentence

    def __init__(self, engrave: Engrave, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.engrave = engrave
        self._job = LatestJob(self)
        self._latest: EngraveRequest | None = None
        self._next: EngraveRequest | None = None
        self._began = 0.0
        self.seconds = 0.0
        """Duration of the last complete engraving."""
        self._job.events_received.connect(self._on_engraved)
        self._job.finished.connect(self._on_finished)
        self._job.failed.connect(self._on_failed)

    @property
    def busy(self) -> bool:
        """Return True while a piece is being engraved."""
        return self._next is not None or not self._job.idle

    @property
    def wanted(self) -> EngraveRequest | None:
        """Return the request that is being engraved or waits; None when its score is complete."""
        return self._next or (self._latest if self._job.busy else None)

    def request(self, request: EngraveRequest | None) -> None:
        """Replace the current request and its job, or wait for a job that ends soon; None cancels.

        Of several requests that wait only the last is engraved.
        """
        self._next = None
        if request is None:
            self._job.cancel()
        elif self._job.busy and self._latest is not None and _ends_soon(self._latest):
            self._next = request
        else:
            self._latest = request
            self._job.request(partial(self._start, request))

    def shut_down(self) -> tuple[Worker, ...]:
        """Stop the job; return the workers to wait for."""
        self._next = None
        return self._job.shut_down()

    def _start(self, request: EngraveRequest) -> Job[Engraved, Score]:
        """Return the job of a request, the one before having ended."""
        self._began = time.monotonic()
        return self.engrave(request)

    @Slot(object)
    def _on_engraved(self, events: tuple[Engraved, ...]) -> None:
        self.progressed.emit(self._latest, events[-1])

    @Slot()
    def _on_finished(self) -> None:
        self.seconds = time.monotonic() - self._began
        self._start_next()

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        if self._next is None:
            self.failed.emit(sentence)
        self._start_next()

    def _start_next(self) -> None:
        if self._next is not None:
            self.request(self._next)


def _ends_soon(request: EngraveRequest) -> bool:
    return request.piece.steps <= _SOON
