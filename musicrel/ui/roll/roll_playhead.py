"""The playhead and the loop on the piano roll, and the mouse events that move them.

Both are thin widgets on top of the roll: when the playhead moves, only the strip it leaves and the
one it enters are repainted.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from musicrel.presentation.words.palette import LIGHT, Theme
from musicrel.ui.roll.roll_paint import KEYBOARD_WIDTH, RULER_HEIGHT
from musicrel.ui.roll.roll_view import RollView

RULER_TIP: Final = "Click to place the playhead, drag to set the loop"

_PLAYHEAD_WIDTH: Final = 13
"""Width of the playhead's triangle, and of its widget: odd, so that it has a middle."""
_HEAD_HEIGHT: Final = 9
_BAND: Final = 10
_BAND_ON: Final = 90
_BAND_OFF: Final = 60
_TINT: Final = 16


class RollPlayhead(QObject):
    """Playhead and loop of one roll.

    Args:
        roll: the view they lie on.

    Signals:
        seek_requested: a fractional step for the playhead; True if the ruler was clicked.
        loop_dragged: first and last step of a drag in the ruler.
        playhead_moved: the step of the playhead; None if it was removed.
    """

    seek_requested = Signal(float, bool)
    loop_dragged = Signal(float, float)
    playhead_moved = Signal(object)

    def __init__(self, roll: RollView) -> None:
        super().__init__(roll)
        self._roll = roll
        self._step: float | None = None
        self._region: tuple[float, float] | None = None
        self._pressed: QPoint | None = None
        self._drags = False
        self._band, self._playhead = _Band(roll.viewport()), _Playhead(roll.viewport())
        roll.viewport().installEventFilter(self)
        roll.view_changed.connect(self._update_geometry)

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of ``theme``."""
        self._band.theme = self._playhead.theme = theme
        self._band.update()
        self._playhead.update()

    def set_step(self, step: float | None) -> None:
        """Put the playhead at ``step``; None removes it."""
        moves, self._step = step != self._step, step
        self._place_playhead()
        if moves:
            self.playhead_moved.emit(step)

    def set_loop(self, region: tuple[float, float] | None, *, on: bool) -> None:
        """Show the loop.

        Args:
            region: first and last step; None hides the loop.
            on: True if playback repeats the region.
        """
        self._region, self._band.on = region, on
        self._band.update()
        self._place_band()

    @property
    def step(self) -> float | None:
        """Return the step of the playhead; None without one."""
        return self._step

    @property
    def region(self) -> tuple[float, float] | None:
        """Return the first and last step of the loop; None without one."""
        return self._region

    # ------------------------------------------------------------------ events

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle clicks and drags in the ruler, and clicks between notes."""
        del watched
        if isinstance(event, QMouseEvent):
            return self._mouse(event)
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            return self._tip(event)
        return False

    def _mouse(self, event: QMouseEvent) -> bool:
        left = Qt.MouseButton.LeftButton
        place = event.position().toPoint()
        match event.type():
            case QEvent.Type.MouseButtonPress if event.button() == left and self._seeks_at(place):
                self._pressed, self._drags = place, False
                return _in_ruler(place)
            case QEvent.Type.MouseMove if self._pressed is not None and event.buttons() & left:
                return self._moved(place)
            case QEvent.Type.MouseButtonRelease if event.button() == left:
                return self._released(place)
        return False

    def _seeks_at(self, place: QPoint) -> bool:
        """Return whether a press at ``place`` seeks: in the ruler, or where no note is."""
        if self._roll.picture is None or place.x() < KEYBOARD_WIDTH:
            return False
        return _in_ruler(place) or self._roll.note_at(place) is None

    def _moved(self, place: QPoint) -> bool:
        if self._pressed is None:
            return False
        distance = (place - self._pressed).manhattanLength()
        self._drags = self._drags or distance >= QApplication.startDragDistance()
        if self._drags and _in_ruler(self._pressed):
            self.loop_dragged.emit(self._step_at(self._pressed), self._step_at(place))
        return _in_ruler(self._pressed)

    def _released(self, place: QPoint) -> bool:
        pressed, self._pressed = self._pressed, None
        if pressed is None:
            return False
        if not self._drags:
            self.seek_requested.emit(self._step_at(place), _in_ruler(pressed))
        return _in_ruler(pressed)

    def _tip(self, event: QHelpEvent) -> bool:
        place = event.pos()
        if not _in_ruler(place) or not self._seeks_at(place):
            return False
        QToolTip.showText(event.globalPos(), RULER_TIP, self._roll)
        return True

    def _step_at(self, place: QPoint) -> float:
        step = self._roll.seen.step_at(place.x() - KEYBOARD_WIDTH)
        return min(max(step, 0.0), float(self._roll.seen.steps))

    # ------------------------------------------------------------------ layout

    @Slot()
    def _update_geometry(self) -> None:
        self._place_band()
        self._place_playhead()

    def _place_playhead(self) -> None:
        view = self._roll.seen
        x = view.x(self._step) if self._step is not None else -1.0
        seen = self._step is not None and -0.5 <= x <= view.width  # noqa: PLR2004  # half a pixel
        if seen:
            left = KEYBOARD_WIDTH + round(x) - _PLAYHEAD_WIDTH // 2
            self._playhead.setGeometry(left, 0, _PLAYHEAD_WIDTH, RULER_HEIGHT + view.height)
        self._playhead.setVisible(seen)

    def _place_band(self) -> None:
        view = self._roll.seen
        first, last = self._region or (0.0, 0.0)
        left, right = max(round(view.x(first)), 0), min(round(view.x(last)), view.width)
        seen = self._region is not None and left < right
        if seen:
            height = RULER_HEIGHT + view.height
            self._band.setGeometry(KEYBOARD_WIDTH + left, 0, right - left + 1, height)
        self._band.setVisible(seen)


class _Overlay(QWidget):
    """A widget on top of the roll that ignores the mouse."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = LIGHT
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()


class _Playhead(_Overlay):
    """The playhead: a vertical line below a triangle in the ruler."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the line and the triangle around the middle."""
        del event
        painter = QPainter(self)
        middle = self.width() // 2
        colour = QColor(self.theme.text)
        painter.fillRect(QRectF(middle - 0.25, RULER_HEIGHT - 1, 1.5, self.height()), colour)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        tip, foot = RULER_HEIGHT - 0.5, RULER_HEIGHT - _HEAD_HEIGHT
        corners = (QPointF(1, foot), QPointF(self.width() - 1, foot), QPointF(middle + 0.5, tip))
        painter.drawPolygon(QPolygonF(corners))
        painter.end()


class _Band(_Overlay):
    """The loop: a bar in the ruler, with a tint and two lines below it while it is on."""

    on = False

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bar from edge to edge."""
        del event
        painter = QPainter(self)
        painter.setPen(Qt.PenStyle.NoPen)
        colour = QColor(self.theme.accent if self.on else self.theme.quiet)
        strong, weak = QColor(colour), QColor(colour)
        strong.setAlpha(_BAND_ON if self.on else _BAND_OFF)
        weak.setAlpha(_TINT)
        painter.fillRect(QRectF(0, 0, self.width(), _BAND), strong)
        for x in (0, self.width() - 1):
            painter.fillRect(QRectF(x, 0, 1, self.height() if self.on else RULER_HEIGHT), colour)
        if self.on:
            painter.fillRect(QRectF(0, RULER_HEIGHT, self.width(), self.height()), weak)
        painter.end()


def _in_ruler(place: QPoint) -> bool:
    return place.y() < RULER_HEIGHT
