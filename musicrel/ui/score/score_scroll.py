"""Zooming and scrolling of the engraved score: what part of it is visible."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from musicrel.presentation.score.score_picture import Score
from musicrel.presentation.score.score_window import DEFAULT_SPACE, ScoreWindow
from musicrel.ui.widgets.sheet_view import SheetView

_WHEEL_NOTCH: Final = 120
_ARROW_STEP: Final = 32


class ScoreScroll(SheetView):
    """A window onto a score. The wheel scrolls, with Ctrl it zooms; Home and End jump."""

    page_width_changed = Signal()  # a score of another width fits; see ``seen.page_width``

    zoom_step = 1.2

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._window = ScoreWindow()
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.verticalScrollBar().setSingleStep(_ARROW_STEP)

    @property
    def score(self) -> Score | None:
        return self._window.score

    @property
    def seen(self) -> ScoreWindow:
        return self._window

    def follow(self, step: float) -> None:
        """Scroll to the system with ``step`` unless it is completely visible."""
        self.verticalScrollBar().setValue(self._window.showing(step))

    def zoom(self, factor: float) -> None:
        self._zoom(self._window.space * factor)

    @Slot()
    def fit(self) -> None:
        self._zoom(DEFAULT_SPACE)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        before, size = self._window.width, self.viewport().size()
        self._look(replace(self._window, width=size.width(), height=size.height()))
        if before != size.width():
            self.page_width_changed.emit()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        del dx, dy
        self._window = replace(self._window, hidden=self.verticalScrollBar().value())
        self.viewport().update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(self.zoom_step ** (event.angleDelta().y() / _WHEEL_NOTCH))
            event.accept()
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar = self.verticalScrollBar()
        match event.key():
            case Qt.Key.Key_Home:
                bar.setValue(0)
            case Qt.Key.Key_End:
                bar.setValue(bar.maximum())
            case _:
                super().keyPressEvent(event)

    # ------------------------------------------------------------------ inside

    def _zoom(self, space: float) -> None:
        before = self._window
        self._look(before.zoomed(space))
        if self._window.space != before.space:
            self.page_width_changed.emit()

    def _look(self, window: ScoreWindow) -> None:
        """Show another part and update the scroll bar."""
        self._window = window
        bar = self.verticalScrollBar()
        bar.setPageStep(window.height)
        bar.setRange(0, max(window.whole - window.height, 0))
        bar.setValue(window.hidden)
        self.viewport().update()
