"""The visible part of a score and its zoom: conversions between systems and pixels.

Pixels are those of a window, (0, 0) its upper left corner; systems are stacked vertically.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple

from musicrel.chorale import STEPS_PER_QUARTER, Key
from musicrel.editing.selection import Selection
from musicrel.presentation.score.score_picture import SPACE, Head, Score, Staff, System
from musicrel.presentation.words import names

MARGIN: Final = 20  # side margin in pixels
ABOVE: Final = 12  # padding above and below a system in pixels
DEFAULT_SPACE: Final = 7.5  # default pixels between two staff lines
_MIN_STAFF_SPACE: Final = 4.0
_MAX_STAFF_SPACE: Final = 22.0
# edges of the strip with the bar of the loop, in staff spaces above the staves
_LOOP_TOP, _LOOP_FOOT = 5.4, 3.0
_LOOP_REACH: Final = 1.2 * SPACE  # distance from an end of the loop within which it is dragged


class Box(NamedTuple):
    """A rectangle in pixels."""

    left: float
    top: float
    width: float
    height: float


class Spot(NamedTuple):
    """A point of a system, in the units of the score."""

    system: System
    x: float
    y: float

    @property
    def head(self) -> Head | None:
        """Return the note head at the point, if any."""
        return self.system.head_at(self.x, self.y)

    @property
    def step(self) -> int:
        head = self.head
        return head.start if head is not None else self.system.step_at(self.x)

    @property
    def staff(self) -> Staff:
        """Return the staff nearest to the point."""
        staves = self.system.staves
        return min(staves, key=lambda staff: max(staff.top - self.y, self.y - staff.bottom, 0.0))

    @property
    def degree(self) -> int:
        return self.staff.degree_at(self.y)

    @property
    def voice(self) -> int:
        """Return the nearest voice: that of the nearest head at this time on the staff.

        On a staff without heads there it is the upper or lower voice by the middle line.
        """
        staff, step = self.staff, self.system.step_at(self.x, STEPS_PER_QUARTER)
        heads = [h for h in self.system.sounding(step) if h.note.voice in staff.voices]
        if heads:
            return min(heads, key=lambda head: abs(head.y - self.y)).note.voice
        return staff.voices[0 if self.y <= (staff.top + staff.bottom) / 2 else -1]

    @property
    def cell(self) -> Selection:
        """Select the nearest cell."""
        step = self.system.step_at(self.x, STEPS_PER_QUARTER)
        return Selection(voices=(self.voice,), start=step, stop=step + 1)

    @property
    def selection(self) -> Selection:
        head = self.head
        return Selection.of_note(head.note) if head is not None else self.cell

    @property
    def time(self) -> float:
        """Return the step at the point, interpolated between the columns of the system."""
        columns, x = self.system.columns, self.x + SPACE  # a bar begins a space before its column
        after = bisect.bisect_right(columns, x, key=lambda column: column.x)
        one, other = columns[max(after - 1, 0)], columns[min(after, len(columns) - 1)]
        share = (x - one.x) / (other.x - one.x) if other.x > one.x else 0.0
        return one.step + share * (other.step - one.step)

    def part_of_loop(self, loop: tuple[float, float]) -> Literal["", "bar", "start", "end"]:
        """Return the part of the bar of a loop at the point; "" where it is not, or a note is."""
        staff, (first, last) = self.system.staves[0], loop
        band = self.system.band(staff.voices, int(first), int(last))
        above = (staff.top - self.y) / SPACE
        if band is None or self.head is not None or not _LOOP_FOOT <= above <= _LOOP_TOP:
            return ""
        left, right = self.x - band[0], self.x - band[2]
        if last <= self.system.stop and abs(right) <= _LOOP_REACH:
            return "end"
        if first >= self.system.start and abs(left) <= _LOOP_REACH:
            return "start"
        return "bar" if left >= -_LOOP_REACH and right <= _LOOP_REACH else ""

    @property
    def bar(self) -> Selection:
        start, stop = self.system.bar_at(self.x)
        voices = {voice for staff in self.system.staves for voice in staff.voices}
        return Selection(voices=tuple(sorted(voices)), start=start, stop=stop)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreWindow:
    """A window onto a score; each method returns a new one."""

    score: Score | None = None
    tops: tuple[float, ...] = ()  # top of each system, and the end, in units of the score
    width: int = 1  # in pixels
    height: int = 1  # in pixels
    space: float = DEFAULT_SPACE  # requested pixels between two staff lines
    hidden: int = 0  # pixels scrolled off above

    @property
    def room(self) -> int:
        """Return the pixels between the margins."""
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
        return math.ceil(self.tops[-1] * self.scale) if self.tops else 0

    def of(self, score: Score | None) -> ScoreWindow:
        """Return the same window onto another score, with the uppermost whole system in place."""
        after = replace(self, score=score, tops=score.tops if score is not None else ())
        seen = self.seen(0, self.height)
        if not seen or not self.hidden:
            return after
        whole = next((index for index in seen if self.box(index).top >= 0), seen.start)
        index = after.system_of(self.system(whole).start)
        if index is None:
            return after
        moved = after.box(index).top - self.box(whole).top
        return replace(after, hidden=after.clipped(self.hidden + round(moved)))

    def zoomed(self, space: float) -> ScoreWindow:
        """Set the pixels between staff lines, clipped to a readable size; the top stays there."""
        after = replace(self, space=min(max(space, _MIN_STAFF_SPACE), _MAX_STAFF_SPACE))
        return replace(after, hidden=after.clipped(round(self.hidden * after.scale / self.scale)))

    def clipped(self, hidden: int) -> int:
        """Return a scroll position within the score."""
        return min(max(hidden, 0), max(self.whole - self.height, 0))

    def covered_by(self, score: Score) -> bool:
        """Return True if ``score``, the beginning of another one, has all that is visible."""
        seen = self.seen(0, self.height)
        known = score.systems[-1].stop if score.systems else 0
        return not seen or known >= self.system(seen.stop - 1).stop

    def system_of(self, step: float | None) -> int | None:
        return self.score.system_of(step) if self.score and step is not None else None

    def box(self, index: int) -> Box:
        """Return the rectangle of a system with its margins and padding."""
        height = self.system(index).height * self.scale + 2 * ABOVE
        return Box(0, self.tops[index] * self.scale - self.hidden - ABOVE, self.width, height)

    def point(self, index: int, x: float, y: float) -> tuple[float, float]:
        """Return a point of a system in pixels."""
        down = (self.tops[index] + y - self.system(index).top) * self.scale
        return MARGIN + x * self.scale, down - self.hidden

    def spot(self, x: float, y: float) -> Spot | None:
        """Return the point of a system at a pixel; None between two systems."""
        for index, system in enumerate(self.score.systems if self.score else ()):
            box = self.box(index)
            if 0 <= y - box.top < box.height:
                left, top = self.point(index, 0, 0)
                return Spot(system, (x - left) / self.scale, (y - top) / self.scale)
        return None

    def heads_between(self, one: tuple[float, float], other: tuple[float, float]) -> list[Head]:
        """Return the heads in a rubber band between two pixels."""
        (left, right), (top, bottom) = sorted((one[0], other[0])), sorted((one[1], other[1]))
        found = []
        for index in self.seen(top, bottom + 1):
            for head in self.system(index).heads:
                x, y = self.point(index, head.x, head.y)
                if left <= x <= right and top <= y <= bottom:
                    found.append(head)
        return found

    def seen(self, top: float, bottom: float) -> range:
        """Return the systems between two vertical pixels."""
        count = len(self.score.systems) if self.score else 0
        boxes = (self.box(index) for index in range(count))
        found = [
            at for at, box in enumerate(boxes) if box.top < bottom and box.top + box.height > top
        ]
        return range(found[0], found[-1] + 1) if found else range(0)

    def showing(self, step: float) -> int:
        """Return the scroll position at which the system of ``step`` is fully visible."""
        index = self.system_of(step)
        if index is None:
            return self.hidden
        box = self.box(index)
        if box.top >= 0 and box.top + box.height <= self.height:
            return self.hidden
        return self.hidden + round(box.top)

    def system(self, index: int) -> System:
        if self.score is None:
            raise IndexError(f"no system {index}: the window has no score")
        return self.score.systems[index]


def selection_of(heads: Iterable[Head]) -> Selection | None:
    """Select the voices of some heads, from the first to the last; None without heads."""
    found = list(heads)
    if not found:
        return None
    return Selection(
        voices=tuple(sorted({head.note.voice for head in found})),
        start=min(head.start for head in found),
        stop=max(head.stop for head in found),
    )


class Ghost(NamedTuple):
    """A head with the name of its note: where a dragged note would be, or one to be written."""

    system: int
    voice: int  # of the note, for its colour
    x: float
    y: float
    ledgers: tuple[float, ...]  # the heights of its ledger lines
    name: str


def ghost(
    index: int, system: System, *, x: float, voice: int, degree: int, pitch: int, key: Key | None
) -> Ghost:
    """Return the ghost of a note on the staff of its voice."""
    staff = system.staff_of(voice)
    lines = tuple(staff.ledger_lines(degree))
    return Ghost(index, voice, x, staff.y_of(degree), lines, names.pitch(pitch, key))
