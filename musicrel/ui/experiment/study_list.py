"""The list of all known studies with the state of each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
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
    QWidget,
)

from musicrel.presentation.study.study_text import Entry
from musicrel.ui.widgets import layout

WIDTH: Final = 208
EMPTY: Final = (
    "No studies yet. Studies started here are listed here; open the folder of one that was started "
    "on the command line."
)
_FOLDER: Final = Qt.ItemDataRole.UserRole
_STATUS: Final = Qt.ItemDataRole.UserRole + 1


class StudyList(QFrame):
    """The list and its buttons; a passive widget.

    Signals:
        chosen: the folder of a study.
        new_requested: show the form for a new study.
        folder_requested: open a study in another folder.
    """

    chosen = Signal(object)
    new_requested = Signal()
    folder_requested = Signal()

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
        self.new.clicked.connect(self.new_requested)
        self.open.clicked.connect(self.folder_requested)

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """Replace the entries; the marked one stays marked."""
        if tuple(entries) == self._entries:
            return
        self._entries = tuple(entries)
        was = self.current
        with QSignalBlocker(self.list):
            self.list.clear()
            for entry in entries:
                self.list.addItem(_item(entry))
            self.mark(was)
        self.empty.setVisible(not entries)

    def mark(self, folder: Path | None) -> None:
        """Mark the study that is shown; None: none."""
        rows = range(self.list.count())
        row = next((row for row in rows if self.list.item(row).data(_FOLDER) == folder), -1)
        with QSignalBlocker(self.list):
            self.list.setCurrentRow(row)  # -1 also clears the selection

    @property
    def current(self) -> Path | None:
        """Return the folder of the marked study; None without one."""
        rows = self.list.selectedItems()
        folder: Path | None = rows[0].data(_FOLDER) if rows else None
        return folder

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.chosen.emit(item.data(_FOLDER))

    def _lay_out(self) -> None:
        self.new.setObjectName("main")
        self.new.setMinimumHeight(36)
        self.new.setToolTip("Choose, edit and start a study")
        self.open.setToolTip("Open a study in another folder")
        self.list.setObjectName("plain")
        self.list.setAccessibleName("Studies")
        self.list.setItemDelegate(_TwoLines(self.list))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.empty.setObjectName("quiet")
        self.empty.setWordWrap(True)
        parts = (self.new, layout.heading("Studies"), self.empty, (self.list, 1), self.open)
        layout.column(*parts, owner=self, spacing=8, margins=(12, 14, 12, 12))


class _List(QListWidget):
    """A list in which the Tab key selects nothing."""

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Take the focus without choosing the first entry."""
        with QSignalBlocker(self):
            super().focusInEvent(event)


class _TwoLines(QStyledItemDelegate):
    """A delegate that paints the name of a study, and its status below."""

    def sizeHint(self, option: QStyleOptionViewItem, index: object) -> QSize:
        """Return the height of two lines with padding."""
        del index
        return QSize(0, 2 * option.fontMetrics.height() + 16)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: object) -> None:
        """Paint the background of the style and two lines of text."""
        self.initStyleOption(option, index)  # type: ignore[arg-type]
        name, status = option.text, index.data(_STATUS)  # type: ignore[attr-defined]
        option.text, option.icon = "", QIcon()
        style = option.widget.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        role = QPalette.ColorRole.HighlightedText if chosen else QPalette.ColorRole.Text
        quiet = role if chosen else QPalette.ColorRole.PlaceholderText
        line = option.fontMetrics.height()
        box = option.rect.adjusted(8, 6, -8, 0)
        for place, text, colour in ((0, name, role), (1, status, quiet)):
            painter.setPen(option.palette.color(colour))
            shown = option.fontMetrics.elidedText(text, Qt.TextElideMode.ElideMiddle, box.width())
            at = box.adjusted(0, place * (line + 2), 0, 0)
            painter.drawText(at, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, shown)


def _item(entry: Entry) -> QListWidgetItem:
    item = QListWidgetItem(entry.title)
    item.setData(_FOLDER, entry.folder)
    item.setData(_STATUS, entry.status)
    item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{entry.title}, {entry.status}")
    item.setToolTip(f"{entry.title}\n{entry.status}\n{entry.folder}")
    return item
