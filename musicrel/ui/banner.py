"""A message that stands above the sheet until it is closed; it never interrupts.

This file knows one sentence at a time; it knows nothing of what went wrong.
"""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QWidget

from musicrel.presentation.palette import Theme
from musicrel.ui import icons


class Banner(QFrame):
    """One sentence with a button to close it; hidden until there is one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self.setAccessibleName("Message")
        self._sign = QLabel()
        self._sign.setFixedSize(20, 20)
        self._sentence = QLabel()
        self._sentence.setTextFormat(Qt.TextFormat.PlainText)
        self._sentence.setWordWrap(True)
        self._sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._close = QToolButton()
        self._close.setObjectName("flat")
        self._close.setAccessibleName("Close the message")
        self._close.setToolTip("Close the message")
        self._close.setIconSize(QSize(16, 16))
        self._close.clicked.connect(self.hide)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 10, 10, 10)
        row.setSpacing(10)
        row.addWidget(self._sign)
        row.addWidget(self._sentence, 1)
        row.addWidget(self._close)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Use other colours."""
        self._sign.setPixmap(icons.tinted("warning", theme, theme.on_warning).pixmap(20, 20))
        self._close.setIcon(icons.tinted("close", theme, theme.on_warning))

    def tell(self, sentence: str) -> None:
        """Show a sentence; it replaces the one before."""
        self._sentence.setText(sentence)
        self.setAccessibleDescription(sentence)
        self.show()

    @property
    def sentence(self) -> str:
        """What it says, "" while it is hidden."""
        return "" if self.isHidden() else self._sentence.text()
