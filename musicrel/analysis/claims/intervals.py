"""Pooled means with bootstrap intervals over pieces, or over the bars of one piece.

The mean is that of all observations of all units, so units with more of them weigh more:
sum_u x_u / sum_u n_u, with the total x and the count n of each unit. A replicate draws as many
units with replacement. The interval holds the middle 95 % of the replicates (percentile bootstrap;
Efron and Tibshirani 1993, *An Introduction to the Bootstrap*, chapter 13).

Dimensions: U units, R replicates.

Spearman's rank correlation with ties.

It is Pearson's correlation of the ranks, where tied values share the mean of their ranks (Kendall
and Gibbons 1990, *Rank Correlation Methods*, chapter 3).

Dimensions: N observations, G groups of tied values.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from musicrel.errors import DataError

Array = npt.NDArray[np.float64]

REPLICATES: Final = 10_000
_ROUNDING: Final = 1e-6  # ranks differ by 1/2 at least


def spearman(first: npt.ArrayLike, second: npt.ArrayLike) -> Array:
    """Return the rank correlation along the last axis; nan where all values of one are equal."""
    a, b = (np.asarray(values, dtype=np.float64) for values in (first, second))
    if a.shape != b.shape or not a.shape[-1:] > (0,):
        raise DataError(
            f"the values to rank have shapes {a.shape} and {b.shape}: expected the same, "
            "with at least one value"
        )
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        raise DataError("a value to rank is not finite: expected finite weights and effects")
    x, y = (found - found.mean(-1, keepdims=True) for found in (ranks(a), ranks(b)))
    above, below = (x * y).sum(-1), np.sqrt((x**2).sum(-1) * (y**2).sum(-1))
    varies = below > _ROUNDING
    found: Array = np.divide(above, below, out=np.full(np.shape(above), np.nan), where=varies)
    return found


def ranks(values: npt.ArrayLike) -> Array:
    """Return the ranks along the last axis, from 1; ties have the mean of theirs."""
    array = np.asarray(values, dtype=np.float64)
    rows = array.reshape(-1, array.shape[-1])
    return np.stack([_ranks(row) for row in rows]).reshape(array.shape)


def _ranks(values_N: Array) -> Array:
    _, group_N, sizes_G = np.unique(values_N, return_inverse=True, return_counts=True)
    found: Array = (np.cumsum(sizes_G) - (sizes_G - 1) / 2)[group_N]
    return found


class Estimate(NamedTuple):
    """A value with the ends of its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def above_zero(self) -> bool:
        return self.low > 0

    @property
    def below_zero(self) -> bool:
        return self.high < 0


class Pool(NamedTuple):
    totals_U: Array  # their sum, float64 (U,)
    counts_U: Array  # their number, float64 (U,)

    @classmethod
    def of(cls, values: npt.ArrayLike, units: npt.ArrayLike, number: int) -> Pool:
        """Pool observations of the units 0 to ``number`` - 1; those that are nan do not count."""
        known, unit = np.asarray(values, dtype=np.float64), np.asarray(units, dtype=np.int64)
        there = ~np.isnan(known)
        totals_U: Array = np.zeros(number)
        np.add.at(totals_U, unit[there], known[there])
        counts_U: Array = np.bincount(unit[there], minlength=number).astype(np.float64)
        return cls(totals_U, counts_U)

    @classmethod
    def of_units(cls, values_U: npt.ArrayLike) -> Pool:
        values = np.asarray(values_U, dtype=np.float64)
        return cls.of(values, np.arange(len(values)), len(values))

    @property
    def value(self) -> float:
        return float(_means(self, np.ones((1, len(self.counts_U))))[0])


def draws(units: int, rng: np.random.Generator, replicates: int = REPLICATES) -> Array:
    """Return the number of times that each unit is drawn in each replicate: float64 (R, U)."""
    if units < 1:
        raise DataError("there is nothing to draw from: expected at least one piece")
    return rng.multinomial(units, np.full(units, 1 / units), size=replicates).astype(np.float64)


def mean(pool: Pool, draws_RU: Array) -> Estimate | None:
    """Return the pooled mean with its interval; None without observations.

    Replicates without observations are left out.
    """
    if not pool.counts_U.sum():
        return None
    return estimate(pool.value, _means(pool, draws_RU))


def difference(first: Pool, second: Pool, draws_RU: Array) -> Estimate | None:
    """Return the mean of ``first`` minus that of ``second``, both of the same units.

    Both are drawn together, so what the units have in common cancels. None if one has no
    observations.
    """
    if not (first.counts_U.sum() and second.counts_U.sum()):
        return None
    replicates_R = _means(first, draws_RU) - _means(second, draws_RU)
    return estimate(first.value - second.value, replicates_R)


def estimate(value: float, replicates_R: Array) -> Estimate:
    """Return a value with the interval of its replicates, of which nan are left out."""
    known = replicates_R[~np.isnan(replicates_R)]
    low, high = np.quantile(known, (0.025, 0.975)) if known.size else (value, value)
    return Estimate(float(value), float(low), float(high))


def _means(pool: Pool, draws_RU: Array) -> Array:
    counts_R = draws_RU @ pool.counts_U
    totals_R = draws_RU @ pool.totals_U
    means: Array = np.divide(
        totals_R, counts_R, out=np.full(len(counts_R), np.nan), where=counts_R > 0
    )
    return means
