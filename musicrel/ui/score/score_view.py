"""The engraved score on the screen: systems one below the other, as wide as the view.

The ink of each visible system is cached as a pixmap; overlays are painted at every paint event.
The geometry is computed in ``musicrel.presentation.score.score_window``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QFrame, QToolTip, QWidget

from musicrel.presentation.roll.marks import Mark
from musicrel.presentation.roll.roll import RollNote
from musicrel.presentation.roll.selection import Selection
from musicrel.presentation.score import mark_positions
from musicrel.presentation.score.score_picture import Head, Score
from musicrel.presentation.score.score_window import DEFAULT_SPACE, ScoreWindow
from musicrel.presentation.words.palette import LIGHT, Theme
from musicrel.ui.roll.roll_paint import draw_hint
from musicrel.ui.score.score_layers import ScoreLayers
from musicrel.ui.score.score_marks import ScoreMarks

_ZOOM_STEP: Final = 1.2
_WHEEL_NOTCH: Final = 120
_ARROW_STEP: Final = 32
_STALE: Final = 0.4
"""Opacity of a score that is out of date."""


class ScoreView(QAbstractScrollArea):
    """A view of one score at a time, with a playhead and a selection; a passive widget.

    The wheel scrolls, with Ctrl it zooms; plus, minus and 0 zoom by keyboard.

    Signals:
        page_width_changed: a score of another width fits; see ``seen.page_width``.
        seek_requested: a step for the playhead.
        note_chosen: a clicked note; True if it extends the selection.
    """

    page_width_changed = Signal()
    seek_requested = Signal(float)
    note_chosen = Signal(object, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._window = ScoreWindow()
        self._describe: Callable[[RollNote], str] | None = None
        self._hint = ("", "")
        self._stale = False
        self._step: float | None = None
        self._selection: Selection | None = None
        self._marks: tuple[Mark, ...] = ()
        self._pressed: QPoint | None = None
        self._layers = ScoreLayers()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Engraved score")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.verticalScrollBar().setSingleStep(_ARROW_STEP)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    # ------------------------------------------------------------------ what is shown

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of ``theme``."""
        self._theme = theme
        self._layers.forget()
        self.viewport().update()

    def set_hint(self, title: str, text: str) -> None:
        """Set the title and text shown without a score."""
        self._hint = (title, text)
        self.viewport().update()

    def show_score(
        self, score: Score | None, describe: Callable[[RollNote], str] | None = None
    ) -> None:
        """Show a score; ``describe`` returns the tooltip of a note."""
        self._describe, self._stale = describe, False
        self._look(self._window.of(score))

    def set_stale(self, *, stale: bool) -> None:
        """Mark the score as out of date: it is pale, and clicks are ignored."""
        self._stale = stale
        self.viewport().update()

    def set_step(self, step: float | None) -> None:
        """Put the playhead at ``step``; None removes it."""
        before, self._step = self._step, step
        for index in {self._window.system_of(before), self._window.system_of(step)}:
            if index is not None:
                self.viewport().update(QRectF(*self._window.box(index)).toAlignedRect())

    def set_selection(self, selection: Selection | None) -> None:
        """Show the selection and scroll to its start; None clears it."""
        self._selection = selection
        if selection is not None:
            self.follow(selection.start)
        self.viewport().update()

    def set_marks(self, marks: tuple[Mark, ...]) -> None:
        """Show the rule violations."""
        self._marks = marks
        self.viewport().update()

    @property
    def hint(self) -> tuple[str, str]:
        """Return the title and text shown without a score."""
        return self._hint

    @property
    def stale(self) -> bool:
        """Return whether the score is out of date."""
        return self._stale

    @property
    def step(self) -> float | None:
        """Return the step of the playhead; None without one."""
        return self._step

    @property
    def selection(self) -> Selection | None:
        """Return the selection; None if nothing is selected."""
        return self._selection

    @property
    def marks(self) -> tuple[Mark, ...]:
        """Return the rule violations shown."""
        return self._marks

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

    @Slot()
    def zoom_in(self) -> None:
        """Enlarge the score."""
        self._zoom(self._window.space * _ZOOM_STEP)

    @Slot()
    def zoom_out(self) -> None:
        """Reduce the score."""
        self._zoom(self._window.space / _ZOOM_STEP)

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
            self._zoom(self._window.space * _ZOOM_STEP ** (event.angleDelta().y() / _WHEEL_NOTCH))
            event.accept()
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Zoom and jump by keyboard."""
        bar = self.verticalScrollBar()
        match event.key():
            case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
                self.zoom_in()
            case Qt.Key.Key_Minus:
                self.zoom_out()
            case Qt.Key.Key_0:
                self.fit()
            case Qt.Key.Key_Home:
                bar.setValue(0)
            case Qt.Key.Key_End:
                bar.setValue(bar.maximum())
            case _:
                super().keyPressEvent(event)

    # ------------------------------------------------------------------ the mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember the position for the release."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = event.position().toPoint()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Emit ``note_chosen`` and ``seek_requested`` for a click."""
        pressed, self._pressed = self._pressed, None
        place = event.position().toPoint()
        if event.button() != Qt.MouseButton.LeftButton or pressed is None or self._stale:
            return
        spot = self._window.spot(place.x(), place.y())
        far = (place - pressed).manhattanLength() >= QApplication.startDragDistance()
        if spot is None or far:
            return
        extends = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if spot.head is not None:
            self.note_chosen.emit(spot.head.note, extends)
        if not extends:
            self.seek_requested.emit(float(spot.step))

    def viewportEvent(self, event: QEvent) -> bool:
        """Show a tooltip for the note under the mouse."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            head = self._head_at(event.pos())
            if head is not None and self._describe is not None:
                marks = mark_positions.descriptions(self._marks, head.note)
                tip = "\n".join([self._describe(head.note), *marks])
                QToolTip.showText(event.globalPos(), tip, self)
            else:
                QToolTip.hideText()
            return True
        return super().viewportEvent(event)

    def _head_at(self, place: QPoint) -> Head | None:
        spot = self._window.spot(place.x(), place.y())
        return spot.head if spot is not None and not self._stale else None

    # ------------------------------------------------------------------ drawing

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the visible systems."""
        painter, area = QPainter(self.viewport()), event.rect()
        painter.setClipRect(area)
        painter.fillRect(area, QColor(self._theme.lane))
        if self._window.whole == 0 and any(self._hint):
            draw_hint(painter, self.viewport().rect(), self._hint, self._theme)
        painter.setOpacity(_STALE if self._stale else 1.0)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for index in self._window.seen(area.top(), area.bottom() + 1):
            self._paint_system(painter, index)
        painter.end()

    def _paint_system(self, painter: QPainter, index: int) -> None:
        """Paint the overlays below the ink, the ink, and the overlays above it."""
        window, chosen, step = self._window, self._selection, self._step
        marks = ScoreMarks(painter, window, self._theme)
        if chosen is not None:
            marks.selection(index, chosen)
        here = step if window.system_of(step) == index else None
        if here is not None:
            marks.sounding(index, here)
        picture = self._layers.picture(
            window, index, self._theme, chosen, self.viewport().devicePixelRatioF()
        )
        ratio, box = picture.devicePixelRatio(), window.box(index)
        painter.drawPixmap(QPointF(0, round(box.top * ratio) / ratio), picture)
        if self._marks and not self._stale:
            marks.violations(index, self._marks)
        if here is not None:
            marks.playhead(index, here)

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
