"""Controller of writing: what the user asks for becomes a task, and the panel lists candidates.

A new piece, a rewritten, varied or continued one and a harmonised melody are all tasks of the one
``Writer``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot

from musicrel.chorale import Chorale
from musicrel.errors import UsageError
from musicrel.figures import roll
from musicrel.generation import quality
from musicrel.generation.events import Generated, GenerationStep, MeansProgress, PhraseEndTrial
from musicrel.generation.events import SearchState as Search
from musicrel.language import count, tr
from musicrel.presentation import changes
from musicrel.presentation.compose import candidate_table, models, summary
from musicrel.presentation.compose import form as forms
from musicrel.presentation.compose.form import Form, Task
from musicrel.presentation.marks import Mark
from musicrel.presentation.words import muted_heads
from musicrel.presentation.words.keys import with_keys
from musicrel.score.importing.conversion import itemised
from musicrel.score.verses import harmonies
from musicrel.ui.actions import commands
from musicrel.ui.compose.harmonise_dialog import HarmoniseDialog, Melody
from musicrel.ui.controllers.writer import Writer
from musicrel.ui.document.document import GENERATING, Sketch
from musicrel.ui.files.file_jobs import OpenedPiece, read_melody
from musicrel.ui.jobs.worker import LatestJob
from musicrel.ui.shell.main_window import Services

if TYPE_CHECKING:
    from musicrel.generation.candidates.candidate_job import CandidateSet

NEW_PIECE: Final = tr("a new piece")
HYMN: Final = tr("a hymn")
WHOLE: Final = tr("the whole piece")
MORE: Final = tr("{bars} more bars")
WITHOUT: Final = tr("{who}, {where}, without “{rule}”")
HARMONY: Final = tr("harmony for “{title}”")

CANCELLED: Final = tr("Cancelled")
FAILED: Final = tr("No candidate was generated")
PIECE_READY: Final = tr("The piece is ready")
CANDIDATES_READY: Final = tr("The candidates are ready")
KEPT: Final = tr("No candidate was completed: the longest unfinished one is kept")
WORKING: Final = tr("Generating {candidates} of {what}")
WORKING_ON_ONE: Final = tr("Generating {what}")
READY: Final = tr("{candidates} of {what}")
READY_IN: Final = tr("{}, generated in {:.1f} s")
TIMED: Final = {
    "generated": tr("Generated in {:.1f} s"),
    "rewritten": tr("Rewritten in {:.1f} s"), "continued": tr("Continued in {:.1f} s"),
    "varied": tr("Varied in {:.1f} s"), "harmonised": tr("Harmonised in {:.1f} s"),
}  # fmt: skip
DIFFERENT: Final = tr("{:,} different candidates")
ORIGINAL: Final = tr("The original")
RESTORED: Final = tr("Restored {title}")
ACCEPTED: Final = tr("Accepted candidate {number}: {what}")
CANDIDATE: Final = tr(
    "Candidate {number}: accept it ({key[rewriting.accept]}) or go back to {before} "
    "({key[rewriting.back]})"
)
FIRST: Final = tr("Candidate 1 of {count} is finished: select it to play it meanwhile")
FIRST_OF: Final = tr("candidate 1 of {}")
PREVIEW: Final = tr("Writing and revising {}: {:.0%}")
AS_TAKES: Final = tr("The candidates are kept as takes ({key[takes.show]})")
CHOOSE: Final = tr("Select one with the arrow keys to show and play it; Return accepts it.")
WAIT_FOR_NOTES: Final = tr("Its notes are shown here as they are written.")
WAIT_FOR_ONE: Final = tr("It is shown here when it is finished.")
WAIT: Final = tr("The best one is shown here when all are finished.")
NO_LOOKAHEAD: Final = tr(
    "At draft quality and at temperature 0 this model does not look ahead to the notes kept after "
    "the passage."
)
PAIR: Final = tr(
    "1: all heads. 2: {muted} muted. The same seed. Arrow keys switch, and play again at the end."
)

UNRANKED: Final = tr(
    "; at draft quality or temperature 0, cadences are chosen only among several candidates"
)
PREPARING: Final = tr("Reading the training pieces for the means of muted heads: {share:.0%}")
GENERATING_BAR: Final = tr("Generating bar {bar} of {bars}")
SEARCHING: Final = tr("Searching among versions of a phrase")
SEARCHING_AMONG: Final = tr("Searching: {:.0f} of {} continuations fit")
GENERATED_IN: Final = tr("Generated in {:.1f} s{}")
GENERATION_FAILED: Final = tr("Generation failed")
STOPPING: Final = tr("Stopping …")
STOPPED_IN: Final = tr("Stopped in bar {bar} of {bars}")

READING: Final = tr("Reading {name} …")
STILL_READING: Final = tr("A melody is being read: try again in a moment")
READ_BUT: Final = tr("the melody of {name} was changed:{report}")
MELODY_OF: Final = tr("Melody of {title}")
READING_FAILED: Final = tr("Reading the melody failed")
THE_MELODY: Final = tr("the melody")
TIP: Final = tr(
    "Add three voices to a bundled melody, a file or the roll ({key[rewriting.harmonise]})"
)


class WritingController(QObject):
    recording_requested = Signal()  # a melody is to be recorded and then harmonised

    def __init__(self, services: Services) -> None:
        super().__init__(services.document)
        self._document, self._messages = services.document, services.messages
        self._preferences, self._page = services.preferences, services.page
        self._commands, self._actions = services.commands, services.commands.rewriting
        self._panel, self._strip = services.page.candidates, services.page.strip
        self._controls = services.page.controls
        self._form_view = self._controls.compose_form
        self.writer = Writer(services.document, services.models, self)
        self.reading = LatestJob(self)  # reads a melody that is to be harmonised
        self.dialog: HarmoniseDialog | None = None
        self.what = ""  # the request in words
        self._search: Search | None = None
        self._violation: tuple[Chorale, Mark] | None = None
        self._attempt = 0
        self._melody: tuple[Melody, Form] | None = None
        self._connect()
        self._update()
        self._show_strip()

    # ------------------------------------------------------------------ requests

    @Slot()
    def generate(self) -> None:
        document = self._document
        if not self._commands.generate.isEnabled():
            return
        if document.form_is_used:
            self._form_view.seed.randomize()  # the same seed would give the same piece
        is_live = document.form.candidates == 1 and not self._form_view.is_infill()
        self.request(
            lambda: forms.new_piece(document.form, is_live=is_live, made_on=document.made_on),
            HYMN if document.form.rhythm else NEW_PIECE,
        )

    def compose(self, tune: Chorale) -> None:
        """Write a hymn with the rhythm and the words of a tune; the form keeps them for others."""
        try:
            self._document.set_form(self._document.form.with_words(tune))
        except UsageError as reason:
            self._messages.report(str(reason))
        else:
            self.generate()

    @Slot()
    def rewrite(self) -> None:
        if reason := commands.unwritable(self._document):
            self._messages.show_state(reason)
            return
        self.request(self._rewriting, WHOLE)

    def _rewriting(self) -> Task:
        document = self._document
        if document.piece is None or document.locks is None:
            raise UsageError(commands.NOTHING_TO_REWRITE)
        task = forms.rewrite(
            document.piece,
            document.selection,
            document.locks,
            document.form,
            share=self._strip.amount.currentData(),
            rewriting=document.rewriting_model,
        )
        if document.selection is not None:
            rewritten = document.selection.within(task.free)
            self.what = roll.draw(document.piece).describe_selection(rewritten)
        return task

    @Slot(object)
    def rewrite_without(self, violation: Mark) -> None:
        piece = self._document.piece
        if piece is not None:
            self._violation, self._attempt = (piece, violation), 0
            self._start_without()

    @Slot()
    def try_again(self) -> None:
        self._attempt += 1
        self._start_without()

    def _start_without(self) -> None:
        document, locks = self._document, self._document.locks
        if self._violation is None or locks is None or commands.unwritable(document):
            return
        piece, violation = self._violation
        if document.piece is piece:
            make = partial(forms.rewrite_without, piece, violation, locks, attempt=self._attempt)
            self.request(
                lambda: make(document.form, rewriting=document.rewriting_model),
                WITHOUT.format(who=violation.who, where=violation.where, rule=violation.title),
            )

    def continue_piece(self, bars: int, *_: object) -> None:
        document, piece = self._document, self._document.piece
        if piece is not None and not commands.unwritable(document):
            self.request(
                lambda: forms.continuation(piece, bars, document.form), MORE.format(bars=bars)
            )

    def request(self, make: Callable[[], Task], what: str) -> None:
        before, self.what = self.what, what
        try:
            self.writer.start(make, self._preferences.device)
        except UsageError as reason:
            self.what = before
            self._messages.report(str(reason))
        else:
            self._show_request()

    def _show_request(self) -> None:
        task = self.writer.asked
        if task is None:
            return
        self._messages.dismiss()
        self._search = None
        self._controls.set_running(task.original is None or self._single)
        if task.is_live:
            return
        form, choice, remark = task.form, self._document.choice_of(task.form.model), ""
        sees = choice is not None and choice.sees_both_sides
        if task.is_pair:
            remark = PAIR.format(muted=muted_heads.codes(form.muted.of(form.model)))
        elif task.is_blind(sees_both_sides=sees):
            remark = NO_LOOKAHEAD
        self._panel.begin(self._words(WORKING), remark)
        self._panel.title.setToolTip(models.lookahead(sees_both_sides=sees))
        self._messages.show_state(f"{self._words(WORKING)} …")
        if self._single:
            self.writer.accept()  # as soon as it is there
        else:
            self._panel.table.setFocus()

    # ------------------------------------------------------------------ a melody

    @Slot()
    def ask_for_verse(self) -> None:
        """Ask for the harmony of a verse, first of the last one at the selection, or of all."""
        piece, selection = self._document.piece, self._document.selection
        self.ask_for_melody()
        if piece is not None and self.dialog is not None:
            start = selection.start if selection is not None else piece.steps
            self.dialog.verse.set_value(harmonies.verses_at(piece, start)[-1])
            self.dialog.verse.setFocus()

    @Slot()
    def ask_for_melody(self) -> None:
        if not self._actions.harmonise.isEnabled() or self.dialog is not None:
            return
        folder = self._preferences.settings.save_folder
        self.dialog = dialog = HarmoniseDialog(self._document, folder, self._controls.window())
        dialog.recording_requested.connect(self.recording_requested)
        dialog.accepted.connect(lambda: self.harmonise(dialog.chosen(), dialog.form()))
        dialog.finished.connect(self._forget_dialog)
        dialog.open()
        dialog.melody.setFocus()

    @Slot()
    def _forget_dialog(self) -> None:
        self.dialog = None

    def harmonise(self, melody: Melody, form: Form) -> None:
        """Harmonise a melody; model and number of candidates are those of the form from now on."""
        self._form_view.model.set_value(form.model)
        self._document.set_form(replace(self._document.form, candidates=form.candidates))
        if melody.path is None:
            if self._document.piece is not None:
                self.harmonise_piece(self._document.piece, melody, form)
        elif self.reading.busy:
            self._messages.report(STILL_READING)
        else:
            self._melody = melody, form
            self._messages.show_state(READING.format(name=melody.title))
            self.reading.start(read_melody(melody.path, melody.voice))

    @Slot(object)
    def _on_melody_read(self, result: OpenedPiece) -> None:
        if self._document.generating:  # a generation was started meanwhile
            self._messages.report(GENERATING)
        elif self._melody is not None:
            self.harmonise_piece(result.piece, *self._melody, result.report)

    @Slot(str)
    def _on_reading_failed(self, sentence: str) -> None:
        self._messages.show_state(READING_FAILED)
        self._messages.report(sentence)

    def harmonise_piece(
        self, piece: Chorale, melody: Melody, form: Form, report: Sequence[str] = ()
    ) -> None:
        """Harmonise a melody, which becomes the piece, and show the ``report`` of its file."""
        try:
            placed, moved = (piece, "") if melody.verse else forms.placed(piece, melody.voice)
            make = partial(forms.harmonisation, placed, melody.voice, phrases=melody.phrases)
            if melody.verse:
                rewriting, kept = self._document.rewriting_model, self._document.locks
                make = partial(forms.verse_harmony, piece, melody.verse, kept, rewriting=rewriting)
            make(form)
        except UsageError as reason:
            self._messages.report(str(reason))
            return
        if placed is not self._document.piece:
            self._document.show_piece(placed, action="opened")
            self._messages.show_state(MELODY_OF.format(title=placed.title))
        self.request(
            lambda: make(replace(form, seed=self._document.form.seed)),
            HARMONY.format(title=piece.title or THE_MELODY),
        )
        if report:
            report = itemised([*report, *filter(None, [moved])])
            self._messages.report(READ_BUT.format(name=melody.title, report=report))
        elif moved:
            self._messages.report(moved)

    def shut_down(self) -> None:
        if self.dialog is not None:
            self.dialog.close()

    # ------------------------------------------------------------------ candidates

    @Slot()
    def stop(self) -> None:
        if self._document.generating:
            self._controls.set_stopping()
            self._messages.show_state(STOPPING)
            self.writer.stop()
        elif self.writer.busy:
            self.cancel()
        else:  # model B still writes
            self.writer.stopped.emit()

    @Slot()
    def back(self) -> None:
        """Cancel a running job; else show the original; without one, close the panel."""
        if self.writer.busy:
            self.cancel()
        elif self.writer.chosen and self.writer.candidate(0) is not None:
            self.writer.go_back()
            self.rank()
            self._messages.show_state(ORIGINAL)
        else:
            self.dismiss()

    @Slot()
    def cancel(self) -> None:
        if self.writer.busy and self.writer.lists:
            self.writer.stop()
            self._show_end()
            self._messages.show_state(CANCELLED)

    @Slot()
    def dismiss(self) -> None:
        if self.writer.made:
            self._messages.show_state(with_keys(AS_TAKES))
        if self.writer.dismiss():
            self._messages.show_state(RESTORED.format(title=self._document.title))

    @Slot()
    def accept(self) -> None:
        taken = self.writer.candidate(self.writer.chosen)
        if taken is None or self.writer.busy:
            return
        self.writer.accept()
        if taken.seed is not None:
            self._messages.show_state(ACCEPTED.format(number=taken.number, what=self.what))
            self._page.shown.setFocus()

    @Slot(int)
    def choose(self, number: int) -> None:
        seen, task = self.writer.candidate(number), self.writer.task
        if seen is None or task is None or number == self.writer.chosen:
            return
        self.writer.choose(number)
        if seen.seed is None:
            self._messages.show_state(ORIGINAL)
        else:
            set_aside = self._document.title if task.piece is None else ""
            before = set_aside or task.before
            self._show_verse(task)
            self._messages.show_state(with_keys(CANDIDATE, number=number, before=before))

    def _show_verse(self, task: Task) -> None:
        """Select the verse that was written out, if one was, and scroll to its beginning."""
        selection = task.edit.selection if task.edit is not None else None
        if selection is not None:
            self._document.select(selection)
            self._page.roll.follow(selection.start, resume=True)

    @Slot(int)
    def _point_at(self, number: int) -> None:
        seen = self.writer.candidate(number)
        if seen is not None:
            self._document.draw(Sketch(piece=seen.chorale))

    @Slot()
    def rank(self) -> None:
        writer, weights = self.writer, self._panel.weights.values()
        ordered = candidate_table.ranked(writer.candidates, weights, writer.breaks)
        if writer.task is not None and writer.task.is_pair:  # the same piece twice: no rank
            ordered = tuple(sorted(ordered, key=lambda one: one.number))
        rows = [candidate_table.row(one, weights, writer.breaks) for one in ordered]
        self._panel.table.show_rows(rows, writer.chosen)

    # ------------------------------------------------------------------ events

    @Slot(object)
    def _on_progressed(self, events: tuple[object, ...]) -> None:
        last = events[-1]
        if isinstance(last, MeansProgress):
            self._messages.show_state(PREPARING.format(share=last.share))
        if self.writer.lists:
            self._show_candidates(events)
            return
        if any(isinstance(event, GenerationStep) for event in events):
            self._search = None
            self._controls.set_progress(self.writer.composition.share)  # it repaints at once: first
            self._messages.show_state(self._at_bar(GENERATING_BAR))
        if isinstance(last, PhraseEndTrial):
            states = [event for event in events if isinstance(event, Search)]
            self._search = found = states[-1] if states else self._search
            self._messages.show_state(
                SEARCHING_AMONG.format(found.effective_size, found.particles)
                if found is not None
                else SEARCHING
            )

    def _show_candidates(self, events: tuple[object, ...]) -> None:
        from musicrel.generation.causal.batch import Progress
        from musicrel.generation.infill.infill_generator import InfillProgress

        for event in events:
            if isinstance(event, Progress):
                share = event.done / max(event.total, 1)
                self._panel.set_progress(share)
                self._controls.set_progress(share)
                self._panel.set_note(event.notice or self._panel.note.text())
        passes = [event for event in events if isinstance(event, InfillProgress)]
        task, count = self.writer.task, len(self.writer.made)
        if task is None:
            return
        if passes and not count:
            which = self.what if task.count == 1 else FIRST_OF.format(task.count)
            self._messages.show_state(PREVIEW.format(which, passes[-1].share))
        if self._panel.table.rowCount() != len(self.writer.candidates):
            self.rank()
            if self._document.sketch is not None and count + len(self.writer.repeated) < task.count:
                self._messages.show_state(FIRST.format(count=task.count))

    @Slot(object)
    def _on_finished(self, made: Generated | CandidateSet | None) -> None:
        form, task = self.writer.form, self.writer.asked
        if made is None:
            self._end_piece(self._at_bar(STOPPED_IN))
        elif isinstance(made, Generated):
            searched = quality.searches(form.quality, form.temperature)
            unranked = UNRANKED if form.cadence and not searched else ""
            self._end_piece(GENERATED_IN.format(made.seconds, unranked))
            self._controls.facts.set_facts(summary.facts(made))
        elif self._single and task is not None:
            done = TIMED[task.action].format(made.seconds)
            if task.piece is not None and self._document.piece is not None:
                change = changes.compare(self._document.piece, task.piece)
                done = f"{done}: {change.describe()}"
            self._show_verse(task)
            self._messages.show_state(done)
        else:
            self._show_end(made.seconds)
        if made is not None:
            self._messages.ended.emit(PIECE_READY if self._single else CANDIDATES_READY)

    def _end_piece(self, state: str) -> None:
        self._messages.show_state(state)
        if self.writer.composition.so_far() is None and self._document.piece is not None:
            self._messages.show_state(RESTORED.format(title=self._document.title))

    def _at_bar(self, sentence: str) -> str:
        composition = self.writer.composition
        return sentence.format(bar=composition.bar, bars=composition.bars)

    @Slot(str, bool)
    def _on_failed(self, sentence: str, is_kept: bool) -> None:
        if self.writer.asked is not None and self.writer.asked.is_live:
            self._end_piece(GENERATION_FAILED)
        else:
            self._show_end()
            self._messages.show_state(KEPT if is_kept else FAILED)
        self._messages.report(sentence)

    def _show_end(self, seconds: float | None = None) -> None:
        """Show the end of a list, and select the best candidate if all were generated."""
        writer, panel, ready = self.writer, self._panel, self._words(READY)
        panel.set_progress(None)
        panel.detail.setText(ready if seconds is None else READY_IN.format(ready, seconds))
        if writer.stuck:
            panel.set_note(candidate_table.stuck_text(writer.stuck))
        if seconds is None:
            return
        if writer.task is not None and writer.task.avoided:
            remark, warning = candidate_table.avoidance_texts(writer.candidates, writer.breaks)
            panel.set_remark(remark)
            panel.set_note(warning)
            panel.retry.show()
        self.rank()
        if not writer.chosen:
            panel.table.move_by(1)

    # ------------------------------------------------------------------ what is shown

    @property
    def hint(self) -> tuple[str, str] | None:
        task, busy = self.writer.task, self.writer.busy
        if task is None or task.piece is not None or (task.is_live and not busy):
            return None
        if task.is_live:
            return self._words(WORKING), WAIT_FOR_NOTES
        wait = WAIT_FOR_ONE if self._single else WAIT
        return self._words(WORKING if busy else READY), wait if busy else CHOOSE

    @property
    def _single(self) -> bool:
        return self.writer.asked is not None and self.writer.asked.count == 1

    def _words(self, sentence: str) -> str:
        made = len(self.writer.made) or (
            self.writer.asked.count if self.writer.asked is not None else 0
        )
        sentence = WORKING_ON_ONE if self._single and sentence == WORKING else sentence
        some_repeat = self.writer.repeated and made > 1
        candidates = DIFFERENT.format(made) if some_repeat else count(made, "candidate")
        return sentence.format(candidates=candidates, what=self.what)

    @Slot()
    def _update(self) -> None:
        writer, busy = self.writer, self.writer.busy
        count = 0 if self._single else len(writer.candidates)
        self._document.set_candidates(count, listed=writer.lists)
        self._document.set_busy("A", on=busy)
        self._panel.set_accept_enabled(writer.candidate(writer.chosen) is not None and not busy)
        listed = writer.lists and not self._single
        if listed == self._panel.isHidden():
            self._page.show_candidates(on=listed)
            self.rank()  # the rows of a list that has ended are gone, too
        if not busy and not self._document.generating:
            self._controls.set_running(False)

    @Slot()
    def _show_strip(self) -> None:
        document, sees = self._document, self._document.sees_both_sides
        self._strip.show_state(
            selected=document.selection is not None,
            running=self.writer.busy and not document.generating,
            both_sides=sees,
            disabled_reason=commands.unwritable(document) or (GENERATING if document.busy else ""),
        )
        self._actions.rewrite.setStatusTip(models.lookahead(sees_both_sides=sees))

    def _connect(self) -> None:
        actions, panel, document = self._actions, self._panel, self._document
        writer, strip, form_view = self.writer, self._strip, self._form_view
        for action in actions.continue_by:
            action.triggered.connect(partial(self.continue_piece, action.data()))
        for signal, slot in (
            (writer.repeated_request, self._form_view.seed.randomize),
            (writer.changed, self._update),
            (writer.progressed, self._on_progressed),
            (writer.finished, self._on_finished),
            (writer.failed, self._on_failed),
            (self._controls.generate_clicked, self.generate),
            (self._commands.generate.triggered, self.generate),
            (actions.rewrite.triggered, self.rewrite),
            (strip.rewrite_clicked, self.rewrite),
            (panel.retry.clicked, self.try_again),
            (actions.harmonise.triggered, self.ask_for_melody),
            (actions.verse.triggered, self.ask_for_verse),
            (self.reading.finished, self._on_melody_read),
            (self.reading.failed, self._on_reading_failed),
            (actions.next.triggered, lambda: panel.table.move_by(1)),
            (actions.previous.triggered, lambda: panel.table.move_by(-1)),
            (actions.accept.triggered, self.accept),
            (panel.table.accept_requested, self.accept),
            (panel.accept.clicked, self.accept),
            (actions.back.triggered, self.back),
            (panel.close_button.clicked, self.dismiss),
            (panel.chosen, self.choose),
            (panel.pointed_at, self._point_at),
            (panel.table.left, lambda: document.draw(None)),
            (panel.weights.changed, self.rank),
            (strip.cancel_clicked, self.cancel),
            (self._controls.stop_clicked, self.stop),
            (self._commands.stop.triggered, self.stop),
            (form_view.model_chosen, self.cancel),
            (form_view.rewriting_model_chosen, self.cancel),
            (document.selection_changed, self._show_strip),
            (document.form_changed, self._show_strip),
            (document.piece_changed, self._show_strip),
            (document.busy_changed, self._show_strip),
        ):
            signal.connect(slot)
        commands.follow(self._controls.harmonise, actions.harmonise, TIP)
