"""Controller of all writing: a request is started, what arrives is shown, one piece is accepted.

A single new piece of a model that writes in order is shown note by note. Anything else becomes
candidates, each of them a take, and the panel ranks them. The document previews the selected one;
its piece does not change until a candidate is accepted. A single candidate is accepted at once, and
the panel stays closed.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot

from musicrel.chorale import REST, Chorale, Provenance, Voice
from musicrel.errors import UsageError
from musicrel.generation import quality
from musicrel.generation.events import (
    Generated,
    GenerationStep,
    MeansProgress,
    PhraseEndTrial,
    SearchState,
)
from musicrel.presentation.compose import candidate_table, rewrite_form, summary
from musicrel.presentation.compose.composition import Composition, padded_piece
from musicrel.presentation.compose.form import Form, Task
from musicrel.presentation.takes import changes
from musicrel.presentation.words import names
from musicrel.ui.document.document import Sketch
from musicrel.ui.jobs.generation_service import Loaded, LoadEvent
from musicrel.ui.jobs.worker import LatestJob
from musicrel.ui.shell.main_window import Services

if TYPE_CHECKING:
    from musicrel.generation.candidates.candidate_job import Candidate, CandidateSet, Stuck
    from musicrel.generation.infill.infill_generator import InfillProgress


CANCELLED: Final = "Cancelled"
FAILED: Final = "No candidate was generated"
KEPT: Final = "No candidate was completed: the longest unfinished one is kept"
WORKING: Final = "Generating {candidates} of {what}"
ORIGINAL: Final = "The original"
RESTORED: Final = "Restored {title}"
ACCEPTED: Final = "Accepted candidate {number}: {what}"
CANDIDATE: Final = "Candidate {number}: Enter accepts it, Esc goes back to {before}"
TIMED: Final = "{} in {:.1f} s"
READY_IN: Final = "{}, generated in {:.1f} s"
FIRST_OF: Final = "candidate 1 of {}"
PREVIEW: Final = "Writing and revising {}: {:.0%}"
DIFFERENT: Final = "different candidate"
WORKING_ON_ONE: Final = "Generating {what}"
READY: Final = "{candidates} of {what}"
AS_TAKES: Final = "The candidates are kept as takes (Ctrl+T)"
CHOOSE: Final = "Select one with the arrow keys to show and play it; Enter accepts it."
WAIT_FOR_ONE: Final = "It is shown here when it is finished."
WAIT: Final = "The best one is shown here when all are finished."
FIRST: Final = "Candidate 1 of {count} is finished: select it to play it meanwhile"
UNFINISHED: Final = "Chorale {seed}, unfinished"
UNRANKED: Final = (
    "; at draft quality or temperature 0, cadences are chosen only among several candidates"
)
PREPARING: Final = "Reading the training pieces for the means of muted heads: {share:.0%}"
GENERATING_BAR: Final = "Generating bar {bar} of {bars}"
SEARCHING: Final = "Searching among versions of a phrase"
SEARCHING_AMONG: Final = "Searching: {:.0f} of {} continuations fit"
GENERATED_IN: Final = "Generated in {:.1f} s{}"
GENERATION_FAILED: Final = "Generation failed"
STOPPING: Final = "Stopping …"
STOPPED_IN: Final = "Stopped in bar {bar} of {bars}"


class WritingController(QObject):
    """The one controller that writes.

    While an infilling model writes the first candidate, the roll shows it.

    Attributes:
        task: the request that is written, or whose candidates are listed; None: there is none.
        form: the form of the piece that was last written note by note; ``composition`` has this.
        candidates: the original, if any, and the different candidates so far, as they arrived.
        repeated: number of candidates with the notes of one before; they are not kept.
        chosen: number of the selected candidate; 0: none, or the original.
    """

    started = Signal()  # a request is being written
    stopped = Signal()  # the user has ended it
    changed = Signal()  # request, candidates, selection or progress changed
    load_progressed = Signal(object)  # the model is being loaded, or ready; a ``LoadEvent``
    steps_generated = Signal(object)  # notes of a piece; a tuple of the steps since the last one

    def __init__(self, services: Services) -> None:
        super().__init__(services.document)
        self._document, self._messages = services.document, services.messages
        self._preferences, self._actions = services.preferences, services.commands
        self._write, self._page = services.models.write, services.page
        self._panel = services.page.candidates
        self._controls = services.page.controls
        self._form_view = self._controls.compose_form
        self.job = LatestJob(self)
        self.form, self.what = Form(), ""
        self.composition = Composition(Chorale.of([(REST,) * len(Voice)]))
        self.candidates: list[Candidate] = []
        self.stuck: list[Stuck] = []
        self.repeated = self.chosen = 0
        self.task: Task | None = None
        self._last: Task | None = None
        self._takes: dict[int, int] = {}
        self._previews = False
        self._loaded: Loaded | None = None
        self._began = 0.0
        self._search: SearchState | None = None
        self._connect()
        self._update_enabled()

    @property
    def busy(self) -> bool:
        return self.job.busy

    @property
    def seconds(self) -> float:
        """Return the time since the first note in seconds."""
        return time.monotonic() - self._began

    @property
    def candidate_count(self) -> int:
        return sum(one.seed is not None for one in self.candidates)

    def candidate(self, number: int) -> Candidate | None:
        return next((one for one in self.candidates if one.number == number), None)

    @property
    def lists(self) -> bool:
        """Return True if there are candidates, or will be."""
        return self.task is not None and not self.task.is_live

    @property
    def hint(self) -> tuple[str, str] | None:
        if self.task is None or self.task.piece is not None or self.task.is_live:
            return None
        wait = WAIT_FOR_ONE if self._single else WAIT
        return self._words(WORKING if self.busy else READY), wait if self.busy else CHOOSE

    @property
    def _single(self) -> bool:
        return self.task is not None and self.task.count == 1

    def prepared(self, make: Callable[[], Task]) -> Task | None:
        """Return a task, with another seed if it would give the last candidates again.

        A task that is impossible is reported.
        """
        try:
            task = make()
            if task.same(self._last):
                self._form_view.seed.randomize()
                task = make()
        except UsageError as reason:
            self._messages.report(str(reason))
            return None
        return task

    def request(self, make: Callable[[], Task], what: str) -> None:
        task = self.prepared(make)
        if task is not None:
            self.start(task, what)

    def start(self, task: Task, what: str) -> None:
        """Write a request, at once or when the running job has ended."""
        self._deselect()
        if task.piece is None:
            self._document.select(None)
            if not task.is_live:
                self._document.set_aside()
        self._forget()
        self.task, self.what = task, what
        self.job.request(partial(self._write, task, self._preferences.device))
        self._messages.dismiss()
        self._controls.set_running(task.original is None or self._single)
        self._page.show_candidates(on=not self._single)
        if task.is_live:
            self.form, self._began, self._search = task.form, 0.0, None
            self.composition = Composition(task.plan())
            self._document.begin_generation()
            self._draw_composition()
        else:
            self._show_request(task)
        self._update_enabled()
        self.started.emit()
        if not self._single:
            self._panel.table.setFocus()

    def _show_request(self, task: Task) -> None:
        choice = self._document.choice_of(task.form.model)
        sees = choice is not None and choice.sees_both_sides
        note = rewrite_form.remark(task, sees_both_sides=sees)
        self._panel.begin(self._words(WORKING), note)
        self._panel.title.setToolTip(rewrite_form.lookahead_text(sees_both_sides=sees))
        self._messages.show_state(f"{self._words(WORKING)} …")

    # ------------------------------------------------------------------ a piece, note by note

    def _on_notes(self, events: tuple[object, ...]) -> None:
        steps = tuple(event for event in events if isinstance(event, GenerationStep))
        if steps:
            self._began = self._began or time.monotonic()
            self._search = None
            for step in steps:
                self.composition.add(step)
            self._controls.set_progress(self.composition.share)  # it repaints at once: first
            self._draw_composition()
            self._messages.show_state(self._at_bar(GENERATING_BAR))
            self.steps_generated.emit(steps)
        if isinstance(events[-1], PhraseEndTrial):
            states = [event for event in events if isinstance(event, SearchState)]
            self._search = found = states[-1] if states else self._search
            self._messages.show_state(
                SEARCHING_AMONG.format(found.effective_size, found.particles)
                if found is not None
                else SEARCHING
            )

    def _draw_composition(self) -> None:
        written = self.composition.started_steps
        self._document.draw(Sketch(piece=self.composition.padded_piece(), written=written))

    def _at_bar(self, sentence: str) -> str:
        return sentence.format(bar=self.composition.bar, bars=self.composition.bars)

    def _end_piece(self, piece: Chorale | None, state: str) -> None:
        """Show the piece, or the one before where no note was written."""
        complete = self.composition.share == 1
        self._controls.set_running(False)
        self._messages.show_state(state)
        self._document.end_generation(piece, self.form, complete=complete)
        if piece is None and self._document.piece is not None:
            self._messages.show_state(RESTORED.format(title=self._document.title))

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
        return replace(piece, title=UNFINISHED.format(seed=seed), provenance=origin)

    # ------------------------------------------------------------------ user actions

    @Slot()
    def stop(self) -> None:
        """End the writing; the notes of a piece so far are kept."""
        if self._document.generating:
            self._controls.set_stopping()
            self._messages.show_state(STOPPING)
            self.job.stop()
            self.stopped.emit()
        elif self.busy:
            self.cancel()
        else:  # model B still writes
            self.stopped.emit()

    @Slot()
    def back(self) -> None:
        """Cancel a running job; else show the original; without one, close the panel."""
        if self.busy:
            self.cancel()
        elif self.chosen and self.candidate(0) is not None:
            self._deselect()
            self._update_enabled()
            self.rank()
            self._messages.show_state(ORIGINAL)
        else:
            self.dismiss()

    @Slot()
    def cancel(self) -> None:
        """Cancel candidates that are being generated."""
        if self.busy and self.lists:
            self.job.cancel()
            self.stopped.emit()
            self._end_list()
            self._messages.show_state(CANCELLED)

    @Slot()
    def dismiss(self) -> None:
        kept = self.candidate_count
        self._deselect()
        self.clear()
        if kept:
            self._messages.show_state(AS_TAKES)
        if self._document.bring_back():
            self._messages.show_state(RESTORED.format(title=self._document.title))

    @Slot()
    def accept(self) -> None:
        taken, task = self.candidate(self.chosen), self.task
        if taken is None or task is None or self.busy:
            return
        if taken.seed is None:
            self.clear()
            return
        self._show_take(taken.number, task)
        self._messages.show_state(ACCEPTED.format(number=taken.number, what=self.what))
        self._page.shown.setFocus()

    def _show_take(self, number: int, task: Task) -> Chorale | None:
        """Make the take of a candidate the current piece, and return this."""
        take = self._document.takes.get(self._takes.get(number))
        if take is None:
            return None
        self._document.accept(take.number, is_new=task.piece is None)
        return take.piece

    @Slot(int)
    def choose(self, number: int) -> None:
        seen = self.candidate(number)
        if seen is not None and number != self.chosen:
            self.chosen = number
            self._document.preview(seen.chorale if number else None)
            self._update_enabled()
            self._messages.show_state(ORIGINAL)
            if seen.seed is not None and self.task is not None:
                set_aside = self._document.title if self.task.piece is None else ""
                before = set_aside or self.task.before
                self._messages.show_state(CANDIDATE.format(number=number, before=before))

    @Slot(int)
    def point_at(self, number: int) -> None:
        seen = self.candidate(number)
        if seen is not None:
            self._document.draw(Sketch(piece=seen.chorale))

    @Slot()
    def rank(self) -> None:
        weights, breaks = self._panel.weights.values(), self._breaks
        ordered = candidate_table.ranked(self.candidates, weights, breaks)
        if self.task is not None and self.task.is_pair:  # the same piece twice: no rank
            ordered = tuple(sorted(ordered, key=lambda one: one.number))
        rows = [candidate_table.row(one, weights, breaks) for one in ordered]
        self._panel.table.show_rows(rows, self.chosen)

    # ------------------------------------------------------------------ events

    @Slot(object)
    def _on_events(self, events: tuple[object, ...]) -> None:
        loads = [event for event in events if isinstance(event, LoadEvent)]
        written = tuple(event for event in events if not isinstance(event, LoadEvent))
        for event in loads:
            self._loaded = event if isinstance(event, Loaded) else self._loaded
            self.load_progressed.emit(event)
        if written and isinstance(written[-1], MeansProgress):
            self._messages.show_state(PREPARING.format(share=written[-1].share))
        if written:
            (self._on_candidates if self.lists else self._on_notes)(written)

    def _on_candidates(self, events: tuple[object, ...]) -> None:
        """Handle events of candidates, whose modules the job has imported by now."""
        from musicrel.generation.candidates.candidate_job import Candidate, Stuck
        from musicrel.generation.causal.batch import Progress
        from musicrel.generation.infill.infill_generator import InfillProgress

        before = len(self.candidates)
        for event in events:
            match event:
                case Progress():
                    share = event.done / max(event.total, 1)
                    self._panel.set_progress(share)
                    self._controls.set_progress(share)
                    self._panel.set_note(event.notice or self._panel.note.text())
                case Candidate():
                    self._add(event)
                case Stuck():
                    self.stuck.append(event)
        passes = [event for event in events if isinstance(event, InfillProgress)]
        if passes and not self.candidate_count:
            self._preview(passes[-1])
        if len(self.candidates) > before:
            self.rank()
            self._preview_first()

    def _add(self, candidate: Candidate) -> None:
        """Keep a candidate and make it a take, unless it has the notes of one before."""
        notes = candidate.chorale
        if any(one.seed is not None and _same_notes(one.chorale, notes) for one in self.candidates):
            self.repeated += 1
            return
        self.candidates.append(candidate)
        task, document = self.task, self._document
        if candidate.seed is None or task is None:
            return
        piece, form = task.accepted(notes)
        if form is None:  # new pieces are written by the model on screen, not by one that rewrites
            form = replace(task.form, model=document.form.model, seed=candidate.seed)
        before = document.take if task.piece is not None else None
        parent = before.number if before is not None else None
        take = document.takes.add(piece, form, task.action, parent=parent)
        self._takes[candidate.number] = take

    def _preview(self, event: InfillProgress) -> None:
        """Show the first candidate while it is being written."""
        task = self.task
        if task is None or not self.busy:
            return
        now = padded_piece(task.plan(), event.pitches[0], event.onsets[0])
        self._document.draw(Sketch(piece=now))
        which = self.what if task.count == 1 else FIRST_OF.format(task.count)
        parts = task.count / len(event.pitches)  # batches, written one after the other
        share = parts * event.done / max(event.total, 1)
        self._messages.show_state(PREVIEW.format(which, share))
        self._previews = True

    def _preview_first(self) -> None:
        first = next((one for one in self.candidates if one.seed is not None), None)
        if not self._previews or first is None or self.task is None:
            return
        self._document.draw(Sketch(piece=first.chorale))
        if self.candidate_count + self.repeated < self.task.count:
            self._messages.show_state(FIRST.format(count=self.task.count))

    @Slot()
    def _end_preview(self) -> None:
        self._previews = False

    def _apply(self, made: CandidateSet, task: Task) -> None:
        """Make the only candidate the current piece."""
        piece = self._show_take(made.ranked[0].number, task)
        done = TIMED.format(task.action.capitalize(), made.seconds)
        if piece is not None and task.piece is not None:
            done = f"{done}: {changes.compare(piece, task.piece).describe()}"
        self._messages.show_state(done)

    @Slot(object)
    def _on_finished(self, made: Generated | CandidateSet) -> None:
        task = self.task
        if isinstance(made, Generated):
            searched = quality.searches(self.form.quality, self.form.temperature)
            unranked = UNRANKED if self.form.cadence and not searched else ""
            self._end_piece(made.chorale, GENERATED_IN.format(made.seconds, unranked))
            self._controls.facts.set_facts(summary.facts(made))
            return
        self._last = task
        self._end_list()
        if task is not None and self._single:
            self._apply(made, task)
            return
        self._panel.detail.setText(READY_IN.format(self._words(READY), made.seconds))
        if task is not None and task.avoided:
            remark, warning = candidate_table.avoidance_texts(self.candidates, self._breaks)
            self._panel.set_remark(remark)
            self._panel.set_note(warning)
            self._panel.retry.show()
        self.rank()
        if not self.chosen:
            self._panel.table.move_by(1)  # select the best one

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        if self.lists:
            is_new = self.task is not None and self.task.piece is None
            unfinished = self._longest_unfinished if is_new else None
            self._end_list()
            self._messages.show_state(FAILED)
            if unfinished is not None:
                self._document.show_piece(unfinished, action="generated")
                self._messages.show_state(KEPT)
        else:
            self._end_piece(self._unfinished_piece(), GENERATION_FAILED)
        self._messages.report(sentence)

    @Slot()
    def clear(self) -> None:
        self.task, self.chosen = None, 0
        self._forget()
        self._page.show_candidates(on=False)
        self._document.preview(None)
        self._end_running()
        self._update_enabled()

    # ------------------------------------------------------------------ internals

    def _forget(self) -> None:
        """Stop the job and remove the candidates."""
        self.job.cancel()
        self.candidates, self.stuck, self.repeated, self._takes = [], [], 0, {}

    @property
    def _longest_unfinished(self) -> Chorale | None:
        unfinished = [(one.seed, one.written) for one in self.stuck if one.written is not None]
        if not unfinished:
            return None
        seed, longest = max(unfinished, key=lambda one: one[1].steps)
        return replace(longest, title=UNFINISHED.format(seed=seed))

    def _end_list(self) -> None:
        """Update the panel at the end of a job; without candidates, close it."""
        if not self.candidate_count:
            self.dismiss()
        self._panel.set_progress(None)
        self._panel.detail.setText(self._words(READY))
        if self.stuck:
            self._panel.set_note(candidate_table.stuck_text(self.stuck))
        self._end_running()
        self._update_enabled()

    def _end_running(self) -> None:
        """Reset the main button of the form from Stop to Generate."""
        if not self._document.generating:
            self._controls.set_running(False)

    def _breaks(self, piece: Chorale) -> bool:
        """Return True if ``piece`` breaks the rule that the request avoids."""
        return self.task is not None and self.task.breaks_avoided(piece)

    def _deselect(self) -> None:
        """Show and play the current piece again if a candidate was selected or pointed at."""
        self.chosen = 0
        self._document.draw(None)
        self._document.preview(None)

    def _words(self, sentence: str) -> str:
        count = self.task.count if self.task is not None else 0
        made = self.candidate_count or count
        sentence = WORKING_ON_ONE if self._single and sentence == WORKING else sentence
        noun = DIFFERENT if self.repeated and made > 1 else "candidate"
        return sentence.format(candidates=names.count(made, noun), what=self.what)

    @Slot()
    def _update_enabled(self) -> None:
        count = 0 if self._single else len(self.candidates)
        self._document.set_candidates(count, listed=self.lists)
        self._document.set_busy("A", on=self.busy)
        seen = self.candidate(self.chosen) is not None
        self._panel.set_accept_enabled(seen and not self.busy)
        if self._previews and not self.busy:
            self._previews = False
            self._document.draw(None)
        self.changed.emit()

    def _connect(self) -> None:
        actions, panel, document = self._actions.rewriting, self._panel, self._document
        for signal, slot in (
            (actions.next.triggered, lambda: panel.table.move_by(1)),
            (actions.previous.triggered, lambda: panel.table.move_by(-1)),
            (actions.accept.triggered, self.accept),
            (panel.table.accept_requested, self.accept),
            (panel.accept.clicked, self.accept),
            (actions.back.triggered, self.back),
            (panel.close_button.clicked, self.dismiss),
            (panel.chosen, self.choose),
            (panel.pointed_at, self.point_at),
            (panel.table.left, lambda: self._document.draw(None)),
            (panel.weights.changed, self.rank),
            (self._page.strip.cancel_clicked, self.cancel),
            (self._controls.stop_clicked, self.stop),
            (self._actions.stop.triggered, self.stop),
            (self._form_view.model_chosen, self.cancel),
            (self._form_view.rewriting_model_chosen, self.cancel),
            (document.piece_changed, self.clear),
            (document.screen_changed, self._end_preview),
            (self.job.events_received, self._on_events),
            (self.job.finished, self._on_finished),
            (self.job.failed, self._on_failed),
            (
                self.job.stopped,
                lambda: self._end_piece(self._unfinished_piece(), self._at_bar(STOPPED_IN)),
            ),
        ):
            signal.connect(slot)


def _same_notes(one: Chorale, other: Chorale) -> bool:
    return np.array_equal(one.pitches, other.pitches) and np.array_equal(one.onsets, other.onsets)
