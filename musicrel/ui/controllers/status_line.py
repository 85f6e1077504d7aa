"""The line of words below the sheet: how often rules are broken, and what is locked.

This file knows who has something to tell; the words stand in ``musicrel.presentation``.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from musicrel.presentation.compose import rewrite_form
from musicrel.presentation.roll import lock_cells, mark_summary
from musicrel.ui.controllers.compose_controller import Studio
from musicrel.ui.controllers.lock_controller import Locking
from musicrel.ui.controllers.rule_marks import Marking
from musicrel.ui.shell.main_window import MainWindow


class Telling(QObject):
    """Keeps the line up to date.

    Args:
        window: with the line.
        studio: has the piece.
        locking: knows what is locked.
        marking: knows how often rules are broken.
    """

    def __init__(
        self, window: MainWindow, studio: Studio, locking: Locking, marking: Marking
    ) -> None:
        super().__init__(studio)
        self._words, self._studio = window.page.strip.words, studio
        self._entries = window.page.controls.entries
        self._locking, self._marking = locking, marking
        locking.changed.connect(self._tell)
        marking.changed.connect(self._tell)

    @Slot()
    def _tell(self) -> None:
        piece, cells, counts = self._studio.piece, self._locking.cells, self._marking.counts
        kept = lock_cells.describe(piece, cells) if piece is not None and cells is not None else ""
        if counts is None:
            sees = self._entries.sees_both_sides()
            way = rewrite_form.way(sees_both_sides=sees) if kept else ""
            self._words.say(kept, tip=f"{kept}\n\n{way}" if kept else "", spoken=way)
            return
        marks = mark_summary.line(counts)
        self._words.say(
            f"{marks}   ·   {kept}" if kept else marks,
            tip=mark_summary.table(counts),
            spoken=mark_summary.spoken(counts),
        )
