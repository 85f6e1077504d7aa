"""Analyses of the current piece by one or two models, computed in worker threads and cached.

While a model generates, its analysis grows with the piece. Any other piece, or the same piece with
another model, is analysed by a job; each model has a slot, whose latest request wins.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

from PySide6.QtCore import QObject, Signal, Slot

from musicrel.chorale import Chorale, Voice
from musicrel.generation.events import GenerationStep
from musicrel.interpretability.piece_analysis import AnalysisProgress, PieceAnalysis
from musicrel.jobs import Job
from musicrel.ui.jobs.generation_service import AnalysisEvent
from musicrel.ui.jobs.turn import Turn
from musicrel.ui.jobs.worker import LatestJob

Analyse = Callable[[str, str, Chorale], Job[AnalysisEvent, PieceAnalysis]]
"""Factory of analysis jobs: model, device, piece."""
SLOTS: Final = 2  # models that are shown at once: A and B
_MAX_KEPT: Final = 2
SLICE: Final = 0.008
"""Seconds of the main thread that steps may take at once: a search writes many at a time."""


class AnalysisRequest(NamedTuple):
    model: str
    device: str
    piece: Chorale


class AnalysisCache(QObject):
    changed = Signal()  # the current analysis was replaced or has grown
    # the name of a model, and the share of the piece that it has analysed, 0 to 1
    progressed = Signal(str, float)
    failed = Signal(str)  # the reason as one sentence

    def __init__(self, analyse: Analyse, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._analyse = analyse
        self._jobs = tuple(LatestJob(self) for _ in range(SLOTS))
        self._kept: list[PieceAnalysis] = []
        self._requested: list[AnalysisRequest | None] = [None] * SLOTS
        self._shown: list[PieceAnalysis | None] = [None] * SLOTS
        self._plan: tuple[Chorale, str] | None = None
        self._waiting: deque[GenerationStep] = deque()
        self._ended: Chorale | None = None  # the generated piece, until all steps are added
        self._asked: tuple[AnalysisRequest, ...] = ()  # what was requested meanwhile
        self._turn = Turn(self)
        self._turn.due.connect(self._go_on)
        for slot, job in enumerate(self._jobs):
            job.events_received.connect(partial(self._on_events, slot))
            job.finished.connect(partial(self._on_finished, slot))
            job.failed.connect(partial(self._on_failed, slot))

    @property
    def current(self) -> PieceAnalysis | None:
        return self._shown[0]

    @property
    def second(self) -> PieceAnalysis | None:
        return self._shown[1]

    @property
    def busy(self) -> bool:
        return not all(job.idle for job in self._jobs)

    def begin(self, plan: Chorale, model: str) -> None:
        self._ended = None
        self._clear()
        self._plan = plan, model

    def add(self, steps: tuple[GenerationStep, ...], sheet: Chorale) -> None:
        if self._plan is None:
            return
        if self.current is None:
            first = steps[0].attention
            shape = (0, 0) if first is None else first.shape[:2]
            self._shown[0] = PieceAnalysis(*self._plan, *shape, wrote=True)
        growing = self._shown[0]
        if growing is not None:
            growing.chorale = sheet
        self._waiting.extend(steps)
        self._add_some()

    @Slot()
    def _add_some(self) -> None:
        until = time.monotonic() + SLICE
        while self._waiting and self.current is not None:
            step = self._waiting.popleft()
            self.current.add(step.attention, -step.log_probability)
            if time.monotonic() >= until:
                break
        self._turn.start()

    @Slot()
    def _go_on(self) -> None:
        if self._waiting:
            self._add_some()
        elif self._ended is not None:
            self._finish(self._ended)
        else:
            self.changed.emit()

    def end(self, piece: Chorale | None, *, keep: bool = True) -> None:
        """Set the current piece; without ``keep`` the model of a generated one has to read it.

        The last steps of a generated piece are added between other events; requests wait for them.
        """
        is_generated = self._plan is not None and self._ended is None and keep
        self._ended, self._asked = piece if is_generated else None, ()
        if self._ended is None or not self._waiting:
            self._finish(self._ended)

    def _finish(self, piece: Chorale | None) -> None:
        """Keep the analysis of a generated piece; None: the piece before is shown again."""
        generated, asked = self.current, self._asked
        self._plan, self._ended, self._asked = None, None, ()
        if generated is None or piece is None or generated.cells < piece.steps * len(Voice):
            generated = None
        else:
            generated.finish(piece)
        self._kept = [generated] if generated is not None else []
        self._clear(generated)
        if asked:
            self.request(*asked)

    def request(self, *requests: AnalysisRequest) -> None:
        """Show the cached analyses of one or two models, or compute them.

        A model whose request is the one before goes on; without a second request slot B is empty.
        While a piece is being generated requests are ignored.
        """
        if self._plan is not None:
            self._asked = requests if self._ended is not None else ()
            return
        wanted = [*requests, *[None] * SLOTS][:SLOTS]
        for slot, request in enumerate(wanted):
            if request != self._requested[slot]:
                self._begin(slot, request)
        self.changed.emit()

    def shut_down(self) -> None:
        self._turn.stop()
        self._waiting.clear()
        self._plan = self._ended = None

    # ------------------------------------------------------------------ inside

    def _begin(self, slot: int, request: AnalysisRequest | None) -> None:
        self._jobs[slot].cancel()
        self._requested[slot] = request
        known = (
            None
            if request is None
            else next(
                (
                    one
                    for one in self._kept
                    if one.chorale is request.piece and one.model == request.model
                ),
                None,
            )
        )
        self._shown[slot] = known
        if request is not None and known is None:
            self._jobs[slot].request(lambda: self._analyse(*request))

    def _clear(self, analysis: PieceAnalysis | None = None) -> None:
        self._waiting.clear()
        self._requested = [None] * SLOTS
        for job in self._jobs:
            job.cancel()
        self._shown = [analysis, *[None] * (SLOTS - 1)]
        self.changed.emit()

    def _on_events(self, slot: int, events: tuple[AnalysisEvent, ...]) -> None:
        last = events[-1]
        if not isinstance(last, AnalysisProgress):
            return
        request = self._requested[slot]
        if request is not None:
            self.progressed.emit(request.model, last.share)
        if last.analysis is not None:
            self._shown[slot] = last.analysis
            self.changed.emit()

    def _on_finished(self, slot: int, analysis: PieceAnalysis) -> None:
        self._shown[slot] = analysis
        others = [known for known in self._kept if known not in self._shown]
        used = [one for one in self._shown if one is not None and one.is_complete]
        self._kept = [*used, *reversed(others)][:_MAX_KEPT]
        self.progressed.emit(analysis.model, 1.0)
        self.changed.emit()

    def _on_failed(self, slot: int, sentence: str) -> None:
        self._requested[slot] = None
        self.failed.emit(sentence)
        self.changed.emit()
