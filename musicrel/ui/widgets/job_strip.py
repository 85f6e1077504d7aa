"""Progress of a long job, with a Cancel button, at the end of the status bar."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QProgressBar, QPushButton, QWidget

from musicrel.ui.widgets import layout

_FINE: Final = 1000
_BAR: Final = 120
"""Width in pixels."""
_CANCEL: Final = "Cancel: {doing}"


class JobStrip(QWidget):
    """A progress bar and a Cancel button; hidden while no long job runs."""

    cancelled = Signal()  # Cancel was clicked

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bar = QProgressBar(textVisible=False, maximum=_FINE)
        self._bar.setFixedWidth(_BAR)
        self._bar.setAccessibleName("Progress")
        self._cancel = QPushButton("Cancel")
        self._cancel.setObjectName("flat")
        self._cancel.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._cancel.clicked.connect(self.cancelled)
        layout.row(self._bar, self._cancel, owner=self, spacing=8, margins=(0, 0, 8, 0))
        self.hide()

    def show_share(self, share: float, doing: str) -> None:
        """Show the progress of a job.

        Args:
            share: the finished share, 0 to 1.
        """
        self._bar.setValue(round(share * _FINE))
        self._cancel.setToolTip(_CANCEL.format(doing=doing))
        self.show()
