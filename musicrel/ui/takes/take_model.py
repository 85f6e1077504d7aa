"""The takes of the strip as a Qt model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, Final

from PySide6.QtCore import (
    QAbstractListModel,
    QItemSelection,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from musicrel.project.take_table import TakeRow

ROW: Final = Qt.ItemDataRole.UserRole
"""Role of the ``TakeRow``."""
_NO_PARENT: Final = QModelIndex()
Index = QModelIndex | QPersistentModelIndex


class TakeModel(QAbstractListModel):
    renamed = Signal(int, str)  # the user entered a name; number of the take and name

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[TakeRow, ...] = ()
        self._places: dict[int, int] = {}

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def row_at(self, index: Index) -> TakeRow | None:
        """Return the take at an index; None without one."""
        return self._rows[index.row()] if index.isValid() else None

    def index_of(self, number: int) -> QModelIndex:
        """Return the index of a take; an invalid one if it is not shown."""
        return self.index(self._places.get(number, -1), 0)

    def selection_of(self, numbers: Iterable[int]) -> QItemSelection:
        """Return a selection of these takes, as far as they are shown."""
        places = sorted({self._places[number] for number in numbers if number in self._places})
        selection = QItemSelection()
        for _, pairs in groupby(enumerate(places), lambda pair: pair[1] - pair[0]):
            stretch = [place for _, place in pairs]
            selection.select(self.index(stretch[0], 0), self.index(stretch[-1], 0))
        return selection

    def set_rows(self, rows: Sequence[TakeRow]) -> bool:
        """Show these takes; return False if the same ones stay in the same order."""
        before, after = self._rows, tuple(rows)
        if [row.number for row in before] == [row.number for row in after]:
            self._rows = after
            for place, (old, new) in enumerate(zip(before, after, strict=True)):
                if old != new:
                    index = self.index(place, 0)
                    self.dataChanged.emit(index, index)
            return False
        self.beginResetModel()
        self._rows = after
        self._places = {row.number: place for place, row in enumerate(after)}
        self.endResetModel()
        return True

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the value of a role: name, description or ``TakeRow``."""
        row = self.row_at(index)
        if row is None:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.EditRole:
                return row.name
            case Qt.ItemDataRole.AccessibleTextRole:
                return row.spoken
            case Qt.ItemDataRole.ToolTipRole:
                return f"{row.name}\n{row.details}"
        return row if role == ROW else None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Emit ``renamed`` for an entered name; the document changes it."""
        row = self.row_at(index)
        if row is None or role != Qt.ItemDataRole.EditRole:
            return False
        self.renamed.emit(row.number, str(value))
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Return the flags of takes, whose names can be edited."""
        own = Qt.ItemFlag.ItemIsEditable if index.isValid() else Qt.ItemFlag.NoItemFlags
        return super().flags(index) | own
