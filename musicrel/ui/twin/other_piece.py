"""The piece of model B: the notes so far while it is being written, and the finished one.

It belongs to the window: projects do not keep it. Taken as the current piece it becomes a take.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from musicrel.chorale import Chorale
from musicrel.errors import MusicrelError
from musicrel.generation.events import Generated, GenerationStep
from musicrel.generation.twin.lockstep import SideEnd, SideEvent
from musicrel.presentation.compose.composition import Composition
from musicrel.presentation.compose.form import RequestBuilder
from musicrel.presentation.roll import infill_snapshot
from musicrel.ui.document.sketch import Sketch

_BY: Final = "{title}, {model}"
_UNFINISHED: Final = "{title}, {model}, unfinished"

Events = tuple[SideEvent[object] | SideEnd[object], ...]


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
        self._builder: RequestBuilder | None = None
        self._candidates: dict[int, Chorale] = {}
        self._before: tuple[str, Chorale | None] = ("", None)

    @property
    def shown(self) -> Chorale | None:
        """Return the notes to draw: so far, or of the finished piece."""
        return self.sketch.piece if self.sketch is not None else self.piece

    @property
    def written(self) -> int | None:
        """Return the number of written steps; None: all."""
        return self.sketch.written if self.sketch is not None else None

    # ------------------------------------------------------------------ changing

    def begin(self, model: str, plan: Chorale) -> None:
        """Expect the notes of a new piece."""
        self._reset(model, None)
        self._composition = Composition(plan)
        self._sketch_composition()

    def begin_candidates(self, model: str, builder: RequestBuilder) -> None:
        """Expect candidates of a request; ``give_up`` shows the piece before again."""
        before = (self.model, self.piece)
        self._reset(model, None if builder.is_new else self.piece)
        self._builder, self._before = builder, before
        self.changed.emit()

    def choose(self, number: int) -> None:
        """Show a candidate, if it is finished."""
        found = self._candidates.get(number)
        if found is not None and found is not self.piece:
            self.piece, self.sketch = found, None
            self.changed.emit()

    def give_up(self) -> None:
        """Show the piece before the candidates."""
        if self._builder is not None:
            self._reset(*self._before)
            self.changed.emit()

    def settle(self) -> None:
        """End the writing; a piece that is not complete is kept as far as it goes."""
        self._builder, self._candidates = None, {}
        if self.sketch is None:
            return
        so_far = self._composition.so_far() if self._composition is not None else None
        if so_far is not None and self.piece is None:
            title = _UNFINISHED.format(title=so_far.title, model=self.model)
            self.piece = replace(so_far, title=title)
        self.sketch = self._composition = None
        self.changed.emit()

    def clear(self) -> None:
        """Forget everything."""
        if self.shown is not None or self.model:
            self._reset("", None)
            self.changed.emit()

    # ------------------------------------------------------------------ events

    @Slot(object)
    def receive(self, events: Events) -> None:
        draws = False
        for event in events:
            if isinstance(event, SideEnd):
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
        """Take an event of a candidate, whose modules the job has imported by now."""
        from musicrel.generation.candidates.candidate_job import Candidate
        from musicrel.generation.infill.infill_generator import InfillProgress

        if self._builder is None:
            return
        if isinstance(event, InfillProgress) and not self._candidates:
            now = infill_snapshot.padded_piece(
                self._builder.plan(), event.pitches[0], event.onsets[0]
            )
            self.sketch = Sketch(piece=now)
            self.changed.emit()
        elif isinstance(event, Candidate) and event.seed is not None:
            self._candidates[event.number] = self._builder.accepted(event.chorale)[0]
            if len(self._candidates) == 1:
                self.choose(event.number)

    def _end(self, end: SideEnd[object]) -> None:
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
        if self._builder is not None and not self._candidates:
            self.give_up()
        self.settle()
        self.failed.emit(str(error))

    # ------------------------------------------------------------------ internals

    def _reset(self, model: str, piece: Chorale | None) -> None:
        self.model, self.piece, self.sketch = model, piece, None
        self._composition, self._builder, self._candidates = None, None, {}

    def _sketch_composition(self) -> None:
        if self._composition is not None:
            piece = self._composition.padded_piece()
            self.sketch = Sketch(piece=piece, written=self._composition.started_steps)
            self.changed.emit()
