"""The visible part of a score and its zoom: conversions between systems and pixels.

Pixels are those of a window, (0, 0) its upper left corner; systems are stacked vertically.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple

from PySide6.QtCore import QPointF, QRectF

from musicrel.chorale import STEPS_PER_QUARTER
from musicrel.figures.score import REACH, SPACE, Head, Score, Staff, System
from musicrel.score.editing.notes import extent
from musicrel.score.editing.selection import Selection

MARGIN: Final = 20  # side margin in pixels
ABOVE: Final = 12  # padding above and below a system in pixels
DEFAULT_SPACE: Final = 8.5  # default pixels between two staff lines
_HIT: Final = 8.0  # least distance in pixels from a head within which it is hit
_MIN_STAFF_SPACE, _MAX_STAFF_SPACE = 4.0, 22.0
# edges of the strip with the bar of the loop, in staff spaces above the staves
_LOOP_TOP, _LOOP_FOOT = 5.4, 3.0
_LOOP_REACH: Final = 1.2 * SPACE  # distance from an end of the loop within which it is dragged


class Spot(NamedTuple):
    """A point of a system, in the units of the score."""

    system: System
    x: float
    y: float
    reach: float = REACH  # distance from a head within which it is hit

    @property
    def head(self) -> Head | None:
        return self.system.head_at(self.x, self.y, self.reach)

    @property
    def step(self) -> int:
        head = self.head
        return head.start if head is not None else self.system.step_at(self.x)

    @property
    def staff(self) -> Staff:
        staves = self.system.staves
        return min(staves, key=lambda staff: max(staff.top - self.y, self.y - staff.bottom, 0.0))

    @property
    def voice(self) -> int:
        """Return the nearest voice: that of the nearest head at this time on the staff.

        On a staff without heads there it is the upper or lower voice by the middle line.
        """
        staff, step = self.staff, self.system.step_at(self.x, STEPS_PER_QUARTER)
        heads = [head for head in self.system.sounding(step) if head.voice in staff.voices]
        if heads:
            return min(heads, key=lambda head: abs(head.y - self.y)).voice
        return staff.voices[0 if self.y <= (staff.top + staff.bottom) / 2 else -1]

    @property
    def selection(self) -> Selection:
        head = self.head
        if head is not None:
            return Selection.of_note(head.note)
        step = self.system.step_at(self.x, STEPS_PER_QUARTER)
        return Selection(voices=(self.voice,), start=step, stop=step + 1)

    def part_of_loop(self, loop: tuple[float, float]) -> Literal["", "bar", "start", "end"]:
        """Return the part of the bar of a loop at the point; "" where it is not, or a note is."""
        staff, (first, last) = self.system.staves[0], loop
        band = self.system.band(staff.voices, int(first), int(last))
        above = (staff.top - self.y) / SPACE
        if band is None or self.head is not None or not _LOOP_FOOT <= above <= _LOOP_TOP:
            return ""
        left, right = self.x - band.left(), self.x - band.right()
        if last <= self.system.stop and abs(right) <= _LOOP_REACH:
            return "end"
        if first >= self.system.start and abs(left) <= _LOOP_REACH:
            return "start"
        return "bar" if left >= -_LOOP_REACH and right <= _LOOP_REACH else ""

    @property
    def bar(self) -> Selection:
        start, stop = self.system.bar_at(self.x)
        voices = sorted(voice for staff in self.system.staves for voice in staff.voices)
        return Selection(voices=tuple(voices), start=start, stop=stop)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreWindow:
    """A window onto a score; each method returns a new one."""

    score: Score | None = None
    width: int = 1  # in pixels
    height: int = 1  # in pixels
    space: float = DEFAULT_SPACE  # requested pixels between two staff lines
    hidden: int = 0  # pixels scrolled off above

    @property
    def systems(self) -> tuple[System, ...]:
        return self.score.systems if self.score else ()

    @property
    def room(self) -> int:
        return max(self.width - 2 * MARGIN, 1)

    @property
    def page_width(self) -> float:
        return self.room / self.space * SPACE

    @property
    def scale(self) -> float:
        """Return the pixels per unit of the score; a score wider than the window is scaled down."""
        scale = self.space / SPACE
        return min(scale, self.room / self.score.widest) if self.score else scale

    @property
    def whole(self) -> int:
        return math.ceil(self.score.tops[-1] * self.scale) if self.score else 0

    def of(self, score: Score | None) -> ScoreWindow:
        """Return the same window onto another score, with the uppermost whole system in place."""
        after = replace(self, score=score)
        seen = self.seen(0, self.height)
        if not seen or not self.hidden:
            return after
        whole = next((index for index in seen if self.box(index).top() >= 0), seen.start)
        index = after.system_of(self.systems[whole].start)
        if index is None:
            return after
        moved = after.box(index).top() - self.box(whole).top()
        return replace(after, hidden=after.clipped(self.hidden + round(moved)))

    def zoomed(self, space: float) -> ScoreWindow:
        """Set the pixels between staff lines, clipped to a readable size; the top stays there."""
        after = replace(self, space=min(max(space, _MIN_STAFF_SPACE), _MAX_STAFF_SPACE))
        return replace(after, hidden=after.clipped(round(self.hidden * after.scale / self.scale)))

    def clipped(self, hidden: int) -> int:
        return min(max(hidden, 0), max(self.whole - self.height, 0))

    def covered_by(self, score: Score) -> bool:
        """Return True if ``score``, the beginning of another one, has all that is visible."""
        seen = self.seen(0, self.height)
        return not seen or score.stop >= self.systems[seen.stop - 1].stop

    def system_of(self, step: float | None) -> int | None:
        return self.score.system_of(step) if self.score and step is not None else None

    def box(self, index: int) -> QRectF:
        """Return a system's rectangle with margins and padding."""
        height = self.systems[index].height * self.scale + 2 * ABOVE
        return QRectF(
            0, self.point(index, 0, self.systems[index].top).y() - ABOVE, self.width, height
        )

    def point(self, index: int, x: float, y: float) -> QPointF:
        tops = self.score.tops if self.score else ()
        down = (tops[index] + y - self.systems[index].top) * self.scale
        return QPointF(MARGIN + x * self.scale, down - self.hidden)

    def spot(self, place: QPointF) -> Spot | None:
        for index, system in enumerate(self.systems):
            box = self.box(index)
            if box.top() <= place.y() < box.bottom():
                at = (place - self.point(index, 0, 0)) / self.scale
                return Spot(system, at.x(), at.y(), max(REACH, _HIT / self.scale))
        return None

    def in_band(self, one: QPointF, other: QPointF) -> Selection | None:
        """Select what lies between two corners, or from one place to another in a later system."""
        first, last = sorted((one, other), key=QPointF.y)
        systems = [
            index
            for index in self.seen(first.y(), last.y() + 1)
            if first.y() <= self._edge(index, -1) and last.y() >= self._edge(index, 0)
        ]
        left, right = sorted((first.x(), last.x()))
        found = list[Head]()
        for index in systems:
            if len(systems) > 1:  # as words are selected, line by line
                left = first.x() if index == systems[0] else -math.inf
                right = last.x() if index == systems[-1] else math.inf
            for head in self.systems[index].heads:
                place = self.point(index, head.x, head.y)
                if left <= place.x() <= right and first.y() <= place.y() <= last.y():
                    found.append(head)
        return extent(found) if found else None

    def _edge(self, index: int, staff: int) -> float:
        """Return where the first staff (0) begins, or the last one (-1) ends."""
        edge = self.systems[index].staves[staff]
        return self.point(index, 0, edge.bottom if staff else edge.top).y()

    def seen(self, top: float, bottom: float) -> range:
        boxes = enumerate(map(self.box, range(len(self.systems))))
        found = [at for at, box in boxes if box.top() < bottom and box.bottom() > top]
        return range(found[0], found[-1] + 1) if found else range(0)

    def showing(self, step: float) -> int:
        """Return the scroll position at which the system of ``step`` is fully visible."""
        index = self.system_of(step)
        if index is None:
            return self.hidden
        box = self.box(index)
        whole = box.top() >= 0 and box.bottom() <= self.height
        return self.hidden if whole else self.hidden + round(box.top())


class Ghost(NamedTuple):
    """A head with the name of its note: where a dragged note would be, or one to be written."""

    system: int
    staff: Staff
    x: float
    degree: int
    name: str
