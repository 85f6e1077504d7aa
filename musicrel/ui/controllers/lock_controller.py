"""Controller of the locks of the current piece; every change is a step of Undo."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction

from musicrel.chorale import Chorale, Flags, Voice
from musicrel.presentation.compose import rewrite_form
from musicrel.presentation.roll import lock_cells
from musicrel.ui.actions import commands
from musicrel.ui.actions.rewrite_commands import RewriteCommands
from musicrel.ui.document.document import Document
from musicrel.ui.roll.legend import Legend
from musicrel.ui.roll.roll_view import RollView

NO_PIECE: Final = "There is nothing to lock yet: generate or open a piece"
NO_SELECTION: Final = "Nothing is selected: drag over notes of the roll, or use the arrow keys"
NOTHING_LOCKED: Final = "Nothing is locked"
TIP: Final = "Locked notes are not rewritten"
LOCK_TIP: Final = "Lock the selection (Ctrl+K). {tip}.\n\n{lookahead}"
UNLOCK_TIP: Final = "Unlock the selection (Ctrl+K). {tip}.\n\n{lookahead}"


class LockController(QObject):
    """The controller of the locks.

    Args:
        legend: shows locked voices; a click on a voice locks it.
    """

    def __init__(
        self, document: Document, roll: RollView, legend: Legend, actions: RewriteCommands
    ) -> None:
        super().__init__(document)
        self._document, self._roll, self._legend, self._actions = document, roll, legend, actions
        for action in actions.voices:
            action.triggered.connect(partial(self._toggle_action, action))
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
    def toggle_voice(self, voice: int) -> None:
        if self._document.piece is not None:
            self._toggle(lock_cells.of_voice(self._document.piece, voice))

    @Slot()
    def unlock(self) -> None:
        if self._document.piece is not None:
            self._document.set_locks(lock_cells.nothing(self._document.piece))

    def _toggle_action(self, action: QAction, *_: object) -> None:
        self.toggle_voice(action.data())

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
        self._update_enabled(locks)
        self._check_parts(piece, locks)

    def _update_enabled(self, locks: Flags | None) -> None:
        """Enable the commands that are possible now; tooltips give the reasons of the others."""
        actions = self._actions
        no_piece = "" if locks is not None else NO_PIECE
        for action in (*actions.voices, actions.first_chord, actions.last_chord):
            commands.set_enabled(action, no_piece)
        unselected = "" if self._document.selection is not None else NO_SELECTION
        commands.set_enabled(actions.lock, no_piece or unselected)
        unlocked = "" if locks is not None and locks.any() else NOTHING_LOCKED
        commands.set_enabled(actions.unlock, no_piece or unlocked)

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
            actions.lock.setToolTip(_tip(on=on, sees=self._document.sees_both_sides))


def _tip(*, on: bool, sees: bool) -> str:
    """Return the tooltip of Lock, with the effect of locks on the selected model."""
    lookahead = rewrite_form.lookahead_text(sees_both_sides=sees)
    return (UNLOCK_TIP if on else LOCK_TIP).format(tip=TIP, lookahead=lookahead)
