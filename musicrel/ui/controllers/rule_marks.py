"""Controller of the rule violations that are marked in the shown piece.

A worker finds them, because a piece of thirty minutes takes a second; results for a piece that is
no longer shown are dropped.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from musicrel.chorale import Chorale
from musicrel.jobs import Job
from musicrel.presentation.roll import marks
from musicrel.presentation.roll.marks import Count, Mark
from musicrel.ui.controllers.compose_controller import ComposeController
from musicrel.ui.jobs.worker import Worker, end_jobs
from musicrel.ui.shell.main_window import MainWindow

TIP: Final = "Mark rule violations at the notes (Ctrl+Shift+M)"


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundMarks:
    """The rule violations of a piece.

    Attributes:
        piece: the piece.
        marks: the marks at its notes.
        counts: the number of violations of each rule.
    """

    piece: Chorale
    marks: tuple[Mark, ...]
    counts: tuple[Count, ...]


def find(piece: Chorale) -> Job[None, FoundMarks]:
    """Return a job that finds the rule violations of ``piece``.

    Raises:
        FileError: the file with the rates of Bach's chorales is missing.
    """
    yield None
    found = marks.marks(piece)
    yield None
    return FoundMarks(piece=piece, marks=found, counts=marks.counts(piece))


class RuleMarks(QObject):
    """The controller of the marks.

    Args:
        window: the main window.
        compose: the controller of the current piece.

    Attributes:
        counts: the number of violations of each rule in the shown piece; None while marks are off.

    Signals:
        changed: the counts changed.
    """

    changed = Signal()

    def __init__(self, window: MainWindow, compose: ComposeController) -> None:
        super().__init__(compose)
        self._page, self._act = window.compose_page, window.commands.rewriting
        self._piece: Chorale | None = None
        self._worker = Worker(self)
        self.counts: tuple[Count, ...] | None = None
        self._act.marks.setToolTip(TIP)
        for signal, slot in (
            (self._act.marks.toggled, self._update_marks),
            (compose.generation_started, lambda: self.show_piece(None)),
            (compose.piece_changed, self.show_piece),
            (self._worker.finished, self._on_marks_found),
            (self._worker.failed, compose.report),
            (self._worker.cancelled, self._update_marks),
        ):
            signal.connect(slot)

    @property
    def piece(self) -> Chorale | None:
        """Return the piece whose marks are shown."""
        return self._piece

    @Slot(object)
    def show_piece(self, piece: Chorale | None) -> None:
        """Mark another piece."""
        self._piece = piece
        self._update_marks()

    def shut_down(self) -> tuple[Worker, ...]:
        """Request the jobs to end; return the workers to wait for."""
        return end_jobs(self._worker)

    @Slot()
    def _update_marks(self) -> None:
        """Find the violations of the piece if marks are on."""
        self._show((), None)
        if self._worker.busy:
            self._worker.stop()
        elif self._piece is not None and self._act.marks.isChecked():
            self._worker.start(find(self._piece))

    @Slot(object)
    def _on_marks_found(self, found: FoundMarks) -> None:
        if found.piece is self._piece and self._act.marks.isChecked():
            self._show(found.marks, found.counts)
        else:
            self._update_marks()

    def _show(self, found: tuple[Mark, ...], counts: tuple[Count, ...] | None) -> None:
        self._page.roll.set_marks(found)
        self._page.score.set_marks(found)
        self.counts = counts
        self.changed.emit()
