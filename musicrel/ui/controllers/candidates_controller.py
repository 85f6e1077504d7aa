"""Controller of candidates: they are generated, ranked, played, and one of them is accepted.

A job generates the candidates of a request and the panel ranks them. The selected candidate is
shown and played; the current piece does not change until a candidate is accepted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot

from musicrel.chorale import Chorale
from musicrel.presentation.compose import candidate_table, rewrite_form, summary
from musicrel.presentation.compose.request_builder import NewPiece, RequestBuilder
from musicrel.presentation.roll import roll
from musicrel.presentation.words import names
from musicrel.ui.actions import commands
from musicrel.ui.compose.candidate_run import CandidateRun, GenerateCandidates
from musicrel.ui.controllers.compose_controller import NOT_DONE, ComposeController
from musicrel.ui.controllers.lock_controller import LockController
from musicrel.ui.jobs.worker import Worker
from musicrel.ui.shell.main_window import MainWindow

if TYPE_CHECKING:
    from musicrel.generation.candidates.candidate_job import Candidate, CandidateSet

NO_CANDIDATES: Final = "There are no candidates: rewrite something, or generate several, first"
SEEN: Final = "A candidate is shown: accept it (Ctrl+Return) or go back (Esc) first"
CANCELLED: Final = "Cancelled"
FAILED: Final = "No candidate was generated"
KEPT: Final = "No candidate was completed: the longest unfinished one is kept"
WORKING: Final = "Generating {candidates} of {what}"
READY: Final = "{candidates} of {what}"
CHOOSE: Final = "Select one with the arrow keys to show and play it; Enter accepts it."
WAIT: Final = "The best one is shown here when all are finished."


class CandidatesController(QObject):
    """The controller of candidates.

    Args:
        window: the main window.
        compose: the controller of the current piece.
        locks: the controller of its locks, which an accepted candidate keeps.
        generate_candidates: factory of jobs that generate candidates.

    Attributes:
        run: the last or running generation of candidates.
        builder: the request of these candidates; None if the panel is closed.
        last_builder: the request of the last completed generation.

    Signals:
        shown_piece_changed (Chorale | None): the shown and played piece, a candidate or the
            current piece.
        changed: candidates, selection or progress changed.
        discarded: the candidates of a new piece were discarded; there is no piece.
    """

    shown_piece_changed = Signal(object)
    changed = Signal()
    discarded = Signal()

    def __init__(
        self,
        window: MainWindow,
        compose: ComposeController,
        locks: LockController,
        generate_candidates: GenerateCandidates,
    ) -> None:
        super().__init__(compose)
        self._window, self._compose, self._locks = window, compose, locks
        self._page, self._act = window.compose_page, window.commands.rewriting
        self._panel = window.compose_page.candidates
        self.run = CandidateRun(generate_candidates, self)
        self.builder: RequestBuilder | None = None
        self.last_builder: RequestBuilder | None = None
        self._what = ""
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

    def start(self, builder: RequestBuilder, what: str) -> None:
        """Generate candidates, at once or when the running job has ended.

        Args:
            builder: the request.
            what: description of the generated part, for messages.
        """
        self._deselect()
        self.builder, self._what = builder, what
        self.run.start(builder, self._compose.preferences.settings.device)
        self._page.banner.dismiss()
        self._window.places.open("compose")
        sees = self._page.controls.compose_form.sees_both_sides(builder.form.model)
        needs_lookahead = builder.needs_lookahead and not sees
        self._panel.begin(
            self._words(WORKING), rewrite_form.NO_LOOKAHEAD if needs_lookahead else ""
        )
        self._panel.title.setToolTip(rewrite_form.lookahead_text(sees_both_sides=sees))
        self._page.show_candidates(on=True)
        self._window.set_state(f"{self._words(WORKING)} …")
        self._page.controls.set_running(builder.original is None)
        self._update_enabled()
        self._panel.table.setFocus()

    # ------------------------------------------------------------------ user actions

    @Slot()
    def back(self) -> None:
        """Cancel a running job; else show the original; else close the panel."""
        if self.busy:
            self.cancel()
        elif self._chosen:
            self._deselect()
            self.rank()
            self._window.set_state("The original" if self.run.candidate(0) else CHOOSE)
        else:
            self.dismiss()

    @Slot()
    def cancel(self) -> None:
        """Stop generating; finished candidates are kept."""
        if self.busy:
            self.run.stop()
            self._end_run()
            self._window.set_state(CANCELLED)

    @Slot()
    def dismiss(self) -> None:
        """Show the current piece and close the panel."""
        was_new = isinstance(self.builder, NewPiece)
        self._deselect()
        self.clear()
        if was_new:
            self.discarded.emit()

    @Slot()
    def accept(self) -> None:
        """Make the selected candidate the current piece."""
        taken, builder = self.run.candidate(self._chosen), self.builder
        if taken is None or builder is None or self.busy:
            return
        kept = self._locks.cells
        self.clear()
        if taken.seed is None:
            return
        state = f"Accepted candidate {taken.number}: {self._what}"
        if kept is not None:
            self._locks.carry_over(kept)
        piece, form = builder.accepted(taken.chorale, taken.seed)
        self._compose.show_piece(piece, form, state, saved=False, again=True)
        self._page.shown.setFocus()

    @Slot(int)
    def choose(self, number: int) -> None:
        """Show and play another candidate; the playhead stays where it is."""
        seen = self.run.candidate(number)
        if seen is None or number == self._chosen:
            return
        self._chosen = number
        self._show(seen.chorale)
        self._window.set_state(self._selection_text(seen))

    @Slot()
    def rank(self) -> None:
        """Rank by the current weights; the selection is kept."""
        weights = self._panel.weight_values
        ordered = candidate_table.ranked(self.run.candidates, weights)
        self._panel.show_rows([candidate_table.row(one, weights) for one in ordered], self._chosen)

    # ------------------------------------------------------------------ events

    @Slot(float, str)
    def _on_run_progress(self, share: float, notice: str) -> None:
        self._panel.set_progress(share)
        self._page.controls.set_progress(share)
        if notice:
            self._panel.set_note(notice)

    @Slot(object)
    def _on_run_finished(self, made: CandidateSet) -> None:
        self.last_builder = self.builder
        self._end_run()
        self._panel.detail.setText(f"{self._words(READY)}, generated in {made.seconds:.1f} s")
        self.rank()
        if not self._chosen:
            self._panel.table.move_by(1)  # select the best one

    @Slot(str)
    def _on_run_failed(self, sentence: str) -> None:
        unfinished = self.run.longest_unfinished if isinstance(self.builder, NewPiece) else None
        self._end_run()
        self._window.set_state(FAILED)
        if unfinished is not None:
            self._compose.show_piece(unfinished, None, KEPT, saved=False)
        self._compose.report(sentence)

    @Slot()
    def clear(self) -> None:
        """Discard the candidates and close the panel; the current piece has changed or will."""
        self.builder, self._chosen = None, 0
        self.run.clear()
        self._page.show_candidates(on=False)
        self._compose.set_preview_disabled_reason("")
        self._compose.show_hint()
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
        if not self._compose.busy:
            self._page.controls.set_running(False)

    def _deselect(self) -> None:
        """Show and play the current piece again if a candidate was selected."""
        chosen, self._chosen = self._chosen, 0
        if chosen:
            self._show(self._compose.piece)

    def _show(self, piece: Chorale | None) -> None:
        """Show and play a piece that may differ from the current one."""
        self._compose.set_preview_disabled_reason(SEEN if self._chosen else "")
        if piece is None:
            self._compose.validate_form()
        else:
            self._page.roll.show_roll(roll.draw(piece))
        if piece is not None and isinstance(self.builder, NewPiece):
            self._page.set_heading(piece.title, summary.heading(piece))
        self._update_enabled()
        self.shown_piece_changed.emit(piece)

    def _selection_text(self, seen: Candidate) -> str:
        if seen.seed is None:
            return "The original"
        before = self.builder.before if self.builder is not None else ""
        return f"Candidate {seen.number}: Enter accepts it, Esc goes back to {before}"

    def _words(self, sentence: str) -> str:
        count = self.builder.count if self.builder is not None else 0
        made = self.run.candidate_count or count
        return sentence.format(candidates=names.count(made, "candidate"), what=self._what)

    @Slot()
    def _update_enabled(self) -> None:
        """Enable the commands that are possible now; tooltips give the reasons of the others."""
        act = self._act
        none = "" if self.run.candidates else NO_CANDIDATES
        for action in (act.next, act.previous):
            commands.set_enabled(action, none)
        commands.set_enabled(act.accept, none or (NOT_DONE if self.busy else ""))
        commands.set_enabled(act.back, "" if self.open else NO_CANDIDATES)
        seen = self.run.candidate(self._chosen) is not None
        self._panel.set_accept_enabled(seen and not self.busy)
        if isinstance(self.builder, NewPiece):
            what = self._words(WORKING if self.busy else READY)
            self._page.roll.set_hint(what, WAIT if self.busy else CHOOSE)
        self.changed.emit()

    def _connect(self) -> None:
        act, panel = self._act, self._panel
        for signals, slot in (
            ((act.next.triggered,), lambda: panel.table.move_by(1)),
            ((act.previous.triggered,), lambda: panel.table.move_by(-1)),
            ((act.accept.triggered, panel.accepted), self.accept),
            ((act.back.triggered,), self.back),
            ((panel.dismissed,), self.dismiss),
            ((panel.chosen,), self.choose),
            ((panel.weights_changed,), self.rank),
            ((self._page.strip.cancel_clicked, self._page.controls.stop_clicked), self.cancel),
            ((self._page.controls.compose_form.model_chosen,), self.cancel),
            ((self._compose.generation_started, self._compose.piece_changed), self.clear),
            ((self.run.progressed,), self._on_run_progress),
            ((self.run.candidates_changed,), self.rank),
            ((self.run.finished,), self._on_run_finished),
            ((self.run.failed,), self._on_run_failed),
        ):
            for signal in signals:
                signal.connect(slot)
