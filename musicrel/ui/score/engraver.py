"""Has one piece at a time engraved, and forgets what nobody waits for any more.

This file knows jobs; it knows nothing of windows or of how engraving is done.
"""

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
from musicrel.ui.jobs.worker import Worker


class Wish(NamedTuple):
    """What is to be engraved, how wide, on how many staves, and whether it is all there."""

    piece: Chorale
    width: float
    layout: Layout
    ended: bool


Engrave = Callable[[Wish], Job[Engraved, Score]]
"""Makes the job that engraves."""


class Engraver(QObject):
    """Engraves in a thread; lives in the thread of the window, as do its signals.

    Signals:
        grew: a ``Wish`` and an ``Engraved``: there is more of it, or all.
        failed: why there is no score, one sentence.
    """

    grew = Signal(object, object)
    failed = Signal(str)

    def __init__(self, engrave: Engrave, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._engrave = engrave
        self._worker = Worker(self)
        self._wish: Wish | None = None
        self._running: Wish | None = None
        self._began = 0.0
        self.seconds = 0.0
        """How long the last one took that was engraved to its end."""
        self._worker.happened.connect(self._happened)
        self._worker.finished.connect(self._finished)
        self._worker.failed.connect(self._failed)
        self._worker.cancelled.connect(self._go_on)

    @property
    def busy(self) -> bool:
        """Whether a piece is being engraved."""
        return self._running is not None

    def want(self, wish: Wish | None) -> None:
        """Have this engraved next, in place of what is being engraved; None: nothing."""
        self._wish = wish
        if self._worker.busy:
            self._worker.stop()
        else:
            self._go_on()

    def shut_down(self) -> bool:
        """End what runs and wait for that; whether it has ended."""
        self._wish = None
        return self._worker.shut_down()

    # ------------------------------------------------------------------ inside

    @Slot(object)
    def _happened(self, events: tuple[Engraved, ...]) -> None:
        if self._running is not None and self._running is self._wish:
            self.grew.emit(self._running, events[-1])

    @Slot(object)
    def _finished(self) -> None:
        self.seconds = time.monotonic() - self._began
        if self._running is self._wish:
            self._wish = None
        self._go_on()

    @Slot(str)
    def _failed(self, sentence: str) -> None:
        wanted = self._running is self._wish
        if wanted:
            self._wish = None
        self._go_on()
        if wanted:
            self.failed.emit(sentence)

    @Slot()
    def _go_on(self) -> None:
        """Engrave what is wanted now, if anything."""
        self._running = self._wish
        if self._wish is not None:
            self._began = time.monotonic()
            self._worker.start(self._engrave(self._wish))
