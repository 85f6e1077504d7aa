"""The table of a study's runs: sorted by a click on a column, copied as Markdown or CSV.

A passive widget: it shows the runs it is told and tells what the user did.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from musicrel.presentation.study import run_table
from musicrel.ui.widgets import layout

if TYPE_CHECKING:
    from musicrel.experiment.study.run_watch import RunNow

NOT_DONE: Final = "This run has no finished model yet"
NONE_CHOSEN: Final = "Choose a finished run in the table first"
USE: Final = "Copy the model of the chosen run to your models, and write with it"
_FIRST_NUMBER: Final = 3


class RunTableView(QFrame):
    """The table, and what can be done with it.

    Signals:
        model_wished: the user wants to compose with the model of this run.
    """

    model_wished = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sheet")
        self._runs: tuple[RunNow, ...] = ()
        self._shown: list[RunNow] = []
        self._order: tuple[int, bool] | None = None
        self._unit, self._obstacle = "", ""
        self._heading = layout.heading("Runs")
        self.table = QTableWidget(0, len(run_table.COLUMNS))
        self.copy_markdown = QPushButton("Copy &Markdown")
        self.copy_csv = QPushButton("Copy CS&V")
        self.use = QPushButton("&Use in Compose")
        self._set_up_table()
        self._lay_out()
        self.copy_markdown.clicked.connect(
            lambda: self._copy(run_table.markdown(self._shown, self._unit))
        )
        self.copy_csv.clicked.connect(lambda: self._copy(run_table.as_csv(self._shown, self._unit)))
        self.use.clicked.connect(self._wish_for_model)
        self.table.itemSelectionChanged.connect(self._allow)
        self.table.horizontalHeader().sectionClicked.connect(self.sort)
        self._allow()
        self._name_unit("nats/note")

    def show_runs(
        self, runs: tuple[RunNow, ...], *, unit: str = "nats/note", obstacle: str = ""
    ) -> None:
        """Show the runs of a study; the chosen one stays chosen.

        Args:
            runs: of the study.
            unit: of their losses.
            obstacle: why nothing can be written with their models; "" where something can.
        """
        self._name_unit(unit)
        if obstacle != self._obstacle:
            self._obstacle = obstacle
            self._allow()
        if runs is not self._runs:
            self._runs = runs
            self._fill()

    @property
    def chosen(self) -> RunNow | None:
        """The run the user chose, or the best finished one where none is chosen."""
        row = self.table.currentRow()
        if self.table.selectionModel().hasSelection() and 0 <= row < len(self._shown):
            return self._shown[row]
        done = [run for run in self._runs if run.result is not None and run.loss is not None]
        return min(done, key=lambda run: run.loss or 0.0, default=None)

    @Slot(int)
    def sort(self, column: int) -> None:
        """Sort by a column; once more, the other way round; the third time as they are made."""
        before = self._order
        if before is None or before[0] != column:
            self._order = (column, False)
        else:
            self._order = None if before[1] else (column, True)
        header = self.table.horizontalHeader()
        header.setSortIndicatorShown(self._order is not None)
        if self._order is not None:
            way = Qt.SortOrder.DescendingOrder if self._order[1] else Qt.SortOrder.AscendingOrder
            header.setSortIndicator(column, way)
        self._fill()

    def _fill(self) -> None:
        was = self._shown[self.table.currentRow()] if self._has_selection() else None
        shown = list(self._runs)
        if self._order is not None:
            shown = run_table.sorted_by(shown, self._order[0], descending=self._order[1])
        self._shown = shown
        before = self.table.blockSignals(True)
        self.table.setRowCount(len(shown))
        for row, texts in enumerate(run_table.rows(shown)):
            for column, text in enumerate(texts):
                self._write(row, column, text)
        if was is not None:
            self._choose(was)
        self.table.blockSignals(before)
        self._allow()

    def _name_unit(self, unit: str) -> None:
        if unit == self._unit:
            return
        self._unit = unit
        self._heading.setText(f"Runs · losses in {unit}")
        for place, column in enumerate(run_table.COLUMNS):
            said = f"{column.meaning}, in {unit}" if column.is_loss else column.meaning
            head = self.table.horizontalHeaderItem(place)
            if head is not None:
                head.setToolTip(said)

    def _has_selection(self) -> bool:
        row = self.table.currentRow()
        return self.table.selectionModel().hasSelection() and 0 <= row < len(self._shown)

    def _choose(self, was: RunNow) -> None:
        for row, run in enumerate(self._shown):
            if run.folder == was.folder:
                self.table.selectRow(row)
                return
        self.table.clearSelection()

    def _write(self, row: int, column: int, text: str) -> None:
        item = self.table.item(row, column)
        if item is None:
            item = QTableWidgetItem()
            side = Qt.AlignmentFlag.AlignRight if _is_number(column) else Qt.AlignmentFlag.AlignLeft
            item.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
            self.table.setItem(row, column, item)
        if item.text() != text:
            item.setText(text)
            item.setToolTip(text)

    def _wish_for_model(self) -> None:
        run = self.chosen
        if run is not None:
            self.model_wished.emit(run)

    def _allow(self) -> None:
        run = self.chosen
        obstacle = NONE_CHOSEN if run is None else NOT_DONE if run.result is None else ""
        obstacle = self._obstacle or obstacle
        self.use.setEnabled(not obstacle)
        named = f" ({run.arm}, seed {run.seed})" if run is not None else ""
        self.use.setToolTip(obstacle or USE + named)
        for button in (self.copy_markdown, self.copy_csv):
            button.setEnabled(bool(self._shown))
            button.setToolTip("Copy the table" if self._shown else "There is no run yet")

    @staticmethod
    def _copy(text: str) -> None:
        QGuiApplication.clipboard().setText(text)

    def _set_up_table(self) -> None:
        table = self.table
        table.setAccessibleName("Runs of the study")
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setTabKeyNavigation(False)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.verticalHeader().hide()
        table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        for place, column in enumerate(run_table.COLUMNS):
            head = QTableWidgetItem(column.title)
            side = Qt.AlignmentFlag.AlignRight if _is_number(place) else Qt.AlignmentFlag.AlignLeft
            head.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
            table.setHorizontalHeaderItem(place, head)
        header = table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setHighlightSections(False)
        header.setSectionsClickable(True)

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self._heading, 1)
        for button in (self.copy_markdown, self.copy_csv, self.use):
            row.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 8, 14, 10)
        column.setSpacing(6)
        column.addLayout(row)
        column.addWidget(self.table, 1)


def _is_number(column: int) -> bool:
    return column == 1 or column >= _FIRST_NUMBER
