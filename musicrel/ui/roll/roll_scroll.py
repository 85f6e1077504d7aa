"""Zooming and scrolling of the piano roll: scroll bars, wheel, keys and the middle button.

The visible part is computed in ``musicrel.presentation.roll.viewport``; subclasses draw it.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPoint, QPointF, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QScrollBar, QWidget

from musicrel.presentation.roll.viewport import Extent, Viewport
from musicrel.ui.roll.roll_paint import KEYBOARD_WIDTH, RULER_HEIGHT
from musicrel.ui.widgets.sheet_view import SheetView

_WHEEL_NOTCH: Final = 120
_ARROW_STEP: Final = 24


class RollScroll(SheetView):
    """A scroll area with separate zoom factors for time and pitch.

    The wheel scrolls; with Ctrl it zooms time, with Ctrl and Shift pitch. The middle button drags.
    Arrows, Home and End scroll, too.
    """

    view_changed = Signal()  # the visible part or its appearance changed

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view = Viewport()
        self._fits = self._fits_rows = True
        self._follows = True
        self._sets_bars = False
        self._dragged_from: QPoint | None = None
        self.horizontalScrollBar().actionTriggered.connect(self._stop_following)

    @property
    def seen(self) -> Viewport:
        return self._view

    def follow(self, step: float, *, resume: bool = False) -> None:
        """Scroll by a page if ``step`` is not visible, unless the user has scrolled away."""
        self._follows = self._follows or resume
        if self._follows:
            self._look_at(self._view.showing(step))

    def refit(self) -> None:
        """Fit again what the user has not zoomed, after another roll has changed it."""
        self._look_at(self._fitting(self._view))

    def align(self, other: Viewport, *, follow: bool = False) -> None:
        """Show the same steps and rows as another roll."""
        if not follow:
            self._fits = False
            self._fits_rows = self._fits_rows and other.row_height == self._view.row_height
        self._look_at(self._view.beside(other))

    def reach(self, place: QPoint) -> None:
        """Scroll a little if a point that the mouse drags to is at or beyond an edge."""
        port = self.viewport()
        ends = ((place.x(), KEYBOARD_WIDTH, port.width()), (place.y(), RULER_HEIGHT, port.height()))
        dx, dy = (
            _ARROW_STEP if at >= last - 1 else -_ARROW_STEP if at < first else 0
            for at, first, last in ends
        )
        if dx or dy:
            self._scroll_by(dx, dy)

    # ------------------------------------------------------------------ zooming and scrolling

    def zoom(self, factor: float) -> None:
        """Zoom time around the middle."""
        self._zoom_at(factor, self._view.width / 2)

    @Slot()
    def fit(self) -> None:
        self._fits = self._fits_rows = True
        self._look_at(self._view.fitted())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the position; a piece that was fitted stays fitted, and so do its rows."""
        size = self.viewport().size()
        view = self._view.of_size(size.width() - KEYBOARD_WIDTH, size.height() - RULER_HEIGHT)
        self._look_at(self._fitting(view))
        super().resizeEvent(event)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        del dx, dy
        if self._sets_bars:
            return
        left, top = self.horizontalScrollBar().value(), self.verticalScrollBar().value()
        view = self._view
        self._look_at(
            view.moved(
                left=None if left == round(view.left) else left,
                top=None if top == round(view.top) else top,
            )
        )

    def wheelEvent(self, event: QWheelEvent) -> None:
        notches = (event.angleDelta().y() or event.angleDelta().x()) / _WHEEL_NOTCH
        place = event.position() - QPointF(KEYBOARD_WIDTH, RULER_HEIGHT)
        modifiers = event.modifiers()
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            factor = self.zoom_step**notches
            if modifiers & Qt.KeyboardModifier.ShiftModifier:
                self._fits_rows = False
                self._look_at(self._view.stretched(factor, place.y()))
            else:
                self._zoom_at(factor, place.x())
        else:
            self._wheel(event)
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Home:
                self._look_at(self._view.moved(left=0))
            case Qt.Key.Key_End:
                self._look_at(self._view.moved(left=self._view.content_width))
            case _:
                super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if event.button() == Qt.MouseButton.MiddleButton:
            self._dragged_from = event.position().toPoint()
            self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if self._dragged_from is None:
            return
        here = event.position().toPoint()
        delta, self._dragged_from = self._dragged_from - here, here
        self._scroll_by(delta.x(), delta.y())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.MiddleButton:
            self._dragged_from = None
            self.viewport().unsetCursor()

    # ------------------------------------------------------------------ inside

    def _look_at(self, view: Viewport) -> None:
        """Show another part and update the scroll bars."""
        if view != self._view:
            self._view = view
            self.view_changed.emit()
        self._sets_bars = True
        _show(self.horizontalScrollBar(), self._view.across)
        _show(self.verticalScrollBar(), self._view.down)
        self._sets_bars = False

    def _fitting(self, view: Viewport) -> Viewport:
        """Fit what the user has not zoomed: all of the piece, its rows, or nothing."""
        if self._fits:
            return view.fitted().moved(left=view.left)
        return view.with_fitted_rows() if self._fits_rows else view

    def _zoom_at(self, factor: float, x: float) -> None:
        self._fits = False
        self._look_at(self._view.zoomed(factor, max(x, 0)))

    def _wheel(self, event: QWheelEvent) -> None:
        """Scroll vertically; scroll in time with Shift or if all pitches are visible."""
        delta = event.angleDelta()
        tall = self._view.content_height > self._view.height + 1
        sideways = event.modifiers() & Qt.KeyboardModifier.ShiftModifier or not tall
        dx = delta.x() or (delta.y() if sideways else 0)
        self._scroll_by(-dx, 0 if sideways else -delta.y())

    def _scroll_by(self, dx: int, dy: int) -> None:
        """Scroll by pixels; a horizontal move stops following."""
        self._follows = self._follows and not dx
        self._look_at(self._view.moved(left=self._view.left + dx, top=self._view.top + dy))

    @Slot()
    def _stop_following(self) -> None:
        self._follows = False


def _show(bar: QScrollBar, extent: Extent) -> None:
    bar.setPageStep(extent.seen)
    bar.setSingleStep(_ARROW_STEP)
    rest = round(extent.whole - extent.seen)
    bar.setRange(0, rest if rest > 1 else 0)  # a pixel is from rounding: no bar for it
    bar.setValue(round(extent.hidden))
