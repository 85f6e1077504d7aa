"""The piece of model B, the notes so far or the finished one, and the sound of both pieces.

It belongs to the window: projects do not keep it. Taken as the current piece it becomes a take.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from musicrel.chorale import Chorale
from musicrel.errors import MusicrelError
from musicrel.generation.events import Generated, GenerationStep
from musicrel.generation.two_models.lockstep import End, EventOfB, Side
from musicrel.playback.player import Player
from musicrel.presentation.compose.composition import Composition
from musicrel.presentation.compose.form import Task
from musicrel.presentation.roll import roll
from musicrel.ui.controllers.playback_controller import PlaybackController
from musicrel.ui.document.document import Document, Sketch

_BY: Final = "{title}, {model}"
_UNFINISHED: Final = "{title}, {model}, unfinished"

Events = tuple[EventOfB | End[object], ...]


class OtherPiece(QObject):
    """The piece of B.

    Attributes:
        model: name of the model that wrote it or writes it; "": none.
        piece: the finished piece, or what was written when the user stopped; None: none.
        sketch: the notes to draw while it is being written; None: it is not.
    """

    changed = Signal()
    failed = Signal(str)  # B could not write; the reason

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.model = ""
        self.piece: Chorale | None = None
        self.sketch: Sketch | None = None
        self._composition: Composition | None = None
        self._task: Task | None = None
        self._candidates: dict[int, Chorale] = {}
        self._before: tuple[str, Chorale | None] = ("", None)

    @property
    def shown(self) -> Chorale | None:
        return self.sketch.piece if self.sketch is not None else self.piece

    @property
    def written(self) -> int | None:
        return self.sketch.written if self.sketch is not None else None

    # ------------------------------------------------------------------ changing

    @property
    def lists(self) -> bool:
        """Return True if candidates are expected."""
        return self._task is not None

    def begin(self, model: str, task: Task) -> None:
        """Expect the notes of a piece, or candidates: ``give_up`` shows the piece before again."""
        if task.is_live:
            self._reset(model, None)
            self._composition = Composition(task.plan())
            self._sketch_composition()
            return
        before = (self.model, self.piece)
        self._reset(model, None if task.piece is None else self.piece)
        self._task, self._before = task, before
        self.changed.emit()

    def choose(self, number: int) -> None:
        found = self._candidates.get(number)
        if found is not None and found is not self.piece:
            self.piece, self.sketch = found, None
            self.changed.emit()

    def give_up(self) -> None:
        if self._task is not None:
            self._reset(*self._before)
            self.changed.emit()

    def settle(self) -> None:
        self._task, self._candidates = None, {}
        if self.sketch is None:
            return
        so_far = self._composition.so_far() if self._composition is not None else None
        if so_far is not None and self.piece is None:
            title = _UNFINISHED.format(title=so_far.title, model=self.model)
            self.piece = replace(so_far, title=title)
        self.sketch = self._composition = None
        self.changed.emit()

    def clear(self) -> None:
        if self.shown is not None or self.model:
            self._reset("", None)
            self.changed.emit()

    # ------------------------------------------------------------------ events

    @Slot(object)
    def receive(self, events: Events) -> None:
        draws = False
        for event in events:
            if isinstance(event, End):
                self._end(event)
            elif isinstance(event.event, GenerationStep):
                draws = self._add(event.event) or draws
            else:
                self._receive_candidate(event.event)
        if draws:
            self._sketch_composition()

    def _add(self, step: GenerationStep) -> bool:
        if self._composition is not None:
            self._composition.add(step)
        return self._composition is not None

    def _receive_candidate(self, event: object) -> None:
        from musicrel.generation.candidates.candidate_job import Candidate
        from musicrel.generation.infill.infill_generator import InfillProgress

        if self._task is None:
            return
        if isinstance(event, InfillProgress) and not self._candidates:
            now = roll.padded_piece(self._task.plan(), event.pitches[0], event.onsets[0])
            self.sketch = Sketch(piece=now)
            self.changed.emit()
        elif isinstance(event, Candidate) and event.seed is not None:
            self._candidates[event.number] = self._task.accepted(event.chorale)[0]
            if len(self._candidates) == 1:
                self.choose(event.number)

    def _end(self, end: End[object]) -> None:
        from musicrel.generation.candidates.candidate_job import CandidateSet

        if end.error is not None:
            self._fail(end.error)
        elif isinstance(end.result, Generated):
            piece = end.result.chorale
            self.piece = replace(piece, title=_BY.format(title=piece.title, model=self.model))
            self.sketch = self._composition = None
            self.changed.emit()
        elif isinstance(end.result, CandidateSet):
            self.sketch = None
            self.changed.emit()

    def _fail(self, error: MusicrelError) -> None:
        if self._task is not None and not self._candidates:
            self.give_up()
        self.settle()
        self.failed.emit(str(error))

    # ------------------------------------------------------------------ internals

    def _reset(self, model: str, piece: Chorale | None) -> None:
        self.model, self.piece, self.sketch = model, piece, None
        self._composition, self._task, self._candidates = None, None, {}

    def _sketch_composition(self) -> None:
        if self._composition is not None:
            piece = self._composition.padded_piece()
            self.sketch = Sketch(piece=piece, written=self._composition.started_steps)
            self.changed.emit()


class TwoModelsSound(QObject):
    """The controller of what sounds: one piece is played, and the player has the other one ready.

    The playhead stays where it is.

    Attributes:
        on: False while no models are compared; then A sounds.
    """

    changed = Signal()  # the other side sounds

    def __init__(
        self,
        document: Document,
        other: OtherPiece,
        *,
        playback: PlaybackController,
        player: Player,
    ) -> None:
        super().__init__(document)
        self._document, self._other = document, other
        self._playback, self._player = playback, player
        self.side: Side = "A"
        self.on = False
        self._second: Chorale | None = None
        self._ready: Chorale | None = None
        self._preparing = QTimer(self, singleShot=True, interval=0)
        self._preparing.timeout.connect(self._prepare)
        document.shown_changed.connect(self._on_shown)

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
    def _prepare(self) -> None:
        self._player.prepare(self._ready)

    @Slot()
    def _on_shown(self) -> None:
        if self._document.shown is not self._document.piece:
            self.side = "A"
        if self.on:
            self.update()
            self.changed.emit()


def _plays(playable: Chorale, piece: Chorale, tempo: float) -> bool:
    return playable.pitches is piece.pitches and playable.tempo == tempo
