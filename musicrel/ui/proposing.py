"""The conductor of rewriting: candidates for a part of the piece, to be heard, chosen and accepted.

A request goes round like this: selection, locks and form become a ``Rewriting``, a job writes
versions of it, the panel ranks them. The one that is chosen there is seen and heard; the piece on
the sheet stays the original until one is accepted. Which kind of model answers is the job's affair.

This file knows the window and jobs; it knows nothing of models or of what makes a version good.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot

from musicrel.chorale import Chorale
from musicrel.errors import UsageError
from musicrel.presentation import names, proposals, rewriting, roll
from musicrel.presentation.rewriting import Rewriting
from musicrel.presentation.selection import Selection
from musicrel.ui import commands
from musicrel.ui.locking import Locking
from musicrel.ui.main_window import MainWindow
from musicrel.ui.studio import NOT_DONE, Studio
from musicrel.ui.versions import Propose, Versions

if TYPE_CHECKING:
    from musicrel.generation.candidates import Candidate, Proposals

NO_PIECE: Final = "There is nothing to rewrite yet: generate or open a piece"
NO_MODEL: Final = "There is no model to rewrite with"
NO_CANDIDATES: Final = "There are no candidates: rewrite something first"
SEEN: Final = "A candidate is seen: accept it (Ctrl+Return), or go back to the original (Esc) first"
CANCELLED: Final = "No more versions are written"
WORKING: Final = "Writing {versions} of {what}"
READY: Final = "{versions} of {what}"


class Proposing(QObject):
    """Wires candidates to the window.

    Args:
        window: with a strip to ask in and a panel to choose in.
        studio: has the piece, and takes the one that is accepted.
        locking: knows what is locked.
        propose: makes the job.

    Signals:
        shown: the piece that is seen and heard from now on: the original or a candidate for it.
    """

    shown = Signal(object)

    def __init__(
        self, window: MainWindow, studio: Studio, locking: Locking, propose: Propose
    ) -> None:
        super().__init__(studio)
        self._window, self._studio, self._locking = window, studio, locking
        self._page, self._act = window.page, window.commands.rewriting
        self._panel, self._strip = window.page.candidates, window.page.strip
        self.versions = Versions(propose, self)
        """What was written last, or is being written."""
        self._last: Rewriting | None = None
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
        return self._last is not None

    # ------------------------------------------------------------------ what the user did

    @Slot()
    def rewrite(self) -> None:
        """Have versions written of what is selected, or of all but what is locked."""
        piece, kept = self._studio.piece, self._locking.cells
        if piece is None or kept is None or self._obstacle():
            return
        selection, entries = self._page.selecting.selection, self._page.controls.entries
        try:
            wish = self._wished(piece, selection)
            if wish.same(self._last):
                entries.seed.roll()  # the same once more would be the same versions
                wish = self._wished(piece, selection)
        except UsageError as reason:
            self._studio.report(str(reason))
            return
        self._begin(wish, selection)

    def _wished(self, piece: Chorale, selection: Selection | None) -> Rewriting:
        kept = self._locking.cells
        form, count = self._page.controls.entries.form(), self._strip.count.value()
        if kept is None:
            raise UsageError(NO_PIECE)
        return rewriting.of(piece, selection, kept, form, count)

    def _begin(self, wish: Rewriting, selection: Selection | None) -> None:
        """Start, or wait for the job before to end."""
        self._leave()
        picture = roll.draw(wish.piece)
        self._what = selection.describe(picture) if selection is not None else "the whole piece"
        self._last = wish
        self.versions.start(wish, self._studio.preferences.settings.device)
        self._page.banner.dismiss()
        self._window.places.open("compose")
        self._panel.begin(self._words(WORKING))
        self._page.show_candidates(on=True)
        self._window.set_state(f"{self._words(WORKING)} …")
        self._allow()
        self._panel.table.setFocus()

    @Slot()
    def back(self) -> None:
        """End what is being written; else show the original; else close the panel."""
        if self.busy:
            self.cancel()
        elif self._chosen:
            self._panel.table.move_by(-len(self.versions.found))
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
        """Go back to the original and close the panel."""
        self._leave()
        self._close()

    @Slot()
    def accept(self) -> None:
        """Make the piece that is seen the one on the sheet."""
        taken = self.versions.candidate(self._chosen)
        if taken is None or self.busy:
            return
        kept, title = self._locking.cells, rewriting.title(self._title())
        self._close()
        if taken.seed is None:
            return
        if kept is not None:
            self._locking.carry(kept)
        piece = rewriting.named(taken.chorale, title)
        state = f"Accepted candidate {taken.number}: {self._what}"
        self._studio.show_piece(piece, None, state, saved=False)
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
        ordered = proposals.ranked(self.versions.found, weights)
        self._panel.show_rows([proposals.row(one, weights) for one in ordered], self._chosen)

    # ------------------------------------------------------------------ what came of it

    @Slot(float, str)
    def _progressed(self, share: float, notice: str) -> None:
        self._panel.set_progress(share)
        if notice:
            self._panel.set_note(notice)

    @Slot(object)
    def _finished(self, made: Proposals) -> None:
        self._settle()
        self._panel.detail.setText(f"{self._words(READY)}, written in {made.seconds:.1f} seconds")
        self.rank()
        if not self._chosen:
            self._panel.table.move_by(1)  # the best one is what the user waits for

    @Slot(str)
    def _failed(self, sentence: str) -> None:
        self._window.set_state("Nothing was rewritten")
        self._settle()
        self._studio.report(sentence)

    @Slot()
    def forget(self) -> None:
        """Another piece is on the sheet or being written: the candidates were not for that."""
        self._close()

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
        self._panel.set_note(proposals.stuck(self.versions.stuck))
        self._allow()

    def _leave(self) -> None:
        """See and hear the original again, if a candidate was."""
        chosen, self._chosen = self._chosen, 0
        if chosen and self._studio.piece is not None:
            self._show(self._studio.piece)

    def _close(self) -> None:
        self._last, self._chosen = None, 0
        self.versions.forget()
        self._page.show_candidates(on=False)
        self._studio.set_guest("")
        self._allow()

    def _show(self, piece: Chorale) -> None:
        """Let a piece be seen and heard that need not be the one on the sheet."""
        self._page.roll.show_roll(roll.draw(piece))
        self._studio.set_guest(SEEN if self._chosen else "")
        self._allow()
        self.shown.emit(piece)

    def _say_chosen(self, seen: Candidate) -> str:
        if seen.seed is None:
            return "The original"
        return f"Candidate {seen.number}: Enter accepts it, Esc goes back to the original"

    def _words(self, sentence: str) -> str:
        count = self._last.count if self._last is not None else 0
        made = self.versions.made or count
        return sentence.format(versions=names.count(made, "version"), what=self._what)

    def _title(self) -> str:
        return self._studio.piece.title if self._studio.piece is not None else ""

    def _obstacle(self) -> str:
        """Why nothing can be rewritten now."""
        if self._studio.busy:
            return NOT_DONE
        if self._studio.piece is None:
            return NO_PIECE
        return "" if self._page.controls.entries.form().model else NO_MODEL

    @Slot()
    def _allow(self) -> None:
        """Let the user do what can be done now, and say why not the rest."""
        act, obstacle = self._act, self._obstacle()
        self._strip.set_selected(selected=self._page.selecting.selection is not None)
        self._strip.set_obstacle(obstacle)
        self._strip.set_running(running=self.busy)
        commands.allow(act.rewrite, obstacle)
        none = "" if self.versions.found else NO_CANDIDATES
        for action in (act.next, act.previous):
            commands.allow(action, none)
        commands.allow(act.accept, none or (NOT_DONE if self.busy else ""))
        commands.allow(act.back, "" if self.open else NO_CANDIDATES)

    def _connect(self) -> None:
        act, panel = self._act, self._panel
        for signals, slot in (
            ((act.rewrite.triggered, self._strip.rewrite_clicked), self.rewrite),
            ((self._strip.cancel_clicked,), self.cancel),
            ((act.next.triggered,), lambda: panel.table.move_by(1)),
            ((act.previous.triggered,), lambda: panel.table.move_by(-1)),
            ((act.accept.triggered, panel.accepted), self.accept),
            ((act.back.triggered,), self.back),
            ((panel.dismissed,), self.dismiss),
            ((panel.chosen,), self.choose),
            ((panel.weighed,), self.rank),
            ((self._page.selecting.selection_changed, self._page.controls.entries.changed),
             self._allow),
            ((self._page.controls.entries.model_chosen,), self.cancel),
            ((self._studio.began, self._studio.offered), self.forget),
            ((self.versions.progressed,), self._progressed),
            ((self.versions.grew,), self.rank),
            ((self.versions.finished,), self._finished),
            ((self.versions.failed,), self._failed),
        ):  # fmt: skip
            for signal in signals:
                signal.connect(slot)
