"""Where numbers stand in a picture of curves, and which round ones are written at its axes.

This file knows numbers and pixels; it knows nothing of what is drawn.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

LEFT: Final = 64.0
"""Left edge of the plot in pixels."""
_BOTTOM: Final = 52.0
"""Room below it."""
_TICKS: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """Which numbers a picture spans, and where they stand in it.

    Attributes:
        size: of the picture in pixels.
        top: upper edge of the plot.
        margin: room for names at its right.
        right: largest number along the axis; it begins at 0.
        low: smallest loss.
        high: largest loss.
        logarithmic: whether losses stand at their logarithm.
    """

    size: tuple[int, int]
    top: float
    margin: float
    right: float
    low: float
    high: float
    logarithmic: bool

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of the plot."""
        return LEFT, self.top, self.size[0] - self.margin, self.size[1] - _BOTTOM

    def x(self, place: float) -> float:
        """The pixel of a place on the axis."""
        left, _, right, _ = self.box
        return left + place / self.right * (right - left)

    def y(self, loss: float) -> float:
        """The pixel of a loss."""
        _, top, _, bottom = self.box
        low, high, here = (self._placed(value) for value in (self.low, self.high, loss))
        return top + (high - here) / (high - low) * (bottom - top)

    def place(self, x: float) -> float:
        """The place on the axis at a pixel."""
        left, _, right, _ = self.box
        return (x - left) / (right - left) * self.right

    def _placed(self, loss: float) -> float:
        return math.log(max(loss, 1e-6)) if self.logarithmic else loss


def ticks(low: float, high: float, most: int = _TICKS) -> list[float]:
    """About ``most`` round numbers from ``low`` to ``high``: 1, 2 or 5 times ten to n."""
    step = 10 ** math.floor(math.log10((high - low) / most))
    step *= next(unit for unit in (1, 2, 5, 10) if (high - low) / (unit * step) <= most)
    first = math.ceil(low / step - 1e-9)
    return [place * step for place in range(first, math.floor(high / step + 1e-9) + 1)]


def ticks_in(length: float, each: float) -> int:
    """How many numbers fit on an axis of ``length`` pixels, at least two."""
    return min(max(int(length / each), 2), _TICKS)
