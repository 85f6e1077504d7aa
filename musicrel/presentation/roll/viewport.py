"""Which part of a roll is seen, and how large: the arithmetic between steps, pitches and pixels.

Pixels are those of the lanes: (0, 0) is their upper left corner, right of the keyboard and below
the ruler. Steps run to the right, pitches upwards.

This file knows numbers; it knows nothing of notes or Qt.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

NARROWEST_STEP: Final = 1.0
WIDEST_STEP: Final = 72.0
_WIDEST_FITTED_STEP: Final = 18.0
_NARROWEST_FITTED_STEP: Final = 3.0
_ROOM_AT_THE_END: Final = 12
LOWEST_ROW: Final = 4.0
HIGHEST_ROW: Final = 36.0


class Extent(NamedTuple):
    """One direction of a viewport, in pixels: hidden before it, seen in it, and all there is."""

    hidden: float
    seen: int
    whole: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewport:
    """A window onto a roll; every change gives a new one that shows no more than there is.

    Attributes:
        width: pixels seen from left to right.
        height: pixels seen from top to bottom.
        steps: width of the whole roll in sixteenths.
        low: lowest pitch with a row.
        high: highest pitch with a row.
        step_width: pixels a sixteenth.
        row_height: pixels a semitone.
        left: pixels of the roll hidden to the left.
        top: pixels of the roll hidden above.
    """

    width: int = 1
    height: int = 1
    steps: int = 1
    low: int = 35
    high: int = 82
    step_width: float = NARROWEST_STEP
    row_height: float = LOWEST_ROW
    left: float = 0.0
    top: float = 0.0

    @property
    def rows(self) -> int:
        """Number of pitches."""
        return self.high - self.low + 1

    @property
    def content_width(self) -> float:
        """Pixels of the whole roll from left to right."""
        return self.steps * self.step_width

    @property
    def content_height(self) -> float:
        """Pixels of the whole roll from top to bottom."""
        return self.rows * self.row_height

    @property
    def across(self) -> Extent:
        """What is seen from left to right."""
        return Extent(self.left, self.width, self.content_width)

    @property
    def down(self) -> Extent:
        """What is seen from top to bottom."""
        return Extent(self.top, self.height, self.content_height)

    @property
    def seen_steps(self) -> range:
        """The steps that are seen, those at the edges in part."""
        last = math.ceil((self.left + self.width) / self.step_width)
        return range(max(int(self.left / self.step_width), 0), min(last, self.steps))

    def x(self, step: float) -> float:
        """Left edge of a step."""
        return step * self.step_width - self.left

    def y(self, pitch: float) -> float:
        """Upper edge of a row."""
        return (self.high - pitch) * self.row_height - self.top

    def step_at(self, x: float) -> float:
        """The step at a pixel, with its fraction."""
        return (x + self.left) / self.step_width

    def pitch_at(self, y: float) -> tuple[int, float]:
        """The row at a pixel, and how far down in it, 0 to 1."""
        down = (y + self.top) / self.row_height
        return self.high - math.floor(down), down - math.floor(down)

    def fitted(self) -> Viewport:
        """All pitches seen, and all steps where that leaves them wide enough to be read."""
        whole = (self.width - _ROOM_AT_THE_END) / self.steps
        step = min(max(whole, _NARROWEST_FITTED_STEP), _WIDEST_FITTED_STEP)
        row = max(self.height / self.rows, LOWEST_ROW)
        return _held(replace(self, step_width=step, row_height=row, left=0.0, top=0.0))

    def of_size(self, width: int, height: int) -> Viewport:
        """The same part seen through a window of another size."""
        return _held(replace(self, width=max(width, 1), height=max(height, 1)))

    def of_roll(self, steps: int, low: int, high: int) -> Viewport:
        """The same place in another roll."""
        return _held(replace(self, steps=steps, low=low, high=high))

    def moved(self, *, left: float | None = None, top: float | None = None) -> Viewport:
        """Scrolled so that so many pixels are hidden; None: as it is."""
        return _held(
            replace(
                self,
                left=self.left if left is None else left,
                top=self.top if top is None else top,
            )
        )

    def zoomed(self, factor: float, x: float) -> Viewport:
        """Steps ``factor`` times as wide, the one at pixel ``x`` staying there."""
        step = self.step_at(x)
        least = min(NARROWEST_STEP, self.width / self.steps)
        wide = min(max(self.step_width * factor, least), WIDEST_STEP)
        return _held(replace(self, step_width=wide, left=step * wide - x))

    def stretched(self, factor: float, y: float) -> Viewport:
        """Rows ``factor`` times as high, the one at pixel ``y`` staying there."""
        down = (y + self.top) / self.row_height
        least = min(LOWEST_ROW, self.height / self.rows)
        high = min(max(self.row_height * factor, least), max(HIGHEST_ROW, self.height / self.rows))
        return _held(replace(self, row_height=high, top=down * high - y))

    def showing(self, step: float) -> Viewport:
        """Turned like a page where ``step`` is not seen: it then stands a tenth from the left."""
        if 0 <= self.x(step) <= self.width * 0.94:
            return self
        return self.moved(left=step * self.step_width - self.width * 0.1)


def _held(wished: Viewport) -> Viewport:
    """Not scrolled past an end, and rows no lower than fill the height."""
    row = max(wished.row_height, wished.height / wished.rows)
    rightmost = max(wished.content_width - wished.width, 0.0)
    lowest = max(wished.rows * row - wished.height, 0.0)
    return replace(
        wished,
        row_height=row,
        left=min(max(wished.left, 0.0), rightmost),
        top=min(max(wished.top, 0.0), lowest),
    )
