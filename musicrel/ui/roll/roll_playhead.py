"""The playhead and the loop on the piano roll, and the mouse events that move them.

A drag in the ruler sets the loop, at one of its ends only that end; a click on its bar removes it.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPolygonF

from musicrel.ui.roll.roll_overlay import Overlay
from musicrel.ui.roll.roll_paint import KEYBOARD_WIDTH, NUMBERS_HEIGHT, RULER_HEIGHT
from musicrel.ui.roll.roll_view import RollView
from musicrel.ui.widgets.paint import translucent
from musicrel.ui.widgets.stylesheet import current_theme

_PLAYHEAD_WIDTH: Final = 13
"""Width of the playhead's triangle, and of its widget: odd, so that it has a middle."""
_HEAD_HEIGHT: Final = 9
_BAND: Final = 10
_HANDLE: Final = 6
"""Distance in pixels from an end of the loop within which it is dragged."""
_GRIP: Final = 3
_BAND_ON: Final = 0.353
_BAND_OFF: Final = 0.236
_TINT: Final = 0.063


class RollPlayhead(QObject):
    # a fractional step for the playhead; True if the ruler was clicked
    seek_requested = Signal(float, bool)
    loop_dragged = Signal(float, float)  # first and last step of a drag in the ruler
    loop_clicked = Signal()
    loop_shown = Signal(object)  # first and last step of the loop that is on; None: none
    playhead_moved = Signal(object)  # the step of the playhead; None if it was removed

    def __init__(self, roll: RollView) -> None:
        super().__init__(roll)
        self._roll = roll
        self._band, self._playhead = _Band(roll), _Playhead(roll)
        self._drag: tuple[QPoint, float] | None = None
        roll.clicked.connect(self._on_click)
        roll.dragged.connect(self._on_drag)
        roll.dropped.connect(self._on_drop)
        roll.viewport().installEventFilter(self)

    def set_step(self, step: float | None) -> None:
        """Put the playhead at ``step``; None removes it."""
        moves, self._playhead.step = step != self._playhead.step, step
        self._playhead.rearrange()
        if moves:
            self.playhead_moved.emit(step)

    def set_loop(self, region: tuple[float, float] | None, *, on: bool) -> None:
        """Show the loop.

        Args:
            region: first and last step; None hides the loop.
            on: True if playback repeats the region.
        """
        self._band.region, self._band.on = region, on
        self._band.update()
        self._band.rearrange()
        self.loop_shown.emit(region if on else None)

    @property
    def step(self) -> float | None:
        """Return the step of the playhead; None without one."""
        return self._playhead.step

    @property
    def region(self) -> tuple[float, float] | None:
        """Return the first and last step of the loop; None without one."""
        return self._band.region

    @Slot(QPoint)
    def _on_click(self, place: QPoint) -> None:
        """Seek in the ruler, or where no note is; on the bar of the loop, remove it."""
        if self._roll.picture is None or place.x() < KEYBOARD_WIDTH:
            return
        if self._is_on_bar(place):
            self.loop_clicked.emit()
        elif _in_ruler(place) or self._roll.note_at(place) is None:
            self.seek_requested.emit(self._step_at(place), _in_ruler(place))

    @Slot(QPoint, QPoint)
    def _on_drag(self, start: QPoint, place: QPoint) -> None:
        if self._roll.picture is None or start.x() < KEYBOARD_WIDTH or not _in_ruler(start):
            return
        if self._drag is None or self._drag[0] != start:
            end = self._end_at(start)
            anchor = self._step_at(start) if end is None else (self.region or (0.0, 0.0))[1 - end]
            self._drag = (start, anchor)
        self.loop_dragged.emit(self._drag[1], self._step_at(place))

    @Slot()
    def _on_drop(self) -> None:
        self._drag = None

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.MouseMove and isinstance(event, QMouseEvent):
            place = event.position().toPoint()
            if _in_ruler(place) and (self._drag is not None or self._end_at(place) is not None):
                self._roll.viewport().setCursor(Qt.CursorShape.SplitHCursor)
            elif _in_ruler(place):
                self._roll.viewport().unsetCursor()
        return False

    def _end_at(self, place: QPoint) -> int | None:
        """Return 0 or 1 near the first or last step of the loop; None elsewhere."""
        if self.region is None:
            return None
        distances = [
            abs(place.x() - KEYBOARD_WIDTH - self._roll.seen.x(step)) for step in self.region
        ]
        nearest = distances.index(min(distances))
        return nearest if distances[nearest] <= _HANDLE else None

    def _is_on_bar(self, place: QPoint) -> bool:
        """Return True on the bar of the loop."""
        if self.region is None or not 0 <= place.y() < _BAND:
            return False
        first, last = self.region
        return first <= self._roll.seen.step_at(place.x() - KEYBOARD_WIDTH) <= last

    def _step_at(self, place: QPoint) -> float:
        step = self._roll.seen.step_at(place.x() - KEYBOARD_WIDTH)
        return min(max(step, 0.0), float(self._roll.seen.steps))


class _Playhead(Overlay):
    """The playhead: a vertical line below a triangle in the ruler."""

    step: float | None = None

    @Slot()
    def rearrange(self) -> None:
        view = self.roll.seen
        x = view.x(self.step) if self.step is not None else -1.0
        seen = -0.5 <= x <= view.width  # noqa: PLR2004  # half a pixel
        if seen:
            left = KEYBOARD_WIDTH + round(x) - _PLAYHEAD_WIDTH // 2
            self.setGeometry(left, 0, _PLAYHEAD_WIDTH, RULER_HEIGHT + view.height)
        self.setVisible(seen)

    def paintEvent(self, _event: QPaintEvent) -> None:
        middle, colour = self.width() // 2, QColor(current_theme().text)
        tip, foot = NUMBERS_HEIGHT - 0.5, NUMBERS_HEIGHT - _HEAD_HEIGHT
        corners = (QPointF(1, foot), QPointF(self.width() - 1, foot), QPointF(middle + 0.5, tip))
        with QPainter(self) as painter:
            painter.fillRect(QRectF(middle - 0.25, NUMBERS_HEIGHT - 1, 1.5, self.height()), colour)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawPolygon(QPolygonF(corners))


class _Band(Overlay):
    """The loop: a bar in the ruler, with a tint and two lines below it while it is on."""

    region: tuple[float, float] | None = None
    on = False

    @Slot()
    def rearrange(self) -> None:
        view = self.roll.seen
        first, last = self.region or (0.0, 0.0)
        left, right = max(round(view.x(first)), 0), min(round(view.x(last)), view.width)
        height = RULER_HEIGHT + view.height
        self.setGeometry(KEYBOARD_WIDTH + left, 0, right - left + 1, height)
        self.setVisible(left < right)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, on = current_theme(), self.on
        colour = theme.accent if on else theme.quiet
        strong = translucent(colour, _BAND_ON if on else _BAND_OFF)
        with QPainter(self) as painter:
            painter.fillRect(QRectF(0, 0, self.width(), _BAND), strong)
            for left in (0, self.width() - _GRIP):
                painter.fillRect(QRectF(left, 0, _GRIP, _BAND), QColor(colour))
            for x in (0, self.width() - 1):
                line = QRectF(x, 0, 1, self.height() if on else RULER_HEIGHT)
                painter.fillRect(line, QColor(colour))
            if on:
                below = QRectF(0, RULER_HEIGHT, self.width(), self.height())
                painter.fillRect(below, translucent(colour, _TINT))


def _in_ruler(place: QPoint) -> bool:
    return place.y() < RULER_HEIGHT
