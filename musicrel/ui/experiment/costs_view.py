"""Results of a study without training: a table of memory and one of time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from musicrel.presentation.study import memory_report
from musicrel.presentation.words import display_names
from musicrel.ui.widgets import layout

if TYPE_CHECKING:
    from musicrel.experiment.study.layer_costs import LayerCosts


class CostsView(QFrame):
    """Lengths as rows, arms as columns, growth in the last row; a passive widget."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.tables = {title: _table(title) for title, _, _ in memory_report.FIGURES}
        column = layout.column(owner=self, spacing=8, margins=(14, 12, 14, 12))
        for title, table in self.tables.items():
            column.addWidget(layout.heading(title))
            column.addWidget(table, 1)

    def show_costs(self, costs: LayerCosts) -> None:
        """Show the measurements so far."""
        for title, value, unit in memory_report.FIGURES:
            (first, *arms), *rows = memory_report.table(costs, value, unit)
            head = [first, *map(display_names.arm, arms)]
            _fill(self.tables[title], head, rows)


def _table(title: str) -> QTableWidget:
    table = QTableWidget()
    table.setAccessibleName(title)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.verticalHeader().hide()
    table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
    return table


def _fill(table: QTableWidget, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    table.setColumnCount(len(head))
    table.setRowCount(len(rows))
    table.setHorizontalHeaderLabels(list(head))
    for row, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            item = QTableWidgetItem(cell)
            if column:
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            table.setItem(row, column, item)
