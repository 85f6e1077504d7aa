"""Controller of the locks of the current piece; every change can be undone."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction

from musicrel.chorale import Chorale, Flags, Voice
from musicrel.presentation.compose import rewrite_form
from musicrel.presentation.roll import lock_cells
from musicrel.ui.actions import commands
from musicrel.ui.controllers.compose_controller import ComposeController
from musicrel.ui.controllers.history_controller import HistoryController
from musicrel.ui.shell.main_window import MainWindow

NO_PIECE: Final = "There is nothing to lock yet: generate or open a piece"
NO_SELECTION: Final = "Nothing is selected: drag over notes of the roll, or use the arrow keys"
NOTHING_LOCKED: Final = "Nothing is locked"
TIP: Final = "Locked notes are not rewritten"


class LockController(QObject):
    """The controller of the locks.

    Args:
        window: the main window.
        compose: the controller of the current piece.
        history: the controller that stores the locks with the pieces.

    Signals:
        changed: other notes are locked.
    """

    changed = Signal()

    def __init__(
        self, window: MainWindow, compose: ComposeController, history: HistoryController
    ) -> None:
        super().__init__(compose)
        self._page, self._act = window.compose_page, window.commands.rewriting
        self._compose, self._history = compose, history
        self._carried: Flags | None = None
        self._connect()
        self._show_locks()

    @property
    def cells(self) -> Flags | None:
        """Return the locked cells of the current piece, bool (T, 4); None if there is no piece."""
        piece, entry = self._compose.piece, self._history.pieces.current
        if piece is None or entry is None or entry.piece is not piece:
            return None
        return entry.locked if entry.locked is not None else lock_cells.nothing(piece)

    def carry_over(self, cells: Flags) -> None:
        """Lock these cells, bool (T, 4), in the next piece, too."""
        self._carried = cells

    # ------------------------------------------------------------------ user actions

    @Slot()
    def toggle_selection(self) -> None:
        """Lock the selection, or unlock it if all of it is locked."""
        piece, selection = self._compose.piece, self._page.selecting.selection
        if piece is not None and selection is not None:
            self._toggle(lock_cells.cells(piece, selection))

    @Slot(int)
    def toggle_voice(self, voice: int) -> None:
        """Lock a whole voice, or unlock it."""
        if self._compose.piece is not None:
            self._toggle(lock_cells.of_voice(self._compose.piece, voice))

    def _toggle_action(self, action: QAction, *_: object) -> None:
        self.toggle_voice(action.data())

    def _toggle_chord(self, which: lock_cells.Chord) -> None:
        if self._compose.piece is not None:
            self._toggle(lock_cells.of_chord(self._compose.piece, which))

    @Slot()
    def unlock(self) -> None:
        """Unlock everything."""
        if self._compose.piece is not None:
            self._set(lock_cells.nothing(self._compose.piece))

    def _toggle(self, part: Flags) -> None:
        cells = self.cells
        if cells is not None:
            self._set(lock_cells.toggled(cells, part))

    def _set(self, cells: Flags) -> None:
        self._history.lock(cells)
        self._show_locks()

    # ------------------------------------------------------------------ display

    @Slot()
    def _update_locks(self) -> None:
        """Take over the locks of the current piece after it changed."""
        entry, carried = self._history.pieces.current, self._carried
        self._carried = None
        piece = self._compose.piece
        if entry is not None and entry.piece is piece and entry.locked is None:
            fits = carried is not None and len(carried) == entry.piece.steps
            entry.locked = carried if fits else lock_cells.locks_from_provenance(entry.piece)
            self._history.recovery.save(
                lock_cells.with_locks_in_provenance(entry.piece, entry.locked)
            )
        self._show_locks()

    @Slot()
    def _show_locks(self) -> None:
        cells, piece = self.cells, self._compose.piece
        self._page.roll.set_locked(cells)
        whole = [v for v in Voice if cells is not None and cells[:, v].all()]
        self._page.legend.set_locked(whole)
        self._update_enabled(piece, cells, whole)
        self.changed.emit()

    def _update_enabled(
        self, piece: Chorale | None, cells: Flags | None, whole: list[Voice]
    ) -> None:
        """Check and enable the commands; tooltips give the reasons of disabled ones."""
        act, selection = self._act, self._page.selecting.selection
        no_piece = "" if piece is not None else NO_PIECE
        for action in (*act.voices, act.first_chord, act.last_chord):
            commands.set_enabled(action, no_piece)
        for voice in Voice:
            act.voices[voice].setChecked(voice in whole)
        self._check_parts(piece, cells)
        unselected = no_piece or ("" if selection is not None else NO_SELECTION)
        commands.set_enabled(act.lock, unselected)
        if not unselected:
            sees = self._page.controls.compose_form.sees_both_sides()
            act.lock.setToolTip(_tip(on=act.lock.isChecked(), sees=sees))
        some = cells is not None and bool(cells.any())
        commands.set_enabled(act.unlock, no_piece or ("" if some else NOTHING_LOCKED))

    def _check_parts(self, piece: Chorale | None, cells: Flags | None) -> None:
        """Check the commands whose part of the piece is locked."""
        act, selection = self._act, self._page.selecting.selection
        if piece is None or cells is None:
            for action in (act.lock, act.first_chord, act.last_chord):
                action.setChecked(False)
            return
        act.first_chord.setChecked(lock_cells.holds(cells, lock_cells.of_chord(piece, "first")))
        act.last_chord.setChecked(lock_cells.holds(cells, lock_cells.of_chord(piece, "last")))
        part = (
            lock_cells.cells(piece, selection)
            if selection is not None
            else lock_cells.nothing(piece)
        )
        act.lock.setChecked(lock_cells.holds(cells, part))

    def _connect(self) -> None:
        act = self._act
        for action in act.voices:
            action.triggered.connect(partial(self._toggle_action, action))
        for signal, slot in (
            (act.lock.triggered, self.toggle_selection),
            (act.first_chord.triggered, lambda: self._toggle_chord("first")),
            (act.last_chord.triggered, lambda: self._toggle_chord("last")),
            (act.unlock.triggered, self.unlock),
            (self._page.legend.voice_clicked, self.toggle_voice),
            (self._page.selecting.selection_changed, self._show_locks),
            (self._page.controls.compose_form.model_chosen, self._show_locks),
            (self._compose.generation_started, self._show_locks),
            (self._compose.piece_changed, self._update_locks),
            (self._history.locks_restored, self._update_locks),
        ):
            signal.connect(slot)


def _tip(*, on: bool, sees: bool) -> str:
    """Return the tooltip of Lock, with the effect of locks on the selected model."""
    lookahead = rewrite_form.lookahead_text(sees_both_sides=sees)
    return f"{'Unlock' if on else 'Lock'} the selection (Ctrl+K). {TIP}.\n\n{lookahead}"
