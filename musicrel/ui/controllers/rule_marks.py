"""Controllers of the rule violations in the shown piece: their marks, and the status line below it.

Every change of the piece is checked before it is painted: a hundred bars take five milliseconds. A
worker checks pieces of more than 256 bars, and the marks before stay until it has finished.
"""

from __future__ import annotations

from functools import partial
from typing import Final, NamedTuple

from PySide6.QtCore import QObject, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QLabel, QListWidgetItem, QPushButton

from musicrel import jobs
from musicrel.analysis import voice_leading
from musicrel.analysis.voice_leading import Rates
from musicrel.chorale import Chorale, Provenance
from musicrel.errors import FileError
from musicrel.jobs import Job
from musicrel.language import count, tr
from musicrel.meter_beats import written_unit
from musicrel.presentation import lock_cells, marks
from musicrel.presentation.compose import form, models, summary
from musicrel.presentation.marks import NO_VIOLATIONS, Mark, RuleChanges, selected_by
from musicrel.presentation.words.keys import with_keys
from musicrel.project.contents import Take
from musicrel.score.editing.selection import Selection
from musicrel.settings import MARKS_AFTER_EDIT, MARKS_HIDDEN, MARKS_SHOWN
from musicrel.ui.actions import commands
from musicrel.ui.actions.commands import REWRITE_TIP, follow
from musicrel.ui.document.document import NO_PIECE
from musicrel.ui.jobs.worker import LatestJob
from musicrel.ui.shell.main_window import Services
from musicrel.ui.widgets import icons, layout, stylesheet
from musicrel.ui.widgets.two_lines import SECOND_LINE, TwoLineList

TIP: Final = tr("Mark rule violations at the notes ({key[rewriting.marks]})")
STATUS_TIP: Final = tr("Click for a list of the violations ({key[rules.list]})")
AT_ONCE: Final = 256 * 16  # most steps of a piece that is checked while the window waits
# actions whose piece is another one, with violations of its own
NEW_MUSIC: Final = frozenset({"generated", "harmonised", "opened", "recorded"})


class FoundMarks(NamedTuple):
    marks: tuple[Mark, ...]
    rates: Rates  # the numbers and rates of the violations
    changes: RuleChanges  # what the last change of the piece, or a shown candidate, does to them


def check(piece: Chorale, before: Chorale | None) -> Job[None, FoundMarks]:
    yield None
    found = marks.marks(piece)
    changes = RuleChanges() if before is None else marks.compare(before, piece, found)
    return FoundMarks(found, voice_leading.rates(piece), changes)


class RuleMarks(QObject):
    """The controller of the marks.

    Unless the user has chosen otherwise, marks are on from the first edit by hand: who writes notes
    wants to see what they break, while in a generated piece, which breaks rules as rarely as Bach,
    marks would look like errors to be corrected.

    Attributes:
        found: the violations in the shown piece; None while marks are off or not known yet.
    """

    changed = Signal()

    def __init__(self, services: Services) -> None:
        document, preferences = services.document, services.preferences
        super().__init__(document)
        self._document, self._messages, self._preferences = document, services.messages, preferences
        self._views = (services.page.roll, services.page.score)
        rewriting = services.commands.rewriting
        self._action = action = rewriting.marks
        self._job = LatestJob(self)
        self._last: Chorale | None = None
        self._last_take: Take | None = None
        self._before: Chorale | None = None
        # has the ranges that the shown piece was checked against
        self._ranges_of: Provenance | None = None
        self.found: FoundMarks | None = None
        commands.set_tip(action, TIP)
        action.setChecked(preferences.settings.marks == MARKS_SHOWN)
        for signal, slot in (
            (action.toggled, self._update_marks),
            (action.triggered, self._remember),
            (document.screen_changed, self._follow_piece),
            (document.form_changed, self._on_form_changed),
            (self._job.finished, self._show),
            (self._job.failed, services.messages.report),
        ):
            signal.connect(slot)

    @Slot(bool)
    def _remember(self, on: bool) -> None:
        self._preferences.remember(marks=MARKS_SHOWN if on else MARKS_HIDDEN)

    @Slot()
    def _follow_piece(self) -> None:
        by_hand = self._is_edited_by_hand()
        self._before = self._piece_before()
        self._last, self._last_take = self._document.piece, self._document.take
        waits = self._preferences.settings.marks == MARKS_AFTER_EDIT
        if waits and by_hand and not self._action.isChecked():
            self._action.setChecked(True)
        else:
            self._update_marks()

    def _piece_before(self) -> Chorale | None:
        """Return the piece that the shown one was made from; None after Undo.

        Undo fixes nothing, and what it brings back is not new.
        """
        document, last, state = self._document, self._last, self._document.undo_state
        if document.shown is not document.piece:
            return document.piece
        is_next = state is not None and state.piece is last
        return last if is_next and _is_version(document.take, self._last_take) else None

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
        piece = form.to_check(shown, self._document.form) if shown is not None else None
        self._ranges_of = piece.provenance if piece is not None else None
        self._job.cancel()
        if piece is None or not self._action.isChecked():
            self._show(None)
        elif piece.steps <= AT_ONCE:
            try:
                self._show(jobs.run(check(piece, self._before)))
            except FileError as reason:
                self._show(None)
                self._messages.report(str(reason))
        else:
            if self._before is None:
                self._show(None)
            self._job.request(partial(check, piece, self._before))

    @Slot()
    def _on_form_changed(self) -> None:
        shown = self._document.shown
        if shown is None or not self._action.isChecked():
            return
        if form.to_check(shown, self._document.form).provenance != self._ranges_of:
            self._update_marks()

    @Slot(object)
    def _show(self, found: FoundMarks | None) -> None:
        self.found = found
        for view in self._views:
            view.set_marks(found.marks if found is not None else ())
        self.changed.emit()


def _number(take: Take | None) -> int | None:
    return take.number if take is not None else None


def _is_version(one: Take | None, other: Take | None) -> bool:
    """Return True if a take was made from another one, or if they are the same."""
    if one is None or other is None or one.number == other.number:
        return _number(one) == _number(other)
    return one.parent == other.number and one.action not in NEW_MUSIC


class StatusLine(QObject):
    def __init__(self, services: Services, rule_marks: RuleMarks) -> None:
        document, strip, rules = services.document, services.page.strip, services.commands.rules
        super().__init__(document)
        self._document, self._rule_marks, self._label = document, rule_marks, strip.status
        self._label.clicked.connect(partial(rules.list.setChecked, True))
        for signal in (
            document.screen_changed,
            document.locks_changed,
            document.form_changed,
            rule_marks.changed,
        ):
            signal.connect(self._update_text)

    @Slot()
    def _update_text(self) -> None:
        found, piece, shown = self._rule_marks.found, self._document.piece, self._document.shown
        locks = self._document.locks
        locked = ""
        if piece is not None and locks is not None:
            locked = lock_cells.describe(piece, locks)
        parts = [summary.by_model(shown) if shown is not None else "", locked]
        tip = description = ""
        if found is not None:
            violations = marks.summary_line(found.rates, found.changes.count())
            parts = [found.changes.describe(), violations, *parts]
            lines = marks.summary_lines(found.rates)
            tip, description = "\n".join((*lines, with_keys(STATUS_TIP))), ". ".join(lines)
        elif locked:
            sees = self._document.sees_both_sides
            tip = description = models.lookahead(sees_both_sides=sees)
        self._label.setText("   ·   ".join(filter(None, parts)))
        self._label.set_clickable(clickable=found is not None)
        self._label.setToolTip(tip)
        self._label.setAccessibleDescription(description)


WIDTH: Final = 300
TITLE: Final = tr("Rule violations")
CLOSE: Final = tr("Close the list ({key[rules.list]})")
REWRITE: Final = tr("Write candidates without this")
CHOOSE: Final = tr(
    "Select a violation to see its notes, the rule and its source ({key[rules.next]})."
)
_WHERE: Final = "{who}  ·  {where}"


NO_MODEL: Final = tr("No model is installed: install one to write candidates")
NOT_CHOSEN: Final = tr(
    "Select a note with a rule violation first, or the next one ({key[rules.next]})"
)
CHECKING: Final = tr("Checking the rules…")
PLACE: Final = tr("Violation {number} of {count}: {mark.title}, {mark.who}, {mark.where}")


class RuleList(layout.SideColumn):
    rewrite_requested = Signal(object)  # write candidates without this violation

    def __init__(self, services: Services, rule_marks: RuleMarks) -> None:
        super().__init__(WIDTH)
        self._document, self._messages = services.document, services.messages
        self._page, actions = services.page, services.commands
        self._actions, self._switch = actions.rules, actions.rewriting.marks
        self._rule_marks = rule_marks
        self._marks: tuple[Mark, ...] = ()
        self._current: Mark | None = None
        self._awaited: tuple[Chorale, int] | None = None
        self.setObjectName("panel")
        self.setAccessibleName(TITLE)
        self.title, self.detail = QLabel(TITLE), QLabel()
        self.close_button = icons.button("close", CLOSE, 16)
        self.list = TwoLineList()
        self.explanation, self.source, self.bach = QLabel(with_keys(CHOOSE)), QLabel(), QLabel()
        self.rewrite = QPushButton(REWRITE)
        self._lay_out()
        self._page.add_beside(self)
        follow(self.rewrite, self._actions.rewrite, REWRITE_TIP)
        self._connect()
        self._update_rewrite()

    @property
    def current(self) -> Mark | None:
        """Return the violation to rewrite: the selected one, or the first in the selected notes."""
        selection = self._document.selection
        if selection is None:
            return None
        touched = [mark for mark in self._marks if _is_in(mark, selection)]
        return self._current if self._current in touched else next(iter(touched), None)

    @Slot()
    def _show_marks(self) -> None:
        if not self._switch.isChecked():
            self._actions.list.setChecked(False)
            self._awaited = None
        found, before = self._rule_marks.found, self._current
        self._marks = found.marks if found is not None else ()
        same = (mark for mark in self._marks if before is not None and mark.same_as(before))
        self._current = next(same, None)
        with QSignalBlocker(self.list):
            self.list.clear()
            for mark in self._marks:
                self.list.addItem(_item(mark))
            chosen = self._current in self._marks
            self.list.setCurrentRow(self._marks.index(self._current) if chosen else -1)
        number = count(len(self._marks), "violation") if self._marks else NO_VIOLATIONS
        self.detail.setText(number if found is not None else "")
        self._describe(self._current)
        self._update_rewrite()
        if found is not None and self._awaited is not None:
            (piece, by), self._awaited = self._awaited, None
            if piece is self._document.shown:
                self._go(by)

    @Slot(int)
    def _choose(self, row: int) -> None:
        piece = self._document.shown
        if piece is None or not 0 <= row < len(self._marks):
            return
        self._current = mark = self._marks[row]
        self._describe(mark)
        self._document.select(selected_by(piece, mark))
        before = max(mark.first - written_unit(piece.meter), 0)
        for step in (mark.step, before):  # with the beat that leads to it
            self._page.roll.follow(step, resume=True)
        count = len(self._marks)
        state = PLACE.format(number=row + 1, count=count, mark=mark)
        self._messages.show_state(state)
        self._update_rewrite()

    def _describe(self, mark: Mark | None) -> None:
        hint = with_keys(CHOOSE) if self._marks else ""
        texts = (mark.explanation, mark.source, mark.bach) if mark else (hint, "", "")
        for label, text in zip((self.explanation, self.source, self.bach), texts, strict=True):
            label.setText(text)
            label.setVisible(bool(text))

    def _go(self, by: int) -> None:
        """Select a violation ``by`` places farther; in a long piece, as soon as it is found."""
        self._switch.setChecked(True)
        piece = self._document.shown
        if self._rule_marks.found is None and piece is not None:
            self._awaited = (piece, by)
            self._messages.show_state(CHECKING)
            return
        if not self._marks:
            self._messages.show_state(NO_VIOLATIONS)
            return
        selection, current = self._document.selection, self.current or self._current
        if current is not None and (selection is None or _is_in(current, selection)):
            place = self._marks.index(current) + by
        else:
            start = selection.start if selection is not None else 0
            before = sum(mark.step < start for mark in self._marks)
            place = before if by > 0 else before - 1
        row = place % len(self._marks)
        with QSignalBlocker(self.list):
            self.list.setCurrentRow(row)
        self._choose(row)

    @Slot()
    def _request(self) -> None:
        if self.current is not None:
            self.rewrite_requested.emit(self.current)

    @Slot(bool)
    def _show_list(self, on: bool) -> None:
        """Show or hide the list, which needs the marks; arrow keys select then."""
        if on:
            self._switch.setChecked(True)
        self._page.show_beside(on=on)
        if on:
            self.list.setFocus()

    @Slot()
    def _on_replaced(self) -> None:
        if self._document.piece is None:
            self._actions.list.setChecked(False)

    @Slot()
    def _update_rewrite(self) -> None:
        document = self._document
        chosen = "" if self.current is not None else NOT_CHOSEN
        reason = document.unready_reason or with_keys(
            NO_PIECE if document.piece is None else chosen if document.form.model else NO_MODEL
        )
        commands.set_enabled(self._actions.rewrite, reason)

    def _connect(self) -> None:
        document, actions = self._document, self._actions
        for signal, slot in (
            (self._rule_marks.changed, self._show_marks),
            (self.list.currentRowChanged, self._choose),
            (self.list.customContextMenuRequested, partial(actions.open_menu, self.list)),
            (self.close_button.clicked, actions.list.toggle),
            (actions.list.toggled, self._show_list),
            (actions.next.triggered, lambda: self._go(1)),
            (actions.previous.triggered, lambda: self._go(-1)),
            (actions.rewrite.triggered, self._request),
            (document.selection_changed, self._update_rewrite),
            (document.form_changed, self._update_rewrite),
            (document.screen_changed, self._update_rewrite),
            (document.replaced, self._on_replaced),
        ):
            signal.connect(slot)

    def _lay_out(self) -> None:
        stylesheet.scale_font(self.title, 1.15, QFont.Weight.DemiBold)
        for label in (self.detail, self.source, self.bach):
            label.setObjectName("quiet")
        for label in (self.explanation, self.source, self.bach):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.list.setAccessibleName(TITLE)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.rewrite.setObjectName("main")
        self.rewrite.setMinimumHeight(34)
        head = layout.row((self.title, 1), self.close_button, spacing=8)
        layout.column(
            head, self.detail, (self.list, 1), self.explanation, self.source, self.bach,
            self.rewrite, owner=self, spacing=8, margins=(10, 12, 10, 12),
        )  # fmt: skip


def _item(mark: Mark) -> QListWidgetItem:
    where = _WHERE.format(who=mark.who, where=mark.where)
    item = QListWidgetItem(mark.title)
    item.setData(SECOND_LINE, where)
    item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{mark.title}, {where}")
    item.setToolTip(f"{mark.title}\n{where}\n{mark.explanation}\n{mark.source}\n{mark.bach}")
    return item


def _is_in(mark: Mark, selection: Selection) -> bool:
    overlaps = mark.first < selection.stop and selection.start < mark.stop
    return overlaps and not {*mark.voices}.isdisjoint(selection.voices)
