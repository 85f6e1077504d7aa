"""Controller of the list of rule violations, and of the keys that go from one to the next."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction

from musicrel.chorale import Chorale
from musicrel.editing.selection import Selection
from musicrel.meter_beats import written_unit
from musicrel.presentation.roll.marks import NO_VIOLATIONS, Mark, selected_by
from musicrel.ui.actions import commands
from musicrel.ui.actions.rule_commands import RuleCommands
from musicrel.ui.compose.compose_page import ComposePage
from musicrel.ui.document.document import NO_PIECE, Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.editing.rule_list import REWRITE_TIP, RuleList

LIST_TIP: Final = "List the rule violations with their sources (Ctrl+F8)"
NEXT_TIP: Final = "Select the notes of the next rule violation (F8)"
PREVIOUS_TIP: Final = "Select the notes of the rule violation before (Shift+F8)"
NO_MODEL: Final = "No model is installed: install one to write candidates"
NOT_CHOSEN: Final = "Select a note with a rule violation first; F8 goes to the next one"
CHECKING: Final = "Checking the rules…"
PLACE: Final = "Violation {number} of {count}: {rule}, {who}, {where}"


class RuleListController(QObject):
    """The controller of the list.

    Args:
        marks: switches the marks on; there are no violations to list without.
    """

    rewrite_requested = Signal(object)  # write candidates without this violation

    def __init__(
        self,
        document: Document,
        messages: Messages,
        *,
        page: ComposePage,
        panel: RuleList,
        actions: RuleCommands,
        marks: QAction,
    ) -> None:
        super().__init__(document)
        self._document, self._messages = document, messages
        self._page, self._panel, self._actions, self._switch = page, panel, actions, marks
        self._marks: tuple[Mark, ...] = ()
        self._current: Mark | None = None
        self._checked = False
        self._awaited: tuple[Chorale, int] | None = None
        page.add_beside(panel)
        self._connect()
        self._update_enabled()

    @property
    def current(self) -> Mark | None:
        """Return the violation to rewrite: the selected one, or the first in the selected notes."""
        selection = self._document.selection
        if selection is None:
            return None
        touched = [mark for mark in self._marks if _is_in(mark, selection)]
        return self._current if self._current in touched else next(iter(touched), None)

    @Slot(object)
    def show_marks(self, marks: tuple[Mark, ...] | None) -> None:
        """Show the violations of the shown piece; None: there is no piece, or marks are off."""
        if not self._switch.isChecked():
            self._actions.list.setChecked(False)
            self._awaited = None
        self._checked = marks is not None
        self._marks, before = marks or (), self._current
        same = (mark for mark in self._marks if before is not None and mark.same_as(before))
        self._current = next(same, None)
        self._panel.show_marks(marks, self._current)
        self._update_enabled()
        if self._checked and self._awaited is not None:
            (piece, by), self._awaited = self._awaited, None
            if piece is self._document.shown:
                self._go(by)

    @Slot()
    def go_to_next(self) -> None:
        """Select the notes of the next violation; after the last, of the first one."""
        self._go(1)

    @Slot()
    def go_to_previous(self) -> None:
        """Select the notes of the violation before; before the first, of the last one."""
        self._go(-1)

    @Slot(object)
    def choose(self, mark: Mark) -> None:
        piece = self._document.shown
        if piece is None:
            return
        self._current = mark
        self._document.select(selected_by(piece, mark))
        before = max(mark.first - written_unit(piece.meter), 0)
        for step in (mark.step, before):  # with the beat that leads to it
            self._page.roll.follow(step, resume=True)
        number, count = self._marks.index(mark) + 1, len(self._marks)
        place = PLACE.format(
            number=number, count=count, rule=mark.title, who=mark.who, where=mark.where
        )
        self._messages.show_state(place)
        self._update_enabled()

    def _go(self, by: int) -> None:
        """Select a violation ``by`` places after the current one, or next to the selection.

        While a long piece is checked, it is selected as soon as it is found.
        """
        self._switch.setChecked(True)
        piece = self._document.shown
        if not self._checked and piece is not None:
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
        self._panel.select(self._marks[place % len(self._marks)])
        self.choose(self._marks[place % len(self._marks)])

    @Slot()
    def _request(self) -> None:
        mark = self.current
        if mark is not None:
            self.rewrite_requested.emit(mark)

    @Slot(bool)
    def _show_list(self, on: bool) -> None:
        """Show or hide the list, which needs the marks; arrow keys select then."""
        if on:
            self._switch.setChecked(True)
        self._page.show_beside(on=on)
        if on:
            self._panel.list.setFocus()

    def _disabled_reason(self) -> str:
        """Return the reason why nothing can be written without a violation now, or ""."""
        document = self._document
        if document.unready_reason:
            return document.unready_reason
        if document.piece is None:
            return NO_PIECE
        if not document.form.model:
            return NO_MODEL
        return "" if self.current is not None else NOT_CHOSEN

    @Slot()
    def _on_replaced(self) -> None:
        if self._document.piece is None:
            self._actions.list.setChecked(False)

    @Slot()
    def _update_enabled(self) -> None:
        """Enable the commands that are possible now; tooltips give the reasons of the others."""
        actions, reason = self._actions, self._disabled_reason()
        shown = self._document.shown is not None
        nothing = "" if shown else self._document.unready_reason or NO_PIECE
        for action, tip in (
            (actions.list, LIST_TIP),
            (actions.next, NEXT_TIP),
            (actions.previous, PREVIOUS_TIP),
        ):
            commands.set_enabled(action, nothing)
            action.setToolTip(nothing or tip)
        commands.set_enabled(actions.rewrite, reason)
        actions.rewrite.setToolTip(reason or REWRITE_TIP)
        self._panel.set_rewrite_disabled_reason(reason)

    def _connect(self) -> None:
        document, actions, panel = self._document, self._actions, self._panel
        for signal, slot in (
            (actions.list.toggled, self._show_list),
            (actions.next.triggered, self.go_to_next),
            (actions.previous.triggered, self.go_to_previous),
            (actions.rewrite.triggered, self._request),
            (panel.rewrite.clicked, self._request),
            (panel.chosen, self.choose),
            (panel.dismissed, actions.list.toggle),
            (document.selection_changed, self._update_enabled),
            (document.form_changed, self._update_enabled),
            (document.generation_started, self._update_enabled),
            (document.shown_changed, self._update_enabled),
            (document.replaced, self._on_replaced),
        ):
            signal.connect(slot)


def _is_in(mark: Mark, selection: Selection) -> bool:
    """Return True if a violation is at least in part in the selection."""
    overlaps = mark.first < selection.stop and selection.start < mark.stop
    return overlaps and not {*mark.voices}.isdisjoint(selection.voices)
