"""An engraved score as plain data: ink on systems, and the positions of notes.

Lengths are those of the engraver: ``SPACE`` is the distance of two staff lines, x grows to the
right, y downwards. Every system has its own y; views stack them. Steps are sixteenths from 0,
ranges half-open.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

from musicrel.chorale import Voice
from musicrel.editing.notes import Note

SPACE: Final = 180.0  # distance of two staff lines
BETWEEN: Final = 2.5 * SPACE  # distance of two systems
_REACH: Final = 1.1 * SPACE  # distance from the centre of a head within which it is hit

# A segment: move to a point, line to a point, cubic Bézier curve by three points, close
Segment: TypeAlias = tuple[Literal["M", "L", "C", "Z"], tuple[float, ...]]
Outline: TypeAlias = tuple[Segment, ...]


class Owner(NamedTuple):
    """The owner of ink: the head or rest of ``voice`` that begins at ``start``."""

    voice: int
    start: int


class Glyph(NamedTuple):
    """A glyph of the music font, its origin at a point."""

    name: str
    x: float
    y: float
    scale: float
    owner: Owner | None = None


class Stroke(NamedTuple):
    """A straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    width: float
    owner: Owner | None = None


class Shape(NamedTuple):
    """A filled outline; ``width`` is that of its stroke."""

    outline: Outline
    width: float = 0.0
    owner: Owner | None = None


class Words(NamedTuple):
    """Text on a baseline."""

    text: str
    x: float
    y: float
    size: float
    anchor: str = "start"
    style: str = ""


Ink: TypeAlias = Glyph | Stroke | Shape | Words


class Head(NamedTuple):
    """A note head; a tied note has several."""

    note: Note
    start: int  # first step of the head
    stop: int  # the step after its last
    x: float
    y: float


class Column(NamedTuple):
    """The x position of a step."""

    step: float
    x: float


_HALF: Final = SPACE / 2  # distance of two degrees
_STAFF_DEGREES: Final = 8  # degrees between the outer lines of a staff
_TREBLE: Final = 30
_TREBLE_8: Final = 23
_BASS: Final = 18
# the voices of a staff, and the degree of its lowest line: E4, E3 or G2
_BOTTOM_LINES: Final[Mapping[tuple[int, ...], int]] = {
    (Voice.SOPRANO, Voice.ALTO): _TREBLE,
    (Voice.TENOR, Voice.BASS): _BASS,
    (Voice.SOPRANO,): _TREBLE,
    (Voice.ALTO,): _TREBLE,
    (Voice.TENOR,): _TREBLE_8,
    (Voice.BASS,): _BASS,
}


class Staff(NamedTuple):
    """A staff: its outer lines and its voices."""

    top: float
    bottom: float
    voices: tuple[int, ...]

    def degree_at(self, y: float) -> int:
        """Return the degree nearest to a height."""
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
        """Return the step after the last."""
        return int(self.columns[-1].step)

    @property
    def height(self) -> float:
        return self.bottom - self.top

    def x_at(self, step: float) -> float:
        """Return the x position of a time in steps, interpolated between columns."""
        after = bisect.bisect_right(self.columns, step, key=lambda column: column.step)
        if after == 0:
            return self.columns[0].x
        if after == len(self.columns):
            return self.columns[-1].x
        one, other = self.columns[after - 1], self.columns[after]
        return one.x + (other.x - one.x) * (step - one.step) / (other.step - one.step)

    def staff_of(self, voice: int) -> Staff:
        return next(staff for staff in self.staves if voice in staff.voices)

    def bar_at(self, x: float) -> tuple[int, int]:
        """Return the first step of the bar at ``x`` and that of the next."""
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

    def head_at(self, x: float, y: float) -> Head | None:
        """Return the head nearest to a point, if any is in reach."""
        near = [head for head in self.heads if _distance(head, x, y) <= _REACH]
        return min(near, key=lambda head: _distance(head, x, y), default=None)

    def sounding(self, step: float) -> tuple[Head, ...]:
        return tuple(head for head in self.heads if head.start <= step < head.stop)

    def selected(self, voices: Iterable[int], start: int, stop: int) -> tuple[Head, ...]:
        """Return the heads of these voices within a range of steps."""
        chosen = frozenset(voices)
        return tuple(
            head
            for head in self.heads
            if head.note.voice in chosen and head.start < stop and head.stop > start
        )

    def band(self, voices: Iterable[int], start: int, stop: int) -> tuple[float, ...] | None:
        """Return left, top, right and bottom of a passage; None if it is not on this system."""
        chosen = frozenset(voices)
        staves = [staff for staff in self.staves if chosen & {*staff.voices}]
        start, stop = max(start, self.start), min(stop, self.stop)
        if start >= stop or not staves:
            return None
        left, right = self.x_at(start) - SPACE, self.x_at(stop) - SPACE
        top, bottom = min(staff.top for staff in staves), max(staff.bottom for staff in staves)
        return left, top - 2 * SPACE, max(right, left + SPACE), bottom + 2 * SPACE


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Score:
    systems: tuple[System, ...] = ()  # in order, without gaps
    outlines: Mapping[str, Outline]  # of the glyphs, by name
    width: float  # of the page it was engraved for

    @property
    def tops(self) -> tuple[float, ...]:
        tops = [BETWEEN]
        for system in self.systems:
            tops.append(tops[-1] + system.height + BETWEEN)
        return tuple(tops)

    @property
    def widest(self) -> float:
        return max([self.width, *(system.right for system in self.systems)])

    def system_of(self, step: float) -> int | None:
        """Return the index of the system of ``step``; after the end, the last one."""
        found = bisect.bisect_right(self.systems, step, key=lambda system: system.start) - 1
        return found if found >= 0 else None

    def joined(self, other: Score) -> Score:
        """Append ``other`` below."""
        return Score(
            systems=self.systems + other.systems,
            outlines={**self.outlines, **other.outlines},
            width=max(self.width, other.width),
        )


def _distance(head: Head, x: float, y: float) -> float:
    return max(abs(head.x - x), abs(head.y - y) * 1.3)
