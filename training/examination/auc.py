"""Area under the ROC curve, with an interval by bootstrap over groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

_DRAWS: Final = 1000
_PERCENTILES: Final = (2.5, 97.5)

Scores = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """The probability that another piece scores higher than one of Bach's, and its 95 % interval.

    Attributes:
        value: 0.5 for chance, 1 for certainty.
        low: lower end.
        high: upper end.
    """

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        """Return the area as in ".85 (.80 to .89)"."""
        value, low, high = (f"{x:.2f}".removeprefix("0") for x in (self.value, self.low, self.high))
        return f"{value} ({low} to {high})"


def area(scores: Scores, is_other: npt.NDArray[np.bool_], groups: Sequence[str], seed: int) -> Area:
    """Measure how well scores separate others from Bach.

    Whole groups are drawn with replacement, so that crops of a piece, and settings of a tune, stay
    together. Source: Hanley and McNeil 1982 for the area as a rank statistic.

    Args:
        scores: float (N,), higher for what looks like another's.
        is_other: bool (N,).
        groups: the group of each.
        seed: of the draws.
    """
    above = scores[is_other, None] - scores[None, ~is_other]
    wins = np.where(above > 0, 1.0, np.where(above == 0, 0.5, 0.0))
    _, group_of = np.unique(np.asarray(groups), return_inverse=True)
    number = int(group_of.max()) + 1
    random = np.random.default_rng(seed)
    drawn = []
    for _ in range(_DRAWS):
        times = np.bincount(random.integers(0, number, number), minlength=number)[group_of]
        others, bach = times[is_other], times[~is_other]
        if others.any() and bach.any():
            drawn.append(float(others @ wins @ bach / (others.sum() * bach.sum())))
    low, high = np.percentile(drawn, _PERCENTILES)
    return Area(value=float(wins.mean()), low=float(low), high=float(high))
