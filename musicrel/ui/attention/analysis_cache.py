"""What the chosen model makes of the piece on the sheet, kept up to date.

While a model writes, its reading grows with the piece. A piece that comes from elsewhere, or that
another model is to read, is read by a job; what belongs to a piece or model that is no longer asked
for is dropped.

This file knows jobs and readings; it knows nothing of windows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from PySide6.QtCore import QObject, Signal, Slot

from musicrel.chorale import Chorale
from musicrel.generation.events import GenerationStep
from musicrel.jobs import Job
from musicrel.presentation.attention.piece_analysis import Reading
from musicrel.ui.jobs.generation_service import CellsRead, ReadEvent
from musicrel.ui.jobs.worker import Worker

Read = Callable[[str, str, Chorale], Job[ReadEvent, Reading]]
"""Makes the job that reads: model, device, piece."""
_MOST_KEPT: Final = 2


class Wish(NamedTuple):
    """What is to be read, by which model, and where that computes."""

    model: str
    device: str
    piece: Chorale


class Readings(QObject):
    """Has one reading at a time; lives in the thread of the window, as do its signals.

    Signals:
        changed: another reading, or the same one has grown.
        progressed: how much of the piece has been read, 0 to 1.
        failed: why there is none, one sentence.
    """

    changed = Signal()
    progressed = Signal(float)
    failed = Signal(str)

    def __init__(self, read: Read, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._read = read
        self._worker = Worker(self)
        self._kept: list[Reading] = []
        self._wish: Wish | None = None
        self._running: Wish | None = None
        self._plan: tuple[Chorale, str] | None = None
        self.current: Reading | None = None
        """What is known; None while it is being found out, and where nobody asked."""
        self._worker.happened.connect(self._happened)
        self._worker.finished.connect(self._finished)
        self._worker.failed.connect(self._failed)
        self._worker.cancelled.connect(self._go_on)

    @property
    def busy(self) -> bool:
        """Whether a piece is being read."""
        return self._running is not None

    def begin(self, plan: Chorale, model: str) -> None:
        """A piece is about to be written by ``model``."""
        self._drop()
        self._kept.clear()
        self._plan, self.current = (plan, model), None
        self.changed.emit()

    def add(self, steps: tuple[GenerationStep, ...], sheet: Chorale) -> None:
        """More was written; ``sheet`` has it."""
        if self._plan is None:
            return
        if self.current is None:
            first = steps[0].attention
            shape = (0, 0) if first is None else first.shape[:2]
            self.current = Reading(*self._plan, *shape, wrote=True)
        self.current.chorale = sheet
        for step in steps:
            self.current.add(step.attention, -step.log_probability)
        self.changed.emit()

    def end(self, piece: Chorale | None) -> None:
        """This piece is on the sheet from now on: the one that was being written, or another."""
        written, self._plan = self._plan is not None, None
        if written and self.current is not None and piece is not None:
            self.current.ended(piece)
            self._kept = [self.current]
        else:
            self._drop()
            self._kept.clear()
            self.current = None
        self.changed.emit()

    def want(self, wish: Wish) -> None:
        """Have a reading of this piece by this model; at once where it is known."""
        if self._plan is not None:
            return
        for known in self._kept:
            if known.chorale is wish.piece and known.model == wish.model:
                self._drop()
                self._show(known)
                return
        if wish == self._wish:
            return
        self.current, self._wish = None, wish
        if self._worker.busy:
            self._worker.stop()
        else:
            self._go_on()
        self.changed.emit()

    def shut_down(self) -> bool:
        """End what runs and wait for that; whether it has ended."""
        self._drop()
        return self._worker.shut_down()

    # ------------------------------------------------------------------ inside

    def _show(self, reading: Reading) -> None:
        if reading is not self.current:
            self.current = reading
            self.changed.emit()

    def _drop(self) -> None:
        """Nobody waits for what is being read any more."""
        self._wish = None
        self._worker.stop()

    @Slot(object)
    def _happened(self, events: tuple[ReadEvent, ...]) -> None:
        last = events[-1]
        if isinstance(last, CellsRead) and self._running is self._wish:
            self.progressed.emit(last.share)

    @Slot(object)
    def _finished(self, reading: Reading) -> None:
        ended, self._running = self._running, None
        if ended is not None and ended is self._wish:
            self._wish = None
            self._kept = [*self._kept, reading][-_MOST_KEPT:]
            self._show(reading)
        else:
            self._go_on()

    @Slot(str)
    def _failed(self, sentence: str) -> None:
        ended, self._running = self._running, None
        if ended is not None and ended is self._wish:
            self._wish = None
            self.failed.emit(sentence)
            self.changed.emit()
        else:
            self._go_on()

    @Slot()
    def _go_on(self) -> None:
        """Read what is wanted now, if anything."""
        self._running = self._wish
        if self._wish is not None:
            self._worker.start(self._read(*self._wish))
