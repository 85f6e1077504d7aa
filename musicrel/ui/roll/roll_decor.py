"""What is drawn on top of notes: that they are locked, and that they break a rule.

A locked part of a note has a strong outline and, where there is room, a padlock; a note at fault
has a triangle above its beginning, and a dotted line goes to the note it is at fault with. So
neither is told by colour alone. This file knows strokes; which notes these are stands in
``musicrel.presentation``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPolygonF

from musicrel.presentation.roll.roll import RollNote
from musicrel.presentation.score.mark_positions import Link, Marked
from musicrel.presentation.words.palette import Theme

if TYPE_CHECKING:
    from musicrel.ui.roll.roll_layers import Shown

Box = Callable[[RollNote], QRectF]
"""Where a note lies among the lanes."""

_OUTLINE: Final = 1.6
_HATCH: Final = 60
_RADIUS: Final = 3.0
_LOCK_WIDTH, _LOCK_HEIGHT = 6.0, 7.5
_ROOM: Final = 24.0
"""Width of a note that has room for its letter and a padlock."""
_TRIANGLE: Final = 9.0
_SMALLEST: Final = 5.0
_NARROWEST: Final = 4.0
"""Width of a note below which there is room for a dot alone."""
_DOT: Final = 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Decor:
    """What is drawn on top of the notes of one picture.

    Attributes:
        locked: the locked parts of notes.
        marked: what breaks a rule.
    """

    locked: tuple[RollNote, ...] = ()
    marked: Marked = field(default_factory=Marked)


PLAIN: Final = Decor()


def decorate(painter: QPainter, box: Box, decor: Decor, steps: range, shown: Shown) -> None:
    """Draw what lies on ``steps`` and is seen.

    Args:
        painter: active; (0, 0) is the lanes' corner.
        box: where a note lies.
        decor: what there is.
        steps: those that are drawn again.
        shown: the part that is seen, and the colours.
    """
    seen = shown.view.seen_steps
    first, stop = max(seen.start, steps.start), min(seen.stop, steps.stop)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for part in decor.locked:
        if part.stop > first and part.start < stop:
            _locked(painter, box(part), shown.theme)
    wide = shown.view.step_width >= _NARROWEST
    for link in decor.marked.links if wide else ():
        if first <= link.start < stop:
            _link(painter, box, link, shown.theme)
    for note in decor.marked.notes:
        if note.stop > first and note.start < stop:
            _triangle(painter, box(note), shown.theme)


def _locked(painter: QPainter, box: QRectF, theme: Theme) -> None:
    ink = QColor(theme.text)
    if box.width() < _NARROWEST:
        painter.fillRect(box, ink)
        return
    inside = box.adjusted(0.5, 0.5, -0.5, -0.5)
    shade = QColor(theme.on_voice)
    shade.setAlpha(_HATCH)
    painter.setPen(QPen(ink, _OUTLINE))
    painter.setBrush(QBrush(shade, Qt.BrushStyle.BDiagPattern))
    radius = min(_RADIUS, box.height() / 3)
    painter.drawRoundedRect(inside, radius, radius)
    if box.width() >= _ROOM and box.height() >= _LOCK_HEIGHT:
        corner = QPointF(box.right() - _LOCK_WIDTH - 4, box.center().y() - _LOCK_HEIGHT / 2)
        padlock(painter, corner, theme.on_voice)


def padlock(painter: QPainter, corner: QPointF, colour: str) -> None:
    """A small padlock whose upper left corner is ``corner``."""
    ink, middle = QColor(colour), _LOCK_HEIGHT * 0.45
    painter.setPen(QPen(ink, 1.3))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    bow = QRectF(corner.x() + 1.2, corner.y(), _LOCK_WIDTH - 2.4, middle * 2)
    painter.drawArc(bow, 0, 180 * 16)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink)
    body = QRectF(corner.x(), corner.y() + middle, _LOCK_WIDTH, _LOCK_HEIGHT - middle)
    painter.drawRoundedRect(body, 1, 1)


def _link(painter: QPainter, box: Box, link: Link, theme: Theme) -> None:
    upper = box(RollNote(link.start, link.stop, link.high, 0))
    lower = box(RollNote(link.start, link.stop, link.low, 0))
    pen = QPen(QColor(theme.on_warning), 1.4, Qt.PenStyle.DotLine)
    painter.setPen(pen)
    x = upper.left() + 2.5
    painter.drawLine(QLineF(x, upper.bottom(), x, lower.top()))


def _triangle(painter: QPainter, box: QRectF, theme: Theme) -> None:
    size = max(min(_TRIANGLE, box.height()), _SMALLEST)
    left, foot = box.left() - 1.5, box.top() + 2
    if box.width() < _NARROWEST:
        painter.fillRect(QRectF(left, foot - _DOT, _DOT, _DOT), QColor(theme.on_warning))
        return
    corners = (
        QPointF(left, foot), QPointF(left + size, foot), QPointF(left + size / 2, foot - size * 0.9)
    )  # fmt: skip
    painter.setPen(QPen(QColor(theme.lane), 1))
    painter.setBrush(QColor(theme.on_warning))
    painter.drawPolygon(QPolygonF(corners))
