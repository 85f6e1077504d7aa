"""Versions of a piece as they are written by a job, and what became of those wished for.

One wish counts at a time: what a job tells of an earlier one is dropped. This file knows jobs and
candidates; it knows nothing of windows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot

from musicrel.chorale import Chorale
from musicrel.jobs import Job
from musicrel.presentation.compose.request_builder import Wish
from musicrel.ui.jobs.worker import Worker

if TYPE_CHECKING:
    from musicrel.generation.candidates.candidate_job import Candidate, Proposals, Stuck

Propose = Callable[[str, str, Wish], Job[Any, "Proposals"]]
"""Makes the job that writes versions: model, device, what is to be written."""


class Versions(QObject):
    """Runs one job after another and keeps what the last one has made.

    Signals:
        settled: how those stand that are being written, a ``Settling``, until the first is there.
        progressed: how much is written, 0 to 1, and a remark, "" most of the time.
        grew: there are more candidates.
        finished: the ``Proposals`` that were wished for.
        failed: why there are no more, one sentence.
    """

    settled = Signal(object)
    progressed = Signal(float, str)
    grew = Signal()
    finished = Signal(object)
    failed = Signal(str)

    def __init__(self, propose: Propose, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._propose, self._worker = propose, Worker(self)
        self._wish: tuple[Wish, str] | None = None
        self._running: tuple[Wish, str] | None = None
        self.found: list[Candidate] = []
        """The original and the versions that are there, as they came."""
        self.stuck: list[Stuck] = []
        """Those that came to no end."""
        self._worker.happened.connect(self._happened)
        self._worker.finished.connect(self._finished)
        self._worker.failed.connect(self._failed)
        self._worker.cancelled.connect(self._go_on)

    @property
    def busy(self) -> bool:
        """Whether versions are being written that somebody waits for."""
        return self._wish is not None

    @property
    def idle(self) -> bool:
        """Whether no job runs at all."""
        return not self._worker.busy

    @property
    def made(self) -> int:
        """How many versions there are, the original not counted."""
        return sum(one.seed is not None for one in self.found)

    @property
    def beginning(self) -> Chorale | None:
        """The longest that a version came to before it was stuck, where one wrote anything."""
        begun = [(one.seed, one.written) for one in self.stuck if one.written is not None]
        if not begun:
            return None
        seed, longest = max(begun, key=lambda one: one[1].steps)
        return replace(longest, title=f"Chorale {seed}, unfinished")

    def candidate(self, number: int) -> Candidate | None:
        """The one of this number, where there is one."""
        return next((one for one in self.found if one.number == number), None)

    def start(self, wish: Wish, device: str) -> None:
        """Write these versions, as soon as the job before has ended."""
        self.forget()
        self._wish = (wish, device)
        if self._worker.busy:
            self._worker.stop()
        else:
            self._go_on()

    def stop(self) -> None:
        """Write no more; what is there stays."""
        self._wish = None
        self._worker.stop()

    def forget(self) -> None:
        """Write no more, and drop what is there."""
        self.stop()
        self.found, self.stuck = [], []

    def shut_down(self) -> bool:
        """End what runs and wait for that; whether it has ended."""
        self._wish = None
        return self._worker.shut_down()

    # ------------------------------------------------------------------ what the job tells

    @Slot(object)
    def _happened(self, events: tuple[object, ...]) -> None:
        from musicrel.generation.candidates.candidate_job import Candidate, Stuck
        from musicrel.generation.causal.batch import (
            Progress,  # with torch, which the job has loaded
        )
        from musicrel.generation.infill.infill_generator import Settling

        if self._running is not self._wish:
            return
        before = len(self.found)
        for event in events:
            match event:
                case Progress():
                    self.progressed.emit(event.done / max(event.total, 1), event.notice)
                case Candidate():
                    self.found.append(event)
                case Stuck():
                    self.stuck.append(event)
        passes = [event for event in events if isinstance(event, Settling)]
        if passes and not self.made:
            self.settled.emit(passes[-1])
        if len(self.found) > before:
            self.grew.emit()

    @Slot(object)
    def _finished(self, made: Proposals) -> None:
        if self._ends_wish():
            self.finished.emit(made)

    @Slot(str)
    def _failed(self, sentence: str) -> None:
        if self._ends_wish():
            self.failed.emit(sentence)

    def _ends_wish(self) -> bool:
        """Whether the job that ended was wished for; if not, begin the one that is."""
        wished = self._running is self._wish
        if wished:
            self._wish = self._running = None
        else:
            self._go_on()
        return wished

    @Slot()
    def _go_on(self) -> None:
        """Begin what is wanted by now, if anything."""
        self._running = self._wish
        if self._wish is not None:
            wish, device = self._wish
            self._worker.start(self._propose(wish.form.model, device, wish))
