"""The learning curve of a run, and whether it is level at its end.

The slope at the end is the median of the slopes between all pairs of evaluations in the last
quarter of the steps (Theil 1950; Sen 1968, "Estimates of the regression coefficient based on
Kendall's tau", J. Am. Stat. Assoc. 63): a single noisy evaluation does not turn it.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, Literal

Trend = Literal["falls", "level", "rises"]
Ending = Trend | Literal["unknown"]
"""The trend of a finished run; unknown with too few evaluations."""

SHARE: Final = 0.25
"""Share of the steps at the end in which the slope is measured."""
LIMIT: Final = 0.01
"""Least change of the loss over that share that is called a trend, in the unit of the loss."""
_LEAST: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePoint:
    """The loss in nats after a number of steps, tokens and seconds of training."""

    step: int
    tokens: int
    seconds: float
    nats: float


def trend(points: Sequence[CurvePoint]) -> Trend | None:
    """Return whether the loss still falls at the end of a run, is level or rises."""
    if len(points) < _LEAST:
        return None
    change = slope(points) * SHARE * points[-1].step
    if abs(change) < LIMIT:
        return "level"
    return "falls" if change < 0 else "rises"


def slope(points: Sequence[CurvePoint]) -> float:
    """Return the slope at the end in nats per step; see the module's docstring."""
    begin = (1 - SHARE) * points[-1].step
    late = [point for point in points if point.step >= begin]
    if len(late) < _LEAST:
        late = list(points[-_LEAST:])
    return statistics.median(
        (right.nats - left.nats) / (right.step - left.step)
        for left, right in combinations(late, 2)
        if right.step > left.step
    )
