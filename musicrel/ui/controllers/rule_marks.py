"""The conductor of marks: where the piece that is seen breaks a rule, found while somebody looks.

A piece of thirty minutes takes a second, so that a worker does it; what was found of a piece that
is no longer seen is dropped. This file knows the window and jobs; it knows nothing of rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from musicrel.chorale import Chorale
from musicrel.jobs import Job
from musicrel.presentation.roll import marks
from musicrel.presentation.roll.marks import Count, Mark
from musicrel.ui.controllers.compose_controller import Studio
from musicrel.ui.jobs.worker import Worker
from musicrel.ui.shell.main_window import MainWindow

TIP: Final = "Mark broken rules at the notes (Ctrl+Shift+M)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """What was found in one piece."""

    piece: Chorale
    marks: tuple[Mark, ...]
    counts: tuple[Count, ...]


def find(piece: Chorale) -> Job[None, Marks]:
    """The job that looks for marks.

    Raises:
        FileError: Bach's rates are missing.
    """
    yield None
    found = marks.marks(piece)
    yield None
    return Marks(piece=piece, marks=found, counts=marks.counts(piece))


class Marking(QObject):
    """Wires marks to the window.

    Args:
        window: with a roll, a score, and a command that switches marks on.
        studio: tells that a piece is being written, and takes failures.

    Signals:
        changed: other counts, or none.
    """

    changed = Signal()

    def __init__(self, window: MainWindow, studio: Studio) -> None:
        super().__init__(studio)
        self._page, self._act = window.page, window.commands.rewriting
        self._piece: Chorale | None = None
        self._worker = Worker(self)
        self.counts: tuple[Count, ...] | None = None
        """How often the piece that is seen breaks each rule; None where nobody asked."""
        self._act.marks.setToolTip(TIP)
        for signal, slot in (
            (self._act.marks.toggled, self._want),
            (studio.began, lambda: self.show_piece(None)),
            (studio.offered, self.show_piece),
            (self._worker.finished, self._found),
            (self._worker.failed, studio.report),
            (self._worker.cancelled, self._want),
        ):
            signal.connect(slot)

    @Slot(object)
    def show_piece(self, piece: Chorale | None) -> None:
        """This piece is seen from now on."""
        self._piece = piece
        self._want()

    def shut_down(self) -> bool:
        """End what runs and wait for that; whether it has ended."""
        return self._worker.shut_down()

    @Slot()
    def _want(self) -> None:
        """Look for marks, where somebody wants to see them."""
        self._tell((), None)
        if self._worker.busy:
            self._worker.stop()
        elif self._piece is not None and self._act.marks.isChecked():
            self._worker.start(find(self._piece))

    @Slot(object)
    def _found(self, found: Marks) -> None:
        if found.piece is self._piece and self._act.marks.isChecked():
            self._tell(found.marks, found.counts)
        else:
            self._want()

    def _tell(self, found: tuple[Mark, ...], counts: tuple[Count, ...] | None) -> None:
        self._page.roll.set_marks(found)
        self._page.score.set_marks(found)
        self.counts = counts
        self.changed.emit()
