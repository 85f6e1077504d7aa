"""The list of all known studies with the state of each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QLabel, QListWidgetItem, QPushButton, QWidget

from musicrel.presentation.study.study_text import Entry
from musicrel.ui.widgets import layout
from musicrel.ui.widgets.two_lines import SECOND_LINE, TwoLineList

WIDTH: Final = 208
EMPTY: Final = (
    "No studies yet. Studies started here are listed here; open the folder of one that was started "
    "on the command line."
)
ALL_ARCHIVED: Final = "All studies are archived."
_ARCHIVED: Final = "Show archived"
_ARCHIVED_TIP: Final = "List archived studies, too"
_FOLDER: Final = Qt.ItemDataRole.UserRole
_NEW: Final = "&New study…"
_OPEN: Final = "Open a study folder…"
_NEW_TIP: Final = "Choose, edit and start a study"
_OPEN_TIP: Final = "Open a study in another folder"


class StudyList(layout.SideColumn):
    """The list and its buttons; a passive widget."""

    chosen = Signal(object)
    new_requested = Signal()
    folder_requested = Signal()  # open a study in another folder

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(WIDTH, parent)
        self.setObjectName("panel")
        self.list, self.empty = TwoLineList(), QLabel(EMPTY)
        self.new = QPushButton(_NEW)
        self.open = QPushButton(_OPEN)
        self.archived = QCheckBox(_ARCHIVED)
        self._all: tuple[Entry, ...] = ()
        self._entries: tuple[Entry, ...] = ()
        self._lay_out()
        self.list.currentItemChanged.connect(self._choose)
        self.list.itemActivated.connect(self._choose)
        self.new.clicked.connect(self.new_requested)
        self.open.clicked.connect(self.folder_requested)
        self.archived.toggled.connect(self._show_archived)

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """Replace the entries; the marked one stays marked. Archived ones are listed if wanted."""
        self._all = tuple(entries)
        self.archived.setVisible(any(entry.archived for entry in entries))
        entries = [entry for entry in entries if self.archived.isChecked() or not entry.archived]
        if tuple(entries) == self._entries:
            return
        self._entries = tuple(entries)
        was = self.current
        with QSignalBlocker(self.list):
            self.list.clear()
            for entry in entries:
                self.list.addItem(_item(entry))
            self.mark(was)
        self.empty.setText(ALL_ARCHIVED if self._all else EMPTY)
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

    @Slot()
    def _show_archived(self) -> None:
        self.show_entries(self._all)

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.chosen.emit(item.data(_FOLDER))

    def _lay_out(self) -> None:
        self.new.setObjectName("main")
        self.new.setMinimumHeight(36)
        self.new.setToolTip(_NEW_TIP)
        self.open.setToolTip(_OPEN_TIP)
        self.archived.setToolTip(_ARCHIVED_TIP)
        self.archived.hide()
        self.list.setAccessibleName("Studies")
        self.empty.setObjectName("quiet")
        self.empty.setWordWrap(True)
        parts = (
            self.new,
            layout.heading("Studies"),
            self.empty,
            (self.list, 1),
            self.archived,
            self.open,
        )
        layout.column(*parts, owner=self, spacing=8, margins=(12, 14, 12, 12))


def _item(entry: Entry) -> QListWidgetItem:
    item = QListWidgetItem(entry.title)
    item.setData(_FOLDER, entry.folder)
    item.setData(SECOND_LINE, entry.status)
    item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{entry.title}, {entry.status}")
    item.setToolTip(f"{entry.title}\n{entry.status}\n{entry.folder}")
    return item
