"""The remark that names the muted heads wherever something is about to be written with them."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QWidget

from musicrel.presentation.words.muted_heads import MutedHeads
from musicrel.ui.document.document import Document
from musicrel.ui.widgets import layout

_CLEAR: Final = "Unmute all"
_NAME: Final = "Muted heads"


class MutedRemark(QFrame):
    """The muted heads of each model, with a button; hidden where no head is muted."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self.setAccessibleName(_NAME)
        self.text = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.clear = QPushButton(_CLEAR)
        self.clear.setAutoDefault(False)
        layout.row((self.text, 1), self.clear, owner=self, spacing=10, margins=(14, 6, 10, 6))
        self.hide()

    def follow(self, document: Document) -> None:
        """Name the muted heads of ``document``, and let the button unmute them."""
        self._document = document
        document.form_changed.connect(self._show)
        self.clear.clicked.connect(self._unmute)
        self._show()

    @Slot()
    def _unmute(self) -> None:
        self._document.set_form(replace(self._document.form, muted=MutedHeads()))

    @Slot()
    def _show(self) -> None:
        remarks = list(self._document.form.muted.remarks())
        self.text.setText("; ".join(words for words, _ in remarks))
        self.text.setToolTip("\n".join(f"{words}. {meaning}" for words, meaning in remarks))
        self.setAccessibleDescription(self.text.text())
        self.setVisible(bool(remarks))
