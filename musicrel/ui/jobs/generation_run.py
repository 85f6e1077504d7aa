"""One piece being written, and what has come of it.

This file knows jobs and pieces; it knows nothing of windows.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Signal, Slot

from musicrel.chorale import Chorale, Provenance
from musicrel.generation.events import Generated, GenerationStep, Trying
from musicrel.generation.request import GenerationRequest
from musicrel.jobs import Job
from musicrel.presentation.compose.composition import Composition
from musicrel.presentation.compose.form import Form
from musicrel.ui.jobs.generation_service import ComposeEvent, Loaded, Loading
from musicrel.ui.jobs.worker import Worker

Compose = Callable[[str, str, GenerationRequest], Job[ComposeEvent, Generated]]


class Writing(QObject):
    """Runs one compose job after another and keeps the piece, also an unfinished one.

    A job that ends before its first step leaves nothing: ``piece`` is None then.

    Signals:
        prepared: a Loading or Loaded event.
        wrote: the tuple of steps that were written since the last time.
        grew: the composition has more notes.
        tried: ways to the end of a phrase are being written.
        finished: the Generated piece.
        stopped: the user ended it; what was written is kept.
        failed: why it ended, one sentence; what was written is kept.
    """

    prepared = Signal(object)
    wrote = Signal(object)
    grew = Signal()
    tried = Signal()
    finished = Signal(object)
    stopped = Signal()
    failed = Signal(str)

    def __init__(self, compose: Compose, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._compose = compose
        self._worker = Worker(self)
        self._loaded: Loaded | None = None
        self._began: float | None = None
        self.form: Form | None = None
        """What was asked for last."""
        self.composition: Composition | None = None
        """What is being written, or was last."""
        self.piece: Chorale | None = None
        """What came of it; None while it is being written."""
        self._worker.happened.connect(self._happened)
        self._worker.finished.connect(self._finished)
        self._worker.cancelled.connect(self._cancelled)
        self._worker.failed.connect(self._failed)

    @property
    def busy(self) -> bool:
        """Whether a piece is being written."""
        return self._worker.busy

    @property
    def complete(self) -> bool:
        """Whether the last piece was written to its end."""
        composition = self.composition
        if self.busy or self.piece is None:
            return False
        return composition is None or composition.share == 1

    @property
    def seconds(self) -> float:
        """Since the first note."""
        return 0.0 if self._began is None else time.monotonic() - self._began

    def start(self, form: Form, device: str) -> None:
        """Write what ``form`` says.

        Raises:
            UsageError: the form says nothing that can be written.
        """
        request = form.request()
        self.form, self.piece, self._began = form, None, None
        self.composition = Composition(request.plan())
        self._worker.start(self._compose(form.model, device, request))

    def take(self, piece: Chorale, form: Form | None) -> None:
        """Keep a piece that is not from here, as if it had been written after ``form``."""
        self.piece, self.form, self.composition, self._began = piece, form, None, None

    def clear(self) -> None:
        """Keep no piece."""
        self.piece = self.form = self.composition = self._began = None

    def stop(self) -> None:
        """End the writing after the next note."""
        self._worker.stop()

    def shut_down(self) -> bool:
        """End the writing and wait for that; whether it has ended."""
        return self._worker.shut_down()

    @Slot(object)
    def _happened(self, events: tuple[object, ...]) -> None:
        composition = self.composition
        before = composition.tokens if composition else 0
        for event in events:
            match event:
                case GenerationStep() if composition is not None:
                    composition.add(event)
                case Loading():
                    self.prepared.emit(event)
                case Loaded():
                    self._loaded = event
                    self.prepared.emit(event)
        if composition is not None and composition.tokens > before:
            self._began = self._began or time.monotonic()
            self.wrote.emit(tuple(e for e in events if isinstance(e, GenerationStep)))
            self.grew.emit()
        if isinstance(events[-1], Trying):
            self.tried.emit()

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
        """Make a piece of what was written before the end, if that is a step at least."""
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
