"""Controller of candidates: they are generated, ranked, played, and one of them is accepted.

A job generates the candidates of a request, each of which becomes a take, and the panel ranks them.
The document previews the selected candidate; its piece does not change until a candidate is
accepted. A single candidate is accepted at once, and the panel stays closed.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot

from musicrel.presentation.compose import candidate_table, rewrite_form
from musicrel.presentation.compose.form import RequestBuilder
from musicrel.presentation.takes import changes
from musicrel.presentation.words import names
from musicrel.ui.actions import commands
from musicrel.ui.actions.rewrite_commands import RewriteCommands
from musicrel.ui.compose.candidate_run import CandidateRun, GenerateCandidates
from musicrel.ui.compose.compose_page import ComposePage
from musicrel.ui.compose.controls import Controls
from musicrel.ui.document.candidate_takes import CandidateTakes
from musicrel.ui.document.document import GENERATING, Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.document.sketch import Sketch
from musicrel.ui.jobs.worker import Worker

if TYPE_CHECKING:
    from musicrel.chorale import Chorale
    from musicrel.generation.candidates.candidate_job import Candidate, CandidateSet

NO_CANDIDATES: Final = "There are no candidates: rewrite something, or generate several, first"
CANCELLED: Final = "Cancelled"
FAILED: Final = "No candidate was generated"
KEPT: Final = "No candidate was completed: the longest unfinished one is kept"
WORKING: Final = "Generating {candidates} of {what}"
WORKING_ON_ONE: Final = "Generating {what}"
ORIGINAL: Final = "The original"
RESTORED: Final = "Restored {title}"
ACCEPTED: Final = "Accepted candidate {number}: {what}"
TIMED: Final = "{done} in {seconds:.1f} s"
READY_IN: Final = "{ready}, generated in {seconds:.1f} s"
CANDIDATE: Final = "Candidate {number}: Enter accepts it, Esc goes back to {before}"
READY: Final = "{candidates} of {what}"
DIFFERENT: Final = "different candidate"
AS_TAKES: Final = "The candidates are kept as takes (Ctrl+T)"
CHOOSE: Final = "Select one with the arrow keys to show and play it; Enter accepts it."
WAIT: Final = "The best one is shown here when all are finished."
WAIT_FOR_ONE: Final = "It is shown here when it is finished."


class CandidatesController(QObject):
    """The controller of candidates.

    Attributes:
        builder: the request of these candidates; None if the panel is closed.
        what: description of the generated part, for messages.
    """

    started = Signal()  # candidates are being generated
    changed = Signal()  # candidates, selection or progress changed

    def __init__(
        self,
        document: Document,
        messages: Messages,
        preferences: Preferences,
        *,
        generate: GenerateCandidates,
        page: ComposePage,
        controls: Controls,
        actions: RewriteCommands,
    ) -> None:
        super().__init__(document)
        self._document, self._messages, self._preferences = document, messages, preferences
        self._generate, self._page, self._panel = generate, page, page.candidates
        self._controls, self._actions = controls, actions
        self.run = CandidateRun(self)
        self.builder: RequestBuilder | None = None
        self.last_builder: RequestBuilder | None = None
        self._takes: CandidateTakes | None = None
        self.what = ""
        self._chosen = 0
        self._connect()
        self._update_enabled()

    @property
    def busy(self) -> bool:
        """Return True while candidates are generated."""
        return self.run.busy

    @property
    def chosen(self) -> int:
        """Return the number of the selected candidate; 0: the original."""
        return self._chosen

    @property
    def open(self) -> bool:
        """Return True if there are candidates or a job that generates them."""
        return self.builder is not None

    @property
    def hint(self) -> tuple[str, str] | None:
        """Return title and text for the empty sheet; None unless a new piece is generated."""
        if self.builder is None or not self.builder.is_new:
            return None
        wait = WAIT_FOR_ONE if self._single else WAIT
        return self._words(WORKING if self.busy else READY), wait if self.busy else CHOOSE

    @property
    def _single(self) -> bool:
        """Return True if one candidate is requested, which is accepted at once."""
        return self.builder is not None and self.builder.count == 1

    def start(self, builder: RequestBuilder, what: str) -> None:
        """Generate candidates, at once or when the running job has ended."""
        self._deselect()
        self.builder, self.what = builder, what
        self._takes = CandidateTakes(self._document, builder)
        model = builder.form.model
        self.run.start(partial(self._generate, model, self._preferences.device, builder))
        choice = self._document.choice_of(model)
        sees = choice is not None and choice.sees_both_sides
        note = rewrite_form.remark(builder, sees_both_sides=sees)
        self._panel.begin(self._words(WORKING), note)
        self._panel.title.setToolTip(rewrite_form.lookahead_text(sees_both_sides=sees))
        self._page.show_candidates(on=not self._single)
        self._messages.dismiss()
        self._messages.show_state(f"{self._words(WORKING)} …")
        self._controls.set_running(builder.original is None or self._single)
        self._update_enabled()
        self.started.emit()
        if not self._single:
            self._panel.table.setFocus()

    # ------------------------------------------------------------------ user actions

    @Slot()
    def back(self) -> None:
        """Cancel a running job; else show the original; without one, close the panel."""
        if self.busy:
            self.cancel()
        elif self._chosen and self.run.candidate(0) is not None:
            self._deselect()
            self._update_enabled()
            self.rank()
            self._messages.show_state(ORIGINAL)
        else:
            self.dismiss()

    @Slot()
    def cancel(self) -> None:
        """Stop generating; finished candidates are kept."""
        if self.busy:
            self.run.stop()
            self._end_run()
            self._messages.show_state(CANCELLED)

    @Slot()
    def dismiss(self) -> None:
        kept = self.run.candidate_count
        self._deselect()
        self.clear()
        if kept:
            self._messages.show_state(AS_TAKES)
        if self._document.bring_back():
            self._messages.show_state(RESTORED.format(title=self._document.title))

    @Slot()
    def accept(self) -> None:
        taken, builder = self.run.candidate(self._chosen), self.builder
        if taken is None or builder is None or self.busy:
            return
        if taken.seed is None:
            self.clear()
            return
        self._show_take(taken.number, builder)
        self._messages.show_state(ACCEPTED.format(number=taken.number, what=self.what))
        self._page.shown.setFocus()

    def _show_take(self, number: int, builder: RequestBuilder) -> Chorale | None:
        """Make the take of a candidate the current piece, and return this."""
        take = self._takes.take_of(number) if self._takes is not None else None
        if take is None:
            return None
        self._document.show_piece(
            take.piece,
            form=take.form if builder.is_new else None,
            locks=self._document.locks,
            generated=builder.is_new,
            take=take.number,
        )
        return take.piece

    @Slot(int)
    def choose(self, number: int) -> None:
        """Show and play another candidate; the playhead stays where it is."""
        seen = self.run.candidate(number)
        if seen is not None and number != self._chosen:
            self._chosen = number
            self._document.preview(seen.chorale if number else None)
            self._update_enabled()
            self._messages.show_state(self._selection_text(seen))

    @Slot(int)
    def point_at(self, number: int) -> None:
        """Draw a candidate while the mouse is on its row; playback stays with the selected one."""
        seen = self.run.candidate(number)
        if seen is not None:
            self._document.draw(Sketch(piece=seen.chorale))

    @Slot()
    def point_at_none(self) -> None:
        self._document.draw(None)

    @Slot()
    def rank(self) -> None:
        """Rank by the current weights; the selection is kept."""
        weights, breaks = self._panel.weight_values, self._breaks
        ordered = candidate_table.ranked(self.run.candidates, weights, breaks)
        if self.builder is not None and self.builder.is_pair:  # the same piece twice: no rank
            ordered = tuple(sorted(ordered, key=lambda one: one.number))
        rows = [candidate_table.row(one, weights, breaks) for one in ordered]
        self._panel.show_rows(rows, self._chosen)

    # ------------------------------------------------------------------ events

    @Slot(float, str)
    def _on_run_progress(self, share: float, notice: str) -> None:
        self._panel.set_progress(share)
        self._controls.set_progress(share)
        if notice:
            self._panel.set_note(notice)

    @Slot()
    def _on_candidates(self) -> None:
        for one in self.run.candidates:
            if self._takes is not None and one.seed is not None:
                self._takes.keep(one.number, one.chorale, one.seed)
        self.rank()

    def _apply(self, made: CandidateSet, builder: RequestBuilder) -> None:
        """Make the only candidate the current piece."""
        piece = self._show_take(made.ranked[0].number, builder)
        done = TIMED.format(done=builder.action.capitalize(), seconds=made.seconds)
        if piece is not None and builder.piece is not None:
            done = f"{done}: {changes.compare(piece, builder.piece).describe()}"
        self._messages.show_state(done)

    @Slot(object)
    def _on_run_finished(self, made: CandidateSet) -> None:
        self.last_builder = builder = self.builder
        self._end_run()
        if builder is not None and self._single:
            self._apply(made, builder)
            return
        ready = READY_IN.format(ready=self._words(READY), seconds=made.seconds)
        self._panel.detail.setText(ready)
        if builder is not None and builder.avoided:
            remark, warning = candidate_table.avoidance_texts(self.run.candidates, self._breaks)
            self._panel.set_remark(remark)
            self._panel.set_note(warning)
            self._panel.retry.show()
        self.rank()
        if not self._chosen:
            self._panel.table.move_by(1)  # select the best one

    @Slot(str)
    def _on_run_failed(self, sentence: str) -> None:
        unfinished = self.run.longest_unfinished if self.builder and self.builder.is_new else None
        self._end_run()
        self._messages.show_state(FAILED)
        if unfinished is not None:
            self._document.show_piece(unfinished, action="generated")
            self._messages.show_state(KEPT)
        self._messages.report(sentence)

    @Slot()
    def clear(self) -> None:
        """Discard the candidates and close the panel; the current piece has changed or will."""
        self.builder, self._chosen = None, 0
        self.run.clear()
        self._page.show_candidates(on=False)
        self._document.preview(None)
        self._end_running()
        self._update_enabled()

    def shut_down(self) -> tuple[Worker, ...]:
        """Request the jobs to end; return the workers to wait for."""
        return self.run.shut_down()

    # ------------------------------------------------------------------ internals

    def _end_run(self) -> None:
        """Update the panel at the end of a job; without candidates, close it."""
        if not self.run.candidate_count:
            self.dismiss()
        self._panel.set_progress(None)
        self._panel.detail.setText(self._words(READY))
        if self.run.stuck:
            self._panel.set_note(candidate_table.stuck_text(self.run.stuck))
        self._end_running()
        self._update_enabled()

    def _end_running(self) -> None:
        """Reset the main button of the form from Stop to Generate."""
        if not self._document.generating:
            self._controls.set_running(False)

    def _breaks(self, piece: Chorale) -> bool:
        """Return True if ``piece`` breaks the rule that the request avoids."""
        return self.builder is not None and self.builder.breaks_avoided(piece)

    def _deselect(self) -> None:
        """Show and play the current piece again if a candidate was selected or pointed at."""
        self._chosen = 0
        self._document.draw(None)
        self._document.preview(None)

    def _selection_text(self, seen: Candidate) -> str:
        if seen.seed is None:
            return ORIGINAL
        before = self.builder.before if self.builder is not None else ""
        set_aside = self.builder is not None and self.builder.is_new and self._document.title
        return CANDIDATE.format(number=seen.number, before=set_aside or before)

    def _words(self, sentence: str) -> str:
        count = self.builder.count if self.builder is not None else 0
        made = self.run.candidate_count or count
        sentence = WORKING_ON_ONE if self._single and sentence == WORKING else sentence
        noun = DIFFERENT if self.run.repeated and made > 1 else "candidate"
        return sentence.format(candidates=names.count(made, noun), what=self.what)

    @Slot()
    def _update_enabled(self) -> None:
        """Enable the commands that are possible now; tooltips give the reasons of the others."""
        actions = self._actions
        none = "" if self.run.candidates and not self._single else NO_CANDIDATES
        for action in (actions.next, actions.previous):
            commands.set_enabled(action, none)
        commands.set_enabled(actions.accept, none or (GENERATING if self.busy else ""))
        commands.set_enabled(actions.back, "" if self.open else NO_CANDIDATES)
        seen = self.run.candidate(self._chosen) is not None
        self._panel.set_accept_enabled(seen and not self.busy)
        self.changed.emit()

    def _connect(self) -> None:
        actions, panel, document = self._actions, self._panel, self._document
        form_view = self._controls.compose_form
        for signal, slot in (
            (actions.next.triggered, lambda: panel.table.move_by(1)),
            (actions.previous.triggered, lambda: panel.table.move_by(-1)),
            (actions.accept.triggered, self.accept),
            (panel.accepted, self.accept),
            (actions.back.triggered, self.back),
            (panel.dismissed, self.dismiss),
            (panel.chosen, self.choose),
            (panel.pointed_at, self.point_at),
            (panel.pointed_at_none, self.point_at_none),
            (panel.weights_changed, self.rank),
            (self._page.strip.cancel_clicked, self.cancel),
            (self._controls.stop_clicked, self.cancel),
            (form_view.model_chosen, self.cancel),
            (form_view.rewriting_model_chosen, self.cancel),
            (document.generation_started, self.clear),
            (document.piece_changed, self.clear),
            (self.run.progressed, self._on_run_progress),
            (self.run.candidates_changed, self._on_candidates),
            (self.run.finished, self._on_run_finished),
            (self.run.failed, self._on_run_failed),
        ):
            signal.connect(slot)
