"""Sources, layers, and effects on the whole piece: one of them is visible."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QProgressBar, QPushButton, QStackedWidget, QWidget

from musicrel.generation.heads.mutes import Head, Mutes
from musicrel.presentation.ablation import lens_table, source_list
from musicrel.presentation.ablation.head_effects import HeadEffects
from musicrel.presentation.ablation.lens_table import LensTable
from musicrel.presentation.ablation.source_list import SourceList
from musicrel.presentation.drawing.drawing import Drawing
from musicrel.presentation.words.palette import Theme
from musicrel.ui.ablation.effect_grid_view import EffectGridView
from musicrel.ui.attention.chart_panel import ChartPanel
from musicrel.ui.attention.view_switch import ViewSwitch
from musicrel.ui.widgets import layout

SOURCES, LAYERS, PIECE = "sources", "layers", "piece"
_TITLES: Final = {
    SOURCES: ("&Sources", "Other notes: how much the model looks at them, and what they do"),
    LAYERS: ("La&yers", "What each layer would choose, were it the last (logit lens)"),
    PIECE: ("Whole piece", "Effect of each head on all notes of the piece"),
}
_FIND: Final = "Find the sources"
_FIND_TIP: Final = "Remove 64 notes with the largest weights and 64 random ones, one at a time"
_FIND_TEXT: Final = "See which other notes the model looks at, and which of them matter."
_FINDING: Final = "Removing one note after the other …"
_MEASURE: Final = "&Measure all heads"
_MEASURE_TIP: Final = "Replace each head at all notes of the piece; this takes a while"
_MEASURE_TEXT: Final = "How much worse is the whole piece predicted without each head?"
_CANCEL: Final = "Cancel"
_ON_PIECE: Final = "Effects on the whole piece"
_FINE: Final = 1000


class DetailViews(QWidget):
    """The views and the buttons that start their analyses; a passive widget.

    Attributes:
        measure: starts the measurement of the whole piece.
    """

    described = Signal(str)  # what is under the mouse, in words
    source_chosen = Signal(object)  # a clicked ``SourceRow``

    def __init__(self) -> None:
        super().__init__()
        self.switch = ViewSwitch()
        self.sources, self.lens = ChartPanel("Sources", scrolls=True), ChartPanel("Layers")
        self.piece = EffectGridView(_ON_PIECE)
        self.find_sources, self.measure = QPushButton(_FIND), QPushButton(_MEASURE)
        self.search_progress, self.measure_progress = _Running(), _Running()
        self._before_finding = _Start(_FIND_TEXT, self.find_sources)
        self._before_measuring = _Start(_MEASURE_TEXT, self.measure)
        self._source_stack, self._piece_stack = QStackedWidget(), QStackedWidget()
        self._found: SourceList | None = None
        self._lay_out()
        self.sources.view.pointed.connect(self._point)
        self.sources.view.clicked.connect(self._click)
        self.piece.described.connect(self.described)

    def show_lens(self, lens: LensTable) -> None:
        """Show what each layer would choose."""
        self.lens.show_chart(partial(_draw_lens, lens))

    def show_sources(self, found: SourceList | None, share: float | None = None) -> None:
        """Show the sources of a note; None: the button that starts the search.

        Args:
            share: progress of the search, 0 to 1; None: none is running.
        """
        self._found = found
        self.search_progress.show_share(share)
        if found is None and share is None:
            self._source_stack.setCurrentWidget(self._before_finding)
            return
        sentence = found.words if found is not None and not found.rows else _FINDING
        is_list = found is not None and bool(found.rows)
        draw = partial(_draw_sources, found) if found is not None and is_list else None
        self.sources.show_chart(draw, sentence)
        self._source_stack.setCurrentWidget(self._source_page)

    def show_piece(
        self, effects: HeadEffects | None, mutes: Mutes, head: Head | None, share: float | None
    ) -> None:
        """Show the effects of heads on the whole piece.

        Args:
            effects: as far as known; None: the button that starts the measurement.
            share: progress of the measurement, 0 to 1; None: none is running.
        """
        self.piece.show_effects(effects, mutes, head)
        self.measure_progress.show_share(share)
        shown = self._before_measuring if effects is None else self._piece_page
        self._piece_stack.setCurrentWidget(shown)

    # ------------------------------------------------------------------ inside

    @Slot(float, float)
    def _point(self, _x: float, y: float) -> None:
        row = source_list.row_at(self._found, y) if self._found is not None and y >= 0 else None
        words = source_list.describe(row) if row is not None else ""
        self.described.emit(words or (self._found.words if self._found is not None else ""))

    @Slot(float, float)
    def _click(self, _x: float, y: float) -> None:
        row = source_list.row_at(self._found, y) if self._found is not None else None
        if row is not None:
            self.source_chosen.emit(row)

    def _lay_out(self) -> None:
        self.find_sources.setToolTip(_FIND_TIP)
        self.measure.setToolTip(_MEASURE_TIP)
        self._source_page, self._piece_page = QWidget(), QWidget()
        layout.column((self.sources, 1), self.search_progress, owner=self._source_page, spacing=4)
        layout.column((self.piece, 1), self.measure_progress, owner=self._piece_page, spacing=4)
        for stack, widgets in (
            (self._source_stack, (self._before_finding, self._source_page)),
            (self._piece_stack, (self._before_measuring, self._piece_page)),
        ):
            for widget in widgets:
                stack.addWidget(widget)
        views = (self._source_stack, self.lens, self._piece_stack)
        for (name, texts), view in zip(_TITLES.items(), views, strict=True):
            self.switch.add(name, *texts, view)
        self.switch.open(LAYERS)
        buttons = layout.row(self.switch, None)
        layout.column(buttons, (self.switch.stack, 1), owner=self, spacing=4)


class _Start(QWidget):
    """A sentence above the button that starts an analysis."""

    def __init__(self, sentence: str, button: QPushButton) -> None:
        super().__init__()
        label = QLabel(sentence, wordWrap=True)
        label.setObjectName("quiet")
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        below = layout.row(None, button, None)
        layout.column(None, label, below, None, owner=self, spacing=10, margins=(12, 0, 12, 0))


class _Running(QWidget):
    """The progress of an analysis, beside the button that stops it; hidden while none runs."""

    def __init__(self) -> None:
        super().__init__()
        self.cancel, self._progress = QPushButton(_CANCEL), QProgressBar(maximum=_FINE)
        self._progress.setTextVisible(False)
        self._progress.setAccessibleName("Progress")
        layout.row((self._progress, 1), self.cancel, owner=self, spacing=8)
        self.hide()

    def show_share(self, share: float | None) -> None:
        """Show a progress, 0 to 1; None: nothing runs."""
        self.setVisible(share is not None)
        self._progress.setValue(round((share or 0) * _FINE))


def _draw_lens(lens: LensTable, width: int, height: int, theme: Theme) -> Drawing:
    return lens_table.draw_chart(lens, width, height, theme)


def _draw_sources(found: SourceList, width: int, height: int, theme: Theme) -> Drawing:
    del height
    return source_list.draw_chart(found, width, theme)
