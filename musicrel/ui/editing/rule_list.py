"""The list of the rule violations of a piece beside the sheet, without logic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPoint, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QListWidgetItem,
    QMenu,
    QPushButton,
    QWidget,
)

from musicrel.presentation.roll.marks import NO_VIOLATIONS, Mark
from musicrel.presentation.words import names
from musicrel.ui.actions.rule_commands import RuleCommands
from musicrel.ui.widgets import icons, layout, stylesheet
from musicrel.ui.widgets.two_lines import SECOND_LINE, TwoLineList

WIDTH: Final = 300
TITLE: Final = "Rule violations"
CLOSE: Final = "Close the list (Ctrl+F8)"
REWRITE: Final = "Write candidates without this"
REWRITE_TIP: Final = (
    "Write the notes around this violation again, as several candidates that keep the rule; locked "
    "notes and, where possible, the melody stay (Ctrl+Shift+F8)"
)
CHOOSE: Final = "Select a violation to see its notes, the rule and its source (F8)."
_VIOLATION: Final = "violation"
_WHERE: Final = "{who}  ·  {where}"


class RuleList(QFrame):
    """A row for each violation; rule, source and Bach's rate of the selected one are below."""

    chosen = Signal(object)  # the user selected a violation
    dismissed = Signal()  # the user closed the list

    def __init__(self, commands: RuleCommands, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAccessibleName(TITLE)
        self.setFixedWidth(WIDTH)
        self._commands = commands
        self._marks: tuple[Mark, ...] = ()
        self.title, self.detail = QLabel(TITLE), QLabel()
        self.close_button = icons.button("close", CLOSE, 16)
        self.list = TwoLineList()
        self.explanation, self.source, self.bach = QLabel(CHOOSE), QLabel(), QLabel()
        self.rewrite = QPushButton(REWRITE)
        self._lay_out()
        self.list.currentRowChanged.connect(self._choose)
        self.list.customContextMenuRequested.connect(self._open_menu)
        self.close_button.clicked.connect(self.dismissed)

    def show_marks(self, marks: Sequence[Mark] | None, current: Mark | None) -> None:
        """Show these violations with ``current`` selected, without a signal; None: no piece."""
        self._marks = tuple(marks or ())
        with QSignalBlocker(self.list):
            self.list.clear()
            for mark in self._marks:
                self.list.addItem(_item(mark))
        count = names.count(len(self._marks), _VIOLATION) if self._marks else NO_VIOLATIONS
        self.detail.setText(count if marks is not None else "")
        self.select(current)

    def select(self, mark: Mark | None) -> None:
        """Select a violation and describe it, without a signal; None: none."""
        with QSignalBlocker(self.list):
            self.list.setCurrentRow(self._marks.index(mark) if mark in self._marks else -1)
        self._describe(mark)

    def set_rewrite_disabled_reason(self, reason: str) -> None:
        """Disable the button and show ``reason`` in its tooltip; "" enables it."""
        self.rewrite.setEnabled(not reason)
        self.rewrite.setToolTip(reason or REWRITE_TIP)

    @Slot(int)
    def _choose(self, row: int) -> None:
        if 0 <= row < len(self._marks):
            self._describe(self._marks[row])
            self.chosen.emit(self._marks[row])

    def _describe(self, mark: Mark | None) -> None:
        self.explanation.setText(mark.explanation if mark else CHOOSE if self._marks else "")
        self.source.setText(mark.source if mark else "")
        self.bach.setText(mark.bach if mark else "")
        for label in (self.explanation, self.source, self.bach):
            label.setVisible(bool(label.text()))

    @Slot(QPoint)
    def _open_menu(self, place: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setToolTipsVisible(True)
        self._commands.fill_menu(menu)
        menu.popup(self.list.viewport().mapToGlobal(place))

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
