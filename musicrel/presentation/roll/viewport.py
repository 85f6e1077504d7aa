"""The visible part of a roll and its zoom: conversions between steps, pitches and pixels.

Pixels are those of the lanes: (0, 0) is their upper left corner, right of the keyboard and below
the ruler. Steps run to the right, pitches upwards.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

MIN_STEP_WIDTH: Final = 1.0
MAX_STEP_WIDTH: Final = 72.0
_MAX_FITTED_STEP_WIDTH: Final = 18.0
_MIN_FITTED_STEP_WIDTH: Final = 3.0
_ROOM_AT_THE_END: Final = 12
LOWEST_ROW: Final = 3.0
HIGHEST_ROW: Final = 36.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewport:
    """A window onto a roll; each method returns a new one, clipped to the roll."""

    width: int = 1  # visible pixels, left to right
    height: int = 1  # visible pixels, top to bottom
    steps: int = 1  # width of the whole roll in sixteenths
    low: int = 35  # lowest pitch with a row
    high: int = 82  # highest pitch with a row
    step_width: float = MIN_STEP_WIDTH  # pixels per sixteenth
    row_height: float = LOWEST_ROW  # pixels per semitone
    left: float = 0.0  # pixels of the roll hidden to the left
    top: float = 0.0  # pixels of the roll hidden above

    @property
    def rows(self) -> int:
        return self.high - self.low + 1

    @property
    def content_width(self) -> float:
        """Return the width of the whole roll in pixels."""
        return self.steps * self.step_width

    @property
    def content_height(self) -> float:
        """Return the height of the whole roll in pixels."""
        return self.rows * self.row_height

    @property
    def seen_steps(self) -> range:
        """Return the visible steps, partly visible ones included."""
        last = math.ceil((self.left + self.width) / self.step_width)
        return range(max(int(self.left / self.step_width), 0), min(last, self.steps))

    def x(self, step: float) -> float:
        """Return the left edge of a step."""
        return step * self.step_width - self.left

    def y(self, pitch: float) -> float:
        """Return the upper edge of a row."""
        return (self.high - pitch) * self.row_height - self.top

    def step_at(self, x: float) -> float:
        """Return the step at a pixel, with its fraction."""
        return (x + self.left) / self.step_width

    def pitch_at(self, y: float) -> tuple[int, float]:
        """Return the pitch at a pixel, and the position within its row, 0 to 1."""
        down = (y + self.top) / self.row_height
        return self.high - math.floor(down), down - math.floor(down)

    def fitted(self) -> Viewport:
        """Fit all pitches, and all steps unless they would be too narrow."""
        whole = (self.width - _ROOM_AT_THE_END) / self.steps
        step = min(max(whole, _MIN_FITTED_STEP_WIDTH), _MAX_FITTED_STEP_WIDTH)
        return replace(self, step_width=step, left=0.0).with_fitted_rows()

    def with_fitted_rows(self) -> Viewport:
        """Fit all pitches, as far as rows are legible."""
        row = max(self.height / self.rows, LOWEST_ROW)
        return _clipped(replace(self, row_height=row, top=0.0))

    def beside(self, other: Viewport) -> Viewport:
        """Show the steps and rows that another viewport of the same size shows."""
        return _clipped(
            replace(
                self,
                step_width=other.step_width,
                left=other.left,
                row_height=other.row_height,
                top=other.top,
            )
        )

    def of_size(self, width: int, height: int) -> Viewport:
        """Resize the window."""
        return _clipped(replace(self, width=max(width, 1), height=max(height, 1)))

    def of_roll(self, steps: int, low: int, high: int) -> Viewport:
        """Keep the position in another roll."""
        return _clipped(replace(self, steps=steps, low=low, high=high))

    def moved(self, *, left: float | None = None, top: float | None = None) -> Viewport:
        """Scroll to these numbers of hidden pixels; None: unchanged."""
        return _clipped(
            replace(
                self,
                left=self.left if left is None else left,
                top=self.top if top is None else top,
            )
        )

    def zoomed(self, factor: float, x: float) -> Viewport:
        """Zoom horizontally by ``factor`` around pixel ``x``."""
        step = self.step_at(x)
        least = min(MIN_STEP_WIDTH, self.width / self.steps)
        wide = min(max(self.step_width * factor, least), MAX_STEP_WIDTH)
        return _clipped(replace(self, step_width=wide, left=step * wide - x))

    def stretched(self, factor: float, y: float) -> Viewport:
        """Zoom vertically by ``factor`` around pixel ``y``."""
        down = (y + self.top) / self.row_height
        least = min(LOWEST_ROW, self.height / self.rows)
        high = min(max(self.row_height * factor, least), max(HIGHEST_ROW, self.height / self.rows))
        return _clipped(replace(self, row_height=high, top=down * high - y))

    def showing(self, step: float) -> Viewport:
        """Scroll by a page if ``step`` is not visible: it is then at a tenth of the width."""
        if 0 <= self.x(step) <= self.width * 0.94:
            return self
        return self.moved(left=step * self.step_width - self.width * 0.1)


def _clipped(view: Viewport) -> Viewport:
    """Limit scrolling to the roll, and let rows fill at least the height."""
    row = max(view.row_height, view.height / view.rows)
    rightmost = max(view.content_width - view.width, 0.0)
    lowest = max(view.rows * row - view.height, 0.0)
    return replace(
        view,
        row_height=row,
        left=min(max(view.left, 0.0), rightmost),
        top=min(max(view.top, 0.0), lowest),
    )
