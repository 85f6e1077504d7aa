"""A combo box whose entries are values with titles."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox


class ChoiceBox(QComboBox):
    """A combo box; the data of an entry is its value."""

    def __init__(self, name: str, entries: Iterable[tuple[object, str]] = ()) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.set_entries(entries)

    def set_entries(self, entries: Iterable[tuple[object, str]]) -> None:
        """Replace the entries without a signal; the choice is kept if it still exists."""
        was = self.currentData()
        with QSignalBlocker(self):
            self.clear()
            for value, title in entries:
                self.addItem(title, value)
            self.choose(was)

    def choose(self, value: object) -> None:
        """Choose the entry with a value, or else the first."""
        self.setCurrentIndex(max(self.findData(value), 0))
