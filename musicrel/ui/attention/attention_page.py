"""The Attention page: the sheet above; heads, map and shares of attention below."""

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
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from musicrel.presentation.attention.piece_analysis import Head, PieceAnalysis, pair
from musicrel.presentation.words.palette import LIGHT, Theme
from musicrel.ui.attention.attention_map import AttentionMap
from musicrel.ui.attention.head_grid import MEAN, HeadGrid
from musicrel.ui.attention.share_bars import ShareBars
from musicrel.ui.widgets import stylesheet
from musicrel.ui.widgets.short_label import ElidedLabel

AXES: Final = "Rows: predicted cells. Columns: the cells attended to, START first. Numbers: bars."
HINT: Final = "Point at the map, or select a note in the roll by mouse or arrow keys."
_SIZES: Final = (440, 340)
"""Initial heights of the sheet and of the panel below."""


class AttentionPage(QWidget):
    """Heads, map and numbers below the sheet; a passive widget.

    Signals:
        head_chosen: a Head, or None for the mean of all.
        cell_chosen: the index of a cell.
    """

    head_chosen = Signal(object)
    cell_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._analysis: PieceAnalysis | None = None
        self._cell: int | None = None
        self._sizes = list(_SIZES)
        self.model, self.run = QComboBox(), QToolButton()
        """The chosen model, as on the Compose page; the button that generates or stops."""
        self.diagnose = QToolButton()
        """Opens the diagnosis of the chosen model."""
        self.head, self.caption, self.words = QLabel(), ElidedLabel(), ElidedLabel()
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

    # ------------------------------------------------------------------ what is shown

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of ``theme``."""
        self._theme = theme
        for part in (self.grid, self.map, self.by_lag, self.by_voice):
            part.set_theme(theme)
        self._show_bars(self._analysis, self.grid.head)

    def set_workspace(self, workspace: QWidget) -> None:
        """Show the sheet above."""
        self._halves.insertWidget(0, workspace)
        self._halves.setStretchFactor(0, 1)
        self._halves.setStretchFactor(1, 1)
        self._halves.setSizes(self._sizes)  # the sheet may come from another page

    def show_analysis(
        self, analysis: PieceAnalysis | None, head: Head | None, cell: int | None
    ) -> None:
        """Show one head of an analysis (None: the mean of all), and mark the row of ``cell``."""
        shown = analysis if analysis is not None and analysis.has_weights else None
        self._analysis = shown
        self._cell = cell if shown is not None and shown.has_cell(cell) else None
        self.grid.show_analysis(shown, head)
        self.map.show_analysis(shown, head, self._cell)
        self._show_bars(shown, head)
        self.head.setText(str(head) if head else MEAN)
        self.caption.setText(_caption(shown) if shown else "")
        self.head.setVisible(shown is not None)
        self.words.setVisible(shown is not None)
        self._body.setVisible(shown is not None)
        self.empty.setVisible(shown is None)
        self._point(-1, -1)

    def set_empty(self, sentence: str) -> None:
        """Set the sentence shown without attention weights."""
        self.empty.setText(sentence)

    # ------------------------------------------------------------------ inside

    def _moved(self) -> None:
        """Remember the sizes chosen by the user."""
        self._sizes = self._halves.sizes()

    def _point(self, row: int, column: int) -> None:
        """Describe the dot under the mouse, or the largest weight of the selected cell."""
        analysis = self._analysis
        if analysis is None:
            return
        if row < 0:
            self.words.setText(self._strongest(analysis))
            return
        weight = float(analysis.attention_row(row, self.grid.head)[column])
        self.words.setText(pair(analysis.chorale, row, column, weight))

    def _strongest(self, analysis: PieceAnalysis) -> str:
        if self._cell is None:
            return HINT
        weights = analysis.attention_row(self._cell, self.grid.head)
        most = int(weights.argmax())
        words = pair(analysis.chorale, self._cell, most, float(weights[most]))
        return f"{words} (largest weight)"

    def _show_bars(self, analysis: PieceAnalysis | None, head: Head | None) -> None:
        if analysis is None:
            return
        self.by_lag.show_shares(analysis.by_lag(head, self._cell))
        self.by_voice.show_shares(analysis.by_voice(head, self._cell), self._theme.voices)

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
        stylesheet.scale_font(title, 1.2, QFont.Weight.DemiBold)
        self.caption.setObjectName("quiet")
        self.model.setAccessibleName("Model")
        self.model.setToolTip("Model whose attention is shown and which generates the next piece")
        self.diagnose.setText("Diagnose…")
        self.diagnose.setToolTip("Test the model: order, padding, heads, scale, length, cache")
        self.run.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        top = QHBoxLayout()
        top.setSpacing(10)
        top.addWidget(title)
        top.addWidget(self.caption, 1)
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
        """Return the line with the name of the head and the description of a dot."""
        stylesheet.scale_font(self.head, 1.0, QFont.Weight.DemiBold)
        self.map.setToolTip(AXES)
        line = QHBoxLayout()
        line.setSpacing(14)
        line.addWidget(self.head)
        line.addWidget(self.words, 1)
        return line

    def _numbers(self) -> QScrollArea:
        """Return the shares by distance and voice side by side, with a key below."""
        inside = QWidget()
        column, pair = QVBoxLayout(inside), QHBoxLayout()
        column.setContentsMargins(0, 0, 6, 0)
        pair.setSpacing(28)
        pair.addLayout(_titled("Attention by distance", self.by_lag), 1)
        pair.addLayout(_titled("Attention by voice", self.by_voice), 1)
        column.addLayout(pair)
        remark = QLabel("Bar: mean over the whole piece. Mark: the selected note.")
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
    """Return bars below their title, aligned at the top."""
    heading = QLabel(title)
    stylesheet.scale_font(heading, 1.0, QFont.Weight.DemiBold)
    column = QVBoxLayout()
    column.setSpacing(4)
    column.addWidget(heading)
    column.addWidget(bars)
    column.addStretch(1)
    return column


def _caption(analysis: PieceAnalysis) -> str:
    """Return the name of the model and its relation to the piece."""
    relation = "generated this piece" if analysis.wrote else "did not generate this piece"
    return f"{analysis.model} ({relation})"
