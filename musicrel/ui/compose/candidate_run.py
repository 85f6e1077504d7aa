"""The generation of candidates: its job, its progress and its results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot

from musicrel.chorale import Chorale
from musicrel.generation.twin.lockstep import SideEnd, SideEvent
from musicrel.jobs import Job
from musicrel.presentation.compose.form import RequestBuilder
from musicrel.ui.jobs.generation_service import Loaded, LoadEvent
from musicrel.ui.jobs.latest_job import LatestJob, MakeJob
from musicrel.ui.jobs.worker import Worker

if TYPE_CHECKING:
    from musicrel.generation.candidates.candidate_job import Candidate, CandidateSet, Stuck

GenerateCandidates = Callable[[str, str, RequestBuilder], Job[Any, "CandidateSet"]]
"""Factory of the job, from model, device and request builder."""
_UNFINISHED: Final = "Chorale {seed}, unfinished"


class CandidateRun(QObject):
    """A runner of one job at a time that keeps the candidates of the last one."""

    loaded = Signal(object)  # the model is ready; its ``Loaded``
    # the ``InfillProgress`` of the candidates, until the first is complete
    infill_progressed = Signal(object)
    progressed = Signal(float, str)  # share that is written, 0 to 1, and a notice, usually ""
    candidates_changed = Signal()
    # a tuple of the events of model B, where two models write in lockstep
    other_received = Signal(object)
    finished = Signal(object)
    failed = Signal(str)  # the job failed; the error message

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._job = LatestJob(self)
        self.candidates: list[Candidate] = []
        """The original, if any, and the different candidates so far, in order of arrival."""
        self.repeated = 0
        """The number of candidates with the notes of one before; they are not kept."""
        self.stuck: list[Stuck] = []
        """The candidates that were not completed."""
        self._job.events_received.connect(self._handle)
        self._job.finished.connect(self.finished)
        self._job.failed.connect(self.failed)

    @property
    def busy(self) -> bool:
        """Return True while the last request is not finished, failed or stopped."""
        return self._job.busy

    @property
    def idle(self) -> bool:
        """Return True while no job runs."""
        return self._job.idle

    @property
    def candidate_count(self) -> int:
        """Return the number of different candidates, without the original."""
        return sum(one.seed is not None for one in self.candidates)

    @property
    def longest_unfinished(self) -> Chorale | None:
        """Return the longest candidate that was not completed; None without any note."""
        unfinished = [(one.seed, one.written) for one in self.stuck if one.written is not None]
        if not unfinished:
            return None
        seed, longest = max(unfinished, key=lambda one: one[1].steps)
        return replace(longest, title=_UNFINISHED.format(seed=seed))

    def candidate(self, number: int) -> Candidate | None:
        """Return the candidate with this number; None without one."""
        return next((one for one in self.candidates if one.number == number), None)

    def start(self, make_job: MakeJob) -> None:
        """Generate candidates as soon as the job before has ended."""
        self.clear()
        self._job.request(make_job)

    def stop(self) -> None:
        """Stop the job and keep the candidates so far."""
        self._job.cancel()

    def clear(self) -> None:
        """Stop the job and remove the candidates."""
        self.stop()
        self.candidates, self.stuck, self.repeated = [], [], 0

    def shut_down(self) -> tuple[Worker, ...]:
        """Request the end of the job; return the workers to wait for."""
        return self._job.shut_down()

    # ------------------------------------------------------------------ events of the job

    @Slot(object)
    def _handle(self, events: tuple[object, ...]) -> None:
        for event in events:
            if isinstance(event, Loaded):
                self.loaded.emit(event)
        others = tuple(event for event in events if isinstance(event, SideEvent | SideEnd))
        written = tuple(
            event
            for event in events
            if not isinstance(event, LoadEvent) and not isinstance(event, SideEvent | SideEnd)
        )
        if written:
            self._handle_written(written)
        if others:
            self.other_received.emit(others)

    def _handle_written(self, events: tuple[object, ...]) -> None:
        """Handle events of notes, whose modules the job has imported by now."""
        from musicrel.generation.candidates.candidate_job import Candidate, Stuck
        from musicrel.generation.causal.batch import Progress
        from musicrel.generation.infill.infill_generator import InfillProgress

        before = len(self.candidates)
        for event in events:
            match event:
                case Progress():
                    self.progressed.emit(event.done / max(event.total, 1), event.notice)
                case Candidate():
                    self._add(event)
                case Stuck():
                    self.stuck.append(event)
        passes = [event for event in events if isinstance(event, InfillProgress)]
        if passes and not self.candidate_count:
            self.infill_progressed.emit(passes[-1])
        if len(self.candidates) > before:
            self.candidates_changed.emit()

    def _add(self, candidate: Candidate) -> None:
        """Keep a candidate unless it has the notes of one before."""
        notes = candidate.chorale
        if any(one.seed is not None and _same_notes(one.chorale, notes) for one in self.candidates):
            self.repeated += 1
        else:
            self.candidates.append(candidate)


def _same_notes(one: Chorale, other: Chorale) -> bool:
    return np.array_equal(one.pitches, other.pitches) and np.array_equal(one.onsets, other.onsets)
