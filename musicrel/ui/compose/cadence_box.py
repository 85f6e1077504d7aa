"""The cadences of all phrases: one kind for all, drawn, or a list with one for each."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox

from musicrel.presentation.compose import form
from musicrel.ui.compose.form_fields import AS_IN_BACH

_ANY: Final = "Any cadence"
_EACH: Final = "By phrase"
_EACH_TIP: Final = "As at the brackets above the roll"
_DRAWN_TIP: Final = "Drawn from Bach’s chorales; each seed draws others"


class CadenceBox(QComboBox):
    """A combo box of cadences; it shows a list while the form has one."""

    def __init__(self) -> None:
        super().__init__()
        for name, tip in form.CADENCES.items():
            self._add(name.capitalize() or _ANY, name, tip)
        self._add(AS_IN_BACH, form.AUTO, _DRAWN_TIP)

    def value(self) -> str:
        return str(self.currentData())

    def set_value(self, text: str) -> None:
        """Show cadences as they are in the form; a list gets an entry of its own."""
        row = self.findText(_EACH)
        if "," in text and row < 0:
            self._add(_EACH, text, _EACH_TIP)
        elif "," in text:
            self.setItemData(row, text)
        before = self.blockSignals(True)
        self.setCurrentIndex(max(self.findData(text), 0))
        if "," not in text and row >= 0:
            self.removeItem(row)
        self.blockSignals(before)

    def _add(self, title: str, value: str, tip: str) -> None:
        self.addItem(title, value)
        self.setItemData(self.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
