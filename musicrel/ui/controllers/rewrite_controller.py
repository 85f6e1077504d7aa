"""Controller of rewriting: builds requests for candidates from selection, locks and form."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction

from musicrel.chorale import Chorale
from musicrel.errors import UsageError
from musicrel.presentation.compose import rewrite_form
from musicrel.presentation.compose.request_builder import Continuation, NewPiece
from musicrel.presentation.compose.rewrite_form import Rewrite
from musicrel.presentation.roll import roll
from musicrel.presentation.roll.selection import Selection
from musicrel.ui.actions import commands
from musicrel.ui.controllers.candidates_controller import CandidatesController
from musicrel.ui.controllers.compose_controller import NOT_DONE, ComposeController
from musicrel.ui.controllers.lock_controller import LockController
from musicrel.ui.shell.main_window import MainWindow

NO_PIECE: Final = "There is nothing to rewrite yet: generate or open a piece"
NO_MODEL: Final = "No model is installed"
NEW_PIECE: Final = "a new piece"
MORE: Final = "{bars} more bars"


class RewriteController(QObject):
    """The controller of rewriting.

    Args:
        window: the main window.
        compose: the controller of the current piece.
        locks: the controller of its locks.
        candidates: the controller that gets the requests.
    """

    def __init__(
        self,
        window: MainWindow,
        compose: ComposeController,
        locks: LockController,
        candidates: CandidatesController,
    ) -> None:
        super().__init__(compose)
        self._page, self._act = window.compose_page, window.commands.rewriting
        self._compose, self._locks, self._candidates = compose, locks, candidates
        self._strip, self._compose_form = (
            window.compose_page.strip,
            window.compose_page.controls.compose_form,
        )
        self._connect()
        self._update_enabled()

    @Slot()
    def generate_candidates(self) -> None:
        """Generate candidates of a new piece from the form."""
        count = self._compose_form.candidates.value()
        builder = NewPiece(form=self._compose_form.form(), count=count)
        if builder.same(self._candidates.last_builder):
            self._compose_form.seed.randomize()  # the same seed would give the same candidates
            builder = NewPiece(form=self._compose_form.form(), count=count)
        self._compose.clear()
        self._candidates.start(builder, NEW_PIECE)

    @Slot()
    def rewrite(self) -> None:
        """Generate candidates of the selection, or of everything that is not locked."""
        piece = self._compose.piece
        if piece is None or self._locks.cells is None or self._disabled_reason():
            return
        selection = self._page.selecting.selection
        try:
            builder = self._rewrite_builder(piece, selection)
            if builder.same(self._candidates.last_builder):
                self._compose_form.seed.randomize()
                builder = self._rewrite_builder(piece, selection)
        except UsageError as reason:
            self._compose.report(str(reason))
            return
        whole = "the whole piece"
        what = selection.describe(roll.draw(piece)) if selection is not None else whole
        self._candidates.start(builder, what)

    def continue_piece(self, bars: int) -> None:
        """Generate candidates of a continuation by a number of bars."""
        piece = self._compose.piece
        if piece is None or self._disabled_reason():
            return
        count = self._strip.count.value()
        builder = Continuation(piece=piece, bars=bars, form=self._compose_form.form(), count=count)
        if builder.same(self._candidates.last_builder):
            self._compose_form.seed.randomize()
            builder = replace(builder, form=self._compose_form.form())
        self._candidates.start(builder, MORE.format(bars=bars))

    def _rewrite_builder(self, piece: Chorale, selection: Selection | None) -> Rewrite:
        locked, count = self._locks.cells, self._strip.count.value()
        if locked is None:
            raise UsageError(NO_PIECE)
        change = self._strip.amount.currentData()
        return rewrite_form.build(
            piece, selection, locked, self._compose_form.form(), count, change=change
        )

    def _continue(self, action: QAction, *_: object) -> None:
        self.continue_piece(action.data())

    def _disabled_reason(self) -> str:
        """Return the reason why nothing can be rewritten now, or ""."""
        if self._compose.busy:
            return NOT_DONE
        if self._compose.piece is None:
            return NO_PIECE
        return "" if self._compose_form.form().model else NO_MODEL

    @Slot()
    def _update_enabled(self) -> None:
        """Enable the commands that are possible now; tooltips give the reasons of the others."""
        disabled_reason = self._disabled_reason()
        self._strip.set_selected(selected=self._page.selecting.selection is not None)
        self._strip.set_disabled_reason(disabled_reason)
        self._strip.set_running(running=self._candidates.busy)
        sees = self._compose_form.sees_both_sides()
        self._strip.set_lookahead(both_sides=sees)
        self._act.rewrite.setStatusTip(rewrite_form.lookahead_text(sees_both_sides=sees))
        for action in (self._act.rewrite, *self._act.continue_by):
            commands.set_enabled(action, disabled_reason)

    def _connect(self) -> None:
        for action in self._act.continue_by:
            action.triggered.connect(partial(self._continue, action))
        for signals, slot in (
            ((self._act.rewrite.triggered, self._strip.rewrite_clicked), self.rewrite),
            ((self._compose.candidates_requested,), self.generate_candidates),
            (
                (
                    self._page.selecting.selection_changed,
                    self._compose_form.changed,
                    self._candidates.changed,
                ),
                self._update_enabled,
            ),
        ):
            for signal in signals:
                signal.connect(slot)
