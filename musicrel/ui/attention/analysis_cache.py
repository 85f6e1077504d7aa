"""Analyses of the current piece by the chosen model, computed in a worker thread and cached.

While a model generates, its analysis grows with the piece. Any other piece, or the same piece with
another model, is analysed by a job; the latest request wins.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from PySide6.QtCore import QObject, Signal, Slot

from musicrel.chorale import Chorale
from musicrel.generation.events import GenerationStep
from musicrel.jobs import Job
from musicrel.presentation.attention.piece_analysis import PieceAnalysis
from musicrel.ui.jobs.generation_service import AnalysisEvent, AnalysisProgress
from musicrel.ui.jobs.worker import Worker, end_jobs

Analyse = Callable[[str, str, Chorale], Job[AnalysisEvent, PieceAnalysis]]
"""Factory of analysis jobs: model, device, piece."""
_MAX_KEPT: Final = 2


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
        self._worker = Worker(self)
        self._kept: list[PieceAnalysis] = []
        self._requested: AnalysisRequest | None = None
        self._running: AnalysisRequest | None = None
        self._plan: tuple[Chorale, str] | None = None
        self.current: PieceAnalysis | None = None
        """The analysis of the current piece; None while it is computed or if none is requested."""
        self._worker.events_received.connect(self._on_analysis_events)
        self._worker.finished.connect(self._finished)
        self._worker.failed.connect(self._failed)
        self._worker.cancelled.connect(self._start_next)

    @property
    def busy(self) -> bool:
        """Return whether a piece is being analysed."""
        return self._running is not None

    def begin(self, plan: Chorale, model: str) -> None:
        """Start an analysis that grows while ``model`` generates.

        Args:
            plan: the piece before any note is generated.
            model: its name.
        """
        self._drop()
        self._kept.clear()
        self._plan, self.current = (plan, model), None
        self.changed.emit()

    def add(self, steps: tuple[GenerationStep, ...], sheet: Chorale) -> None:
        """Append generated steps.

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
        for step in steps:
            self.current.add(step.attention, -step.log_probability)
        self.changed.emit()

    def end(self, piece: Chorale | None) -> None:
        """Set the current piece: the one just generated, or another."""
        written, self._plan = self._plan is not None, None
        if written and self.current is not None and piece is not None:
            self.current.finish(piece)
            self._kept = [self.current]
        else:
            self._drop()
            self._kept.clear()
            self.current = None
        self.changed.emit()

    def request(self, request: AnalysisRequest) -> None:
        """Show the cached analysis or compute it; ignored while a piece is being generated."""
        if self._plan is not None:
            return
        for known in self._kept:
            if known.chorale is request.piece and known.model == request.model:
                self._drop()
                self._show(known)
                return
        if request == self._requested:
            return
        self.current, self._requested = None, request
        if self._worker.busy:
            self._worker.stop()
        else:
            self._start_next()
        self.changed.emit()

    def shut_down(self) -> tuple[Worker, ...]:
        """Stop the job; return the workers to wait for."""
        self._drop()
        return end_jobs(self._worker)

    # ------------------------------------------------------------------ inside

    def _show(self, analysis: PieceAnalysis) -> None:
        if analysis is not self.current:
            self.current = analysis
            self.changed.emit()

    def _drop(self) -> None:
        """Cancel the request."""
        self._requested = None
        self._worker.stop()

    @Slot(object)
    def _on_analysis_events(self, events: tuple[AnalysisEvent, ...]) -> None:
        last = events[-1]
        if isinstance(last, AnalysisProgress) and self._running is self._requested:
            self.progressed.emit(last.share)

    @Slot(object)
    def _finished(self, analysis: PieceAnalysis) -> None:
        ended, self._running = self._running, None
        if ended is not None and ended is self._requested:
            self._requested = None
            self._kept = [*self._kept, analysis][-_MAX_KEPT:]
            self._show(analysis)
        else:
            self._start_next()

    @Slot(str)
    def _failed(self, sentence: str) -> None:
        ended, self._running = self._running, None
        if ended is not None and ended is self._requested:
            self._requested = None
            self.failed.emit(sentence)
            self.changed.emit()
        else:
            self._start_next()

    @Slot()
    def _start_next(self) -> None:
        """Start the job of the current request, if any."""
        self._running = self._requested
        if self._requested is not None:
            self._worker.start(self._analyse(*self._requested))
