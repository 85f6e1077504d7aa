"""The sheet of model B, which gets the request of A, and the sound of both pieces.

It belongs to the window: projects do not keep it. Taken as the current piece it becomes a take.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from musicrel.chorale import Chorale
from musicrel.generation.events import Generated, GenerationStep
from musicrel.presentation.compose.composition import Composition, padded_piece
from musicrel.presentation.compose.form import Task
from musicrel.presentation.two_models import Side
from musicrel.project.contents import Contents
from musicrel.ui.controllers.playback_controller import PlaybackController
from musicrel.ui.document.document import Document, Sketch
from musicrel.ui.jobs.generation_service import ModelCache
from musicrel.ui.jobs.worker import LatestJob
from musicrel.ui.shell.main_window import Services

if TYPE_CHECKING:
    from musicrel.generation.candidates.candidate_job import CandidateSet

_BY: Final = "{title}, {model}"
_UNFINISHED: Final = "{title}, {model}, unfinished"


class SecondSheet(QObject):
    """The document of B, and the job that writes it.

    Attributes:
        model: name of the model that wrote its piece or writes it; "": none.
    """

    changed = Signal()
    failed = Signal(str)  # B could not write; the reason

    def __init__(self, models: ModelCache, parent: QObject) -> None:
        super().__init__(parent)
        self._models, self.job = models, LatestJob(self)
        self.document = Document(self)
        self.model = self._model_before = ""
        self._task: Task | None = None
        self._composition: Composition | None = None
        self._candidates: dict[int, Chorale] = {}
        self._chosen = 0
        self._is_accepted = False
        for signal, slot in (
            (self.document.screen_changed, self.changed),
            (self.document.sketched, self.changed),
            (self.job.events_received, self._on_events),
            (self.job.finished, self._on_finished),
            (self.job.failed, self._on_failed),
            (self.job.stopped, self._end_piece),
        ):
            signal.connect(slot)

    @property
    def piece(self) -> Chorale | None:
        return self.document.shown

    @property
    def sketch(self) -> Sketch | None:
        return self.document.sketch

    @property
    def lists(self) -> bool:
        """Return True if candidates are expected or chosen."""
        return self._task is not None and not self._task.is_live

    # ------------------------------------------------------------------ changing

    def start(self, task: Task, model: str, device: str) -> None:
        task = task.by(model)
        if task.is_live:
            self.clear()
        elif self.document.generating:  # A was ready before
            self._end_piece()
        if not self.lists:
            self._model_before = self.model
        self.model, self._task = model, task
        self._candidates, self._chosen, self._is_accepted = {}, 0, False
        if task.is_live:
            self._composition = Composition(task.plan())
            self.document.begin_generation()
            self._draw_composition(self._composition)
        else:
            self._composition = None
            self.document.preview(None)
            if task.piece is None:
                self.document.set_aside()
        self.job.request(partial(self._models.write, task, device))
        self.changed.emit()

    def choose(self, number: int) -> None:
        """Show a candidate, as soon as it is there; until then the first one."""
        self._chosen = number or self._chosen
        self._show_candidate()

    def accept(self) -> None:
        """Keep the chosen candidate, as soon as it is there."""
        self._is_accepted = True
        if not self.job.busy:
            self._keep_candidate()

    def stop(self) -> None:
        """End the writing; the notes so far, or the candidates, stay."""
        if self.document.generating:
            self.job.stop()
        elif self.job.busy:
            self.job.cancel()
            self.document.draw(None)

    def give_up(self) -> None:
        """End the list of candidates; the piece before is shown again."""
        if self.lists:
            self.job.cancel()
            self.model, self._task, self._candidates = self._model_before, None, {}
            self.document.preview(None)
            self.document.draw(None)
            self.document.bring_back()
            self.changed.emit()

    @Slot()
    def clear(self) -> None:
        self.job.cancel()
        if self.document.drawn is not None or self.model:
            self.model, self._task, self._composition = "", None, None
            self._candidates = {}
            self.document.restore(Contents(), saved=True)

    # ------------------------------------------------------------------ the job

    @Slot(object)
    def _on_events(self, events: tuple[object, ...]) -> None:
        if self._composition is None:
            self._on_candidates(events)
            return
        steps = [event for event in events if isinstance(event, GenerationStep)]
        for step in steps:
            self._composition.add(step)
        if steps:
            self._draw_composition(self._composition)

    def _on_candidates(self, events: tuple[object, ...]) -> None:
        from musicrel.generation.candidates.candidate_job import Candidate
        from musicrel.generation.infill.infill_generator import InfillProgress

        task = self._task
        if task is None:
            return
        for event in events:
            if isinstance(event, InfillProgress) and not self._candidates:
                now = padded_piece(task.plan(), event.pitches[0], event.onsets[0])
                self.document.draw(Sketch(piece=now))
            elif isinstance(event, Candidate) and event.seed is not None:
                self._candidates[event.number] = task.accepted(event.chorale)[0]
                self._show_candidate()

    def _show_candidate(self) -> None:
        first = next(iter(self._candidates), 0)
        found = self._candidates.get(self._chosen if self._chosen in self._candidates else first)
        if found is not None:
            self.document.draw(None)
            self.document.preview(found)

    def _keep_candidate(self) -> None:
        found, self._task = self.document.screen.preview, None
        if found is not None:
            self.document.show_piece(found)

    @Slot(object)
    def _on_finished(self, made: Generated | CandidateSet) -> None:
        if isinstance(made, Generated):
            piece = made.chorale
            self._end_piece(replace(piece, title=_BY.format(title=piece.title, model=self.model)))
            return
        if self._is_accepted:
            self._keep_candidate()
        self.changed.emit()

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        if self._composition is not None:
            self._end_piece()
        elif not self._candidates:
            self.give_up()
        elif self._is_accepted:
            self._keep_candidate()
        self.failed.emit(sentence)

    @Slot()
    def _end_piece(self, piece: Chorale | None = None) -> None:
        """Show the piece, or what was written of it."""
        so_far = self._composition.so_far() if self._composition is not None else None
        if piece is None and so_far is not None:
            title = _UNFINISHED.format(title=so_far.title, model=self.model)
            piece = replace(so_far, title=title)
        self._task = self._composition = None
        self.document.end_generation(piece)

    def _draw_composition(self, composition: Composition) -> None:
        written = composition.started_steps
        self.document.draw(Sketch(piece=composition.padded_piece(), written=written))


class TwoModelsSound(QObject):
    """The sound of both pieces: one is played, the other one is ready.

    Attributes:
        side: the piece that sounds.
        on: whether two models are compared.
    """

    changed = Signal()  # the other side is played

    def __init__(
        self, services: Services, other: SecondSheet, playback: PlaybackController
    ) -> None:
        super().__init__(other)
        self._document, self._other = services.document, other
        self._playback, self._player = playback, services.player
        self.side: Side = "A"
        self.on = False
        self._second: Chorale | None = None
        self._ready: Chorale | None = None
        self._preparing = QTimer(self, singleShot=True, interval=0)
        self._preparing.timeout.connect(lambda: self._player.prepare(self._ready))
        self._document.screen_changed.connect(self._on_screen_changed)

    @property
    def second(self) -> Chorale | None:
        """Return the piece of B in the tempo of A; None if it cannot be played."""
        first, piece = self._document.shown, self._other.piece
        if not self.on or first is None or piece is None:
            self._second = None
        elif self._second is None or not _plays(self._second, piece, first.tempo):
            self._second = replace(piece, tempo=first.tempo)
        return self._second

    def listen(self, side: Side) -> None:
        before, self.side = self.side, side
        self.update()
        if self.side != before:
            self.changed.emit()

    @Slot()
    def update(self) -> None:
        """Play the piece of the side, and prepare the other one; without B, that of A sounds."""
        first, second, before = self._document.shown, self.second, self.side
        if second is None:
            self.side = "A"
        wanted, ready = (second, first) if self.side == "B" else (first, second)
        changes = second is not None or before == "B"
        if changes and wanted is not None and self._playback.piece is not wanted:
            self._playback.show_piece(wanted)
        self._ready = ready if second is not None else None
        self._preparing.start()
        if self.side != before:
            self.changed.emit()

    def shut_down(self) -> None:
        self._preparing.stop()

    @Slot()
    def _on_screen_changed(self) -> None:
        if self._document.generating:  # A sounds from now on: B may be ready first
            before, self.side = self.side, "A"
            if before != "A":
                self.changed.emit()
            return
        if self._document.shown is not self._document.piece:
            self.side = "A"
        if self.on:
            self.update()
            self.changed.emit()


def _plays(playable: Chorale, piece: Chorale, tempo: float) -> bool:
    return playable.pitches is piece.pitches and playable.tempo == tempo
