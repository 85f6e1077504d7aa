"""The generation of one piece: its job, its progress and its result."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Signal, Slot

from musicrel.chorale import Chorale, Provenance
from musicrel.generation.events import Generated, GenerationStep, PhraseEndTrial
from musicrel.generation.request import GenerationRequest
from musicrel.jobs import Job
from musicrel.presentation.compose.composition import Composition
from musicrel.presentation.compose.form import Form
from musicrel.ui.jobs.generation_service import ComposeEvent, Loaded, Loading
from musicrel.ui.jobs.worker import Worker, end_jobs

Compose = Callable[[str, str, GenerationRequest], Job[ComposeEvent, Generated]]


class GenerationRun(QObject):
    """A runner of one compose job at a time that keeps the piece, also an unfinished one.

    If a job ends before its first step, ``piece`` is None.

    Signals:
        load_progressed: a ``Loading`` or ``Loaded`` event.
        steps_generated: a tuple of the steps since the last emission.
        composition_changed: the composition has more notes.
        phrase_end_tried: samples of a phrase ending are being written.
        finished: the ``Generated`` piece.
        stopped: the user stopped the job; the unfinished piece is kept.
        failed: the job failed; the error message. The unfinished piece is kept.
    """

    load_progressed = Signal(object)
    steps_generated = Signal(object)
    composition_changed = Signal()
    phrase_end_tried = Signal()
    finished = Signal(object)
    stopped = Signal()
    failed = Signal(str)

    def __init__(self, compose: Compose, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._compose = compose
        self._worker = Worker(self)
        self._loaded: Loaded | None = None
        self._started: float | None = None
        self.form: Form | None = None
        """The form of the last request."""
        self.composition: Composition | None = None
        """The notes so far of the current or the last job."""
        self.piece: Chorale | None = None
        """The result; None while the job runs."""
        self._worker.events_received.connect(self._handle)
        self._worker.finished.connect(self._finished)
        self._worker.cancelled.connect(self._cancelled)
        self._worker.failed.connect(self._failed)

    @property
    def busy(self) -> bool:
        """Return True while a piece is written."""
        return self._worker.busy

    @property
    def complete(self) -> bool:
        """Return True if the last piece is finished."""
        composition = self.composition
        if self.busy or self.piece is None:
            return False
        return composition is None or composition.share == 1

    @property
    def seconds(self) -> float:
        """Return the time since the first note in seconds."""
        return 0.0 if self._started is None else time.monotonic() - self._started

    def start(self, form: Form, device: str) -> None:
        """Start a job for the request of ``form``.

        Raises:
            UsageError: the form makes no valid request.
        """
        request = form.request()
        self.form, self.piece, self._started = form, None, None
        self.composition = Composition(request.plan())
        self._worker.start(self._compose(form.model, device, request))

    def set_piece(self, piece: Chorale, form: Form | None) -> None:
        """Keep a piece from elsewhere as if it had been generated from ``form``."""
        self.piece, self.form, self.composition, self._started = piece, form, None, None

    def clear(self) -> None:
        """Remove the piece and its form."""
        self.piece = self.form = self.composition = self._started = None

    def stop(self) -> None:
        """Request the end of the job after the next note."""
        self._worker.stop()

    def shut_down(self) -> tuple[Worker, ...]:
        """Request the end of the job; return the workers to wait for."""
        return end_jobs(self._worker)

    @Slot(object)
    def _handle(self, events: tuple[object, ...]) -> None:
        composition = self.composition
        before = composition.tokens if composition else 0
        for event in events:
            match event:
                case GenerationStep() if composition is not None:
                    composition.add(event)
                case Loading():
                    self.load_progressed.emit(event)
                case Loaded():
                    self._loaded = event
                    self.load_progressed.emit(event)
        if composition is not None and composition.tokens > before:
            self._started = self._started or time.monotonic()
            self.steps_generated.emit(
                tuple(event for event in events if isinstance(event, GenerationStep))
            )
            self.composition_changed.emit()
        if isinstance(events[-1], PhraseEndTrial):
            self.phrase_end_tried.emit()

    @Slot(object)
    def _finished(self, generated: Generated) -> None:
        self.piece = generated.chorale
        self.finished.emit(generated)

    @Slot()
    def _cancelled(self) -> None:
        self._keep_unfinished()
        self.stopped.emit()

    @Slot(str)
    def _failed(self, sentence: str) -> None:
        self._keep_unfinished()
        self.failed.emit(sentence)

    def _keep_unfinished(self) -> None:
        """Make a piece of the notes so far, if there is at least one step."""
        if self.composition is None or self.form is None:
            return
        so_far = self.composition.so_far()
        if so_far is not None:
            title = f"Chorale {self.form.seed}, unfinished"
            self.piece = replace(
                so_far, title=title, provenance=self._provenance(self.form, so_far)
            )

    def _provenance(self, form: Form, so_far: Chorale) -> Provenance | None:
        if self._loaded is None:
            return None
        return Provenance(
            model=self._loaded.model,
            sha256=self._loaded.sha256,
            seed=form.seed,
            settings=form.request().to_json() | {"written_steps": so_far.steps},
            machine=self._loaded.machine,
        )
