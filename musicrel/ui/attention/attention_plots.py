"""Heads, map and shares of attention of one head, side by side."""

from __future__ import annotations

from typing import Final

from PySide6.QtGui import QFont
from PySide6.QtWidgets import QLabel, QScrollArea, QVBoxLayout, QWidget

from musicrel.presentation.attention.piece_analysis import Head, PieceAnalysis
from musicrel.ui.attention.attention_map import AttentionMap
from musicrel.ui.attention.head_grid import HeadGrid
from musicrel.ui.attention.share_bars import ShareBars
from musicrel.ui.widgets import layout, stylesheet

_BY_DISTANCE: Final = "Attention by distance"
_BY_VOICE: Final = "Attention by voice"
_KEY: Final = "Bar: mean over the whole piece. Mark: the selected note."


class AttentionPlots(QWidget):
    """The plots of an analysis; a passive widget.

    Attributes:
        grid: the heads.
        map: the attention map of the chosen head.
        by_lag: shares of attention by distance.
        by_voice: shares of attention by voice.
    """

    def __init__(self) -> None:
        super().__init__()
        self.grid, self.map = HeadGrid(), AttentionMap()
        self.by_lag = ShareBars(_BY_DISTANCE)
        self.by_voice = ShareBars(_BY_VOICE, voices=True)
        for part in (self.grid, self.map, self.by_lag, self.by_voice):
            part.set_theme(stylesheet.current_theme())
        layout.row((self.grid, 3), (self.map, 6), (self._shares(), 7), owner=self, spacing=22)

    def show_analysis(self, analysis: PieceAnalysis, head: Head | None, cell: int | None) -> None:
        """Show one head of an analysis (None: the mean of all), and mark the row of ``cell``."""
        self.grid.show_analysis(analysis, head)
        self.map.show_analysis(analysis, head, cell)
        self.by_lag.show_shares(analysis.by_lag(head, cell))
        self.by_voice.show_shares(analysis.by_voice(head, cell))

    def _shares(self) -> QScrollArea:
        """Return the shares by distance and voice side by side, with a key below."""
        groups = [(_titled(bars), 1) for bars in (self.by_lag, self.by_voice)]
        remark = QLabel(_KEY)
        remark.setObjectName("quiet")
        remark.setWordWrap(True)
        inside = QWidget()
        layout.column(
            layout.row(*groups, spacing=28), remark, None, owner=inside, spacing=6,
            margins=(0, 0, 6, 0),
        )  # fmt: skip
        return layout.ColumnScroller(inside)


def _titled(bars: ShareBars) -> QVBoxLayout:
    """Return bars below their title, aligned at the top."""
    title = QLabel(bars.accessibleName())
    stylesheet.scale_font(title, 1.0, QFont.Weight.DemiBold)
    return layout.column(title, bars, None, spacing=4)
