"""The scales of a plot of curves, and round numbers for its axes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

WIDTH: Final = 760
HEIGHT: Final = 420
LEFT: Final = 64.0
TOP: Final = 44.0
BOTTOM: Final = HEIGHT - 52.0
"""Edges of the plot area in pixels; the right edge depends on the names beside it."""
MAX_TICKS: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The plot area of the picture and the range of its axes."""

    edge: float  # right edge of the plot area in pixels
    right: float  # maximum of the x axis, which begins at 0
    low: float  # minimum of the loss axis
    high: float  # maximum of the loss axis
    logarithmic: bool  # True for a logarithmic loss axis

    def x(self, value: float) -> float:
        """Return the pixel of a value on the x axis."""
        return LEFT + value / self.right * (self.edge - LEFT)

    def y(self, loss: float) -> float:
        low, high, here = (self._placed(value) for value in (self.low, self.high, loss))
        return TOP + (high - here) / (high - low) * (BOTTOM - TOP)

    def _placed(self, loss: float) -> float:
        return math.log(max(loss, 1e-6)) if self.logarithmic else loss


def ticks(low: float, high: float, most: int = MAX_TICKS) -> list[float]:
    """Return at most ``most`` round numbers from ``low`` to ``high``: 1, 2 or 5 times 10^n."""
    step = 10 ** math.floor(math.log10((high - low) / most))
    step *= next(unit for unit in (1, 2, 5, 10) if (high - low) / (unit * step) <= most)
    first = math.ceil(low / step - 1e-9)
    return [number * step for number in range(first, math.floor(high / step + 1e-9) + 1)]
