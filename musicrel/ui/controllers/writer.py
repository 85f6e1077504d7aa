"""A writer of one request at a time into a document; A and B each have one.

A single new piece of a model that writes in order is drawn note by note. Anything else becomes
candidates, each of them a take, of which the document previews the chosen one: its piece does not
change until one is accepted, which may be asked for before it is there.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot

from musicrel.chorale import REST, Chorale, Flags, Pitches, Provenance, Voice
from musicrel.generation.edit_requests import numbered_bars
from musicrel.generation.events import Generated, GenerationStep
from musicrel.presentation.compose.form import Form, Task
from musicrel.ui.document.document import Document, Sketch
from musicrel.ui.jobs.generation_service import Loaded, LoadEvent, ModelCache
from musicrel.ui.jobs.worker import LatestJob

if TYPE_CHECKING:
    from musicrel.generation.candidates.candidate_job import Candidate, CandidateSet, Stuck

UNFINISHED: Final = "{title}, unfinished"


class Composition:
    """An unfinished piece; its cells arrive in the order S A T B, step by step."""

    def __init__(self, plan: Chorale) -> None:
        self._plan = plan
        self._pitches = plan.pitches.copy()
        self._onsets = plan.onsets.copy()
        self.tokens = 0  # number of written cells

    def add(self, step: GenerationStep) -> None:
        self._pitches[step.step, step.voice] = step.pitch
        self._onsets[step.step, step.voice] = step.onset
        self.tokens = step.step * len(Voice) + step.voice + 1

    @property
    def started_steps(self) -> int:
        return -(-self.tokens // len(Voice))

    @property
    def share(self) -> float:
        return self.tokens / (self._plan.steps * len(Voice))

    @property
    def bar(self) -> int:
        """Return the bar being written, as the ruler numbers it: a pickup is part of bar 1."""
        return max(self._plan.bar_number(self.started_steps - 1), 1)

    @property
    def bars(self) -> int:
        return numbered_bars(self._plan)

    def padded_piece(self) -> Chorale:
        """Return the whole piece, silent after the written part."""
        return replace(self._plan, pitches=self._pitches.copy(), onsets=self._onsets.copy())

    def so_far(self) -> Chorale | None:
        """Return the whole steps written as a piece; None before the first."""
        steps = self.tokens // len(Voice)
        piece = self.padded_piece()
        return (piece if steps == piece.steps else piece.cropped(0, steps)) if steps else None


class Writer(QObject):
    """The job, what it has written, and the document that shows it.

    Attributes:
        task: the request that is written, or whose candidates are listed; None: there is none.
        asked: the last request, also after its end.
        form: the form of the piece that was last written note by note; ``composition`` has this.
        candidates: the original, if any, and the different candidates so far, as they arrived.
        repeated: candidate with the notes of one before, which alone is kept -> number of that one.
        chosen: number of the selected candidate; 0: none, or the original.
    """

    repeated_request = Signal()  # it would give the last candidates again: another seed is wanted
    started = Signal()
    stopped = Signal()  # the user has ended it
    changed = Signal()  # request, candidates, selection or progress changed
    load_progressed = Signal(object)  # the model is being loaded, or ready; a ``LoadEvent``
    progressed = Signal(object)  # events, before their notes are drawn
    steps_generated = Signal(object)  # notes of a piece; a tuple of the steps since the last one
    finished = Signal(object)  # a ``Generated`` or ``CandidateSet``; None for a stopped piece
    failed = Signal(str, bool)  # the reason; True if an unfinished candidate is kept

    def __init__(self, document: Document, models: ModelCache, parent: QObject) -> None:
        super().__init__(parent)
        self.document, self._models = document, models
        self.job = LatestJob(self)
        self.form = Form()
        self.composition = Composition(Chorale.of([(REST,) * len(Voice)]))
        self.candidates: list[Candidate] = []
        self.stuck: list[Stuck] = []
        self.repeated: dict[int, int] = {}
        self.chosen = 0
        self.task: Task | None = None
        self.asked: Task | None = None
        self._completed: Task | None = None  # the last request that was completed by candidates
        self._takes: dict[int, int] = {}  # number of a candidate -> number of its take
        self._accepts = False  # the chosen candidate is accepted at the end of the job
        self._loaded: Loaded | None = None
        self._began = 0.0
        for signal, slot in (
            (document.piece_changed, self.clear),
            (self.job.events_received, self._on_events),
            (self.job.finished, self._on_finished),
            (self.job.failed, self._on_failed),
            (self.job.stopped, self._on_stopped),
        ):
            signal.connect(slot)

    # ------------------------------------------------------------------ what is written

    @property
    def busy(self) -> bool:
        return self.job.busy

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began

    @property
    def model(self) -> str:
        """Return the model that writes, or wrote the shown piece; "" for none."""
        if self.task is not None:
            return self.task.form.model
        piece = self.document.shown
        return piece.provenance.model if piece is not None and piece.provenance is not None else ""

    @property
    def lists(self) -> bool:
        """Return True if there are candidates, or will be."""
        return self.task is not None and not self.task.is_live

    @property
    def made(self) -> list[Candidate]:
        return [one for one in self.candidates if one.seed is not None]

    def candidate(self, number: int) -> Candidate | None:
        kept = self.repeated.get(number, number)
        return next((one for one in self.candidates if one.number == kept), None)

    def breaks(self, piece: Chorale) -> bool:
        """Return True if ``piece`` breaks the rule that the request avoids."""
        return self.task is not None and self.task.breaks_avoided(piece)

    # ------------------------------------------------------------------ user actions

    def start(self, make: Callable[[], Task], device: str) -> None:
        """Write a request, at once or when the running job has ended."""
        task = make()
        if not task.is_pair and task.same(self._completed):
            self.repeated_request.emit()
            task = make()
        if self.document.generating:
            self._end_piece(self._unfinished_piece())
        self._deselect()
        if task.piece is None:
            self.document.select(None)
            if not task.is_live:
                self.document.set_aside()
        self._forget()
        self.task = self.asked = task
        if task.is_live:
            self.form, self._began = task.form, 0.0
            self.composition = Composition(task.plan())
            self.document.begin_generation()
            self._draw_composition()
        self.job.request(partial(self._models.write, task, device))  # last: it takes the lock
        self.changed.emit()
        self.started.emit()

    @Slot()
    def stop(self) -> None:
        """End the writing; the notes of a piece so far, or the candidates, are kept."""
        if self.document.generating:
            self.job.stop()
        elif self.busy:
            self.job.cancel()
            self._end_list()
        self.stopped.emit()

    def choose(self, number: int) -> None:
        seen = self.candidate(number)
        if seen is not None and seen.number != self.chosen:
            self.chosen = seen.number
            self.document.preview(seen.chorale if self.chosen else None)
            self.changed.emit()

    def accept(self) -> None:
        """Make the chosen candidate the current piece, at the end of the job if one runs."""
        take, task = self.document.takes.get(self._takes.get(self.chosen)), self.task
        if self.busy:
            self._accepts = True
        elif take is not None and task is not None:
            locks = task.moved(self.document.locks)
            self.document.accept(take.number, is_new=task.is_of_form, locks=locks)
        else:
            self.clear()

    def go_back(self) -> None:
        self._deselect()
        self.changed.emit()

    def dismiss(self) -> bool:
        """End the candidates; return True if the piece before is shown again."""
        self._deselect()
        self.clear()
        return self.document.bring_back()

    @Slot()
    def clear(self) -> None:
        self.task, self.chosen = None, 0
        self._forget()
        self.document.preview(None)
        self.changed.emit()

    def _deselect(self) -> None:
        """Show and play the current piece again if a candidate was selected or pointed at."""
        self.chosen = 0
        self.document.draw(None)
        self.document.preview(None)

    def _forget(self) -> None:
        self.job.cancel()
        self._accepts = False
        self.candidates, self.stuck, self.repeated, self._takes = [], [], {}, {}

    # ------------------------------------------------------------------ events

    @Slot(object)
    def _on_events(self, events: tuple[object, ...]) -> None:
        loads = [event for event in events if isinstance(event, LoadEvent)]
        written = tuple(event for event in events if not isinstance(event, LoadEvent))
        for event in loads:
            self._loaded = event if isinstance(event, Loaded) else self._loaded
            self.load_progressed.emit(event)
        if written:
            (self._on_candidates if self.lists else self._on_notes)(written)

    def _on_notes(self, events: tuple[object, ...]) -> None:
        steps = tuple(event for event in events if isinstance(event, GenerationStep))
        for step in steps:
            self._began = self._began or time.monotonic()
            self.composition.add(step)
        self.progressed.emit(events)
        if steps:
            self._draw_composition()
            self.steps_generated.emit(steps)

    def _draw_composition(self) -> None:
        written = self.composition.started_steps
        self.document.draw(Sketch(piece=self.composition.padded_piece(), written=written))

    def _on_candidates(self, events: tuple[object, ...]) -> None:
        """Handle events of candidates, whose modules the job has imported by now."""
        from musicrel.generation.candidates.candidate_job import Candidate, Stuck
        from musicrel.generation.infill.infill_generator import InfillProgress

        had_none = not self.made
        for event in events:
            if isinstance(event, Candidate):
                self._add(event)
            elif isinstance(event, Stuck):
                self.stuck.append(event)
        passes = [event for event in events if isinstance(event, InfillProgress)]
        self.progressed.emit(events)
        if passes and not self.made and self.task is not None:
            now = padded_piece(self.task.plan(), passes[-1].pitches[0], passes[-1].onsets[0])
            self.document.draw(Sketch(piece=now))
        elif had_none and self.made and self.document.sketch is not None:
            self.document.draw(Sketch(piece=self.made[0].chorale))

    def _add(self, candidate: Candidate) -> None:
        """Keep a candidate and make it a take, unless it has the notes of one before."""
        notes, task, document = candidate.chorale, self.task, self.document
        for one in self.made:
            if _same_notes(one.chorale, notes):
                self.repeated[candidate.number] = one.number
                return
        self.candidates.append(candidate)
        if candidate.seed is None or task is None:
            return
        piece, form = task.accepted(notes)
        if form is None:  # new pieces are written by the model on screen, not by one that rewrites
            form = replace(task.form, model=document.form.model, seed=candidate.seed)
        before = document.take if task.piece is not None else None
        parent = before.number if before is not None else None
        take = document.takes.add(piece, form, task.action, parent=parent, before=task.piece)
        self._takes[candidate.number] = take

    @Slot(object)
    def _on_finished(self, made: Generated | CandidateSet) -> None:
        if isinstance(made, Generated):
            self._end_piece(made.chorale)
        else:
            self._completed = self.task
            self._end_list()
            if self._accepts:
                self.chosen = self.chosen or made.ranked[0].number
                self.accept()
        self.finished.emit(made)

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        unfinished: Chorale | None = None
        if self.document.generating:
            self._end_piece(self._unfinished_piece())
        elif self.lists:
            is_new = self.task is not None and self.task.piece is None
            unfinished = self._longest_unfinished if is_new else None
            self._end_list()
            if unfinished is not None:
                self.document.show_piece(unfinished, action="generated")
            elif self._accepts:
                self.accept()
        self.failed.emit(sentence, unfinished is not None)

    @Slot()
    def _on_stopped(self) -> None:
        self._end_piece(self._unfinished_piece())
        self.finished.emit(None)

    def _end_piece(self, piece: Chorale | None) -> None:
        """Show the piece, or the one before where no note was written."""
        complete = self.composition.share == 1
        self.document.end_generation(piece, self.form, complete=complete)

    def _unfinished_piece(self) -> Chorale | None:
        """Return the notes so far as a piece; None before the first step."""
        piece, loaded, seed = self.composition.so_far(), self._loaded, self.form.seed
        if piece is None or loaded is None:
            return piece
        settings = self.task.request.to_json() if self.task is not None else {}
        origin = Provenance(
            model=loaded.model,
            sha256=loaded.sha256,
            seed=seed,
            settings=settings | {"written_steps": piece.steps},
            machine=loaded.machine,
        )
        return replace(piece, title=UNFINISHED.format(title=piece.title), provenance=origin)

    @property
    def _longest_unfinished(self) -> Chorale | None:
        unfinished = [(one.seed, one.written) for one in self.stuck if one.written is not None]
        if not unfinished or self.asked is None:
            return None
        seed, longest = max(unfinished, key=lambda one: one[1].steps)
        title = replace(self.asked.request, seed=seed).title
        return replace(longest, title=UNFINISHED.format(title=title))

    def _end_list(self) -> None:
        """End the job; without candidates the piece before is shown again."""
        if not self.made:
            self.dismiss()
        self.document.draw(None)
        self.changed.emit()


def padded_piece(plan: Chorale, pitches: Pitches, onsets: Flags) -> Chorale:
    """Return the piece as far as known, silent where nothing is written yet.

    A note whose onset is not written yet begins at its first known cell.

    Args:
        pitches: int16 (T, 4), MIDI numbers, below 0 for rests and unknown cells.
        onsets: bool (T, 4), where notes begin.
    """
    known = np.where(pitches >= 0, pitches, REST).astype(np.int16)
    others = np.vstack([np.ones_like(onsets[:1]), known[1:] != known[:-1]])
    return replace(plan, pitches=known, onsets=(known != REST) & (onsets | others))


def _same_notes(one: Chorale, other: Chorale) -> bool:
    return np.array_equal(one.pitches, other.pitches) and np.array_equal(one.onsets, other.onsets)
