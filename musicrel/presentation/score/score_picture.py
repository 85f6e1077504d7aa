"""An engraved piece as plain data: ink on systems, and which note stands where.

Lengths are those of the engraver: ``SPACE`` is the room between two staff lines, x grows to the
right, y downwards. Every system has a y of its own; whoever shows several says where each begins.
Steps are sixteenths from 0, ranges half-open.

This file knows ink, notes and time; it knows nothing of who engraved it, of pixels or of Qt.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

from musicrel.presentation.roll.roll import RollNote

SPACE: Final = 180.0
"""Room between two staff lines."""
BETWEEN: Final = 2.5 * SPACE
"""Room between two systems."""
_REACH: Final = 1.1 * SPACE
"""How far from the middle of a head it can be hit."""

Segment: TypeAlias = tuple[Literal["M", "L", "C", "Z"], tuple[float, ...]]
"""A piece of an outline: begin at a point, a line to it, a Bézier curve by three, close."""
Outline: TypeAlias = tuple[Segment, ...]


class Owner(NamedTuple):
    """Whose ink it is: the head or rest that ``voice`` begins at ``start``."""

    voice: int
    start: int


class Glyph(NamedTuple):
    """A sign of the music font, its origin at a point."""

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
    """A filled outline; ``width`` is that of its rim."""

    outline: Outline
    width: float = 0.0
    owner: Owner | None = None


class Words(NamedTuple):
    """Text on a base line."""

    text: str
    x: float
    y: float
    size: float
    anchor: str = "start"
    style: str = ""


Ink: TypeAlias = Glyph | Stroke | Shape | Words


class Head(NamedTuple):
    """A note head; a note that is tied has several.

    Attributes:
        note: the whole note.
        start: the step the head begins at.
        stop: the step after its last.
        x: its middle.
        y: its middle.
    """

    note: RollNote
    start: int
    stop: int
    x: float
    y: float


class Column(NamedTuple):
    """Where a step stands."""

    step: float
    x: float


class Staff(NamedTuple):
    """Its outer lines, and who reads it."""

    top: float
    bottom: float
    voices: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class System:
    """One line of a score.

    Attributes:
        ink: all that is drawn.
        heads: in no order.
        staves: from the upper to the lower.
        columns: by step; the first is where it begins, the last where its music is over.
        lines: the steps its bars begin at, and where the last one ends, with their x.
        top: upper edge of its ink.
        bottom: lower edge of its ink.
        right: right edge of its ink.
    """

    ink: tuple[Ink, ...]
    heads: tuple[Head, ...]
    staves: tuple[Staff, ...]
    columns: tuple[Column, ...]
    lines: tuple[Column, ...]
    top: float
    bottom: float
    right: float

    @property
    def start(self) -> int:
        """Its first step."""
        return int(self.columns[0].step)

    @property
    def stop(self) -> int:
        """The step after its last."""
        return int(self.columns[-1].step)

    @property
    def height(self) -> float:
        """Of its ink."""
        return self.bottom - self.top

    def x_at(self, step: float) -> float:
        """Where a moment stands, between two columns in proportion."""
        after = bisect.bisect_right(self.columns, step, key=lambda column: column.step)
        if after == 0:
            return self.columns[0].x
        if after == len(self.columns):
            return self.columns[-1].x
        one, other = self.columns[after - 1], self.columns[after]
        return one.x + (other.x - one.x) * (step - one.step) / (other.step - one.step)

    def step_at(self, x: float) -> int:
        """The step of the column nearest to ``x`` in the bar that is there."""
        bar = max(bisect.bisect_right(self.lines, x, key=lambda line: line.x) - 1, 0)
        bar = min(bar, len(self.lines) - 2)
        first, last = self.lines[bar].step, self.lines[bar + 1].step
        inside = [column for column in self.columns if first <= column.step < last]
        nearest = min(inside, key=lambda column: abs(column.x - x), default=self.lines[bar])
        return int(nearest.step)

    def head_at(self, x: float, y: float) -> Head | None:
        """The head at a point, the nearest one where several are in reach."""
        near = [head for head in self.heads if _distance(head, x, y) <= _REACH]
        return min(near, key=lambda head: _distance(head, x, y), default=None)

    def sounding(self, step: float) -> tuple[Head, ...]:
        """The heads that sound at ``step``."""
        return tuple(head for head in self.heads if head.start <= step < head.stop)

    def selected(self, voices: Iterable[int], start: int, stop: int) -> tuple[Head, ...]:
        """The heads of these voices within a range of steps."""
        chosen = frozenset(voices)
        return tuple(
            head
            for head in self.heads
            if head.note.voice in chosen and head.start < stop and head.stop > start
        )

    def band(self, voices: Iterable[int], start: int, stop: int) -> tuple[float, ...] | None:
        """Left, top, right and bottom of some voices over some time; None: not on this system."""
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
    """Some systems, one below the other.

    Attributes:
        systems: in order; they follow each other in time without a gap.
        outlines: the signs they use, by name.
        width: of the page they were engraved for.
    """

    systems: tuple[System, ...] = ()
    outlines: Mapping[str, Outline]
    width: float

    @property
    def tops(self) -> tuple[float, ...]:
        """Where each system's ink begins on the page, and after them where the page ends."""
        tops = [BETWEEN]
        for system in self.systems:
            tops.append(tops[-1] + system.height + BETWEEN)
        return tuple(tops)

    @property
    def widest(self) -> float:
        """Of the page, or of a system that did not fit on it."""
        return max([self.width, *(system.right for system in self.systems)])

    def system_of(self, step: float) -> int | None:
        """The index of the system that has ``step``; after the end it is the last one."""
        found = bisect.bisect_right(self.systems, step, key=lambda system: system.start) - 1
        return found if found >= 0 else None

    def joined(self, other: Score) -> Score:
        """This one, and ``other`` below it."""
        return Score(
            systems=self.systems + other.systems,
            outlines={**self.outlines, **other.outlines},
            width=max(self.width, other.width),
        )


def _distance(head: Head, x: float, y: float) -> float:
    return max(abs(head.x - x), abs(head.y - y) * 1.3)
