"""How far a long piece of work is, at the end of the status line, with a way to end it.

This file knows one bar and one button; it knows nothing of the work.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QWidget

_FINE: Final = 1000
_BAR: Final = 120
"""Width in pixels."""


class JobStrip(QWidget):
    """A bar and Cancel; hidden while nothing long goes on.

    Signals:
        cancelled: the user wants it to end.
    """

    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bar = QProgressBar(textVisible=False, maximum=_FINE)
        self._bar.setFixedWidth(_BAR)
        self._bar.setAccessibleName("How far it is")
        self._cancel = QPushButton("Cancel")
        self._cancel.setObjectName("flat")
        self._cancel.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._cancel.clicked.connect(self.cancelled)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 8, 0)
        row.setSpacing(8)
        row.addWidget(self._bar)
        row.addWidget(self._cancel)
        self.hide()

    def show_share(self, share: float, doing: str) -> None:
        """It is so far, 0 to 1; ``doing`` is what Cancel ends, in words."""
        self._bar.setValue(round(share * _FINE))
        self._cancel.setToolTip(f"End this: {doing}")
        self.show()
