"""Controllers of the rule violations in the shown piece: their marks, and the status line below it.

Every change of the piece is checked before it is painted: a hundred bars take five milliseconds. A
worker checks pieces of more than 256 bars, and the marks before stay until it has finished.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction

from musicrel.analysis import voice_leading
from musicrel.analysis.voice_leading import Rates
from musicrel.chorale import Chorale, Provenance
from musicrel.errors import FileError
from musicrel.jobs import Job
from musicrel.presentation.compose import bound_ranges, rewrite_form, summary
from musicrel.presentation.roll import lock_cells, marks, rule_changes
from musicrel.presentation.roll.marks import Mark
from musicrel.presentation.roll.rule_changes import RuleChanges
from musicrel.project.take import Take
from musicrel.settings import MARKS_AFTER_EDIT, MARKS_HIDDEN, MARKS_SHOWN
from musicrel.ui.document.document import Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.jobs.latest_job import LatestJob
from musicrel.ui.jobs.worker import Worker
from musicrel.ui.roll.roll_view import RollView
from musicrel.ui.score.score_view import ScoreView
from musicrel.ui.widgets.elided_label import ElidedLabel

TIP: Final = "Mark rule violations at the notes (Ctrl+Shift+M)"
LIST_TIP: Final = "Click for a list of the violations (Ctrl+F8)"
AT_ONCE: Final = 256 * 16
"""Most steps of a piece that is checked while the window waits."""
NEW_MUSIC: Final = frozenset({"generated", "harmonised", "opened", "recorded"})
"""Actions whose piece is another one, with violations of its own."""
_BETWEEN: Final = "   ·   "


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundMarks:
    """The rule violations of a piece."""

    marks: tuple[Mark, ...]
    rates: Rates  # the numbers and rates of the violations
    changes: RuleChanges  # what the last change of the piece did to them


def check(piece: Chorale, before: Chorale | None) -> FoundMarks:
    """Find the rule violations of ``piece``.

    Args:
        before: the piece before its last change; None: not known.
    """
    found = marks.marks(piece)
    changes = RuleChanges() if before is None else rule_changes.compare(before, piece, found)
    return FoundMarks(marks=found, rates=voice_leading.rates(piece), changes=changes)


def find(piece: Chorale, before: Chorale | None) -> Job[None, FoundMarks]:
    """Return a job that does the work of ``check``, whose arguments and errors it has."""
    yield None
    return check(piece, before)


class RuleMarks(QObject):
    """The controller of the marks.

    Unless the user has chosen otherwise, marks are on from the first edit by hand: who writes notes
    wants to see what they break, while in a generated piece, which breaks rules as rarely as Bach,
    marks would look like errors to be corrected.

    Attributes:
        rates: numbers and rates of the violations in the shown piece; None while marks are off.
        changes: what the last edit did to the violations, or what a shown candidate would do.
    """

    changed = Signal()
    found = Signal(object)  # the marks of the shown piece; None while marks are off

    def __init__(
        self,
        document: Document,
        messages: Messages,
        preferences: Preferences,
        *,
        views: tuple[RollView, ScoreView],
        action: QAction,
    ) -> None:
        super().__init__(document)
        self._document, self._messages, self._preferences = document, messages, preferences
        self._views, self._action = views, action
        self._job = LatestJob(self)
        self._last: Chorale | None = None
        self._last_take: Take | None = None
        self._before: Chorale | None = None
        self._ranges_of: Provenance | None = None
        """Has the ranges that the shown piece was checked against."""
        self.rates: Rates | None = None
        self.changes = RuleChanges()
        action.setToolTip(TIP)
        action.setChecked(preferences.settings.marks == MARKS_SHOWN)
        for signal, slot in (
            (action.toggled, self._update_marks),
            (action.triggered, self._remember),
            (document.generation_started, self._follow_piece),
            (document.shown_changed, self._follow_piece),
            (document.form_changed, self._on_form_changed),
            (self._job.finished, self._on_marks_found),
            (self._job.failed, messages.report),
        ):
            signal.connect(slot)

    def shut_down(self) -> tuple[Worker, ...]:
        """Request the jobs to end; return the workers to wait for."""
        return self._job.shut_down()

    @Slot(bool)
    def _remember(self, on: bool) -> None:
        self._preferences.remember(marks=MARKS_SHOWN if on else MARKS_HIDDEN)

    @Slot()
    def _follow_piece(self) -> None:
        """Check the new piece; after the first edit by hand, switch the marks on."""
        by_hand = self._is_edited_by_hand()
        self._before = self._piece_before()
        self._last, self._last_take = self._document.piece, self._document.take
        waits = self._preferences.settings.marks == MARKS_AFTER_EDIT
        if waits and by_hand and not self._action.isChecked():
            self._action.setChecked(True)
        else:
            self._update_marks()

    def _piece_before(self) -> Chorale | None:
        """Return the piece that the shown one was made from or, after Undo, that was made from it.

        For a candidate it is the piece that it would replace.
        """
        document, last = self._document, self._last
        if document.shown is not document.piece:
            return document.piece
        neighbours = (document.undo_state, document.redo_state)
        known = [state.piece for state in neighbours if state is not None]
        is_version = _is_version(document.take, self._last_take)
        return last if is_version and any(piece is last for piece in known) else None

    def _is_edited_by_hand(self) -> bool:
        """Return True if the piece was made by an edit, which makes no take and no provenance."""
        document = self._document
        piece, state = document.piece, document.undo_state
        if piece is None or piece is self._last or state is None or state.piece is not self._last:
            return False
        return piece.provenance is None and _number(document.take) == _number(self._last_take)

    @Slot()
    def _update_marks(self) -> None:
        shown = self._document.shown
        piece = bound_ranges.to_check(shown, self._document.form) if shown is not None else None
        self._ranges_of = piece.provenance if piece is not None else None
        self._job.cancel()
        if piece is None or not self._action.isChecked():
            self._show((), None)
        elif piece.steps <= AT_ONCE:
            self._check_now(piece)
        else:
            if self._before is None:
                self._show((), None)
            self._job.request(partial(find, piece, self._before))

    @Slot()
    def _on_form_changed(self) -> None:
        shown = self._document.shown
        if shown is None or not self._action.isChecked():
            return
        if bound_ranges.to_check(shown, self._document.form).provenance != self._ranges_of:
            self._update_marks()

    def _check_now(self, piece: Chorale) -> None:
        try:
            self._on_marks_found(check(piece, self._before))
        except FileError as reason:
            self._show((), None)
            self._messages.report(str(reason))

    @Slot(object)
    def _on_marks_found(self, found: FoundMarks) -> None:
        self._show(found.marks, found.rates, found.changes)

    def _show(
        self,
        found: tuple[Mark, ...],
        rates: Rates | None,
        changes: RuleChanges | None = None,
    ) -> None:
        for view in self._views:
            view.set_marks(found)
        self.rates, self.changes = rates, changes or RuleChanges()
        self.found.emit(found if rates is not None else None)
        self.changed.emit()


def _number(take: Take | None) -> int | None:
    return take.number if take is not None else None


def _is_version(one: Take | None, other: Take | None) -> bool:
    """Return True if one of two takes was made from the other, or if they are the same."""
    if one is None or other is None or one.number == other.number:
        return _number(one) == _number(other)
    later, earlier = (one, other) if one.parent == other.number else (other, one)
    return later.parent == earlier.number and later.action not in NEW_MUSIC


class StatusLine(QObject):
    """The controller of the status line: what an edit broke, the model, rule violations and locks.

    A click on it opens the list of the violations.
    """

    def __init__(
        self, document: Document, rule_marks: RuleMarks, label: ElidedLabel, list_action: QAction
    ) -> None:
        super().__init__(document)
        self._document, self._rule_marks, self._label = document, rule_marks, label
        label.clicked.connect(partial(list_action.setChecked, True))
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
        rates, locked = self._rule_marks.rates, self._locked()
        changes = self._rule_marks.changes
        found = marks.summary_line(rates, changes.count()) if rates is not None else ""
        parts = (changes.describe(), found, self._model(), locked)
        self._label.setText(_BETWEEN.join(part for part in parts if part))
        self._label.set_clickable(clickable=rates is not None)
        if rates is not None:
            lines = marks.summary_lines(rates)
            tip, description = "\n".join((*lines, LIST_TIP)), ". ".join(lines)
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
