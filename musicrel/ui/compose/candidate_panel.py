"""Beside the sheet: the candidates, ranked, and the weights they are ranked by.

A passive panel: it shows what it is told and tells what the user did.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QProgressBar,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from musicrel.presentation.compose.candidate_table import COLUMNS, Row
from musicrel.presentation.words.palette import Theme
from musicrel.ui.compose.weight_fields import WeightFields
from musicrel.ui.widgets import icons, stylesheet

WIDTH: Final = 330
_FINE: Final = 1000
_ROW: Final = 27
_ENTER: Final = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})


class CandidatePanel(QFrame):
    """The panel; hidden until there is something to choose from.

    Signals:
        chosen: the user looks at another candidate; its number.
        accepted: the user takes the one that is chosen.
        dismissed: the user wants the original back, and the panel away.
        weighed: the user changed a weight.
    """

    chosen = Signal(int)
    accepted = Signal()
    dismissed = Signal()
    weighed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAccessibleName("Candidates")
        self.setFixedWidth(WIDTH)
        self.title, self.detail, self.note = QLabel("Candidates"), QLabel(), QLabel()
        self.aside = QLabel()
        """What is to be known of all of them."""
        self.close_button = QToolButton()
        self.progress = QProgressBar(textVisible=False, maximum=_FINE)
        self.table = CandidateTable()
        self.weights = WeightFields()
        self.accept = QPushButton("Accept")
        self._lay_out()
        self.table.currentCellChanged.connect(self._moved)
        self.table.entered_on.connect(self.accepted)
        self.accept.clicked.connect(self.accepted)
        self.close_button.clicked.connect(self.dismissed)
        self.weights.changed.connect(self.weighed)

    def set_theme(self, theme: Theme) -> None:
        """Use other colours."""
        self.close_button.setIcon(icons.tinted("close", theme))

    def begin(self, detail: str, aside: str = "") -> None:
        """Something else is being written; ``detail`` says what, ``aside`` what to know of it."""
        self.table.show_rows((), None)
        self.detail.setText(detail)
        self.aside.setText(aside)
        self.aside.setVisible(bool(aside))
        self.set_acceptable(False)
        self.set_note("")
        self.set_progress(0.0)

    def set_progress(self, share: float | None) -> None:
        """How much is written, 0 to 1; None: nothing is being written."""
        self.progress.setVisible(share is not None)
        self.progress.setValue(round((share or 0.0) * _FINE))

    def set_acceptable(self, acceptable: bool) -> None:
        """Whether one is chosen that can be accepted."""
        self.accept.setEnabled(acceptable)

    def set_note(self, sentence: str) -> None:
        """What is worth a remark; "" for nothing."""
        self.note.setText(sentence)
        self.note.setVisible(bool(sentence))

    def show_rows(self, rows: Sequence[Row], chosen: int) -> None:
        """Show the candidates in this order, the one with the number ``chosen`` marked."""
        self.table.show_rows(rows, chosen)

    @property
    def values(self) -> Mapping[str, float]:
        """The weights."""
        return self.weights.values()

    @Slot(int)
    def _moved(self, row: int) -> None:
        number = self.table.number_at(row)
        if number is not None:
            self.chosen.emit(number)

    def _lay_out(self) -> None:
        stylesheet.scaled(self.title, 1.15, QFont.Weight.DemiBold)
        for label in (self.detail, self.aside, self.note):
            label.setObjectName("quiet")
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.note.setObjectName("problem")
        self.progress.setAccessibleName("How much is written")
        self.accept.setObjectName("main")
        self.accept.setMinimumHeight(34)
        self.accept.setToolTip("This becomes the piece; the one before can be brought back (Enter)")
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 12, 14, 12)
        column.setSpacing(8)
        column.addLayout(self._head())
        for part in (
            self.detail, self.aside, self.progress, self.table, self.note, self.accept, self.weights
        ):  # fmt: skip
            column.addWidget(part)
        column.setStretchFactor(self.table, 1)

    def _head(self) -> QHBoxLayout:
        self.close_button.setObjectName("flat")
        self.close_button.setIconSize(QSize(16, 16))
        self.close_button.setToolTip("Close the candidates: the piece before them is back (Esc)")
        self.close_button.setAccessibleName("Close the candidates")
        row = QHBoxLayout()
        row.addWidget(self.title, 1)
        row.addWidget(self.close_button)
        return row


class CandidateTable(QTableWidget):
    """A line for each candidate; arrows go through them, Enter takes one.

    Signals:
        entered_on: Enter was pressed, or a line double-clicked.
    """

    entered_on = Signal()

    def __init__(self) -> None:
        super().__init__(0, len(COLUMNS))
        self.setObjectName("dense")
        self.setAccessibleName("Candidates, the original first, then the best")
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        stylesheet.scaled(self, 0.92)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(_ROW)
        for place, column in enumerate(COLUMNS):
            head = QTableWidgetItem(column.title)
            head.setToolTip(column.says)
            head.setTextAlignment(_RIGHT)
            self.setHorizontalHeaderItem(place, head)
        header = self.horizontalHeader()
        header.setSectionsClickable(False)
        header.setHighlightSections(False)
        header.setMinimumSectionSize(20)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        self.cellDoubleClicked.connect(self.entered_on)

    def show_rows(self, rows: Sequence[Row], chosen: int | None) -> None:
        """Show these lines; nothing is told of that."""
        before = self.blockSignals(True)
        self.setCurrentCell(-1, -1)
        self.setRowCount(len(rows))
        for place, row in enumerate(rows):
            for column, text in enumerate(row.cells):
                item = QTableWidgetItem(text)
                item.setData(Qt.ItemDataRole.UserRole, row.number)
                item.setToolTip(row.says)
                item.setTextAlignment(_RIGHT)
                self.setItem(place, column, item)
            if row.number == chosen:
                self.setCurrentCell(place, 0)
        self.blockSignals(before)

    def number_at(self, row: int) -> int | None:
        """The number of the candidate in a line."""
        item = self.item(row, 0)
        return None if item is None else int(item.data(Qt.ItemDataRole.UserRole))

    def move_by(self, lines: int) -> None:
        """Choose the line so many further down, as far as there is one."""
        row = min(max(self.currentRow() + lines, 0), self.rowCount() - 1)
        if row >= 0:
            self.setCurrentCell(row, 0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter takes the candidate."""
        if event.key() in _ENTER and not event.modifiers():
            self.entered_on.emit()
        else:
            super().keyPressEvent(event)


_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
