"""The engraved score on the screen: systems one below the other, as wide as the view.

The ink of each visible system is cached as a pixmap; overlays are painted at every paint event.
The geometry is computed in ``musicrel.presentation.score.score_window``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from musicrel.editing.selection import Selection
from musicrel.presentation.roll.marks import Mark
from musicrel.presentation.roll.roll import RollNote
from musicrel.presentation.score import mark_positions
from musicrel.presentation.score.score_picture import Score
from musicrel.presentation.score.score_window import DEFAULT_SPACE, ScoreWindow, Spot
from musicrel.presentation.words.palette import Theme
from musicrel.ui.score.score_layers import ScoreLayers
from musicrel.ui.score.score_marks import ScoreMarks
from musicrel.ui.widgets.sheet_view import SheetView
from musicrel.ui.widgets.stylesheet import current_theme

_WHEEL_NOTCH: Final = 120
_ARROW_STEP: Final = 32
_STALE: Final = 0.4
"""Opacity of a score that is out of date."""


class ScoreView(SheetView):
    """A view of one score at a time, with a playhead and a selection; a passive widget.

    The wheel scrolls, with Ctrl it zooms.

    Attributes:
        stale: True if the score is out of date; ``set_stale`` and so on change what is shown.
        step: of the playhead; None without one.
        selection: the selected passage; None: nothing.
        marks: the rule violations.

    Signals:
        page_width_changed: a score of another width fits; see ``seen.page_width``.
        seek_requested: a step for the playhead.
        note_chosen: a clicked note; True if it extends the selection.
    """

    page_width_changed = Signal()
    seek_requested = Signal(float)
    note_chosen = Signal(object, bool)

    zoom_step = 1.2

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._window = ScoreWindow()
        self._describe: Callable[[RollNote], str] | None = None
        self.stale = False
        self.step: float | None = None
        self.selection: Selection | None = None
        self.marks: tuple[Mark, ...] = ()
        self._layers = ScoreLayers()
        self.setAccessibleName("Engraved score")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.verticalScrollBar().setSingleStep(_ARROW_STEP)
        self.clicked.connect(self._on_click)

    # ------------------------------------------------------------------ what is shown

    def show_score(
        self, score: Score | None, describe: Callable[[RollNote], str] | None = None
    ) -> None:
        """Show a score; ``describe`` returns the tooltip of a note."""
        self._describe, self.stale = describe, False
        self._look(self._window.of(score))

    def set_stale(self, *, stale: bool) -> None:
        """Mark the score as out of date: it is pale, and clicks are ignored."""
        self.stale = stale
        self.viewport().update()

    def set_step(self, step: float | None) -> None:
        """Put the playhead at ``step``; None removes it."""
        before, self.step = self.step, step
        for index in {self._window.system_of(before), self._window.system_of(step)}:
            if index is not None:
                self.viewport().update(QRectF(*self._window.box(index)).toAlignedRect())

    def set_selection(self, selection: Selection | None) -> None:
        """Show the selection and scroll to its start; None clears it."""
        self.selection = selection
        if selection is not None:
            self.follow(selection.start)
        self.viewport().update()

    def set_marks(self, marks: tuple[Mark, ...]) -> None:
        """Show the rule violations."""
        self.marks = marks
        self.viewport().update()

    @property
    def score(self) -> Score | None:
        """Return the score that is shown."""
        return self._window.score

    @property
    def seen(self) -> ScoreWindow:
        """Return the visible part."""
        return self._window

    def follow(self, step: float) -> None:
        """Scroll to the system with ``step`` unless it is completely visible."""
        self.verticalScrollBar().setValue(self._window.showing(step))

    # ------------------------------------------------------------------ zooming and scrolling

    def zoom(self, factor: float) -> None:
        """Enlarge the score by ``factor``."""
        self._zoom(self._window.space * factor)

    @Slot()
    def fit(self) -> None:
        """Reset the zoom."""
        self._zoom(DEFAULT_SPACE)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Request a score that fits the new width."""
        super().resizeEvent(event)
        before, size = self._window.width, self.viewport().size()
        self._look(replace(self._window, width=size.width(), height=size.height()))
        if before != size.width():
            self.page_width_changed.emit()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Show the part at the position of the scroll bar."""
        del dx, dy
        self._window = replace(self._window, hidden=self.verticalScrollBar().value())
        self.viewport().update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll, or zoom with Ctrl."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(self.zoom_step ** (event.angleDelta().y() / _WHEEL_NOTCH))
            event.accept()
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Jump by keyboard, or zoom."""
        bar = self.verticalScrollBar()
        match event.key():
            case Qt.Key.Key_Home:
                bar.setValue(0)
            case Qt.Key.Key_End:
                bar.setValue(bar.maximum())
            case _:
                super().keyPressEvent(event)

    # ------------------------------------------------------------------ the mouse

    @Slot(QPoint, bool)
    def _on_click(self, place: QPoint, extends: bool) -> None:
        """Emit ``note_chosen`` and ``seek_requested``."""
        spot = self._spot_at(place)
        if spot is not None and spot.head is not None:
            self.note_chosen.emit(spot.head.note, extends)
        if spot is not None and not extends:
            self.seek_requested.emit(float(spot.step))

    def tip_at(self, place: QPoint) -> str:
        """Return the description of a note and of its rule violations."""
        spot = self._spot_at(place)
        if spot is None or spot.head is None or self._describe is None:
            return ""
        marks = mark_positions.descriptions(self.marks, spot.head.note)
        return "\n".join([self._describe(spot.head.note), *marks])

    def _spot_at(self, place: QPoint) -> Spot | None:
        return None if self.stale else self._window.spot(place.x(), place.y())

    # ------------------------------------------------------------------ drawing

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the visible systems."""
        area, theme = event.rect(), current_theme()
        with QPainter(self.viewport()) as painter:
            painter.setClipRect(area)
            painter.fillRect(area, QColor(theme.lane))
            if self._window.whole == 0:
                self.draw_hint(painter, self.viewport().rect())
            painter.setOpacity(_STALE if self.stale else 1.0)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for index in self._window.seen(area.top(), area.bottom() + 1):
                self._paint_system(painter, index, theme)

    def _paint_system(self, painter: QPainter, index: int, theme: Theme) -> None:
        """Paint the overlays below the ink, the ink, and the overlays above it."""
        window, chosen, step = self._window, self.selection, self.step
        marks = ScoreMarks(painter, window, index, theme)
        if chosen is not None:
            marks.selection(chosen)
        here = step if window.system_of(step) == index else None
        if here is not None:
            marks.sounding(here)
        picture = self._layers.picture(
            window, index, theme, chosen, self.viewport().devicePixelRatioF()
        )
        ratio, box = picture.devicePixelRatio(), window.box(index)
        painter.drawPixmap(QPointF(0, round(box.top * ratio) / ratio), picture)
        if self.marks and not self.stale:
            marks.violations(self.marks)
        if here is not None:
            marks.playhead(here)

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
        self.viewport().update()
