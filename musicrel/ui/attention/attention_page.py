"""The place where one sees what a model looks at: the sheet above, attention below.

A passive page: it shows a reading and tells what the user did.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from musicrel.presentation.attention.piece_analysis import Head, Reading, pair
from musicrel.presentation.words.palette import LIGHT, Theme
from musicrel.ui.attention.attention_map import AttentionMap
from musicrel.ui.attention.head_grid import MEAN, HeadGrid
from musicrel.ui.attention.share_bars import ShareBars
from musicrel.ui.widgets import stylesheet

AXES: Final = "Down: the cell chosen. Across: what it looked at, START first. Numbers are bars."
HINT: Final = "Point at the map, or choose a note in the roll or with the arrow keys there."
_SIZES: Final = (440, 340)
"""Heights of the sheet and of what is below, at first."""


class AttentionPage(QWidget):
    """Heads, map and numbers below the sheet.

    Signals:
        head_chosen: a Head, or None for the mean of all.
        cell_chosen: the user wants to see this cell.
    """

    head_chosen = Signal(object)
    cell_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._reading: Reading | None = None
        self._cell: int | None = None
        self._sizes = list(_SIZES)
        self.model, self.run = QComboBox(), QToolButton()
        """The chosen model, as in the form; the button that generates or stops."""
        self.diagnose = QToolButton()
        """Opens what can be found out about the chosen model."""
        self.head, self.who, self.words = QLabel(), QLabel(), QLabel()
        self.empty = QLabel()
        self.grid, self.map = HeadGrid(), AttentionMap()
        self.by_lag = ShareBars("Attention by distance")
        self.by_voice = ShareBars("Attention by voice")
        self._halves = QSplitter(Qt.Orientation.Vertical)
        self._lay_out()
        self.grid.chosen.connect(self.head_chosen)
        self.map.cell_chosen.connect(self.cell_chosen)
        self.map.pointed.connect(self._point)
        self._halves.splitterMoved.connect(self._moved)

    # ------------------------------------------------------------------ what it is told

    def set_theme(self, theme: Theme) -> None:
        """Use other colours."""
        self._theme = theme
        for part in (self.grid, self.map, self.by_lag, self.by_voice):
            part.set_theme(theme)
        self._show_bars(self._reading, self.grid.head)

    def take_desk(self, desk: QWidget) -> None:
        """Show the sheet above."""
        self._halves.insertWidget(0, desk)
        self._halves.setStretchFactor(0, 1)
        self._halves.setStretchFactor(1, 1)
        self._halves.setSizes(self._sizes)  # it may have been elsewhere meanwhile

    def show_reading(self, reading: Reading | None, head: Head | None, cell: int | None) -> None:
        """Show one head of a reading, with the row of ``cell`` marked."""
        shown = reading if reading is not None and reading.has_weights else None
        self._reading = shown
        self._cell = cell if shown is not None and shown.knows(cell) else None
        self.grid.show_reading(shown, head)
        self.map.show_reading(shown, head, self._cell)
        self._show_bars(shown, head)
        self.head.setText(str(head) if head else MEAN)
        self.who.setText(_who(shown) if shown else "")
        self.head.setVisible(shown is not None)
        self.words.setVisible(shown is not None)
        self._body.setVisible(shown is not None)
        self.empty.setVisible(shown is None)
        self._point(-1, -1)

    def set_empty(self, sentence: str) -> None:
        """Why there is nothing to see."""
        self.empty.setText(sentence)

    # ------------------------------------------------------------------ inside

    def _moved(self) -> None:
        """The user gave more room to one half."""
        self._sizes = self._halves.sizes()

    def _point(self, row: int, column: int) -> None:
        """The pair under the mouse in words, or the strongest look of the note in view."""
        reading = self._reading
        if reading is None:
            return
        if row < 0:
            self.words.setText(self._strongest(reading))
            return
        weight = float(reading.looked_at(row, self.grid.head)[column])
        self.words.setText(pair(reading.chorale, row, column, weight))

    def _strongest(self, reading: Reading) -> str:
        if self._cell is None:
            return HINT
        weights = reading.looked_at(self._cell, self.grid.head)
        most = int(weights.argmax())
        return f"{pair(reading.chorale, self._cell, most, float(weights[most]))}, its strongest"

    def _show_bars(self, reading: Reading | None, head: Head | None) -> None:
        if reading is None:
            return
        self.by_lag.show_shares(reading.by_lag(head, self._cell))
        self.by_voice.show_shares(reading.by_voice(head, self._cell), self._theme.voices)

    def _lay_out(self) -> None:
        panel = QFrame()
        panel.setObjectName("sheet")
        column = QVBoxLayout(panel)
        column.setContentsMargins(18, 10, 16, 10)
        column.setSpacing(6)
        column.addLayout(self._top())
        column.addLayout(self._line())
        self._body = QWidget()
        column.addWidget(self._body, 1)
        column.addWidget(self.empty, 1)
        self._lay_out_body()
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setWordWrap(True)
        self.empty.setObjectName("quiet")
        self._halves.setChildrenCollapsible(False)
        self._halves.setHandleWidth(8)
        self._halves.addWidget(panel)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(10, 4, 10, 4)
        whole.addWidget(self._halves)

    def _top(self) -> QHBoxLayout:
        title = QLabel("Attention weights")
        stylesheet.scaled(title, 1.2, QFont.Weight.DemiBold)
        self.who.setObjectName("quiet")
        self.model.setAccessibleName("Model that reads")
        self.model.setToolTip("Whose attention is shown, and which model writes the next piece")
        self.diagnose.setText("Diagnose…")
        self.diagnose.setToolTip("Examine the model: order, padding, heads, scale, length, cache")
        self.run.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        top = QHBoxLayout()
        top.setSpacing(10)
        top.addWidget(title)
        top.addWidget(self.who, 1)
        top.addWidget(self.model)
        top.addWidget(self.diagnose)
        top.addWidget(self.run)
        return top

    def _lay_out_body(self) -> None:
        row = QHBoxLayout(self._body)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(22)
        row.addWidget(self.grid)
        row.addWidget(self.map)
        row.addWidget(self._numbers(), 1)

    def _line(self) -> QHBoxLayout:
        """The head that is shown, and in words what is looked at."""
        stylesheet.scaled(self.head, 1.0, QFont.Weight.DemiBold)
        self.map.setToolTip(AXES)
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        line = QHBoxLayout()
        line.setSpacing(14)
        line.addWidget(self.head)
        line.addWidget(self.words, 1)
        return line

    def _numbers(self) -> QScrollArea:
        """Distances and voices side by side, and below what their bars and marks are."""
        inside = QWidget()
        column, pair = QVBoxLayout(inside), QHBoxLayout()
        column.setContentsMargins(0, 0, 6, 0)
        pair.setSpacing(28)
        pair.addLayout(_titled("How far back it looks", self.by_lag), 1)
        pair.addLayout(_titled("At which voice", self.by_voice), 1)
        column.addLayout(pair)
        remark = QLabel("Bar: mean over the whole piece. Mark: the note in view.")
        remark.setObjectName("quiet")
        remark.setWordWrap(True)
        column.addWidget(remark)
        column.addStretch(1)
        scrolled = QScrollArea()
        scrolled.setWidgetResizable(True)
        scrolled.setFrameShape(QFrame.Shape.NoFrame)
        scrolled.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scrolled.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scrolled.setWidget(inside)
        return scrolled


def _titled(title: str, bars: ShareBars) -> QVBoxLayout:
    """Bars below their title, aligned at the top."""
    heading = QLabel(title)
    stylesheet.scaled(heading, 1.0, QFont.Weight.DemiBold)
    column = QVBoxLayout()
    column.setSpacing(4)
    column.addWidget(heading)
    column.addWidget(bars)
    column.addStretch(1)
    return column


def _who(reading: Reading) -> str:
    """Whose weights these are."""
    did = "which wrote this piece" if reading.wrote else "reading a piece it did not write"
    return f"of {reading.model}, {did}"
