"""Controller of rewriting: builds requests for candidates from selection, locks and form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction

from musicrel.chorale import Chorale
from musicrel.errors import UsageError
from musicrel.presentation.compose import form, models, rewrite_form, rule_rewrite
from musicrel.presentation.compose.form import RequestBuilder
from musicrel.presentation.roll import roll
from musicrel.presentation.roll.marks import Mark
from musicrel.presentation.roll.selection import describe
from musicrel.ui.actions import commands
from musicrel.ui.actions.rewrite_commands import RewriteCommands
from musicrel.ui.compose.compose_form import ComposeForm
from musicrel.ui.compose.rewrite_strip import RewriteStrip
from musicrel.ui.controllers.candidates_controller import CandidatesController
from musicrel.ui.document.document import GENERATING, Document
from musicrel.ui.document.messages import Messages

NO_PIECE: Final = "There is nothing to rewrite yet: generate or open a piece"
NO_MODEL: Final = "No model is installed"
NEW_PIECE: Final = "a new piece"
WHOLE: Final = "the whole piece"
MORE: Final = "{bars} more bars"
VARIED: Final = "varied"
WITHOUT: Final = "{who}, {where}, without “{rule}”"


class RewriteController(QObject):
    def __init__(
        self,
        document: Document,
        messages: Messages,
        candidates: CandidatesController,
        *,
        form_view: ComposeForm,
        strip: RewriteStrip,
        actions: RewriteCommands,
    ) -> None:
        super().__init__(document)
        self._document, self._messages, self._candidates = document, messages, candidates
        self._form_view, self._strip, self._actions = form_view, strip, actions
        self._violation: tuple[Chorale, Mark] | None = None
        self._attempt = 0
        self._connect()
        self._update_enabled()

    @Slot()
    def generate_candidates(self) -> None:
        count = self._document.form.candidates
        builder = self._with_new_notes(
            lambda: RequestBuilder(form=self._document.form, count=count)
        )
        self._document.select(None)
        self._document.set_aside()
        self._candidates.start(builder, NEW_PIECE)

    @Slot()
    def rewrite(self) -> None:
        piece, selection = self._document.piece, self._document.selection
        disabled_reason = self._disabled_reason()
        if piece is None or disabled_reason:
            self._messages.show_state(disabled_reason)
            return
        try:
            builder = self._with_new_notes(lambda: self._rewrite_builder(piece))
        except UsageError as reason:
            self._messages.report(str(reason))
            return
        what = describe(selection, roll.draw(piece)) if selection is not None else WHOLE
        self._candidates.start(builder, what)

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
        if self._violation is None or self._disabled_reason():
            return
        piece, violation = self._violation
        if self._document.piece is not piece:
            return
        try:
            builder = self._with_new_notes(lambda: self._builder_without(piece, violation))
        except UsageError as reason:
            self._messages.report(str(reason))
            return
        what = WITHOUT.format(who=violation.who, where=violation.where, rule=violation.title)
        self._candidates.start(builder, what)

    def continue_piece(self, bars: int) -> None:
        """Generate candidates of a continuation by a number of bars."""
        piece, count = self._document.piece, self._document.form.candidates
        if piece is None or self._disabled_reason():
            return
        builder = self._with_new_notes(
            lambda: RequestBuilder(piece=piece, bars=bars, form=self._document.form, count=count)
        )
        self._candidates.start(builder, MORE.format(bars=bars))

    def _with_new_notes(self, build: Callable[[], RequestBuilder]) -> RequestBuilder:
        """Return a request; one that would give the last candidates again gets another seed."""
        builder = build()
        if not builder.same(self._candidates.last_builder):
            return builder
        self._form_view.seed.randomize()
        return build()

    def _rewrite_builder(self, piece: Chorale) -> RequestBuilder:
        document, count = self._document, self._document.form.candidates
        if document.locks is None:
            raise UsageError(NO_PIECE)
        change, selection = self._strip.amount.currentData(), document.selection
        builder = form.rewrite(
            piece, selection, document.locks, document.form, count, change=change
        )
        if selection is None:
            builder = replace(builder, done=VARIED)
        return models.with_model(builder, document.rewriting_model)

    def _builder_without(self, piece: Chorale, violation: Mark) -> RequestBuilder:
        document = self._document
        if document.locks is None:
            raise UsageError(NO_PIECE)
        builder = rule_rewrite.builder(
            piece, violation, document.locks, document.form, attempt=self._attempt
        )
        return models.with_model(builder, document.rewriting_model)

    def _continue(self, action: QAction, *_: object) -> None:
        self.continue_piece(action.data())

    def _disabled_reason(self) -> str:
        """Return the reason why nothing can be rewritten now, or ""."""
        if self._document.generating:
            return GENERATING
        if self._document.piece is None:
            return NO_PIECE
        return "" if self._document.form.model else NO_MODEL

    @Slot()
    def _update_enabled(self) -> None:
        """Enable the commands that are possible now; tooltips give the reasons of the others."""
        disabled_reason = self._disabled_reason()
        sees, busy = self._document.sees_both_sides, self._candidates.busy
        self._strip.set_selected(selected=self._document.selection is not None)
        self._strip.set_disabled_reason(disabled_reason or (GENERATING if busy else ""))
        self._strip.set_running(running=busy)
        self._strip.set_lookahead(both_sides=sees)
        self._actions.rewrite.setStatusTip(rewrite_form.lookahead_text(sees_both_sides=sees))
        commands.set_enabled(self._actions.rewrite, disabled_reason)
        for action in self._actions.continue_by:
            commands.set_enabled(action, disabled_reason or (GENERATING if busy else ""))

    def _connect(self) -> None:
        document = self._document
        for action in self._actions.continue_by:
            action.triggered.connect(partial(self._continue, action))
        for signal, slot in (
            (self._actions.rewrite.triggered, self.rewrite),
            (self._strip.rewrite_clicked, self.rewrite),
            (document.selection_changed, self._update_enabled),
            (document.form_changed, self._update_enabled),
            (document.generation_started, self._update_enabled),
            (document.piece_changed, self._update_enabled),
            (self._candidates.changed, self._update_enabled),
        ):
            signal.connect(slot)
