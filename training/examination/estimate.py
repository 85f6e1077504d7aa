"""A figure with its 95 % interval, by bootstrap over groups.

Whole groups are drawn with replacement, so that crops of a piece, and settings of a tune, stay
together. Source: Efron and Tibshirani 1993, the percentile interval (chapter 13).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

DRAWS: Final = 1000
_PERCENTILES: Final = (2.5, 97.5)

Labels = npt.NDArray[np.bool_]
Scores = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    value: float
    low: float
    high: float  # upper end


def draws(groups: Sequence[str], seed: int) -> Iterator[npt.NDArray[np.int64]]:
    """Yield for each draw how many times every member is in it, int64 (N,)."""
    _, group_of = np.unique(np.asarray(groups), return_inverse=True)
    number = int(group_of.max()) + 1
    random = np.random.default_rng(seed)
    for _ in range(DRAWS):
        yield np.bincount(random.integers(0, number, number), minlength=number)[group_of]


def estimate(value: float, drawn: Sequence[float]) -> Estimate:
    """Return a figure with the interval of its values in the draws; NaN if there are none."""
    low, high = np.percentile(drawn, _PERCENTILES) if len(drawn) else (np.nan, np.nan)
    return Estimate(value=float(value), low=float(low), high=float(high))


def area(scores: Scores, is_other: Labels, groups: Sequence[str], seed: int) -> Estimate:
    """Measure how well scores separate others from Bach.

    The area under the ROC curve is the probability that one of another scores higher than one of
    Bach's: 0.5 for chance, 1 for certainty. Source: Hanley and McNeil 1982, the area as a rank
    statistic.
    """
    above = scores[is_other, None] - scores[None, ~is_other]
    wins = np.where(above > 0, 1.0, np.where(above == 0, 0.5, 0.0))
    drawn = []
    for times in draws(groups, seed):
        others, bach = times[is_other], times[~is_other]
        if others.any() and bach.any():
            drawn.append(float(others @ wins @ bach / (others.sum() * bach.sum())))
    return estimate(wins.mean(), drawn)
