"""The scales of a plot of curves, and round numbers for its axes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

LEFT: Final = 64.0
"""Left edge of the plot area in pixels."""
_BOTTOM: Final = 52.0
"""Height below the plot area in pixels."""
_TICKS: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The plot area of a picture and the range of its axes.

    Attributes:
        size: of the picture in pixels.
        top: upper edge of the plot area.
        margin: width for names to the right of it.
        right: maximum of the x axis, which begins at 0.
        low: minimum of the loss axis.
        high: maximum of the loss axis.
        logarithmic: True for a logarithmic loss axis.
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
        """Return left, top, right and bottom of the plot area."""
        return LEFT, self.top, self.size[0] - self.margin, self.size[1] - _BOTTOM

    def x(self, value: float) -> float:
        """Return the pixel of a value on the x axis."""
        left, _, right, _ = self.box
        return left + value / self.right * (right - left)

    def y(self, loss: float) -> float:
        """Return the pixel of a loss."""
        _, top, _, bottom = self.box
        low, high, here = (self._placed(value) for value in (self.low, self.high, loss))
        return top + (high - here) / (high - low) * (bottom - top)

    def x_value(self, x: float) -> float:
        """Return the value on the x axis at a pixel."""
        left, _, right, _ = self.box
        return (x - left) / (right - left) * self.right

    def _placed(self, loss: float) -> float:
        return math.log(max(loss, 1e-6)) if self.logarithmic else loss


def ticks(low: float, high: float, most: int = _TICKS) -> list[float]:
    """Return at most ``most`` round numbers from ``low`` to ``high``: 1, 2 or 5 times 10^n."""
    step = 10 ** math.floor(math.log10((high - low) / most))
    step *= next(unit for unit in (1, 2, 5, 10) if (high - low) / (unit * step) <= most)
    first = math.ceil(low / step - 1e-9)
    return [number * step for number in range(first, math.floor(high / step + 1e-9) + 1)]


def ticks_in(length: float, each: float) -> int:
    """Return how many labels fit on an axis of ``length`` pixels, at least two."""
    return min(max(int(length / each), 2), _TICKS)
