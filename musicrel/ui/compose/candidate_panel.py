"""The panel of ranked candidates and ranking weights beside the sheet, without logic."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QLabel,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from musicrel.presentation.compose.candidate_table import COLUMNS, Row
from musicrel.ui.compose.form_fields import WeightFields
from musicrel.ui.widgets import icons, layout, stylesheet

ACCEPT_TIP: Final = "Replace the piece with this candidate; Undo restores it (Enter)"
ACCEPT_WAITS: Final = "Wait until the candidates are finished, then select one"
RETRY: Final = "Try again"
RETRY_TIP: Final = "Write other candidates of this passage, with more of its voices"
WIDTH: Final = 330
_FINE: Final = 1000
_HEADER_SCALE: Final = 0.85
# width in pixels of a header section beside its title: padding and the gap to the next one
_HEADER_EDGES: Final = 7
_ENTER: Final = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})
_CLOSE: Final = "Close the candidates (Esc)"
_TABLE: Final = "Candidates, the original first, then the best"


class CandidatePanel(QFrame):
    chosen = Signal(int)  # the user selected a candidate; its number
    pointed_at = Signal(int)  # the mouse is on the row of a candidate; its number

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAccessibleName("Candidates")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self.title, self.detail, self.note = QLabel("Candidates"), QLabel(), QLabel()
        self.remark = QLabel()  # A remark on all candidates
        self.close_button = icons.button("close", _CLOSE, 16)
        self.progress = QProgressBar(textVisible=False, maximum=_FINE)
        self.table = CandidateTable()
        self.weights = WeightFields()
        self.accept = QPushButton("Accept")
        # requests others for the same passage; hidden unless a rule is to be avoided
        self.retry = QPushButton(RETRY)
        self._lay_out()
        self.table.currentCellChanged.connect(partial(self._emit, self.chosen))
        self.table.cellEntered.connect(partial(self._emit, self.pointed_at))

    def minimumSizeHint(self) -> QSize:
        size = super().minimumSizeHint()
        return QSize(max(size.width(), WIDTH), size.height())

    def begin(self, detail: str, remark: str = "") -> None:
        self.table.show_rows((), None)
        self.detail.setText(detail)
        self.set_remark(remark)
        self.set_accept_enabled(False)
        self.retry.hide()
        self.set_note("")
        self.set_progress(0.0)

    def set_progress(self, share: float | None) -> None:
        """Show the progress, 0 to 1; None hides it."""
        self.progress.setVisible(share is not None)
        self.progress.setValue(round((share or 0.0) * _FINE))

    def set_accept_enabled(self, enabled: bool) -> None:
        self.accept.setEnabled(enabled)
        self.accept.setToolTip(ACCEPT_TIP if enabled else ACCEPT_WAITS)

    def set_remark(self, sentence: str) -> None:
        self.remark.setText(sentence)
        self.remark.setVisible(bool(sentence))

    def set_note(self, sentence: str) -> None:
        self.note.setText(sentence)
        self.note.setVisible(bool(sentence))

    def _emit(self, signal: SignalInstance, row: int, *_: object) -> None:
        number = self.table.number_at(row)
        if number is not None:
            signal.emit(number)

    def _lay_out(self) -> None:
        stylesheet.scale_font(self.title, 1.15, QFont.Weight.DemiBold)
        for label in (self.detail, self.remark, self.note):
            label.setObjectName("quiet")
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.note.setObjectName("problem")
        self.progress.setAccessibleName("Progress")
        self.accept.setObjectName("main")
        self.accept.setMinimumHeight(34)
        self.retry.setToolTip(RETRY_TIP)
        self.retry.hide()
        head = layout.row((self.title, 1), self.close_button, spacing=8)
        layout.column(
            head, self.detail, self.remark, self.progress, (self.table, 1), self.note, self.retry,
            self.accept, self.weights, owner=self, spacing=8, margins=(10, 12, 10, 12),
        )  # fmt: skip


class CandidateTable(QTableWidget):
    accept_requested = Signal()  # Enter was pressed, or a row double-clicked
    left = Signal()  # the mouse has left the rows

    def __init__(self) -> None:
        super().__init__(0, len(COLUMNS))
        self.setObjectName("dense")
        self.setAccessibleName(_TABLE)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setShowGrid(False)
        stylesheet.scale_font(self, 0.92)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(27)
        self._fill_header()
        self.cellDoubleClicked.connect(self.accept_requested)
        self.viewportEntered.connect(self.left)

    def _fill_header(self) -> None:
        # an item keeps its font when the style sheet is set again; the header does not
        font = stylesheet.scaled_font(_HEADER_SCALE)
        for place, column in enumerate(COLUMNS):
            head = QTableWidgetItem(column.title)
            head.setToolTip(column.tooltip)
            head.setData(Qt.ItemDataRole.AccessibleTextRole, column.full_title)
            head.setTextAlignment(_RIGHT)
            head.setFont(font)
            self.setHorizontalHeaderItem(place, head)
        header = self.horizontalHeader()
        header.setSectionsClickable(False)
        header.setHighlightSections(False)
        header.setMinimumSectionSize(20)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def show_rows(self, rows: Sequence[Row], chosen: int | None) -> None:
        with QSignalBlocker(self):
            self.setCurrentCell(-1, -1)
            self.setRowCount(len(rows))
            for place, row in enumerate(rows):
                for column, text in enumerate(row.cells):
                    item = QTableWidgetItem(text)
                    item.setData(Qt.ItemDataRole.UserRole, row.number)
                    item.setToolTip(row.details)
                    item.setTextAlignment(_RIGHT)
                    self.setItem(place, column, item)
                if row.number == chosen:
                    self.setCurrentCell(place, 0)
        self._distribute_width()
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        bar = self.verticalScrollBar().sizeHint().width()
        return QSize(sum(self._widths()) + bar, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._distribute_width()

    def _widths(self) -> list[int]:
        metrics = QFontMetrics(stylesheet.scaled_font(_HEADER_SCALE))
        titles = [
            max(metrics.horizontalAdvance(line) for line in column.title.splitlines())
            for column in COLUMNS
        ]
        return [
            max(title + _HEADER_EDGES, self.sizeHintForColumn(at))
            for at, title in enumerate(titles)
        ]

    def _distribute_width(self) -> None:
        widths = self._widths()
        share = max(self.viewport().width() - sum(widths), 0) // len(widths)
        for column, width in enumerate(widths):
            self.setColumnWidth(column, width + share)

    def number_at(self, row: int) -> int | None:
        item = self.item(row, 0)
        return None if item is None else int(item.data(Qt.ItemDataRole.UserRole))

    def move_by(self, rows: int) -> None:
        row = min(max(self.currentRow() + rows, 0), self.rowCount() - 1)
        if row >= 0:
            self.setCurrentCell(row, 0)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self.left.emit()
        return super().viewportEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _ENTER and not event.modifiers():
            self.accept_requested.emit()
        else:
            super().keyPressEvent(event)


_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
