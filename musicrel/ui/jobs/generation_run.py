"""The generation of one piece: its job, its progress and its result."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from musicrel.chorale import Chorale, Provenance
from musicrel.generation.events import (
    Generated,
    GenerationStep,
    MeansProgress,
    PhraseEndTrial,
    SearchState,
)
from musicrel.generation.request import GenerationRequest
from musicrel.generation.twin.lockstep import SideEnd, SideEvent
from musicrel.jobs import Job
from musicrel.presentation.compose.composition import Composition
from musicrel.presentation.compose.form import Form
from musicrel.ui.jobs.generation_service import ComposeEvent, Loaded, LoadEvent
from musicrel.ui.jobs.worker import Worker, end_jobs

Compose = Callable[[str, str, GenerationRequest], Job[ComposeEvent, Generated]]
"""Factory of the job, from model, device and request."""
_TITLE: Final = "Chorale {seed}"
_UNFINISHED: Final = "Chorale {seed}, unfinished"


class GenerationRun(QObject):
    """A runner of one compose job at a time.

    Attributes:
        composition: the notes so far of the current or the last job.
    """

    load_progressed = Signal(object)
    steps_generated = Signal(object)  # a tuple of the steps since the last emission
    # notes are being searched; the last ``SearchState`` of the search, or a ``PhraseEndTrial``
    # before the first one
    searched = Signal(object)
    prepared = Signal(object)  # progress of the means that replace muted heads, a ``MeansProgress``
    # a tuple of the events of model B, where two models write in lockstep
    other_received = Signal(object)
    finished = Signal(object)
    stopped = Signal()  # the user stopped the job
    failed = Signal(str)  # the job failed; the error message

    def __init__(self, compose: Compose, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._compose, self._worker = compose, Worker(self)
        self._loaded: Loaded | None = None
        self._started: float | None = None
        self._search: PhraseEndTrial | None = None
        self.form = Form()
        self.composition: Composition | None = None
        self._worker.events_received.connect(self._handle)
        self._worker.finished.connect(self.finished)
        self._worker.cancelled.connect(self.stopped)
        self._worker.failed.connect(self.failed)

    @property
    def busy(self) -> bool:
        """Return True while a piece is written."""
        return self._worker.busy

    @property
    def seconds(self) -> float:
        """Return the time since the first note in seconds."""
        return 0.0 if self._started is None else time.monotonic() - self._started

    def start(self, form: Form, device: str) -> None:
        """Start a job for the request of ``form``."""
        request = form.request()
        self.form, self._started = form, None
        self.composition = Composition(replace(request.plan(), title=_TITLE.format(seed=form.seed)))
        self._worker.start(self._compose(form.model, device, request))

    def stop(self) -> None:
        """Request the end of the job after the next note."""
        self._worker.stop()

    def shut_down(self) -> tuple[Worker, ...]:
        """Request the end of the job; return the workers to wait for."""
        return end_jobs(self._worker)

    def unfinished_piece(self) -> Chorale | None:
        """Return the notes so far as a piece; None before the first step."""
        so_far = self.composition.so_far() if self.composition is not None else None
        if so_far is None:
            return None
        title = _UNFINISHED.format(seed=self.form.seed)
        return replace(so_far, title=title, provenance=self._provenance(so_far.steps))

    def _provenance(self, steps: int) -> Provenance | None:
        if self._loaded is None:
            return None
        return Provenance(
            model=self._loaded.model,
            sha256=self._loaded.sha256,
            seed=self.form.seed,
            settings=self.form.request().to_json() | {"written_steps": steps},
            machine=self._loaded.machine,
        )

    @Slot(object)
    def _handle(self, events: tuple[object, ...]) -> None:
        others = tuple(event for event in events if isinstance(event, SideEvent | SideEnd))
        own = tuple(event for event in events if not isinstance(event, SideEvent | SideEnd))
        if own:
            self._handle_own(own)
        if others:
            self.other_received.emit(others)

    def _handle_own(self, events: tuple[object, ...]) -> None:
        steps = tuple(event for event in events if isinstance(event, GenerationStep))
        for event in events:
            if isinstance(event, LoadEvent):
                self._loaded = event if isinstance(event, Loaded) else self._loaded
                self.load_progressed.emit(event)
        if steps and self.composition is not None:
            self._started = self._started or time.monotonic()
            for step in steps:
                self.composition.add(step)
            self.steps_generated.emit(steps)
            self._search = None
        if isinstance(events[-1], MeansProgress):
            self.prepared.emit(events[-1])
        if isinstance(events[-1], PhraseEndTrial):
            states = [event for event in events if isinstance(event, SearchState)]
            self._search = states[-1] if states else self._search or events[-1]
            self.searched.emit(self._search)
