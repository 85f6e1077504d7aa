"""The tables of a study: its runs, which can be sorted and copied, or its measured layers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
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
)

from musicrel.experiment.study import layer_report, measures, run_table, study_text
from musicrel.experiment.study.blocks import Cell, Table
from musicrel.experiment.study.run_table import Column
from musicrel.language import english, tr
from musicrel.ui.widgets import fields, layout

if TYPE_CHECKING:
    from musicrel.experiment.study.layer_costs import LayerCosts
    from musicrel.experiment.study.run_watch import RunStatus

NOT_DONE: Final = tr("This run is not finished")
DIVERGED: Final = tr("This run diverged: it has no model")
NONE_CHOSEN: Final = tr("Select a finished run first")
USE: Final = tr("Install the model of the selected run and use it in Compose")
_HEADING: Final = tr("Runs · losses in {unit}")
_LOSS_TIP: Final = tr("{meaning}, in {unit}")
_HEADS: Final = (
    tr("Arm"), tr("Seed"), tr("State"), tr("Validation"), tr("Test"), tr("Tokens/s"),
    tr("Time"), tr("Memory"), tr("Parameters"),
)  # fmt: skip
_OF_RUN: Final = tr(" ({arm}, seed {seed})")
_COPY_TIP: Final = tr("Copy the table")
_NO_RUNS: Final = tr("No runs yet")
_TABLE: Final = tr("Runs of the study")
_USE_TEXT: Final = tr("&Use in Compose")
_COPY_MARKDOWN: Final = tr("As &Markdown")
_COPY_CSV: Final = tr("As CS&V")
_COPY_LATEX: Final = tr("As &LaTeX")


class TableView(QTableWidget):
    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setResizeContentsPrecision(100)

    def show_table(
        self, table: Table, heads: Sequence[tuple[str, str]] = (), *, stretch: bool = False
    ) -> None:
        """Show a table; only cells that have changed are written."""
        header = self.horizontalHeader()  # it would measure all columns at each text
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setColumnCount(len(table.heads))
        self.setRowCount(len(table.rows))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        for column, (title, tip) in enumerate(heads or [(title, "") for title in table.heads]):
            side = right if table.is_numeric(column) else left
            head = self.horizontalHeaderItem(column) or QTableWidgetItem()
            head.setText(title)
            head.setToolTip(tip)
            head.setTextAlignment(side)
            self.setHorizontalHeaderItem(column, head)
            for row, cells in enumerate(table.rows):
                self._write(row, column, cells[column].text, side)
        modes = QHeaderView.ResizeMode
        header.setSectionResizeMode(modes.Stretch if stretch else modes.ResizeToContents)

    def _write(self, row: int, column: int, text: str, side: Qt.AlignmentFlag) -> None:
        item = self.item(row, column)
        if item is None:
            item = QTableWidgetItem()
            self.setItem(row, column, item)
        if item.text() != text:
            item.setText(text)
            item.setToolTip(text)
        item.setTextAlignment(side)


class CostsView(QFrame):
    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.tables: dict[str, TableView] = {}
        self._column = layout.column(owner=self, spacing=8, margins=(14, 12, 14, 12))

    def show_costs(self, costs: LayerCosts) -> None:
        for table in layer_report.tables(costs):
            if table.title not in self.tables:
                self.tables[table.title] = TableView(table.title)
                self._column.addWidget(layout.heading(table.title))
                self._column.addWidget(self.tables[table.title], 1)
            self.tables[table.title].show_table(table, stretch=True)


class RunTableView(QFrame):
    model_requested = Signal(object)  # the ``RunStatus`` whose model is to be used in Compose

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("sheet")
        self._runs: tuple[RunStatus, ...] = ()
        self._shown: list[RunStatus] = []
        self._cells: dict[Path, tuple[RunStatus, tuple[Cell, ...]]] = {}
        self._order: tuple[int, bool] | None = None
        self._unit, self._disabled_reason = "nats/note", ""
        self._heading = layout.heading(tr("Runs"))
        self.table = TableView(_TABLE)
        self.copy, self.use = QToolButton(), QPushButton(_USE_TEXT)
        self.copy_markdown, self.copy_csv, self.copy_latex = (
            QAction(text, self) for text in (_COPY_MARKDOWN, _COPY_CSV, _COPY_LATEX)
        )
        self._lay_out()
        clipboard = QGuiApplication.clipboard()
        self.copy_markdown.triggered.connect(
            lambda: clipboard.setText("\n".join([*self._copied().to_markdown(), ""]))
        )
        self.copy_csv.triggered.connect(lambda: clipboard.setText(self._copied().to_csv()))
        self.copy_latex.triggered.connect(lambda: clipboard.setText(self._copied().to_latex()))
        self.use.clicked.connect(lambda: self.model_requested.emit(self.chosen))
        self.table.itemSelectionChanged.connect(self._update_enabled)
        self.table.horizontalHeader().setSectionsClickable(True)
        self.table.horizontalHeader().sectionClicked.connect(self.sort)
        self._fill()

    def show_runs(
        self, runs: tuple[RunStatus, ...], *, unit: str = "nats/note", disabled_reason: str = ""
    ) -> None:
        """Show the runs of a study; the selection is kept."""
        before = self._runs, self._unit, self._disabled_reason
        if runs is not before[0] or (unit, disabled_reason) != before[1:]:
            self._runs, self._unit, self._disabled_reason = runs, unit, disabled_reason
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

    def _table(self) -> Table:
        for run in self._shown:
            if run.folder not in self._cells or self._cells[run.folder][0] is not run:
                self._cells[run.folder] = run, run_table.cells(run)
        return run_table.shown((self._cells[run.folder][1] for run in self._shown), self._unit)

    def _copied(self) -> Table:
        with english():
            return run_table.shown(map(run_table.cells, self._shown), self._unit)

    def _fill(self) -> None:
        was = self._selected
        self._cells = {run.folder: self._cells[run.folder] for run in self._runs
                       if run.folder in self._cells}  # fmt: skip
        self._shown = list(self._runs)
        if self._order is not None:
            column, descending = self._order
            places = self._table().order(column, descending=descending)
            self._shown = [self._runs[place] for place in places]
        with QSignalBlocker(self.table):
            self.table.show_table(self._table(), [*map(self._head, _HEADS, run_table.COLUMNS)])
            if was is not None:
                self.table.clearSelection()
                folders = [run.folder for run in self._shown]
                self.table.selectRow(folders.index(was.folder) if was.folder in folders else -1)
        self._heading.setText(_HEADING.format(unit=measures.shown(self._unit)))
        self._update_enabled()

    def _head(self, head: str, column: Column) -> tuple[str, str]:
        tip = _LOSS_TIP if column.is_loss else "{meaning}"
        return head, tip.format(meaning=column.meaning, unit=measures.shown(self._unit))

    @property
    def _selected(self) -> RunStatus | None:
        row, selected = self.table.currentRow(), self.table.selectionModel().hasSelection()
        return self._shown[row] if selected and 0 <= row < len(self._shown) else None

    @Slot()
    def _update_enabled(self) -> None:
        run = self.chosen
        disabled_reason = self._disabled_reason
        if not disabled_reason and (run is None or run.result is None):
            disabled_reason = NONE_CHOSEN if run is None else NOT_DONE
        if not disabled_reason and run is not None and run.loss is None:
            disabled_reason = DIVERGED
        named = _OF_RUN.format(arm=study_text.arm(run), seed=run.seed) if run is not None else ""
        fields.enable(self.use, disabled_reason, USE + named)
        fields.enable(self.copy, "" if self._shown else _NO_RUNS, _COPY_TIP)

    def _lay_out(self) -> None:
        self.copy.setText(tr("Cop&y"))
        self.copy.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.copy.addActions([self.copy_markdown, self.copy_csv, self.copy_latex])
        self.copy.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self.copy.setObjectName("menu")
        buttons = layout.row(None, self.copy, self.use, spacing=8)
        head = layout.Wrapped(layout.row(self._heading, None), buttons)
        layout.column(head, (self.table, 1), owner=self, spacing=6, margins=(14, 8, 14, 10))
