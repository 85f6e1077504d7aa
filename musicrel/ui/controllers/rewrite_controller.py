"""Controller of rewriting, which makes tasks of selection, locks and form."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Slot

from musicrel.chorale import Chorale
from musicrel.errors import UsageError
from musicrel.figures import roll
from musicrel.presentation.compose import form as forms
from musicrel.presentation.compose import rewrite_form, rule_rewrite
from musicrel.presentation.compose.form import Task
from musicrel.presentation.marks import Mark
from musicrel.ui.actions import commands
from musicrel.ui.controllers.writing_controller import WritingController
from musicrel.ui.document.document import GENERATING
from musicrel.ui.shell.main_window import Services

WHOLE: Final = "the whole piece"
MORE: Final = "{bars} more bars"
WITHOUT: Final = "{who}, {where}, without “{rule}”"


class RewriteController(QObject):
    def __init__(self, services: Services, writing: WritingController) -> None:
        super().__init__(services.document)
        self._document, self._messages = services.document, services.messages
        self._writing, self._strip = writing, services.page.strip
        self._actions = services.commands.rewriting
        self._violation: tuple[Chorale, Mark] | None = None
        self._attempt = 0
        document, actions, panel = self._document, self._actions, services.page.candidates
        for action in actions.continue_by:
            action.triggered.connect(partial(self.continue_piece, action.data()))
        for signal, slot in (
            (actions.rewrite.triggered, self.rewrite),
            (self._strip.rewrite_clicked, self.rewrite),
            (panel.retry.clicked, self.try_again),
            (document.selection_changed, self._show_state),
            (document.form_changed, self._show_state),
            (document.piece_changed, self._show_state),
            (document.busy_changed, self._show_state),
        ):
            signal.connect(slot)
        self._show_state()

    @Slot()
    def rewrite(self) -> None:
        if reason := commands.unwritable(self._document):
            self._messages.show_state(reason)
            return
        piece, selection = self._document.piece, self._document.selection
        what = WHOLE
        if selection is not None and piece is not None:
            what = roll.draw(piece).describe_selection(selection)
        self._writing.request(self._rewriting, what)

    def _rewriting(self) -> Task:
        document = self._document
        if document.piece is None or document.locks is None:
            raise UsageError(commands.NOTHING_TO_REWRITE)
        return forms.rewrite(
            document.piece,
            document.selection,
            document.locks,
            document.form,
            share=self._strip.amount.currentData(),
            rewriting=document.rewriting_model,
        )

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
            what = WITHOUT.format(who=violation.who, where=violation.where, rule=violation.title)
            self._writing.request(
                lambda: rule_rewrite.task(
                    piece,
                    violation,
                    locks,
                    document.form,
                    attempt=self._attempt,
                    rewriting=document.rewriting_model,
                ),
                what,
            )

    def continue_piece(self, bars: int, *_: object) -> None:
        document, piece = self._document, self._document.piece
        if piece is not None and not commands.unwritable(document):
            self._writing.request(
                lambda: forms.continuation(piece, bars, document.form), MORE.format(bars=bars)
            )

    @Slot()
    def _show_state(self) -> None:
        document, sees = self._document, self._document.sees_both_sides
        self._strip.show_state(
            selected=document.selection is not None,
            running=self._writing.busy and not document.generating,
            both_sides=sees,
            disabled_reason=commands.unwritable(document) or (GENERATING if document.busy else ""),
        )
        self._actions.rewrite.setStatusTip(rewrite_form.lookahead_text(sees_both_sides=sees))
