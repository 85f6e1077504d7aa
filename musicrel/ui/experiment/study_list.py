"""The list of studies: all that are known, how each stands, and what waits in the queue.

A passive widget: it shows what it is told and tells what the user did.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QIcon, QPainter, QPalette
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from musicrel.presentation.study.study_text import Entry
from musicrel.ui.widgets import layout

WIDTH: Final = 208
EMPTY: Final = "Nothing yet. Studies that you or the command line begin are listed here."
_FOLDER: Final = Qt.ItemDataRole.UserRole
_SAYS: Final = Qt.ItemDataRole.UserRole + 1


class StudyList(QFrame):
    """The list with its buttons.

    Signals:
        chosen: the folder of the study the user wants to see.
        new_wished: the user wants to begin a study.
        folder_wished: the user wants to see a study that lies elsewhere.
    """

    chosen = Signal(object)
    new_wished = Signal()
    folder_wished = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setFixedWidth(WIDTH)
        self.list, self.empty = _List(), QLabel(EMPTY)
        self.new = QPushButton("&New study…")
        self.open = QPushButton("Open a study &folder…")
        self._entries: tuple[Entry, ...] = ()
        self._lay_out()
        self.list.currentItemChanged.connect(self._choose)
        self.list.itemActivated.connect(self._choose)
        self.new.clicked.connect(self.new_wished)
        self.open.clicked.connect(self.folder_wished)

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """List other studies; the one that is seen stays marked."""
        if tuple(entries) == self._entries:
            return
        self._entries = tuple(entries)
        was = self.current
        before = self.list.blockSignals(True)
        self.list.clear()
        for entry in entries:
            self.list.addItem(_item(entry))
        self.mark(was)
        self.list.blockSignals(before)
        self.empty.setVisible(not entries)

    def mark(self, folder: Path | None) -> None:
        """Mark the study that is seen; None: none."""
        before = self.list.blockSignals(True)
        rows = range(self.list.count())
        row = next((row for row in rows if self.list.item(row).data(_FOLDER) == folder), -1)
        self.list.setCurrentRow(row)
        if row < 0:
            self.list.clearSelection()
        self.list.blockSignals(before)

    @property
    def current(self) -> Path | None:
        """The study that is marked."""
        rows = self.list.selectedItems()
        folder: Path | None = rows[0].data(_FOLDER) if rows else None
        return folder

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.chosen.emit(item.data(_FOLDER))

    def _lay_out(self) -> None:
        self.new.setObjectName("main")
        self.new.setMinimumHeight(36)
        self.new.setToolTip("Choose or edit a study, and start it")
        self.open.setToolTip("See a study that lies elsewhere on this computer")
        self.list.setObjectName("plain")
        self.list.setAccessibleName("Studies")
        self.list.setItemDelegate(_TwoLines(self.list))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.empty.setObjectName("quiet")
        self.empty.setWordWrap(True)
        heading = layout.heading("Studies")
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 14, 12, 12)
        column.setSpacing(8)
        for widget in (self.new, heading, self.empty):
            column.addWidget(widget)
        column.addWidget(self.list, 1)
        column.addWidget(self.open)


class _List(QListWidget):
    """A list that chooses nothing only because one comes by with the Tab key."""

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Take the keyboard; the first entry is not chosen by that."""
        before = self.blockSignals(True)
        super().focusInEvent(event)
        self.blockSignals(before)


class _TwoLines(QStyledItemDelegate):
    """The name of a study, and below it how it stands."""

    def sizeHint(self, option: QStyleOptionViewItem, index: object) -> QSize:
        """Two lines with some air."""
        del index
        return QSize(0, 2 * option.fontMetrics.height() + 16)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: object) -> None:
        """Paint the background of the style, and the two lines on it."""
        self.initStyleOption(option, index)  # type: ignore[arg-type]
        name, says = option.text, index.data(_SAYS)  # type: ignore[attr-defined]
        option.text, option.icon = "", QIcon()
        style = option.widget.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        role = QPalette.ColorRole.HighlightedText if chosen else QPalette.ColorRole.Text
        quiet = role if chosen else QPalette.ColorRole.PlaceholderText
        line = option.fontMetrics.height()
        box = option.rect.adjusted(8, 6, -8, 0)
        for place, text, colour in ((0, name, role), (1, says, quiet)):
            painter.setPen(option.palette.color(colour))
            shown = option.fontMetrics.elidedText(text, Qt.TextElideMode.ElideMiddle, box.width())
            at = box.adjusted(0, place * (line + 2), 0, 0)
            painter.drawText(at, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, shown)


def _item(entry: Entry) -> QListWidgetItem:
    item = QListWidgetItem(entry.title)
    item.setData(_FOLDER, entry.folder)
    item.setData(_SAYS, entry.says)
    item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{entry.title}, {entry.says}")
    item.setToolTip(f"{entry.title}\n{entry.says}\n{entry.folder}")
    return item
