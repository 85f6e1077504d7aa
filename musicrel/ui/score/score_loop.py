"""The loop of playback on the engraved score: its ends are dragged, a click removes it.

It is set in the ruler of the roll, or with the selection.
"""

from __future__ import annotations

import bisect
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from musicrel.presentation.score.score_picture import SPACE
from musicrel.presentation.score.score_window import Spot
from musicrel.ui.score.score_view import ScoreView

_TOP, _FOOT = 5.4, 3.0
"""Edges of the strip with the bar of the loop, in staff spaces above the staves."""
_LEFT: Final = Qt.MouseButton.LeftButton
_REACH: Final = 1.2
"""Distance in staff spaces from an end of the loop within which it is dragged."""


class ScoreLoop(QObject):
    """The mouse on the bar of the loop above the systems of one score."""

    dragged = Signal(float, float)  # first and last step of the loop while an end of it is dragged
    clicked = Signal()

    def __init__(self, view: ScoreView) -> None:
        super().__init__(view)
        self._view = view
        self._pressed: QPoint | None = None
        self._anchor: float | None = None
        self._moves = False
        view.viewport().installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QMouseEvent):
            return False
        place = event.position().toPoint()
        match event.type():
            case QEvent.Type.MouseButtonPress if event.button() == _LEFT:
                return self._press(place)
            case QEvent.Type.MouseMove if self._pressed is not None:
                self._move(place)
                return True
            case QEvent.Type.MouseButtonRelease if self._pressed is not None:
                self._release()
                return True
        return False

    def _press(self, place: QPoint) -> bool:
        """Begin on the bar of the loop; return False elsewhere."""
        if not _is_on_loop(self._view, place):
            return False
        self._pressed, self._moves = place, False
        self._anchor = _other_end(self._view, place)
        return True

    def _move(self, place: QPoint) -> None:
        """Move the end that was pressed; the other one stays."""
        distance = (place - (self._pressed or place)).manhattanLength()
        self._moves = self._moves or distance >= QApplication.startDragDistance()
        spot = self._view.spot_at(place)
        if self._moves and self._anchor is not None and spot is not None:
            self.dragged.emit(self._anchor, _step(spot))

    def _release(self) -> None:
        self._pressed = None
        if not self._moves:
            self.clicked.emit()


def _is_on_loop(view: ScoreView, place: QPoint) -> bool:
    """Return True on the bar of the loop, where no note is."""
    spot = view.spot_at(place)
    if spot is None or view.loop is None or view.input_cursor is not None:
        return False
    above = (spot.system.staves[0].top - spot.y) / SPACE
    ends = _ends(spot, view.loop)
    near = bool(ends) and ends[0] - _REACH * SPACE <= spot.x <= ends[1] + _REACH * SPACE
    return near and _FOOT <= above <= _TOP and spot.head is None


def _other_end(view: ScoreView, place: QPoint) -> float | None:
    """Return the end of the loop that stays when the other one is dragged; None elsewhere."""
    spot = view.spot_at(place)
    if spot is None or view.loop is None or not _is_on_loop(view, place):
        return None
    first, last = view.loop
    left, right = _ends(spot, view.loop)
    if last <= spot.system.stop and abs(spot.x - right) <= _REACH * SPACE:
        return first
    if first >= spot.system.start and abs(spot.x - left) <= _REACH * SPACE:
        return last
    return None


def _ends(spot: Spot, loop: tuple[float, float]) -> tuple[float, ...]:
    """Return left and right of the bar of the loop on a system; empty if it is not on it."""
    band = spot.system.band(spot.system.staves[0].voices, int(loop[0]), int(loop[1]))
    return (band[0], band[2]) if band is not None else ()


def _step(spot: Spot) -> float:
    """Return the step at the point, interpolated between the columns of the system."""
    columns, x = spot.system.columns, spot.x + SPACE  # the bar begins a space before its column
    after = bisect.bisect_right(columns, x, key=lambda column: column.x)
    one, other = columns[max(after - 1, 0)], columns[min(after, len(columns) - 1)]
    share = (x - one.x) / (other.x - one.x) if other.x > one.x else 0.0
    return one.step + share * (other.step - one.step)
