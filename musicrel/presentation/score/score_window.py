"""Which part of a score is seen, and how large: the arithmetic between systems and pixels.

Pixels are those of a window, (0, 0) its upper left corner; the systems stand below each other in
it. This file knows numbers; it knows nothing of ink or Qt.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from musicrel.presentation.score.score_picture import SPACE, Head, Score, System

MARGIN: Final = 20
"""Pixels left free at both sides."""
ABOVE: Final = 12
"""Pixels of room above and below a system's ink."""
USUAL_SPACE: Final = 7.5
"""Pixels between two staff lines where nobody has zoomed."""
_SMALLEST: Final = 4.0
_LARGEST: Final = 22.0


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
        """The note head that is there."""
        return self.system.head_at(self.x, self.y)

    @property
    def step(self) -> int:
        """The step that is there, that of the head where there is one."""
        head = self.head
        return head.start if head is not None else self.system.step_at(self.x)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreWindow:
    """A window onto a score; every change gives a new one.

    Attributes:
        score: what is seen; None: nothing.
        tops: where each system begins, and the end, in units of the score.
        width: pixels from left to right.
        height: pixels from top to bottom.
        space: wished pixels between two staff lines.
        hidden: pixels scrolled away above.
    """

    score: Score | None = None
    tops: tuple[float, ...] = ()
    width: int = 1
    height: int = 1
    space: float = USUAL_SPACE
    hidden: int = 0

    @property
    def room(self) -> int:
        """Pixels between the margins."""
        return max(self.width - 2 * MARGIN, 1)

    @property
    def wish(self) -> float:
        """How wide a score is wished for, in its own units."""
        return self.room / self.space * SPACE

    @property
    def scale(self) -> float:
        """Pixels a unit of the score; a score for more room is shown smaller."""
        wished = self.space / SPACE
        return min(wished, self.room / self.score.widest) if self.score else wished

    @property
    def whole(self) -> int:
        """Pixels of the whole score from top to bottom."""
        return math.ceil(self.tops[-1] * self.scale) if self.tops else 0

    def of(self, score: Score | None) -> ScoreWindow:
        """The same window onto another score."""
        return replace(self, score=score, tops=score.tops if score is not None else ())

    def zoomed(self, space: float) -> ScoreWindow:
        """With so many pixels between staff lines, as far as that can be read."""
        return replace(self, space=min(max(space, _SMALLEST), _LARGEST))

    def system_of(self, step: float | None) -> int | None:
        """The index of the system that has ``step``."""
        return self.score.system_of(step) if self.score and step is not None else None

    def box(self, index: int) -> Box:
        """A system's ink, the margins beside and the room above and below it."""
        height = self._system(index).height * self.scale + 2 * ABOVE
        return Box(0, self.tops[index] * self.scale - self.hidden - ABOVE, self.width, height)

    def point(self, index: int, x: float, y: float) -> tuple[float, float]:
        """A point of a system, in pixels."""
        down = (self.tops[index] + y - self._system(index).top) * self.scale
        return MARGIN + x * self.scale, down - self.hidden

    def spot(self, x: float, y: float) -> Spot | None:
        """What is at a pixel; None between two systems."""
        for index, system in enumerate(self.score.systems if self.score else ()):
            box = self.box(index)
            if 0 <= y - box.top < box.height:
                left, top = self.point(index, 0, 0)
                return Spot(system, (x - left) / self.scale, (y - top) / self.scale)
        return None

    def seen(self, top: float, bottom: float) -> range:
        """The systems with ink between two pixels."""
        count = len(self.score.systems) if self.score else 0
        boxes = (self.box(index) for index in range(count))
        found = [
            at for at, box in enumerate(boxes) if box.top < bottom and box.top + box.height > top
        ]
        return range(found[0], found[-1] + 1) if found else range(0)

    def showing(self, step: float) -> int:
        """How much is to be scrolled away for the system of ``step`` to be seen whole."""
        index = self.system_of(step)
        if index is None:
            return self.hidden
        box = self.box(index)
        if box.top >= 0 and box.top + box.height <= self.height:
            return self.hidden
        return self.hidden + round(box.top)

    def _system(self, index: int) -> System:
        if self.score is None:
            raise IndexError(f"there is no system {index} where there is no score")
        return self.score.systems[index]
