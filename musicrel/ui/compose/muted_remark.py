"""The remark above Generate that names the muted heads."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QWidget

from musicrel.presentation.words.muted_heads import MutedHeads
from musicrel.ui.widgets import layout

_CLEAR: Final = "Clear"
_CLEAR_TIP: Final = "Unmute all heads"
_NAME: Final = "Muted heads"


class MutedRemark(QFrame):
    """The muted heads in a line for each model, with a button; hidden where no head is muted.

    Attributes:
        text: the lines.
        clear: the button.

    Signals:
        cleared: all heads are to be unmuted.
    """

    cleared = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notice")
        self.setAccessibleName(_NAME)
        self.text, self.clear = QLabel(wordWrap=True), QPushButton(_CLEAR)
        self.clear.setToolTip(_CLEAR_TIP)
        self.clear.clicked.connect(self.cleared)
        parts = ((self.text, 1), self.clear)
        layout.row(*parts, owner=self, spacing=8, margins=(10, 6, 6, 6))
        self.hide()

    def show_muted(self, muted: MutedHeads) -> None:
        """Name the muted heads of all models."""
        remarks = list(muted.remarks())
        self.text.setText("\n".join(words for words, _ in remarks))
        self.text.setToolTip("\n".join(meaning for _, meaning in remarks))
        self.setAccessibleDescription(self.text.text())
        self.setVisible(bool(remarks))
