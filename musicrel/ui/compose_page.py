"""The place where pieces are written: controls at the left, the sheet beside them.

This file knows where things stand; it knows nothing of what they do.
"""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QFont, QKeySequence
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
from musicrel.ui.dragging import DragHandle
from musicrel.ui.heat_legend import HeatLegend
from musicrel.ui.legend import Legend
from musicrel.ui.roll_cursor import RollCursor
from musicrel.ui.roll_selection import RollSelection
from musicrel.ui.roll_view import RollView


class ComposePage(QWidget):
    """Controls, messages, and the sheet with its head."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.controls = Controls()
        self.banner = Banner()
        self.desk = QWidget()
        """Messages and the sheet; other places may borrow it."""
        self.roll = RollView()
        self.roll.setAccessibleName("Piano roll")
        self.selecting = RollSelection(self.roll)
        self.playhead = RollCursor(self.roll)
        self.title, self.heading = QLabel(), QLabel()
        self.legend, self.heat_legend = Legend(), HeatLegend()
        self.surprisal = _tool("Colour notes by surprisal (Ctrl+U)")
        self.surprisal.setCheckable(True)
        self.surprisal.setShortcut(QKeySequence("Ctrl+U"))
        self.show_heat_legend(on=False)
        self.zoom_out = _tool("Show more of the piece (Ctrl+-)")
        self.zoom_fit = _tool("Show the whole piece (Ctrl+0)")
        self.zoom_in = _tool("Show it larger (Ctrl++)")
        self.handle = DragHandle()
        self.save = QPushButton("Save…")
        self.save.setIconSize(QSize(18, 18))
        self._lay_out()

    def set_theme(self, theme: Theme) -> None:
        """Use other colours."""
        for part in (self.controls, self.banner, self.roll, self.selecting, self.legend):
            part.set_theme(theme)
        self.heat_legend.set_theme(theme)
        for button, name in (
            (self.surprisal, "surprisal"),
            (self.zoom_out, "zoom-out"),
            (self.zoom_fit, "zoom-fit"),
            (self.zoom_in, "zoom-in"),
            (self.save, "save"),
        ):
            button.setIcon(icons.tinted(name, theme))
        self.handle.set_theme(theme)
        self.playhead.set_theme(theme)

    def take_desk(self, desk: QWidget) -> None:
        """Show the sheet here."""
        self._row.addWidget(desk, 1)

    def show_heat_legend(self, *, on: bool) -> None:
        """Show the scale of surprisal in place of the voices' colours, or these."""
        self.legend.setHidden(on)
        self.heat_legend.setHidden(not on)

    def add_below(self, widget: QWidget) -> None:
        """Put ``widget`` below the sheet, wherever that is shown."""
        self._column.addWidget(widget)

    def set_heading(self, title: str, heading: str) -> None:
        """Name the piece and say what it is."""
        self.title.setText(title)
        self.heading.setText(heading)
        self.roll.setAccessibleDescription(f"{title}, {heading}")

    def set_saveable(self, reason: str) -> None:
        """Why there is nothing to save; "" where there is."""
        self.save.setEnabled(not reason)
        self.save.setToolTip(reason or "Save as notes, score, sound or picture (Ctrl+S)")

    def _lay_out(self) -> None:
        self._column = QVBoxLayout(self.desk)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(10)
        self._column.addWidget(self.banner)
        self._column.addWidget(self._sheet(), 1)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(10, 4, 10, 4)
        self._row.setSpacing(10)
        self._row.addWidget(self.controls)
        self.take_desk(self.desk)

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
        head.addWidget(self.heat_legend)
        head.addWidget(self.surprisal)
        head.addSpacing(14)
        for button in (self.zoom_out, self.zoom_fit, self.zoom_in):
            head.addWidget(button)
        head.addSpacing(6)
        head.addWidget(self.handle)
        head.addWidget(self.save)
        return head


def _tool(says: str) -> QToolButton:
    button = QToolButton()
    button.setObjectName("flat")
    button.setIconSize(QSize(20, 20))
    button.setToolTip(says)
    button.setAccessibleName(says.rpartition(" (")[0])
    return button
