"""The dialog for what is printed, without logic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QWidget,
)

from musicrel.score.musicxml.musicxml_writer import Layout
from musicrel.ui.widgets import layout

Content = Literal["score", "roll", "both"]

_TITLE: Final = "Print"
_CONTENT: Final = "&Content"
_STAVES: Final = "&Staves"
_NUMERALS: Final = "Roman &numerals below the score"
_CONTENTS: Final[Mapping[Content, str]] = {
    "score": "Score", "roll": "Piano roll", "both": "Score and piano roll",
}  # fmt: skip
_LAYOUTS: Final[Mapping[Layout, str]] = {
    "staves": "Two staves, as in a hymn book", "parts": "Four staves, one for each voice",
}  # fmt: skip
_NOTE: Final = "Printer, paper and pages are chosen in the next step."
_PRINT: Final = "&Print…"
_SAVE: Final = "Save as P&DF…"
_NO_SCORE: Final = "Only the score has staves and Roman numerals"
_WIDTH: Final = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintChoice:
    content: Content = "score"  # the score, the piano roll, or both, the score first
    layout: Layout = "staves"
    numerals: bool = False  # whether the score has Roman numerals


class PrintDialog(QDialog):
    """The dialog; not shown yet."""

    print_clicked = Signal(object)
    save_clicked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(_TITLE)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.content, self.staves = QComboBox(), QComboBox()
        for content, title in _CONTENTS.items():
            self.content.addItem(title, content)
        for staves, title in _LAYOUTS.items():
            self.staves.addItem(title, staves)
        self.numerals = QCheckBox(_NUMERALS)
        self.note = QLabel(_NOTE, wordWrap=True)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        role = QDialogButtonBox.ButtonRole.ActionRole
        self.save_button = self.buttons.addButton(_SAVE, role)
        self.print_button = self.buttons.addButton(_PRINT, QDialogButtonBox.ButtonRole.AcceptRole)
        self._lay_out()
        self.content.currentIndexChanged.connect(self._update_staves)
        self.save_button.clicked.connect(self._save)
        self.buttons.accepted.connect(self._print)
        self.buttons.rejected.connect(self.reject)
        self._update_staves()

    def set_choice(self, choice: PrintChoice) -> None:
        self.content.setCurrentIndex(self.content.findData(choice.content))
        self.staves.setCurrentIndex(self.staves.findData(choice.layout))
        self.numerals.setChecked(choice.numerals)

    def set_no_score(self, reason: str) -> None:
        """Offer the piano roll only, for a reason."""
        self.set_choice(PrintChoice(content="roll"))
        self.content.setEnabled(False)
        self.content.setToolTip(reason)

    def set_no_printer(self, reason: str) -> None:
        """Offer a PDF only, for a reason."""
        self.note.setText(reason)
        self.print_button.setEnabled(False)
        self.print_button.setToolTip(reason)
        self.print_button.setDefault(False)
        self.save_button.setDefault(True)

    @property
    def choice(self) -> PrintChoice:
        return PrintChoice(
            content=self.content.currentData(),
            layout=self.staves.currentData(),
            numerals=self.numerals.isChecked(),
        )

    @Slot()
    def _update_staves(self) -> None:
        has_score = self.content.currentData() != "roll"
        for field in (self.staves, self.numerals):
            field.setEnabled(has_score)
            field.setToolTip("" if has_score else _NO_SCORE)

    @Slot()
    def _print(self) -> None:
        choice = self.choice
        self.accept()
        self.print_clicked.emit(choice)

    @Slot()
    def _save(self) -> None:
        choice = self.choice
        self.accept()
        self.save_clicked.emit(choice)

    def _lay_out(self) -> None:
        self.note.setObjectName("quiet")
        form = QGridLayout()
        form.setColumnStretch(1, 1)
        form.setHorizontalSpacing(12)
        for row, (title, field) in enumerate(((_CONTENT, self.content), (_STAVES, self.staves))):
            label = QLabel(title)
            label.setBuddy(field)
            form.addWidget(label, row, 0)
            form.addWidget(field, row, 1)
        form.addWidget(self.numerals, 2, 1)
        layout.column(
            form, 4, self.note, None, self.buttons, owner=self, spacing=8, margins=(16, 16, 16, 12)
        )
        self.setFixedWidth(_WIDTH)
        self.print_button.setDefault(True)
