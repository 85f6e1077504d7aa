"""An engraved score: its ink, the places of its notes, and its painter.

Lengths are those of the engraver: ``SPACE`` is the distance of two staff lines, x grows to the
right, y downwards. Every system has its own y; views stack them. Steps are sixteenths from 0,
ranges half-open.
"""

from __future__ import annotations

import bisect
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QTransform

from musicrel.chorale import Voice
from musicrel.figures.paint import draw_numeral
from musicrel.score.editing.notes import Note
from musicrel.score.editing.selection import Selection

SPACE: Final = 180.0  # distance of two staff lines
BETWEEN: Final = 2.5 * SPACE  # distance of two systems
REACH: Final = 1.1 * SPACE  # distance from the centre of a head within which it is hit


class Owner(NamedTuple):
    """The owner of ink: the head or rest of ``voice`` that begins at ``start``."""

    voice: int
    start: int


class Glyph(NamedTuple):
    """A glyph of the music font, its origin at a point."""

    name: str
    path: QPainterPath
    x: float
    y: float
    scale: float
    owner: Owner | None = None


class Stroke(NamedTuple):
    x1: float
    y1: float
    x2: float
    y2: float
    width: float
    owner: Owner | None = None


class Shape(NamedTuple):
    """A filled outline; ``width`` is that of its stroke."""

    path: QPainterPath
    width: float = 0.0
    owner: Owner | None = None


class Words(NamedTuple):
    text: str
    x: float
    y: float
    size: float
    anchor: str = "start"
    style: str = ""
    owner: None = None


Ink: TypeAlias = Glyph | Stroke | Shape | Words


class Head(NamedTuple):
    """A note head; a tied note has several."""

    note: Note
    start: int  # first step of the head
    stop: int  # the step after its last
    x: float
    y: float

    @property
    def voice(self) -> int:
        return self.note.voice


class Column(NamedTuple):
    step: float
    x: float


_HALF: Final = SPACE / 2  # distance of two degrees
_STAFF_DEGREES: Final = 8  # degrees between the outer lines of a staff
_TREBLE, _TREBLE_8, _BASS = 30, 23, 18  # degrees of the lowest lines: E4, E3, G2
_BOTTOM_LINES: Final[Mapping[tuple[int, ...], int]] = {
    (Voice.SOPRANO, Voice.ALTO): _TREBLE,
    (Voice.TENOR, Voice.BASS): _BASS,
    (Voice.SOPRANO,): _TREBLE,
    (Voice.ALTO,): _TREBLE,
    (Voice.TENOR,): _TREBLE_8,
    (Voice.BASS,): _BASS,
}


class Staff(NamedTuple):
    top: float
    bottom: float
    voices: tuple[int, ...]

    def degree_at(self, y: float) -> int:
        return _BOTTOM_LINES[self.voices] + round((self.bottom - y) / _HALF)

    def y_of(self, degree: int) -> float:
        """Return the height of a degree: the centre of its heads."""
        return self.bottom - (degree - _BOTTOM_LINES[self.voices]) * _HALF

    def ledger_lines(self, degree: int) -> list[float]:
        """Return the heights of the ledger lines that a head needs, from the staff outwards."""
        bottom = _BOTTOM_LINES[self.voices]
        top = bottom + _STAFF_DEGREES
        lines = [*range(top + 2, degree + 1, 2), *range(bottom - 2, degree - 1, -2)]
        return [self.y_of(line) for line in lines]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class System:
    ink: tuple[Ink, ...]  # everything drawn
    heads: tuple[Head, ...]  # in no order
    staves: tuple[Staff, ...]  # from top to bottom
    columns: tuple[Column, ...]  # by step; the first is its beginning, the last its end
    lines: tuple[Column, ...]  # bar lines: first step of each bar, and the end of the last
    top: float  # upper edge of its ink
    bottom: float  # lower edge of its ink
    right: float  # right edge of its ink

    @property
    def start(self) -> int:
        return int(self.columns[0].step)

    @property
    def stop(self) -> int:
        return int(self.columns[-1].step)

    @property
    def height(self) -> float:
        return self.bottom - self.top

    def x_at(self, step: float) -> float:
        steps, places = zip(*self.columns, strict=True)
        return float(np.interp(step, steps, places))

    def time_at(self, x: float) -> float:
        """Return the time at an x position; a bar begins a space before its column."""
        steps, places = zip(*self.columns, strict=True)
        return float(np.interp(x + SPACE, places, steps))

    def staff_of(self, voice: int) -> Staff:
        return next(staff for staff in self.staves if voice in staff.voices)

    def bar_at(self, x: float) -> tuple[int, int]:
        after = bisect.bisect_right(self.lines, x, key=lambda line: line.x)
        place = min(max(after - 1, 0), len(self.lines) - 2)
        return int(self.lines[place].step), int(self.lines[place + 1].step)

    def step_at(self, x: float, grid: int | None = None) -> int:
        """Return the nearest step of the bar at ``x`` that has a column or is on a grid.

        Args:
            grid: steps between two points of the grid, counted from the bar line; None: none.
        """
        first, last = self.bar_at(x)
        found = {int(column.step) for column in self.columns if first <= column.step < last}
        found |= {*range(first, last, grid)} if grid else set()
        return min(sorted(found or {first}), key=lambda step: abs(self.x_at(step) - x))

    def head_at(self, x: float, y: float, reach: float = REACH) -> Head | None:
        away = {head: max(abs(head.x - x), abs(head.y - y) * 1.3) for head in self.heads}
        nearest = min(away, key=away.__getitem__, default=None)
        return nearest if nearest is not None and away[nearest] <= reach else None

    def sounding(self, step: float) -> tuple[Head, ...]:
        return tuple(head for head in self.heads if head.start <= step < head.stop)

    def selected(self, selection: Selection) -> tuple[Head, ...]:
        return tuple(filter(selection.touches, self.heads))

    def band(self, voices: Iterable[int], start: int, stop: int) -> QRectF | None:
        """Return the rectangle of a passage; None if it is not on this system."""
        chosen = frozenset(voices)
        staves = [staff for staff in self.staves if chosen & {*staff.voices}]
        start, stop = max(start, self.start), min(stop, self.stop)
        if start >= stop or not staves:
            return None
        left, right = self.x_at(start) - SPACE, self.x_at(stop) - SPACE
        top, bottom = staves[0].top - 2 * SPACE, staves[-1].bottom + 2 * SPACE
        return QRectF(left, top, max(right - left, SPACE), bottom - top)


@dataclass(frozen=True, kw_only=True, eq=False)
class Score:
    systems: tuple[System, ...] = ()  # in order, without gaps
    width: float  # of the page it was engraved for

    @cached_property
    def tops(self) -> tuple[float, ...]:
        tops = [BETWEEN]
        for system in self.systems:
            tops.append(tops[-1] + system.height + BETWEEN)
        return tuple(tops)

    @cached_property
    def widest(self) -> float:
        return max([self.width, *(system.right for system in self.systems)])

    @property
    def stop(self) -> int:
        """Step after the last one that is engraved: 0 as long as there is no system."""
        return self.systems[-1].stop if self.systems else 0

    def system_of(self, step: float) -> int | None:
        """Return the index of the system of ``step``; after the end, the last one."""
        found = bisect.bisect_right(self.systems, step, key=lambda system: system.start) - 1
        return found if found >= 0 else None


# ------------------------------------------------------------------------------- the painter

FAMILIES: Final = ["Times New Roman", "Times", "Liberation Serif", "Noto Serif", "DejaVu Serif"]
"""Fonts for text in a score, in order of preference."""
NUMERAL: Final = 88
"""Size of a Roman numeral in percent of what Verovio left room for: our fonts may be wider."""
_TIMES: Final = 11.94
"""Width of the letters a to z in Times, for which Verovio leaves room, in sizes of the type."""


class ScorePainter:
    """A painter of systems.

    Args:
        scale: pixels, or dots on paper, per unit of the score.
        snaps: True aligns straight lines to whole pixels, at least one pixel wide.
    """

    def __init__(self, painter: QPainter, scale: float, colour: QColor, *, snaps: bool) -> None:
        self._painter, self._scale, self._colour, self._snaps = painter, scale, colour, snaps

    def paint(self, system: System, corner: QPointF, only: Collection[Owner] | None = None) -> None:
        """Paint a system, the corner of its ink at a point; of some owners, only their ink."""
        self._origin = QPointF(corner.x(), corner.y() - system.top * self._scale)
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for ink in system.ink:
            if only is None or ink.owner in only:
                self._ink(ink)

    def _ink(self, ink: Ink) -> None:
        painter, scale = self._painter, self._scale
        match ink:
            case Glyph():
                path = self._placed(ink.path, ink.x, ink.y, ink.scale)
                painter.fillPath(path, self._colour)
            case Stroke():
                self._stroke(ink)
            case Shape():
                pen = QPen(self._colour, ink.width * scale) if ink.width else Qt.PenStyle.NoPen
                painter.setPen(pen)
                painter.setBrush(self._colour)
                painter.drawPath(self._placed(ink.path))
            case Words():
                self._words(ink)

    def _stroke(self, ink: Stroke) -> None:
        one, other = self._point(ink.x1, ink.y1), self._point(ink.x2, ink.y2)
        box, width = QRectF(one, other).normalized(), ink.width * self._scale
        if ink.y1 == ink.y2:
            top, height = self._snapped(one.y(), width)
            self._painter.fillRect(QRectF(box.x(), top, box.width(), height), self._colour)
        elif ink.x1 == ink.x2:
            left, across = self._snapped(one.x(), width)
            self._painter.fillRect(QRectF(left, box.y(), across, box.height()), self._colour)
        else:
            self._painter.setPen(QPen(self._colour, width))
            self._painter.drawLine(one, other)

    def _snapped(self, middle: float, width: float) -> tuple[float, float]:
        if not self._snaps:
            return middle - width / 2, width
        whole = max(round(width), 1)
        return float(round(middle - whole / 2)), float(whole)

    def _words(self, ink: Words) -> None:
        """Draw text; fonts come in whole pixels, so a large one is scaled down."""
        painter, font = self._painter, serif(100)
        font.setItalic(ink.style == "italic")
        font.setBold(ink.style == "bold")
        wide = QFontMetricsF(font).horizontalAdvance(ink.text)
        left = {"end": wide, "middle": wide / 2}.get(ink.anchor, 0.0)
        size = ink.size * self._scale / 100
        if ink.style == "lyric":
            letters = QFontMetricsF(font).horizontalAdvance(ascii_lowercase)
            size *= min(100 * _TIMES / letters, 1)
        painter.save()
        painter.translate(self._point(ink.x, ink.y))
        painter.scale(size, size)
        painter.setFont(font)
        painter.setPen(self._colour)
        if ink.style == "numeral":
            draw_numeral(painter, QPointF(), ink.text, serif(NUMERAL))
        else:
            painter.drawText(QPointF(-left, 0), ink.text)
        painter.restore()

    def _point(self, x: float, y: float) -> QPointF:
        return self._origin + QPointF(x, y) * self._scale

    def _placed(
        self, path: QPainterPath, x: float = 0.0, y: float = 0.0, scale: float = 1.0
    ) -> QPainterPath:
        place, scale = self._point(x, y), scale * self._scale
        return QTransform(scale, 0, 0, scale, place.x(), place.y()).map(path)


def serif(pixels: int) -> QFont:
    font = QFont(FAMILIES)
    font.setStyleHint(QFont.StyleHint.Serif)
    font.setPixelSize(pixels)
    return font
