"""The place where pieces are written: controls at the left, the sheet beside them.

This file knows where things stand; it knows nothing of what they do.
"""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from musicrel.presentation.palette import Theme
from musicrel.ui import icons, look
from musicrel.ui.banner import Banner
from musicrel.ui.controls import Controls
from musicrel.ui.legend import Legend
from musicrel.ui.roll_view import RollView


class ComposePage(QWidget):
    """Controls, messages, and the sheet with its head."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.controls = Controls()
        self.banner = Banner()
        self.roll = RollView()
        self.roll.setAccessibleName("Piano roll")
        self.title, self.heading = QLabel(), QLabel()
        self.legend = Legend()
        self.zoom_out = _tool("Show more of the piece (Ctrl+-)")
        self.zoom_fit = _tool("Show the whole piece (Ctrl+0)")
        self.zoom_in = _tool("Show it larger (Ctrl++)")
        self.save = QPushButton("Save…")
        self.save.setIconSize(QSize(18, 18))
        self._lay_out()

    def set_theme(self, theme: Theme) -> None:
        """Use other colours."""
        for part in (self.controls, self.banner, self.roll, self.legend):
            part.set_theme(theme)
        for button, name in (
            (self.zoom_out, "zoom-out"),
            (self.zoom_fit, "zoom-fit"),
            (self.zoom_in, "zoom-in"),
            (self.save, "save"),
        ):
            button.setIcon(icons.tinted(name, theme))

    def set_heading(self, title: str, heading: str) -> None:
        """Name the piece and say what it is."""
        self.title.setText(title)
        self.heading.setText(heading)
        self.roll.setAccessibleDescription(f"{title}, {heading}")

    def set_saveable(self, reason: str) -> None:
        """Why there is nothing to save; "" where there is."""
        self.save.setEnabled(not reason)
        self.save.setToolTip(reason or "Save as MIDI or as a musicrel file (Ctrl+S)")

    def _lay_out(self) -> None:
        column = QVBoxLayout()
        column.setSpacing(10)
        column.addWidget(self.banner)
        column.addWidget(self._sheet(), 1)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 4, 10, 4)
        row.setSpacing(10)
        row.addWidget(self.controls)
        row.addLayout(column, 1)

    def _sheet(self) -> QFrame:
        sheet = QFrame()
        sheet.setObjectName("sheet")
        column = QVBoxLayout(sheet)
        column.setContentsMargins(1, 1, 1, 8)
        column.setSpacing(0)
        column.addLayout(self._head())
        column.addWidget(self.roll, 1)
        return sheet

    def _head(self) -> QHBoxLayout:
        look.scaled(self.title, 1.4, QFont.Weight.DemiBold)
        self.heading.setObjectName("quiet")
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self.title)
        words.addWidget(self.heading)
        head = QHBoxLayout()
        head.setContentsMargins(18, 14, 14, 12)
        head.setSpacing(6)
        head.addLayout(words, 1)
        head.addWidget(self.legend)
        head.addSpacing(14)
        for button in (self.zoom_out, self.zoom_fit, self.zoom_in):
            head.addWidget(button)
        head.addSpacing(6)
        head.addWidget(self.save)
        return head


def _tool(says: str) -> QToolButton:
    button = QToolButton()
    button.setObjectName("flat")
    button.setIconSize(QSize(20, 20))
    button.setToolTip(says)
    button.setAccessibleName(says.rpartition(" (")[0])
    return button
