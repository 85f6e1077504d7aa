"""The conductor of candidates: versions are written, heard, chosen from, and one is accepted.

A wish goes round like this: a job writes the versions, the panel ranks them; the one that is chosen
there is seen and heard, while the sheet keeps what it had until one is accepted. What is wished for
comes from ``wishing``; which kind of model answers is the job's affair.

This file knows the window and jobs; it knows nothing of models or of what makes a version good.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot

from musicrel.chorale import Chorale
from musicrel.presentation.compose import candidate_table, rewrite_form, summary
from musicrel.presentation.compose.request_builder import NewPiece, Wish
from musicrel.presentation.roll import roll
from musicrel.presentation.words import names
from musicrel.ui.actions import commands
from musicrel.ui.compose.candidate_run import Propose, Versions
from musicrel.ui.controllers.compose_controller import NOT_DONE, Studio
from musicrel.ui.controllers.lock_controller import Locking
from musicrel.ui.shell.main_window import MainWindow

if TYPE_CHECKING:
    from musicrel.generation.candidates.candidate_job import Candidate, Proposals

NO_CANDIDATES: Final = "There are no candidates: rewrite something, or generate several, first"
SEEN: Final = "A candidate is seen: accept it (Ctrl+Return), or go back (Esc) first"
CANCELLED: Final = "No more versions are written"
FAILED: Final = "No version was written"
KEPT: Final = "No version came to its end: the longest beginning is kept"
WORKING: Final = "Writing {versions} of {what}"
READY: Final = "{versions} of {what}"
CHOOSE: Final = "Choose one with the arrow keys to see and hear it; Enter accepts it."
WAIT: Final = "The best of them is shown here as soon as all are written."


class Proposing(QObject):
    """Wires candidates to the window.

    Args:
        window: with a panel to choose in.
        studio: has the sheet, and takes the piece that is accepted.
        locking: what is locked stays so when a version is accepted.
        propose: makes the job.

    Signals:
        shown: the piece that is seen and heard from now on: a candidate or what is on the sheet.
        changed: versions are being written, or no longer.
        given_up: no version of a new piece was taken, the sheet is empty.
    """

    shown = Signal(object)
    changed = Signal()
    given_up = Signal()

    def __init__(
        self, window: MainWindow, studio: Studio, locking: Locking, propose: Propose
    ) -> None:
        super().__init__(studio)
        self._window, self._studio, self._locking = window, studio, locking
        self._page, self._act = window.page, window.commands.rewriting
        self._panel = window.page.candidates
        self.versions = Versions(propose, self)
        """What was written last, or is being written."""
        self.wish: Wish | None = None
        """What there are versions of, or will be."""
        self.written: Wish | None = None
        """What all versions were written of, the last time that came to its end."""
        self._what = ""
        self._chosen = 0
        self._connect()
        self._allow()

    @property
    def busy(self) -> bool:
        """Whether versions are being written."""
        return self.versions.busy

    @property
    def open(self) -> bool:
        """Whether there is something to choose from, or will be."""
        return self.wish is not None

    def begin(self, wish: Wish, what: str) -> None:
        """Have versions written, at once or when the job before has ended.

        Args:
            wish: its versions.
            what: of what they are, in words.
        """
        self._leave()
        self.wish, self._what = wish, what
        self.versions.start(wish, self._studio.preferences.settings.device)
        self._page.banner.dismiss()
        self._window.places.open("compose")
        sees = self._page.controls.entries.sees_both_sides(wish.form.model)
        blind = wish.blind and not sees
        self._panel.begin(self._words(WORKING), rewrite_form.BLIND if blind else "")
        self._panel.title.setToolTip(rewrite_form.way(sees_both_sides=sees))
        self._page.show_candidates(on=True)
        self._window.set_state(f"{self._words(WORKING)} …")
        self._page.controls.set_running(wish.original is None)
        self._allow()
        self._panel.table.setFocus()

    # ------------------------------------------------------------------ what the user did

    @Slot()
    def back(self) -> None:
        """End what is being written; else show what is on the sheet; else close the panel."""
        if self.busy:
            self.cancel()
        elif self._chosen:
            self._leave()
            self.rank()
            self._window.set_state("The original" if self.versions.candidate(0) else CHOOSE)
        else:
            self.dismiss()

    @Slot()
    def cancel(self) -> None:
        """Write no more versions; those that are there stay."""
        if self.busy:
            self.versions.stop()
            self._settle()
            self._window.set_state(CANCELLED)

    @Slot()
    def dismiss(self) -> None:
        """Show what is on the sheet and close the panel."""
        was_new = isinstance(self.wish, NewPiece)
        self._leave()
        self.forget()
        if was_new:
            self.given_up.emit()

    @Slot()
    def accept(self) -> None:
        """Make the piece that is seen the one on the sheet."""
        taken, wish = self.versions.candidate(self._chosen), self.wish
        if taken is None or wish is None or self.busy:
            return
        kept = self._locking.cells
        self.forget()
        if taken.seed is None:
            return
        state = f"Accepted candidate {taken.number}: {self._what}"
        if kept is not None:
            self._locking.carry(kept)
        piece, form = wish.accepted(taken.chorale, taken.seed)
        self._studio.show_piece(piece, form, state, saved=False, again=True)
        self._page.shown.setFocus()

    @Slot(int)
    def choose(self, number: int) -> None:
        """See and hear another candidate; the playhead stays where it is."""
        seen = self.versions.candidate(number)
        if seen is None or number == self._chosen:
            return
        self._chosen = number
        self._show(seen.chorale)
        self._window.set_state(self._say_chosen(seen))

    @Slot()
    def rank(self) -> None:
        """Rank by the weights as they are; the chosen candidate stays chosen."""
        weights = self._panel.values
        ordered = candidate_table.ranked(self.versions.found, weights)
        self._panel.show_rows([candidate_table.row(one, weights) for one in ordered], self._chosen)

    # ------------------------------------------------------------------ what came of it

    @Slot(float, str)
    def _progressed(self, share: float, notice: str) -> None:
        self._panel.set_progress(share)
        self._page.controls.set_progress(share)
        if notice:
            self._panel.set_note(notice)

    @Slot(object)
    def _finished(self, made: Proposals) -> None:
        self.written = self.wish
        self._settle()
        self._panel.detail.setText(f"{self._words(READY)}, written in {made.seconds:.1f} seconds")
        self.rank()
        if not self._chosen:
            self._panel.table.move_by(1)  # the best one is what the user waits for

    @Slot(str)
    def _failed(self, sentence: str) -> None:
        beginning = self.versions.beginning if isinstance(self.wish, NewPiece) else None
        self._settle()
        self._window.set_state(FAILED)
        if beginning is not None:
            self._studio.show_piece(beginning, None, KEPT, saved=False)
        self._studio.report(sentence)

    @Slot()
    def forget(self) -> None:
        """Drop the versions and close the panel: something else is on the sheet, or will be."""
        self.wish, self._chosen = None, 0
        self.versions.forget()
        self._page.show_candidates(on=False)
        self._studio.set_guest("")
        self._studio.show_hint()
        self._end_running()
        self._allow()

    def shut_down(self) -> bool:
        """End what runs and wait for that; whether it has ended."""
        return self.versions.shut_down()

    # ------------------------------------------------------------------ inside

    def _settle(self) -> None:
        """Nothing is being written any more; without a version there is nothing to choose."""
        if not self.versions.made:
            self.dismiss()
        self._panel.set_progress(None)
        self._panel.detail.setText(self._words(READY))
        if self.versions.stuck:
            self._panel.set_note(candidate_table.stuck(self.versions.stuck))
        self._end_running()
        self._allow()

    def _end_running(self) -> None:
        """Let the button of the form be Generate again, where it was Stop for these versions."""
        if not self._studio.busy:
            self._page.controls.set_running(False)

    def _leave(self) -> None:
        """See and hear what is on the sheet again, if a candidate was."""
        chosen, self._chosen = self._chosen, 0
        if chosen:
            self._show(self._studio.piece)

    def _show(self, piece: Chorale | None) -> None:
        """Let a piece be seen and heard that need not be the one on the sheet."""
        self._studio.set_guest(SEEN if self._chosen else "")
        if piece is None:
            self._studio.look_at_form()
        else:
            self._page.roll.show_roll(roll.draw(piece))
        if piece is not None and isinstance(self.wish, NewPiece):
            self._page.set_heading(piece.title, summary.heading(piece))
        self._allow()
        self.shown.emit(piece)

    def _say_chosen(self, seen: Candidate) -> str:
        if seen.seed is None:
            return "The original"
        before = self.wish.before if self.wish is not None else ""
        return f"Candidate {seen.number}: Enter accepts it, Esc goes back to {before}"

    def _words(self, sentence: str) -> str:
        count = self.wish.count if self.wish is not None else 0
        made = self.versions.made or count
        return sentence.format(versions=names.count(made, "version"), what=self._what)

    @Slot()
    def _allow(self) -> None:
        """Let the user do what can be done now, and say why not the rest."""
        act = self._act
        none = "" if self.versions.found else NO_CANDIDATES
        for action in (act.next, act.previous):
            commands.allow(action, none)
        commands.allow(act.accept, none or (NOT_DONE if self.busy else ""))
        commands.allow(act.back, "" if self.open else NO_CANDIDATES)
        seen = self.versions.candidate(self._chosen) is not None
        self._panel.set_acceptable(seen and not self.busy)
        if isinstance(self.wish, NewPiece):
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
            ((panel.weighed,), self.rank),
            ((self._page.strip.cancel_clicked, self._page.controls.stop_clicked), self.cancel),
            ((self._page.controls.entries.model_chosen,), self.cancel),
            ((self._studio.began, self._studio.offered), self.forget),
            ((self.versions.progressed,), self._progressed),
            ((self.versions.grew,), self.rank),
            ((self.versions.finished,), self._finished),
            ((self.versions.failed,), self._failed),
        ):
            for signal in signals:
                signal.connect(slot)
