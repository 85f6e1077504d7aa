"""Heads and maps of one model or of two, with the shares of attention of one, side by side."""

from __future__ import annotations

from functools import cached_property
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QLabel, QScrollArea, QWidget

from musicrel.generation.heads.mutes import Head
from musicrel.presentation.attention import colour_scale
from musicrel.presentation.attention.piece_analysis import PieceAnalysis, head_name
from musicrel.presentation.comparison.views import Shown
from musicrel.ui.attention.attention_map import AttentionMap
from musicrel.ui.attention.head_grid import HeadGrid
from musicrel.ui.attention.share_bars import ShareBars
from musicrel.ui.widgets import layout, stylesheet
from musicrel.ui.widgets.elided_label import ElidedLabel

_BY_DISTANCE: Final = "Attention by distance"
_BY_VOICE: Final = "Attention by voice"
_KEY: Final = "Bar: mean over the whole piece. Mark: the selected note."
_TITLE: Final = "{letter}: {model}, {head}"
_SPACING: Final = 22


class HeadMap(QWidget):
    """The heads of a model and the map of the chosen one, below a title; a passive widget.

    Attributes:
        title: names model and head where two are compared.
    """

    def __init__(self) -> None:
        super().__init__()
        self.title = ElidedLabel(elide=Qt.TextElideMode.ElideMiddle)
        self.grid, self.map = HeadGrid(), AttentionMap()
        for part in (self.grid, self.map):
            part.set_theme(stylesheet.current_theme())
        stylesheet.scale_font(self.title, 1.0, QFont.Weight.DemiBold)
        plots = layout.row((self.grid, 3), (self.map, 6), spacing=_SPACING)
        layout.column(self.title, (plots, 1), owner=self, spacing=4)
        self.title.hide()

    def show_analysis(
        self, analysis: PieceAnalysis, head: Head | None, cell: int | None, full: float
    ) -> None:
        """Show one head of an analysis; see ``AttentionMap.show_analysis``."""
        self.grid.show_analysis(analysis, head)
        self.map.show_analysis(analysis, head, cell, full=full)

    def set_letter(self, letter: str, model: str, head: Head | None) -> None:
        """Show the title of model ``letter``; "": none."""
        self.title.setVisible(bool(letter))
        text = _TITLE.format(letter=letter, model=model, head=head_name(head).lower())
        self.title.setText(text)


class AttentionPlots(QWidget):
    """The plots of one or two analyses; a passive widget."""

    second_made = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.first = HeadMap()
        self.by_lag = ShareBars(_BY_DISTANCE)
        self.by_voice = ShareBars(_BY_VOICE, voices=True)
        for part in (self.by_lag, self.by_voice):
            part.set_theme(stylesheet.current_theme())
        self._voice_group = _titled(self.by_voice)
        self._shares = self._share_column()
        self._row: QHBoxLayout = layout.row(
            (self.first, 9), (self._shares, 7), owner=self, spacing=_SPACING
        )
        self._has_second = False

    @property
    def grid(self) -> HeadGrid:
        return self.first.grid

    @property
    def map(self) -> AttentionMap:
        return self.first.map

    @cached_property
    def second(self) -> HeadMap:
        """The heads and the map of model B, made when they are first needed."""
        made = HeadMap()
        self._row.insertWidget(1, made, 9)
        self.second_made.emit(made)
        return made

    def show_analysis(self, shown: Shown) -> None:
        """Show one head of each analysis, and mark the row of the chosen note."""
        first, second, (head, other) = shown.first, shown.second, shown.heads
        levels = [first.map(head)] + ([second.map(other)] if second else [])
        full = max(map(colour_scale.full_weight, levels)) if second else 0.0
        self._arrange(shown)
        cell = shown.cell if first.has_cell(shown.cell) else None
        self.first.show_analysis(first, head, cell, full)
        if second is not None:
            known = shown.cell if second.has_cell(shown.cell) else None
            self.second.show_analysis(second, other, known, full)
            return
        self.by_lag.show_shares(first.by_lag(head, cell))
        voices = first.by_voice(head, cell)
        self._voice_group.setVisible(bool(voices))
        if voices:
            self.by_voice.show_shares(voices)

    def show_all(self) -> None:
        """Show the whole maps."""
        for half in (self.first, self.second) if self._has_second else (self.first,):
            half.map.show_all()

    def _arrange(self, shown: Shown) -> None:
        """Show the second model in place of the shares, with titles above both."""
        self._has_second = shown.second is not None
        self._shares.setVisible(not self._has_second)
        letters = ("A", "B") if self._has_second else ("", "")
        models, heads = shown.models, shown.heads
        self.first.set_letter(letters[0], models[0], heads[0])
        if self._has_second or "second" in self.__dict__:
            self.second.setVisible(self._has_second)
            self.second.set_letter(letters[1], models[1], heads[1])

    def _share_column(self) -> QScrollArea:
        """Return the shares by distance and voice side by side, with a key below."""
        remark = QLabel(_KEY)
        remark.setObjectName("quiet")
        remark.setWordWrap(True)
        inside = QWidget()
        layout.column(
            layout.row((_titled(self.by_lag), 1), (self._voice_group, 1), spacing=28),
            remark, None, owner=inside, spacing=6, margins=(0, 0, 6, 0),
        )  # fmt: skip
        return layout.ColumnScroller(inside)


def _titled(bars: ShareBars) -> QWidget:
    """Return bars below their title, aligned at the top."""
    title, group = QLabel(bars.accessibleName()), QWidget()
    stylesheet.scale_font(title, 1.0, QFont.Weight.DemiBold)
    layout.column(title, bars, None, owner=group, spacing=4)
    return group
