"""Controllers of rewriting, which builds requests from selection, locks and form, and of locks.

Every change of the locks of the current piece is a step of Undo.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Slot

from musicrel.chorale import Chorale, Flags, Voice
from musicrel.presentation.compose import form, models, rewrite_form, rule_rewrite
from musicrel.presentation.compose.form import RequestBuilder
from musicrel.presentation.roll import lock_cells, roll
from musicrel.presentation.roll.marks import Mark
from musicrel.presentation.roll.roll import describe
from musicrel.ui.actions import commands
from musicrel.ui.actions.commands import Group
from musicrel.ui.compose.rewrite_strip import RewriteStrip
from musicrel.ui.controllers.writing_controller import WritingController
from musicrel.ui.document.document import GENERATING, Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.roll.legend import Legend
from musicrel.ui.roll.roll_view import RollView

NO_PIECE: Final = "There is nothing to rewrite yet: generate or open a piece"
NO_MODEL: Final = "No model is installed"
WHOLE: Final = "the whole piece"
MORE: Final = "{bars} more bars"
VARIED: Final = "varied"
WITHOUT: Final = "{who}, {where}, without “{rule}”"
TIP: Final = "Locked notes are not rewritten"
LOCK_TIP: Final = "Lock the selection (Ctrl+K). {tip}.\n\n{lookahead}"
UNLOCK_TIP: Final = "Unlock the selection (Ctrl+K). {tip}.\n\n{lookahead}"


class RewriteController(QObject):
    def __init__(
        self,
        document: Document,
        messages: Messages,
        writing: WritingController,
        *,
        strip: RewriteStrip,
        actions: Group,
    ) -> None:
        super().__init__(document)
        self._document, self._messages, self._writing = document, messages, writing
        self._strip, self._actions = strip, actions
        self._violation: tuple[Chorale, Mark] | None = None
        self._attempt = 0
        self._connect()
        self._update_enabled()

    @Slot()
    def rewrite(self) -> None:
        piece, locks = self._document.piece, self._document.locks
        selection, disabled_reason = self._document.selection, self._disabled_reason()
        if piece is None or locks is None or disabled_reason:
            self._messages.show_state(disabled_reason)
            return
        what = describe(selection, roll.draw(piece)) if selection is not None else WHOLE
        self._writing.request(lambda: self._rewrite_builder(piece, locks), what)

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
        (piece, violation), locks = self._violation, self._document.locks
        if self._document.piece is piece and locks is not None:
            what = WITHOUT.format(who=violation.who, where=violation.where, rule=violation.title)
            self._writing.request(lambda: self._builder_without(piece, locks, violation), what)

    def continue_piece(self, bars: int, *_: object) -> None:
        piece, document = self._document.piece, self._document
        if piece is None or self._disabled_reason():
            return
        self._writing.request(
            lambda: RequestBuilder(
                piece=piece, bars=bars, form=document.form, count=document.form.candidates
            ),
            MORE.format(bars=bars),
        )

    def _rewrite_builder(self, piece: Chorale, locks: Flags) -> RequestBuilder:
        document, count = self._document, self._document.form.candidates
        change, selection = self._strip.amount.currentData(), document.selection
        builder = form.rewrite(piece, selection, locks, document.form, count, change=change)
        if selection is None:
            builder = replace(builder, done=VARIED)
        return models.with_model(builder, document.rewriting_model)

    def _builder_without(self, piece: Chorale, locks: Flags, violation: Mark) -> RequestBuilder:
        document = self._document
        builder = rule_rewrite.builder(
            piece, violation, locks, document.form, attempt=self._attempt
        )
        return models.with_model(builder, document.rewriting_model)

    def _disabled_reason(self) -> str:
        """Return the reason why nothing can be rewritten now, or ""."""
        if self._document.generating:
            return GENERATING
        if self._document.piece is None:
            return NO_PIECE
        return "" if self._document.form.model else NO_MODEL

    @Slot()
    def _update_enabled(self) -> None:
        disabled_reason = self._disabled_reason()
        sees, busy = self._document.sees_both_sides, self._writing.busy
        self._strip.show_state(
            selected=self._document.selection is not None,
            running=busy and not self._document.generating,
            both_sides=sees,
            disabled_reason=disabled_reason or (GENERATING if busy else ""),
        )
        self._actions.rewrite.setStatusTip(rewrite_form.lookahead_text(sees_both_sides=sees))
        commands.set_enabled(self._actions.rewrite, disabled_reason)
        for action in self._actions.continue_by:
            commands.set_enabled(action, disabled_reason or (GENERATING if busy else ""))

    def _connect(self) -> None:
        document = self._document
        for action in self._actions.continue_by:
            action.triggered.connect(partial(self.continue_piece, action.data()))
        for signal, slot in (
            (self._actions.rewrite.triggered, self.rewrite),
            (self._strip.rewrite_clicked, self.rewrite),
            (document.selection_changed, self._update_enabled),
            (document.form_changed, self._update_enabled),
            (document.piece_changed, self._update_enabled),
            (self._writing.changed, self._update_enabled),
        ):
            signal.connect(slot)


class LockController(QObject):
    def __init__(self, document: Document, roll: RollView, legend: Legend, actions: Group) -> None:
        super().__init__(document)
        self._document, self._roll, self._legend, self._actions = document, roll, legend, actions
        for action in actions.voices:
            action.triggered.connect(partial(self.toggle_voice, action.data()))
        for signal, slot in (
            (actions.lock.triggered, self.toggle_selection),
            (actions.first_chord.triggered, lambda: self._toggle_chord("first")),
            (actions.last_chord.triggered, lambda: self._toggle_chord("last")),
            (actions.unlock.triggered, self.unlock),
            (legend.voice_clicked, self.toggle_voice),
            (document.selection_changed, self._show_locks),
            (document.form_changed, self._show_locks),
            (document.generation_started, self._show_locks),
            (document.locks_changed, self._show_locks),
        ):
            signal.connect(slot)
        self._show_locks()

    # ------------------------------------------------------------------ user actions

    @Slot()
    def toggle_selection(self) -> None:
        piece, selection = self._document.piece, self._document.selection
        if piece is not None and selection is not None:
            self._toggle(lock_cells.cells(piece, selection))

    @Slot(int)
    def toggle_voice(self, voice: int, *_: object) -> None:
        if self._document.piece is not None:
            self._toggle(lock_cells.of_voice(self._document.piece, voice))

    @Slot()
    def unlock(self) -> None:
        if self._document.piece is not None:
            self._document.set_locks(lock_cells.nothing(self._document.piece))

    def _toggle_chord(self, which: lock_cells.Chord) -> None:
        if self._document.piece is not None:
            self._toggle(lock_cells.of_chord(self._document.piece, which))

    def _toggle(self, part: Flags) -> None:
        locks = self._document.locks
        if locks is not None:
            self._document.set_locks(lock_cells.toggled(locks, part))

    # ------------------------------------------------------------------ display

    @Slot()
    def _show_locks(self) -> None:
        piece, locks = self._document.piece, self._document.locks
        whole = [v for v in Voice if locks is not None and locks[:, v].all()]
        self._roll.set_locked(locks)
        self._legend.set_locked(whole)
        for voice in Voice:
            self._actions.voices[voice].setChecked(voice in whole)
        self._check_parts(piece, locks)

    def _check_parts(self, piece: Chorale | None, locks: Flags | None) -> None:
        """Check the commands whose part of the piece is locked."""
        actions, selection = self._actions, self._document.selection
        if piece is None or locks is None:
            for action in (actions.lock, actions.first_chord, actions.last_chord):
                action.setChecked(False)
            return
        first, last = (lock_cells.of_chord(piece, which) for which in ("first", "last"))
        actions.first_chord.setChecked(lock_cells.holds(locks, first))
        actions.last_chord.setChecked(lock_cells.holds(locks, last))
        actions.lock.setChecked(False)
        if selection is not None:
            on = lock_cells.holds(locks, lock_cells.cells(piece, selection))
            actions.lock.setChecked(on)
            actions.lock.setIconText(_tip(on=on, sees=self._document.sees_both_sides))
            commands.set_enabled(actions.lock, "")


def _tip(*, on: bool, sees: bool) -> str:
    """Return the tooltip of Lock, with the effect of locks on the selected model."""
    lookahead = rewrite_form.lookahead_text(sees_both_sides=sees)
    return (UNLOCK_TIP if on else LOCK_TIP).format(tip=TIP, lookahead=lookahead)
