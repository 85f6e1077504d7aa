"""Status line below the piece: counts of rule violations, and the locked parts."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from musicrel.presentation.compose import rewrite_form
from musicrel.presentation.roll import lock_cells
from musicrel.presentation.roll.marks import summary_line, summary_sentences, summary_table
from musicrel.ui.controllers.compose_controller import ComposeController
from musicrel.ui.controllers.lock_controller import LockController
from musicrel.ui.controllers.rule_marks import RuleMarks
from musicrel.ui.shell.main_window import MainWindow


class StatusLine(QObject):
    """The controller of the status line.

    Args:
        window: the main window.
        compose: the controller of the current piece.
        locks: the controller of its locks.
        rule_marks: the controller of its rule violations.
    """

    def __init__(
        self,
        window: MainWindow,
        compose: ComposeController,
        locks: LockController,
        rule_marks: RuleMarks,
    ) -> None:
        super().__init__(compose)
        self._words, self._compose = window.compose_page.strip.status, compose
        self._compose_form = window.compose_page.controls.compose_form
        self._locks, self._rule_marks = locks, rule_marks
        locks.changed.connect(self._update_text)
        rule_marks.changed.connect(self._update_text)

    @Slot()
    def _update_text(self) -> None:
        piece, cells, counts = self._compose.piece, self._locks.cells, self._rule_marks.counts
        locked = (
            lock_cells.describe(piece, cells) if piece is not None and cells is not None else ""
        )
        if counts is None:
            sees = self._compose_form.sees_both_sides()
            lookahead = rewrite_form.lookahead_text(sees_both_sides=sees) if locked else ""
            tip = f"{locked}\n\n{lookahead}" if locked else ""
            self._words.set_text(locked, tip=tip, description=lookahead)
            return
        marks = summary_line(counts)
        self._words.set_text(
            f"{marks}   ·   {locked}" if locked else marks,
            tip=summary_table(counts),
            description=summary_sentences(counts),
        )
