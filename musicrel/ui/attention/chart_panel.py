"""A chart, or a sentence in its place."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QStackedWidget, QWidget

from musicrel.ui.widgets import layout
from musicrel.ui.widgets.drawing_view import Draw, DrawingView

_MARGIN: Final = 40


class ChartPanel(QStackedWidget):
    """A drawing or a sentence; a passive widget.

    Args:
        scrolls: True: the drawing has its own height, and scrolls where that does not fit.
    """

    def __init__(self, name: str, *, scrolls: bool = False) -> None:
        super().__init__()
        self.view, self.empty = DrawingView(name, grows=scrolls), QLabel()
        self.empty.setObjectName("quiet")
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setMargin(_MARGIN)
        self._chart: QWidget = self.view
        if scrolls:
            inside = QWidget()
            layout.column(self.view, None, owner=inside)
            self._chart = layout.ColumnScroller(inside)
        self.addWidget(self.empty)
        self.addWidget(self._chart)

    def show_chart(self, draw: Draw | None, sentence: str = "") -> None:
        """Show a drawing; None: ``sentence`` in its place."""
        self.view.set_draw(draw)
        self.empty.setText(sentence)
        self.setCurrentWidget(self.empty if draw is None else self._chart)
