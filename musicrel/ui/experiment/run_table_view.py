"""The table of the runs of a study: sorted by column, copied as Markdown or CSV."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QPushButton,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QToolButton,
    QWidget,
)

from musicrel.presentation.study import progress, run_table
from musicrel.ui.widgets import layout

if TYPE_CHECKING:
    from musicrel.experiment.study.run_watch import RunStatus

NOT_DONE: Final = "This run is not finished"
DIVERGED: Final = "This run diverged: it has no model"
NONE_CHOSEN: Final = "Select a finished run first"
USE: Final = "Install the model of the selected run and use it in Compose"
_FIRST_NUMBER: Final = 3
_MEASURED_ROWS: Final = 100
"""Rows beyond the visible ones that set the widths of the columns."""
_COPY_MARKDOWN: Final = "As &Markdown"
_COPY_CSV: Final = "As CS&V"
_USE_TEXT: Final = "&Use in Compose"
_HEADING: Final = "Runs · losses in {unit}"
_LOSS_TIP: Final = "{meaning}, in {unit}"
_OF_RUN: Final = " ({arm}, seed {seed})"
_COPY_TIP: Final = "Copy the table"
_NO_RUNS: Final = "No runs yet"
_TABLE: Final = "Runs of the study"


class RunTableView(QFrame):
    """The table and its buttons; a passive widget."""

    model_requested = Signal(object)  # the ``RunStatus`` whose model is to be used in Compose

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sheet")
        self._runs: tuple[RunStatus, ...] = ()
        self._shown: list[RunStatus] = []
        self._order: tuple[int, bool] | None = None
        self._unit, self._disabled_reason = "", ""
        self._heading = layout.heading("Runs")
        self.table = QTableWidget(0, len(run_table.COLUMNS))
        self.copy = QToolButton()
        self.copy.setText("Cop&y")
        self.copy.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.copy_markdown = QAction(_COPY_MARKDOWN, self)
        self.copy_csv = QAction(_COPY_CSV, self)
        self.use = QPushButton(_USE_TEXT)
        self._set_up_table()
        self._lay_out()
        clipboard = QGuiApplication.clipboard()
        self.copy_markdown.triggered.connect(
            lambda: clipboard.setText(run_table.markdown(self._shown, self._unit))
        )
        self.copy_csv.triggered.connect(
            lambda: clipboard.setText(run_table.as_csv(self._shown, self._unit))
        )
        self.use.clicked.connect(self._request_model)
        self.table.itemSelectionChanged.connect(self._update_enabled)
        self.table.horizontalHeader().sectionClicked.connect(self.sort)
        self._update_enabled()
        self._name_unit("nats/note")

    def show_runs(
        self, runs: tuple[RunStatus, ...], *, unit: str = "nats/note", disabled_reason: str = ""
    ) -> None:
        """Show the runs of a study; the selection is kept.

        Args:
            disabled_reason: why their models cannot write music; "" if they can.
        """
        self._name_unit(unit)
        if disabled_reason != self._disabled_reason:
            self._disabled_reason = disabled_reason
            self._update_enabled()
        if runs is not self._runs:
            self._runs = runs
            self._fill()

    @property
    def chosen(self) -> RunStatus | None:
        """Return the selected run, or the finished run with the lowest loss; None without one."""
        if self._selected is not None:
            return self._selected
        done = [run for run in self._runs if run.result is not None and run.loss is not None]
        return min(done, key=lambda run: run.loss or 0.0, default=None)

    @Slot(int)
    def sort(self, column: int) -> None:
        """Sort by a column: ascending, then descending, then in the original order."""
        if self._order is None or self._order[0] != column:
            self._order = (column, False)
        else:
            self._order = None if self._order[1] else (column, True)
        up, down = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
        header = self.table.horizontalHeader()
        header.setSortIndicatorShown(self._order is not None)
        header.setSortIndicator(column, down if self._order == (column, True) else up)
        self._fill()

    def _fill(self) -> None:
        was, before = self._selected, self._shown
        self._shown = list(self._runs)
        if self._order is not None:
            column, descending = self._order
            self._shown = run_table.sorted_by(self._runs, column, descending=descending)
        with QSignalBlocker(self.table):
            header = self.table.horizontalHeader()  # it would measure all columns at each text
            header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
            self.table.setRowCount(len(self._shown))
            for row, run in enumerate(self._shown):
                if row >= len(before) or before[row] is not run:
                    for column, text in enumerate(run_table.rows([run])[0]):
                        self._write(row, column, text)
            header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
            if was is not None:
                self.table.clearSelection()
                folders = [run.folder for run in self._shown]
                self.table.selectRow(folders.index(was.folder) if was.folder in folders else -1)
        self._update_enabled()

    def _name_unit(self, unit: str) -> None:
        if unit == self._unit:
            return
        self._unit = unit
        self._heading.setText(_HEADING.format(unit=unit))
        for place, column in enumerate(run_table.COLUMNS):
            tip = (
                _LOSS_TIP.format(meaning=column.meaning, unit=unit)
                if column.is_loss
                else column.meaning
            )
            head = self.table.horizontalHeaderItem(place)
            if head is not None:
                head.setToolTip(tip)

    @property
    def _selected(self) -> RunStatus | None:
        row, selected = self.table.currentRow(), self.table.selectionModel().hasSelection()
        return self._shown[row] if selected and 0 <= row < len(self._shown) else None

    def _write(self, row: int, column: int, text: str) -> None:
        item = self.table.item(row, column)
        if item is None:
            item = _item(column)
            self.table.setItem(row, column, item)
        if item.text() != text:
            item.setText(text)
            item.setToolTip(text)

    def _request_model(self) -> None:
        run = self.chosen
        if run is not None:
            self.model_requested.emit(run)

    def _update_enabled(self) -> None:
        run = self.chosen
        disabled_reason = self._disabled_reason
        if not disabled_reason and (run is None or run.result is None):
            disabled_reason = NONE_CHOSEN if run is None else NOT_DONE
        if not disabled_reason and run is not None and run.loss is None:
            disabled_reason = DIVERGED
        self.use.setEnabled(not disabled_reason)
        named = _OF_RUN.format(arm=progress.arm(run), seed=run.seed) if run is not None else ""
        self.use.setToolTip(disabled_reason or USE + named)
        self.copy.setEnabled(bool(self._shown))
        self.copy.setToolTip(_COPY_TIP if self._shown else _NO_RUNS)

    def _set_up_table(self) -> None:
        table, header = self.table, self.table.horizontalHeader()
        table.setAccessibleName(_TABLE)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setTabKeyNavigation(False)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.verticalHeader().hide()
        table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        for place, column in enumerate(run_table.COLUMNS):
            head = _item(place)
            head.setText(column.title)
            table.setHorizontalHeaderItem(place, head)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setResizeContentsPrecision(_MEASURED_ROWS)
        header.setHighlightSections(False)
        header.setSectionsClickable(True)

    def _lay_out(self) -> None:
        self.copy.addActions([self.copy_markdown, self.copy_csv])
        self.copy.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self.copy.setObjectName("menu")
        buttons = layout.row(None, self.copy, self.use, spacing=8)
        head = layout.Wrapped(layout.row(self._heading, None), buttons)
        layout.column(head, (self.table, 1), owner=self, spacing=6, margins=(14, 8, 14, 10))


def _item(column: int) -> QTableWidgetItem:
    """Return an empty cell; numbers are aligned to the right."""
    is_number = column == 1 or column >= _FIRST_NUMBER
    side = Qt.AlignmentFlag.AlignRight if is_number else Qt.AlignmentFlag.AlignLeft
    item = QTableWidgetItem()
    item.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
    return item
