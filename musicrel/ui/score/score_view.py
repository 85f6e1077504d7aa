"""The engraved score on the screen: systems one below the other, as wide as the view.

The ink of each visible system is cached as a pixmap; overlays are painted at every paint event.
The geometry is computed in ``musicrel.presentation.score.score_window``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from musicrel.editing.note_input import Cursor
from musicrel.editing.selection import Selection
from musicrel.presentation.roll.marks import Mark
from musicrel.presentation.roll.roll import RollNote
from musicrel.presentation.score import mark_positions
from musicrel.presentation.score.ghost import Ghost
from musicrel.presentation.score.score_picture import Score
from musicrel.presentation.score.score_window import Spot
from musicrel.presentation.words.palette import Theme
from musicrel.ui.score.score_layers import ScoreLayers
from musicrel.ui.score.score_marks import ScoreMarks
from musicrel.ui.score.score_scroll import ScoreScroll
from musicrel.ui.widgets.stylesheet import current_theme

_NAME: Final = "Engraved score"
_STALE: Final = 0.4
"""Opacity of a score that is out of date."""
_NOTE_DRAG: Final = 3
"""Pixels, less than from a line of the staff to the next space."""
_PATIENCE: Final = 500
"""Milliseconds that an outdated score keeps its look: an edit of a short piece takes less."""


class ScoreView(ScoreScroll):
    """A view of one score at a time, with a playhead and a selection; a passive widget.

    ``ScoreSelection`` handles the mouse.

    Attributes:
        stale: True if the score is out of date; ``set_stale`` and so on change what is shown.
        pale: True if it has been for so long that it is shown pale.
        loop: first and last step that playback repeats; None: nothing.
        ghost: a note that is dragged or pointed at; None: none.
        note_tip: what the mouse does with a note, the last line of its tooltip.
    """

    double_clicked = Signal(QPoint)  # a point was clicked twice
    pointed_at = Signal(object)  # the mouse moved to a point while notes are written; None: it left

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.note_tip = ""
        self._describe: Callable[[RollNote], str] | None = None
        self.stale = self.pale = False
        self.step: float | None = None
        self.selection: Selection | None = None
        self.marks: tuple[Mark, ...] = ()
        self.loop: tuple[float, float] | None = None
        self.input_cursor: Cursor | None = None
        self.ghost: Ghost | None = None
        self._layers = ScoreLayers()
        self._patience = QTimer(self, singleShot=True, interval=_PATIENCE)
        self._patience.timeout.connect(self._grow_pale)
        self.setAccessibleName(_NAME)

    # ------------------------------------------------------------------ what is shown

    def show_score(
        self, score: Score | None, describe: Callable[[RollNote], str] | None = None
    ) -> None:
        """Show a score; ``describe`` returns the tooltip of a note."""
        self._describe, self.ghost = describe, None
        self.set_stale(stale=False)
        self._look(self._window.of(score))

    def set_stale(self, *, stale: bool) -> None:
        """Mark the score as out of date: soon it is pale, and clicks are ignored."""
        self.stale = stale
        if not stale:
            self._patience.stop()
            self.pale = False
            self.viewport().update()
        elif not self.pale and not self._patience.isActive():
            self._patience.start()

    @Slot()
    def _grow_pale(self) -> None:
        self.pale, self.ghost = True, None
        self.viewport().update()

    def set_step(self, step: float | None) -> None:
        """Put the playhead at ``step``; None removes it."""
        before, self.step = self.step, step
        for index in {self._window.system_of(before), self._window.system_of(step)}:
            if index is not None:
                self.viewport().update(QRectF(*self._window.box(index)).toAlignedRect())

    def set_selection(self, selection: Selection | None) -> None:
        """Show the selection; None clears it."""
        self.selection = selection
        self.viewport().update()

    def set_marks(self, marks: tuple[Mark, ...]) -> None:
        """Show the rule violations."""
        self.marks = marks
        self.viewport().update()

    def set_loop(self, loop: tuple[float, float] | None) -> None:
        """Show the loop; None: none."""
        if loop != self.loop:
            self.loop = loop
            self.viewport().update()

    def set_input_cursor(self, cursor: Cursor | None) -> None:
        """Show the cursor of note input; None: notes are not written."""
        self.input_cursor = cursor
        self.setMouseTracking(cursor is not None)
        self.viewport().setMouseTracking(cursor is not None)
        if cursor is None:
            self.ghost = None
        self.viewport().update()

    def set_ghost(self, ghost: Ghost | None) -> None:
        """Show a note that is dragged or pointed at; None removes it."""
        if ghost != self.ghost:
            self.ghost = ghost
            self.viewport().update()

    # ------------------------------------------------------------------ the mouse

    def spot_at(self, place: QPoint) -> Spot | None:
        """Return the point of a system at a point of the viewport, if the score is up to date."""
        return None if self.pale else self._window.spot(place.x(), place.y())

    def note_at(self, place: QPoint) -> RollNote | None:
        """Return the note at a point of the viewport; None where there is none."""
        spot = self.spot_at(place)
        return spot.head.note if spot is not None and spot.head is not None else None

    def tip_at(self, place: QPoint) -> str:
        """Return the description of a note and of its rule violations."""
        note = self.note_at(place)
        if note is None or self._describe is None:
            return ""
        lines = [self._describe(note), *mark_positions.descriptions(self.marks, note)]
        return "\n".join(filter(None, (*lines, self.note_tip)))

    def drag_distance(self, pressed: QPoint) -> int:
        """Return a short distance for notes: the next line or space is close."""
        return _NOTE_DRAG if self.note_at(pressed) else super().drag_distance(pressed)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.double_clicked.emit(event.position().toPoint())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if self.input_cursor is not None:
            self.pointed_at.emit(event.position().toPoint())

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.pointed_at.emit(None)

    # ------------------------------------------------------------------ drawing

    def paintEvent(self, event: QPaintEvent) -> None:
        area, theme = event.rect(), current_theme()
        with QPainter(self.viewport()) as painter:
            painter.setClipRect(area)
            painter.fillRect(area, QColor(theme.lane))
            if self._window.whole == 0:
                self.draw_hint(painter, self.viewport().rect())
            painter.setOpacity(_STALE if self.pale else 1.0)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for index in self._window.seen(area.top(), area.bottom() + 1):
                self._paint_system(painter, index, theme)

    def _paint_system(self, painter: QPainter, index: int, theme: Theme) -> None:
        """Paint the overlays below the ink, the ink, and the overlays above it."""
        window, chosen, step = self._window, self.selection, self.step
        marks = ScoreMarks(painter, window, index, theme)
        if chosen is not None:
            marks.selection(chosen)
        if self.input_cursor is not None and window.system_of(self.input_cursor.step) == index:
            marks.cursor(self.input_cursor)
        here = step if window.system_of(step) == index else None
        if here is not None:
            marks.sounding(here)
        picture = self._layers.picture(
            window, index, theme, chosen, self.viewport().devicePixelRatioF()
        )
        ratio, box = picture.devicePixelRatio(), window.box(index)
        painter.drawPixmap(QPointF(0, round(box.top * ratio) / ratio), picture)
        if self.marks and not self.pale:
            marks.violations(self.marks)
        marks.loop(self.loop)
        if here is not None:
            marks.playhead(here)
        if chosen is not None and self.input_cursor is None:
            marks.letters(chosen)
        if self.ghost is not None and self.ghost.system == index:
            marks.ghost(self.ghost)
