"""Controller of locks. Every change of the locks of the current piece is a step of Undo."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Slot

from musicrel.chorale import Chorale, Flags, Voice
from musicrel.language import tr
from musicrel.presentation import lock_cells
from musicrel.presentation.compose import models
from musicrel.presentation.words.keys import with_keys
from musicrel.ui.actions import commands
from musicrel.ui.shell.main_window import Services

TIP: Final = tr("Locked notes are not rewritten")
LOCK_TIP: Final = tr("Lock the selection ({key[rewriting.lock]}). {tip}.\n\n{lookahead}")
UNLOCK_TIP: Final = tr("Unlock the selection ({key[rewriting.lock]}). {tip}.\n\n{lookahead}")


class LockController(QObject):
    def __init__(self, services: Services) -> None:
        super().__init__(services.document)
        self._document, self._actions = services.document, services.commands.rewriting
        self._roll, self._legend = services.page.roll, services.page.legend
        actions, document = self._actions, self._document
        for action in actions.voices:
            action.triggered.connect(partial(self.toggle_voice, action.data()))
        for signal, slot in (
            (actions.lock.triggered, self.toggle_selection),
            (actions.first_chord.triggered, lambda: self._toggle_chord("first")),
            (actions.last_chord.triggered, lambda: self._toggle_chord("last")),
            (actions.unlock.triggered, self.unlock),
            (self._legend.voice_clicked, self.toggle_voice),
            (document.selection_changed, self._show_locks),
            (document.form_changed, self._show_locks),
            (document.screen_changed, self._show_locks),
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
            commands.set_tip(actions.lock, _tip(on=on, sees=self._document.sees_both_sides))


def _tip(*, on: bool, sees: bool) -> str:
    lookahead = models.lookahead(sees_both_sides=sees)
    return with_keys(UNLOCK_TIP if on else LOCK_TIP, tip=TIP, lookahead=lookahead)
