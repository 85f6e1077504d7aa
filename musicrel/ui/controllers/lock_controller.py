"""The conductor of locks: what the user locks of the piece on the sheet stays with that piece.

Every change of the locks can be undone, as a piece can. This file knows the window and the history;
which cells are locked stands in ``musicrel.presentation.roll.lock_cells``.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction

from musicrel.chorale import Chorale, Flags, Voice
from musicrel.presentation.compose import rewrite_form
from musicrel.presentation.roll import lock_cells
from musicrel.ui.actions import commands
from musicrel.ui.controllers.compose_controller import Studio
from musicrel.ui.controllers.history_controller import Keeping
from musicrel.ui.shell.main_window import MainWindow

NO_PIECE: Final = "There is nothing to lock yet: generate or open a piece"
NO_SELECTION: Final = "Select voices over time on the roll first: drag over them, or use the keys"
NOTHING_LOCKED: Final = "Nothing is locked"
SAYS: Final = "Rewriting leaves it as it is"


class Locking(QObject):
    """Wires locks to the window.

    Args:
        window: with a roll, a legend and commands that lock.
        studio: tells which piece is on the sheet.
        keeping: keeps the locks with the pieces.

    Signals:
        changed: something else is locked.
    """

    changed = Signal()

    def __init__(self, window: MainWindow, studio: Studio, keeping: Keeping) -> None:
        super().__init__(studio)
        self._page, self._act = window.page, window.commands.rewriting
        self._studio, self._keeping = studio, keeping
        self._carried: Flags | None = None
        self._connect()
        self._show()

    @property
    def cells(self) -> Flags | None:
        """What is locked of the piece on the sheet, bool (T, 4); None where there is no piece."""
        piece, entry = self._studio.piece, self._keeping.history.current
        if piece is None or entry is None or entry.piece is not piece:
            return None
        return entry.locked if entry.locked is not None else lock_cells.nothing(piece)

    def carry(self, cells: Flags) -> None:
        """The next piece on the sheet has these locks too."""
        self._carried = cells

    # ------------------------------------------------------------------ what the user did

    @Slot()
    def toggle_selection(self) -> None:
        """Lock what is selected, or unlock it where all of it is locked."""
        piece, selection = self._studio.piece, self._page.selecting.selection
        if piece is not None and selection is not None:
            self._toggle(lock_cells.cells(piece, selection))

    @Slot(int)
    def toggle_voice(self, voice: int) -> None:
        """Lock a voice from beginning to end, or unlock it."""
        if self._studio.piece is not None:
            self._toggle(lock_cells.of_voice(self._studio.piece, voice))

    def _toggle_action(self, action: QAction, *_told: object) -> None:
        self.toggle_voice(action.data())

    def _toggle_chord(self, which: lock_cells.Chord) -> None:
        if self._studio.piece is not None:
            self._toggle(lock_cells.of_chord(self._studio.piece, which))

    @Slot()
    def unlock(self) -> None:
        """Unlock everything."""
        if self._studio.piece is not None:
            self._set(lock_cells.nothing(self._studio.piece))

    def _toggle(self, part: Flags) -> None:
        cells = self.cells
        if cells is not None:
            self._set(lock_cells.toggled(cells, part))

    def _set(self, cells: Flags) -> None:
        self._keeping.lock(cells)
        self._show()

    # ------------------------------------------------------------------ what is shown

    @Slot()
    def _follow(self) -> None:
        """Another piece is on the sheet, or the same one as it was locked before."""
        entry, carried = self._keeping.history.current, self._carried
        self._carried = None
        piece = self._studio.piece
        if entry is not None and entry.piece is piece and entry.locked is None:
            fits = carried is not None and len(carried) == entry.piece.steps
            entry.locked = carried if fits else lock_cells.told_by(entry.piece)
            self._keeping.recovery.keep(lock_cells.signed(entry.piece, entry.locked))
        self._show()

    @Slot()
    def _show(self) -> None:
        cells, piece = self.cells, self._studio.piece
        self._page.roll.set_locked(cells)
        whole = [v for v in Voice if cells is not None and cells[:, v].all()]
        self._page.legend.set_locked(whole)
        self._allow(piece, cells, whole)
        self.changed.emit()

    def _allow(self, piece: Chorale | None, cells: Flags | None, whole: list[Voice]) -> None:
        """Check what is locked, and say why the rest cannot be."""
        act, selection = self._act, self._page.selecting.selection
        no_piece = "" if piece is not None else NO_PIECE
        for action in (*act.voices, act.first_chord, act.last_chord):
            commands.allow(action, no_piece)
        for voice in Voice:
            act.voices[voice].setChecked(voice in whole)
        self._check_parts(piece, cells)
        unselected = no_piece or ("" if selection is not None else NO_SELECTION)
        commands.allow(act.lock, unselected)
        if not unselected:
            sees = self._page.controls.entries.sees_both_sides()
            act.lock.setToolTip(_tip(on=act.lock.isChecked(), sees=sees))
        some = cells is not None and bool(cells.any())
        commands.allow(act.unlock, no_piece or ("" if some else NOTHING_LOCKED))

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
            (self._page.selecting.selection_changed, self._show),
            (self._page.controls.entries.model_chosen, self._show),
            (self._studio.began, self._show),
            (self._studio.offered, self._follow),
            (self._keeping.went, self._follow),
        ):
            signal.connect(slot)


def _tip(*, on: bool, sees: bool) -> str:
    """What the lock does now, and what it means to a model that sees both sides, or not."""
    way = rewrite_form.way(sees_both_sides=sees)
    return f"{'Unlock' if on else 'Lock'} what is selected (Ctrl+K). {SAYS}\n\n{way}"
