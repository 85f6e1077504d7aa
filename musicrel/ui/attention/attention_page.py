"""The Attention page: the sheet above; heads, map and shares of attention below.

The plots are made when the page is opened, or with the first analysis if pyqtgraph was not imported
before: the window opens without it.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QFont, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QLabel,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from musicrel.errors import FileError
from musicrel.presentation.attention.piece_analysis import (
    Head,
    PieceAnalysis,
    head_name,
    pair,
)
from musicrel.ui.attention.attention_plots import AttentionPlots
from musicrel.ui.files import file_dialogs
from musicrel.ui.widgets import layout, plots, stylesheet
from musicrel.ui.widgets.elided_label import ElidedLabel

HINT: Final = "Point at the map, or select a note in the roll by mouse or arrow keys."
PROBES: Final = "Test the model: order, padding, heads, scale, length, cache"
_SIZES: Final = (440, 340)
"""Initial heights of the sheet and of the panel below."""
_LARGEST: Final = " (largest weight)"
_EXPORT_TITLE: Final = "Export the map"
_TITLE: Final = "Attention weights"
_RESET: Final = "Reset &zoom"
_RESET_TIP: Final = "Show the whole map again (0)"
_EXPORT_TIP: Final = "Save the map as a picture"
_WROTE: Final = "generated this piece"
_DID_NOT_WRITE: Final = "did not generate this piece"


class AttentionPage(QWidget):
    """Heads, map and numbers below the sheet; a passive widget.

    Attributes:
        model: the model whose attention is shown.
        run: the button that generates or stops.
        diagnose: the button that opens the diagnosis of the chosen model.
        reset: the button that shows the whole map.
        export: the button that saves the map as a picture.
        head: the name of the head on the map.
        words: describes the dot under the mouse, or the largest weight of the selected cell.
        caption: the model and whether it generated the piece.
        empty: a sentence in place of the plots.

    Signals:
        head_chosen: a Head, or None for the mean of all.
        cell_chosen: the index of a cell.
        failed: the map could not be saved; the reason as one sentence.
    """

    head_chosen = Signal(object)
    cell_chosen = Signal(int)
    failed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._analysis: PieceAnalysis | None = None
        self._head: Head | None = None
        self._cell: int | None = None
        self._pointed = (-1, -1)
        self._sizes = list(_SIZES)
        self.model = QComboBox()
        self.run, self.diagnose, self.reset, self.export = (QToolButton() for _ in range(4))
        self.head, self.caption, self.words = QLabel(), ElidedLabel(), ElidedLabel()
        self.empty = QLabel()
        self._body = QStackedWidget()
        self._halves = QSplitter(Qt.Orientation.Vertical)
        self._lay_out()
        self._name_buttons()
        self.export.clicked.connect(self._ask_for_path)
        self._halves.splitterMoved.connect(self._moved)

    @cached_property
    def plots(self) -> AttentionPlots:
        """The plots, made when they are first needed."""
        made = AttentionPlots()
        made.grid.chosen.connect(self.head_chosen)
        made.map.cell_chosen.connect(self.cell_chosen)
        made.map.pointed.connect(self._point)
        self.reset.clicked.connect(made.map.show_all)
        self._body.addWidget(made)
        return made

    def showEvent(self, event: QShowEvent) -> None:
        """Make the plots, which takes several frames, before notes are written."""
        super().showEvent(event)
        if plots.is_loaded():
            QTimer.singleShot(0, self, lambda: self.plots)

    # ------------------------------------------------------------------ what is shown

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
        self._analysis, self._head = shown, head
        self._cell = cell if shown is not None and shown.has_cell(cell) else None
        for part in (self.head, self.words, self.reset, self.export):
            part.setVisible(shown is not None)
        self.caption.setText(_caption(shown) if shown else "")
        self._body.setCurrentWidget(self.plots if shown else self.empty)
        if shown is not None:
            self.plots.show_analysis(shown, head, self._cell)
            self.head.setText(head_name(head))
            self._describe(shown)

    def set_empty(self, sentence: str) -> None:
        """Set the sentence shown without attention weights."""
        self.empty.setText(sentence)

    def write(self, path: Path) -> None:
        """Write the map as it is shown as PNG or SVG."""
        try:
            plots.export(self.plots.map.view, path)
        except FileError as reason:
            self.failed.emit(str(reason))

    # ------------------------------------------------------------------ inside

    def _moved(self) -> None:
        """Remember the sizes chosen by the user."""
        self._sizes = self._halves.sizes()

    def _point(self, row: int, column: int) -> None:
        """Describe the dot under the mouse; row -1: none."""
        self._pointed = row, column
        if self._analysis is not None:
            self._describe(self._analysis)

    def _describe(self, analysis: PieceAnalysis) -> None:
        """Describe the dot under the mouse, or the largest weight of the selected cell."""
        (row, column), suffix = self._pointed, ""
        if not analysis.has_cell(row) and self._cell is not None:
            row, suffix = self._cell, _LARGEST
            column = int(analysis.attention_row(row, self._head).argmax())
        words = HINT
        if analysis.has_cell(row):
            weight = float(analysis.attention_row(row, self._head)[column])
            words = pair(analysis.chorale, row, column, weight) + suffix
        self.words.setText(words)
        self.plots.map.setAccessibleDescription(words)

    def _ask_for_path(self) -> None:
        name = f"{self._analysis.chorale.title}, {self.head.text()}" if self._analysis else ""
        file_dialogs.ask_new_path(
            self, _EXPORT_TITLE, name=name, suffixes=plots.PICTURES, answer=self.write
        )

    def _lay_out(self) -> None:
        """Put the sheet above the panel with the title, the description and the plots."""
        title, panel = QLabel(_TITLE), QFrame()
        panel.setObjectName("sheet")
        buttons = (self.reset, self.export, self.model, self.diagnose, self.run)
        layout.column(
            layout.row(title, (self.caption, 1), *buttons, spacing=10),
            layout.row(self.head, (self.words, 1), spacing=10),
            (self._body, 1),
            owner=panel,
            spacing=6,
            margins=(18, 10, 16, 10),
        )
        layout.column(self._halves, owner=self, margins=(10, 4, 10, 4))
        stylesheet.scale_font(title, 1.2, QFont.Weight.DemiBold)
        stylesheet.scale_font(self.head, 1.0, QFont.Weight.DemiBold)
        for label in (self.caption, self.empty):
            label.setObjectName("quiet")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setWordWrap(True)
        self._body.addWidget(self.empty)
        self._halves.setChildrenCollapsible(False)
        self._halves.setHandleWidth(8)
        self._halves.addWidget(panel)

    def _name_buttons(self) -> None:
        for button, text, tip in (
            (self.reset, _RESET, _RESET_TIP),
            (self.export, "E&xport…", _EXPORT_TIP),
            (self.diagnose, "Diagnose…", PROBES),
        ):
            button.setText(text)
            button.setToolTip(tip)
        self.run.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.model.setAccessibleName("Model")


def _caption(analysis: PieceAnalysis) -> str:
    """Return the name of the model and its relation to the piece."""
    relation = _WROTE if analysis.wrote else _DID_NOT_WRITE
    return f"{analysis.model} ({relation})"
