"""The conductor of wishes: what the user wants several versions of, and when that can be had.

Selection, locks and form become a wish; ``proposing`` has it written and lets the user choose.

This file knows the window; it knows nothing of how versions are written or ranked.
"""

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
from musicrel.presentation.compose.rewrite_form import Rewriting
from musicrel.presentation.roll import roll
from musicrel.presentation.roll.selection import Selection
from musicrel.ui.actions import commands
from musicrel.ui.controllers.candidates_controller import Proposing
from musicrel.ui.controllers.compose_controller import NOT_DONE, Studio
from musicrel.ui.controllers.lock_controller import Locking
from musicrel.ui.shell.main_window import MainWindow

NO_PIECE: Final = "There is nothing to rewrite yet: generate or open a piece"
NO_MODEL: Final = "There is no model to rewrite with"
NEW_PIECE: Final = "a new piece"
MORE: Final = "{bars} more bars"


class Wishing(QObject):
    """Wires wishes to the window.

    Args:
        window: with a strip and a form to ask in.
        studio: has the piece, and tells when several new ones are asked for.
        locking: knows what is locked.
        proposing: takes the wishes.
    """

    def __init__(
        self, window: MainWindow, studio: Studio, locking: Locking, proposing: Proposing
    ) -> None:
        super().__init__(studio)
        self._page, self._act = window.page, window.commands.rewriting
        self._studio, self._locking, self._proposing = studio, locking, proposing
        self._strip, self._entries = window.page.strip, window.page.controls.entries
        self._connect()
        self._allow()

    @Slot()
    def compose(self) -> None:
        """Have several new pieces written after the form, on an empty sheet."""
        count = self._entries.candidates.value()
        wish = NewPiece(form=self._entries.form(), count=count)
        if wish.same(self._proposing.written):
            self._entries.seed.roll()  # the same once more would be the same versions
            wish = NewPiece(form=self._entries.form(), count=count)
        self._studio.clear()
        self._proposing.begin(wish, NEW_PIECE)

    @Slot()
    def rewrite(self) -> None:
        """Have versions written of what is selected, or of all but what is locked."""
        piece = self._studio.piece
        if piece is None or self._locking.cells is None or self._obstacle():
            return
        selection = self._page.selecting.selection
        try:
            wish = self._wished(piece, selection)
            if wish.same(self._proposing.written):
                self._entries.seed.roll()
                wish = self._wished(piece, selection)
        except UsageError as reason:
            self._studio.report(str(reason))
            return
        whole = "the whole piece"
        what = selection.describe(roll.draw(piece)) if selection is not None else whole
        self._proposing.begin(wish, what)

    def carry_on(self, bars: int) -> None:
        """Have several versions written of what comes after the piece."""
        piece = self._studio.piece
        if piece is None or self._obstacle():
            return
        count = self._strip.count.value()
        wish = Continuation(piece=piece, bars=bars, form=self._entries.form(), count=count)
        if wish.same(self._proposing.written):
            self._entries.seed.roll()
            wish = replace(wish, form=self._entries.form())
        self._proposing.begin(wish, MORE.format(bars=bars))

    def _wished(self, piece: Chorale, selection: Selection | None) -> Rewriting:
        kept, count = self._locking.cells, self._strip.count.value()
        if kept is None:
            raise UsageError(NO_PIECE)
        change = self._strip.amount.currentData()
        return rewrite_form.of(piece, selection, kept, self._entries.form(), count, change=change)

    def _carry_on(self, action: QAction, *_told: object) -> None:
        self.carry_on(action.data())

    def _obstacle(self) -> str:
        """Why nothing can be rewritten now."""
        if self._studio.busy:
            return NOT_DONE
        if self._studio.piece is None:
            return NO_PIECE
        return "" if self._entries.form().model else NO_MODEL

    @Slot()
    def _allow(self) -> None:
        """Let the user do what can be done now, and say why not the rest."""
        obstacle = self._obstacle()
        self._strip.set_selected(selected=self._page.selecting.selection is not None)
        self._strip.set_obstacle(obstacle)
        self._strip.set_running(running=self._proposing.busy)
        sees = self._entries.sees_both_sides()
        self._strip.set_sight(both_sides=sees)
        self._act.rewrite.setStatusTip(rewrite_form.way(sees_both_sides=sees))
        for action in (self._act.rewrite, *self._act.continue_by):
            commands.allow(action, obstacle)

    def _connect(self) -> None:
        for action in self._act.continue_by:
            action.triggered.connect(partial(self._carry_on, action))
        for signals, slot in (
            ((self._act.rewrite.triggered, self._strip.rewrite_clicked), self.rewrite),
            ((self._studio.several_asked,), self.compose),
            (
                (
                    self._page.selecting.selection_changed,
                    self._entries.changed,
                    self._proposing.changed,
                ),
                self._allow,
            ),
        ):
            for signal in signals:
                signal.connect(slot)
