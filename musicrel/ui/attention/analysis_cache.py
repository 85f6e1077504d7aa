"""Analyses of the current piece by the chosen model, computed in a worker thread and cached.

While a model generates, its analysis grows with the piece. Any other piece, or the same piece with
another model, is analysed by a job; the latest request wins.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Final, NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from musicrel.chorale import Chorale, Voice
from musicrel.generation.events import GenerationStep
from musicrel.jobs import Job
from musicrel.presentation.attention.piece_analysis import PieceAnalysis
from musicrel.ui.jobs.generation_service import AnalysisEvent, AnalysisProgress
from musicrel.ui.jobs.latest_job import LatestJob
from musicrel.ui.jobs.worker import Worker

Analyse = Callable[[str, str, Chorale], Job[AnalysisEvent, PieceAnalysis]]
"""Factory of analysis jobs: model, device, piece."""
_MAX_KEPT: Final = 2
SLICE: Final = 0.008
"""Seconds of the main thread that steps may take at once: a search writes many at a time."""


class AnalysisRequest(NamedTuple):
    """A piece to be analysed, the model, and the device as ``--device`` takes it."""

    model: str
    device: str
    piece: Chorale


class AnalysisCache(QObject):
    """A cache of the latest analyses; it and its signals live in the main thread.

    Signals:
        changed: the current analysis was replaced or has grown.
        progressed: the analysed share of the piece, 0 to 1.
        failed: the reason as one sentence.
    """

    changed = Signal()
    progressed = Signal(float)
    failed = Signal(str)

    def __init__(self, analyse: Analyse, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._analyse = analyse
        self._job = LatestJob(self)
        self._kept: list[PieceAnalysis] = []
        self._requested: AnalysisRequest | None = None
        self._plan: tuple[Chorale, str] | None = None
        self._waiting: deque[GenerationStep] = deque()
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._add_some)
        self.current: PieceAnalysis | None = None
        """The analysis of the current piece; None while it is computed or if none is requested."""
        self._job.events_received.connect(self._on_events)
        self._job.finished.connect(self._on_finished)
        self._job.failed.connect(self._on_failed)

    @property
    def busy(self) -> bool:
        """Return whether a piece is being analysed, even if its analysis is no longer needed."""
        return not self._job.idle

    def begin(self, plan: Chorale, model: str) -> None:
        """Start an analysis that grows while ``model`` generates.

        Args:
            plan: the piece before any note is generated.
            model: its name.
        """
        self._show(None)
        self._plan = plan, model

    def add(self, steps: tuple[GenerationStep, ...], sheet: Chorale) -> None:
        """Append generated steps, a few at a time if there are many.

        Args:
            steps: the new ones.
            sheet: the piece so far.
        """
        if self._plan is None:
            return
        if self.current is None:
            first = steps[0].attention
            shape = (0, 0) if first is None else first.shape[:2]
            self.current = PieceAnalysis(*self._plan, *shape, wrote=True)
        self.current.chorale = sheet
        self._waiting.extend(steps)
        self._add_some()

    @Slot()
    def _add_some(self) -> None:
        """Append waiting steps, for the time of a slice; the rest after other events."""
        self._append_waiting(until=time.monotonic() + SLICE)
        if self._waiting:
            self._timer.start()
        else:
            self.changed.emit()

    def _append_waiting(self, until: float = float("inf")) -> None:
        while self._waiting and self.current is not None:
            step = self._waiting.popleft()
            self.current.add(step.attention, -step.log_probability)
            if time.monotonic() >= until:
                return

    def end(self, piece: Chorale | None) -> None:
        """Set the current piece: the one just generated, or another."""
        self._append_waiting()
        generated = self.current if self._plan is not None else None
        self._plan = None
        if generated is None or piece is None or generated.cells < piece.steps * len(Voice):
            generated = None  # the piece before is shown again
        else:
            generated.finish(piece)
        self._kept = [generated] if generated is not None else []
        self._show(generated)

    def request(self, request: AnalysisRequest) -> None:
        """Show the cached analysis or compute it; ignored while a piece is being generated."""
        if self._plan is not None or request == self._requested:
            return
        for known in self._kept:
            if known.chorale is request.piece and known.model == request.model:
                self._show(known)
                return
        self._show(None)
        self._requested = request
        self._job.request(lambda: self._analyse(*request))

    def shut_down(self) -> tuple[Worker, ...]:
        """Stop the job; return the workers to wait for."""
        return self._job.shut_down()

    # ------------------------------------------------------------------ inside

    def _show(self, analysis: PieceAnalysis | None) -> None:
        """Replace the current analysis; a requested one is no longer needed."""
        self._requested = None
        self._job.cancel()
        self._waiting.clear()
        self.current = analysis
        self.changed.emit()

    @Slot(object)
    def _on_events(self, events: tuple[AnalysisEvent, ...]) -> None:
        last = events[-1]
        if isinstance(last, AnalysisProgress):
            self.progressed.emit(last.share)

    @Slot(object)
    def _on_finished(self, analysis: PieceAnalysis) -> None:
        self._kept = [*self._kept, analysis][-_MAX_KEPT:]
        self._show(analysis)

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        self._requested = None
        self.failed.emit(sentence)
        self.changed.emit()
