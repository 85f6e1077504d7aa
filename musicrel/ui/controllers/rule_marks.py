"""Controllers of the rule violations in the shown piece: their marks, and the status line below it.

A worker finds them, because a piece of thirty minutes takes a second; results for a piece that is
no longer shown are dropped.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction

from musicrel.chorale import Chorale
from musicrel.jobs import Job
from musicrel.presentation.compose import rewrite_form, summary
from musicrel.presentation.roll import lock_cells, marks
from musicrel.presentation.roll.marks import Count, Mark
from musicrel.ui.document.document import Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.jobs.latest_job import LatestJob
from musicrel.ui.jobs.worker import Worker
from musicrel.ui.roll.roll_view import RollView
from musicrel.ui.score.score_view import ScoreView
from musicrel.ui.widgets.elided_label import ElidedLabel

TIP: Final = "Mark rule violations at the notes (Ctrl+Shift+M)"


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundMarks:
    """The rule violations of a piece.

    Attributes:
        marks: the marks at its notes.
        counts: the number of violations of each rule.
    """

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
    return FoundMarks(marks=found, counts=marks.counts(piece))


class RuleMarks(QObject):
    """The controller of the marks.

    Args:
        document: has the shown piece.
        messages: show why there are no marks.
        views: show the marks: roll and score.
        action: switches the marks on.

    Attributes:
        counts: the number of violations of each rule in the shown piece; None while marks are off.

    Signals:
        changed: the counts changed.
    """

    changed = Signal()

    def __init__(
        self,
        document: Document,
        messages: Messages,
        views: tuple[RollView, ScoreView],
        action: QAction,
    ) -> None:
        super().__init__(document)
        self._document, self._views, self._action = document, views, action
        self._job = LatestJob(self)
        self.counts: tuple[Count, ...] | None = None
        action.setToolTip(TIP)
        for signal, slot in (
            (action.toggled, self._update_marks),
            (document.generation_started, self._update_marks),
            (document.shown_changed, self._update_marks),
            (self._job.finished, self._on_marks_found),
            (self._job.failed, messages.report),
        ):
            signal.connect(slot)

    def shut_down(self) -> tuple[Worker, ...]:
        """Request the jobs to end; return the workers to wait for."""
        return self._job.shut_down()

    @Slot()
    def _update_marks(self) -> None:
        """Find the violations of the shown piece if marks are on."""
        self._show((), None)
        piece = self._document.shown
        if piece is not None and self._action.isChecked():
            self._job.request(partial(find, piece))
        else:
            self._job.cancel()

    @Slot(object)
    def _on_marks_found(self, found: FoundMarks) -> None:
        self._show(found.marks, found.counts)

    def _show(self, found: tuple[Mark, ...], counts: tuple[Count, ...] | None) -> None:
        for view in self._views:
            view.set_marks(found)
        self.counts = counts
        self.changed.emit()


class StatusLine(QObject):
    """The controller of the status line: the model of the piece, rule violations and locks.

    Args:
        document: has the piece and the locks.
        rule_marks: counts the rule violations.
        label: the status line.
    """

    def __init__(self, document: Document, rule_marks: RuleMarks, label: ElidedLabel) -> None:
        super().__init__(document)
        self._document, self._rule_marks, self._label = document, rule_marks, label
        for signal in (
            document.shown_changed,
            document.locks_changed,
            document.form_changed,
            document.generation_started,
            rule_marks.changed,
        ):
            signal.connect(self._update_text)

    @Slot()
    def _update_text(self) -> None:
        counts, locked = self._rule_marks.counts, self._locked()
        found = marks.summary_line(counts) if counts is not None else ""
        self._label.setText("   ·   ".join(part for part in (self._model(), found, locked) if part))
        if counts is not None:
            tip, description = marks.summary_table(counts), marks.summary_sentences(counts)
        else:
            sees = self._document.sees_both_sides
            tip = rewrite_form.lookahead_text(sees_both_sides=sees) if locked else ""
            description = tip
        self._label.setToolTip(tip)
        self._label.setAccessibleDescription(description)

    def _model(self) -> str:
        """Return the model of the shown piece, as 'by relative'; "" without one."""
        shown = self._document.shown
        return summary.by_model(shown) if shown is not None else ""

    def _locked(self) -> str:
        """Return what is locked; "" for nothing."""
        piece, locks = self._document.piece, self._document.locks
        return lock_cells.describe(piece, locks) if piece is not None and locks is not None else ""
