"""Locks and rule violations, drawn on top of the notes of the piano roll.

A locked part of a note has a strong outline and, where there is room, a padlock. A note that
violates a rule has a triangle above its onset, and a dotted line to the other note involved.
Neither depends on colour alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPolygonF

from musicrel.presentation.roll.roll import RollNote
from musicrel.presentation.score.mark_positions import Link, MarkPositions
from musicrel.presentation.words.palette import Theme
from musicrel.ui.widgets.paint import fill_rounded, translucent

if TYPE_CHECKING:
    from musicrel.ui.roll.roll_layers import ViewState

Box = Callable[[RollNote], QRectF]
"""Maps a note to its rectangle among the lanes."""

_OUTLINE: Final = 1.6
_HATCH: Final = 0.236
_RADIUS: Final = 3.0
_LOCK_WIDTH, _LOCK_HEIGHT = 6.0, 7.5
_ROOM: Final = 24.0
"""Least width of a note with its letter and a padlock."""
_TRIANGLE: Final = 9.0
_MIN_TRIANGLE: Final = 5.0
_MIN_STEP_WIDTH: Final = 4.0
"""Below this width a note is marked with a dot."""
_DOT: Final = 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Decor:
    """Locks and marks of the notes of one picture."""

    locked: tuple[RollNote, ...] = ()
    marked: MarkPositions = field(default_factory=MarkPositions)  # the rule violations


def decorate(painter: QPainter, box: Box, decor: Decor, steps: range, shown: ViewState) -> None:
    """Draw the locks and marks on the visible part of ``steps``.

    Args:
        painter: active; (0, 0) is the upper left corner of the lanes.
    """
    seen = shown.view.seen_steps
    first, stop = max(seen.start, steps.start), min(seen.stop, steps.stop)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for part in decor.locked:
        if part.stop > first and part.start < stop:
            _locked(painter, box(part), shown.theme)
    wide = shown.view.step_width >= _MIN_STEP_WIDTH
    for link in decor.marked.links if wide else ():
        if first <= link.start < stop:
            _link(painter, box, link, shown.theme)
    for note in decor.marked.notes:
        if note.stop > first and note.start < stop:
            _triangle(painter, box(note), shown.theme)


def _locked(painter: QPainter, box: QRectF, theme: Theme) -> None:
    ink = QColor(theme.text)
    if box.width() < _MIN_STEP_WIDTH:
        painter.fillRect(box, ink)
        return
    inside = box.adjusted(0.5, 0.5, -0.5, -0.5)
    painter.setPen(QPen(ink, _OUTLINE))
    painter.setBrush(QBrush(translucent(theme.on_voice, _HATCH), Qt.BrushStyle.BDiagPattern))
    radius = min(_RADIUS, box.height() / 3)
    painter.drawRoundedRect(inside, radius, radius)
    if box.width() >= _ROOM and box.height() >= _LOCK_HEIGHT:
        corner = QPointF(box.right() - _LOCK_WIDTH - 4, box.center().y() - _LOCK_HEIGHT / 2)
        padlock(painter, corner, theme.on_voice)


def padlock(painter: QPainter, corner: QPointF, colour: str) -> None:
    """Draw a small padlock with its upper left corner at ``corner``."""
    middle = _LOCK_HEIGHT * 0.45
    painter.setPen(QPen(QColor(colour), 1.3))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    bow = QRectF(corner.x() + 1.2, corner.y(), _LOCK_WIDTH - 2.4, middle * 2)
    painter.drawArc(bow, 0, 180 * 16)
    body = QRectF(corner.x(), corner.y() + middle, _LOCK_WIDTH, _LOCK_HEIGHT - middle)
    fill_rounded(painter, body, 1, colour)


def _link(painter: QPainter, box: Box, link: Link, theme: Theme) -> None:
    upper = box(RollNote(link.start, link.stop, link.high, 0))
    lower = box(RollNote(link.start, link.stop, link.low, 0))
    painter.setPen(QPen(QColor(theme.on_warning), 1.4, Qt.PenStyle.DotLine))
    x = upper.left() + 2.5
    painter.drawLine(QLineF(x, upper.bottom(), x, lower.top()))


def _triangle(painter: QPainter, box: QRectF, theme: Theme) -> None:
    size = max(min(_TRIANGLE, box.height()), _MIN_TRIANGLE)
    left, foot = box.left() - 1.5, box.top() + 2
    if box.width() < _MIN_STEP_WIDTH:
        painter.fillRect(QRectF(left, foot - _DOT, _DOT, _DOT), QColor(theme.on_warning))
        return
    corners = (
        QPointF(left, foot), QPointF(left + size, foot), QPointF(left + size / 2, foot - size * 0.9)
    )  # fmt: skip
    painter.setPen(QPen(QColor(theme.lane), 1))
    painter.setBrush(QColor(theme.on_warning))
    painter.drawPolygon(QPolygonF(corners))
