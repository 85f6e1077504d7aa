"""Heads and maps of one model or of two, with the shares of attention of one, side by side.

Rows are queries, columns are keys: START and cells, or steps. The wheel, plus and minus zoom,
dragging and the arrow keys scroll, 0 shows everything.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any, Final

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import QWidget

from musicrel.figures.plots import library
from musicrel.generation.heads.mutes import Head
from musicrel.interpretability import effect_charts, views
from musicrel.interpretability.maps import MapPlot
from musicrel.interpretability.piece_analysis import PieceAnalysis, head_noun
from musicrel.interpretability.shown import Shown
from musicrel.interpretability.views import ROWS, STEP_ROWS
from musicrel.language import tr
from musicrel.presentation.words import display_names
from musicrel.presentation.words.palette import Theme
from musicrel.ui.attention.head_grid import MUTE_KEYS, Choices, HeadGridView, Heads
from musicrel.ui.widgets import layout, plots, stylesheet
from musicrel.ui.widgets.elided_label import ElidedLabel
from musicrel.ui.widgets.figure_view import FigurePage

_MAP: Final = tr("Attention map")
_SHARES: Final = tr("Shares of attention")
_TITLE: Final = "{letter}: {model}, {head}"
_FONT: Final = 0.92
_MIN_SIZE: Final = QSize(270, 190)
_MIN_SPAN: Final = 16  # least number of visible rows and columns
_SPACING: Final = 22
_TIP: Final = tr(
    "Select a head by mouse or arrow keys; each has its own colour scale. {keys} Right-click for "
    "more."
)


class AttentionMap(QWidget):
    pointed = Signal(int, int)  # row and column under the mouse; (-1, -1) outside the map

    def __init__(self, choices: Choices) -> None:
        super().__init__()
        self.choices = choices
        self._analysis: PieceAnalysis | None = None
        plot_items = library()
        self.view: Any = plot_items.GraphicsLayoutWidget()
        self.map = MapPlot(self.view)
        self.box = self.map.box
        self._cross = tuple(plot_items.InfiniteLine(angle=angle) for angle in (0, 90))
        for line in self._cross:
            self.box.addItem(line, ignoreBounds=True)
        self._point(QPointF(-1, -1))
        layout.column(self.view, owner=self)
        self.view.ci.layout.setContentsMargins(0, 0, 0, 0)
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # keys are for this widget
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(_MAP)
        self.setToolTip(ROWS)
        self.view.scene().sigMouseMoved.connect(self._point)
        self.view.scene().sigMouseClicked.connect(self._click)
        self.set_theme(stylesheet.current_theme())

    def set_theme(self, theme: Theme) -> None:
        self.map.set_theme(theme, stylesheet.scaled_font(_FONT), stylesheet.text_scale())
        for line in self._cross:
            line.setPen(library().mkPen(theme.quiet, style=Qt.PenStyle.DashLine))

    def show_analysis(
        self, analysis: PieceAnalysis, head: Head | None, cell: int | None, *, full: float = 0.0
    ) -> None:
        """Show a head; zoom and place are kept. See ``MapPlot.show``."""
        before, self._analysis = self._analysis, analysis
        self.map.show(analysis, head, cell, full=full)
        if before is None or (before.width, before.tokens) != (analysis.width, analysis.tokens):
            self.setToolTip(ROWS if analysis.is_causal else STEP_ROWS)
            self.show_all()

    def show_all(self) -> None:
        self.map.show_all(_MIN_SPAN)

    def minimumSizeHint(self) -> QSize:
        return _MIN_SIZE

    def leaveEvent(self, event: QEvent) -> None:
        self._point(QPointF(-1, -1))
        super().leaveEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self.set_theme(stylesheet.current_theme())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_0:
            self.show_all()
        elif not plots.press(self.box, Qt.Key(event.key())):
            super().keyPressEvent(event)

    def _point(self, scene: QPointF) -> None:
        place = self._cell_at(scene)
        for line, at in zip(self._cross, place or (-1, -1), strict=True):
            line.setVisible(place is not None)
            line.setValue(at + 0.5)
        self.pointed.emit(*(place or (-1, -1)))

    def _click(self, event: Any) -> None:
        place = self._cell_at(event.scenePos())
        if event.button() == Qt.MouseButton.LeftButton and place is not None:
            self.choices.cell_chosen.emit(place[0])

    def _cell_at(self, scene: QPointF) -> tuple[int, int] | None:
        analysis = self._analysis
        if analysis is None or not self.box.sceneBoundingRect().contains(scene):
            return None
        at = self.box.mapSceneToView(scene)
        row, column = math.floor(at.y()), math.floor(at.x())
        return (row, column) if analysis.is_visible(row, column) else None


class HeadMap(QWidget):
    def __init__(self, choices: Choices) -> None:
        super().__init__()
        self.title = ElidedLabel(elide=Qt.TextElideMode.ElideMiddle)
        self.grid, self.map = HeadGridView(tr("Heads"), choices), AttentionMap(choices)
        self.grid.setToolTip(_TIP.format(keys=MUTE_KEYS))
        stylesheet.scale_font(self.title, 1.0, QFont.Weight.DemiBold)
        row = layout.row((self.grid, 3), (self.map, 6), spacing=_SPACING)
        layout.column(self.title, (row, 1), owner=self, spacing=4)

    def show_analysis(self, shown: Shown, side: int, full: float) -> None:
        """Show one head of the analysis by a model; see ``MapPlot.show``."""
        analysis = shown.second if side and shown.second is not None else shown.first
        head, mutes = shown.heads[side], shown.mutes[side]
        self.title.setVisible(shown.second is not None)
        model, named = display_names.model(analysis.model), head_noun(head)
        self.title.setText(_TITLE.format(letter="AB"[side], model=model, head=named))
        self.grid.show_heads(
            Heads(side, analysis.layers, analysis.heads, mutes, head, has_mean=True),
            partial(effect_charts.thumbnails, analysis, mutes, head),
        )
        cell = shown.cell if analysis.has_cell(shown.cell) else None
        self.map.show_analysis(analysis, head, cell, full=full)


class AttentionPlots(QWidget):
    pointed = Signal(int, int, int)  # model, and row and column under the mouse

    def __init__(self, choices: Choices) -> None:
        super().__init__()
        self._choices, self.halves = choices, list[HeadMap]()
        self.shares = FigurePage(_SHARES, grows=True)
        self._row = layout.row((self.shares, 7), owner=self, spacing=_SPACING)
        self._add_half()

    def show_analysis(self, shown: Shown) -> None:
        """Show one head of each analysis on one scale; of a single model the shares, too."""
        both = shown.second is not None
        self.shares.setVisible(not both)
        if both and len(self.halves) == 1:
            self._add_half()
        for half in self.halves[1:]:
            half.setVisible(both)
        full = 0.0
        if shown.second is not None:
            full = max(
                one.full_weight(head)
                for one, head in zip((shown.first, shown.second), shown.heads, strict=True)
            )
        else:
            self.shares.show_view(views.shares(shown))
        for side, half in enumerate(self.halves[: 1 + both]):
            half.show_analysis(shown, side, full)

    def show_all(self) -> None:
        for half in self.halves:
            half.map.show_all()

    def _add_half(self) -> None:
        side, half = len(self.halves), HeadMap(self._choices)
        half.map.pointed.connect(lambda row, column: self.pointed.emit(side, row, column))
        self.halves.append(half)
        self._row.insertWidget(side, half, 9)
