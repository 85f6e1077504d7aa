"""Pooled means with bootstrap intervals over pieces, or over the bars of one piece.

The mean is that of all observations of all units, so units with more of them weigh more:
sum_u x_u / sum_u n_u, with the total x and the count n of each unit. A replicate draws as many
units with replacement. The interval holds the middle 95 % of the replicates (percentile bootstrap;
Efron and Tibshirani 1993, *An Introduction to the Bootstrap*, chapter 13).

Dimensions: U units, R replicates.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from musicrel.errors import DataError

Array = npt.NDArray[np.float64]

REPLICATES: Final = 10_000
_TAIL: Final = 0.025


class Estimate(NamedTuple):
    """A value with the ends of its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def above_zero(self) -> bool:
        """Return whether the whole interval is above 0."""
        return self.low > 0

    @property
    def below_zero(self) -> bool:
        """Return whether the whole interval is below 0."""
        return self.high < 0


class Pool(NamedTuple):
    """Observations by unit.

    Attributes:
        totals_U: their sum, float64 (U,).
        counts_U: their number, float64 (U,).
    """

    totals_U: Array
    counts_U: Array

    @classmethod
    def of(cls, values: npt.ArrayLike, units: npt.ArrayLike, number: int) -> Pool:
        """Pool observations; those that are nan do not count.

        Args:
            values: one for each observation.
            units: the unit of each, 0 to ``number`` - 1.
            number: of units U.
        """
        known, unit = np.asarray(values, dtype=np.float64), np.asarray(units, dtype=np.int64)
        there = ~np.isnan(known)
        totals_U: Array = np.zeros(number)
        np.add.at(totals_U, unit[there], known[there])
        counts_U: Array = np.bincount(unit[there], minlength=number).astype(np.float64)
        return cls(totals_U, counts_U)

    @classmethod
    def of_units(cls, values_U: npt.ArrayLike) -> Pool:
        """Pool one observation for each unit, nan for none."""
        values = np.asarray(values_U, dtype=np.float64)
        return cls.of(values, np.arange(len(values)), len(values))

    @property
    def value(self) -> float:
        """Return the pooled mean, nan without observations."""
        return float(_means(self, np.ones((1, len(self.counts_U))))[0])


def draws(units: int, rng: np.random.Generator, replicates: int = REPLICATES) -> Array:
    """Return the number of times that each unit is drawn in each replicate: float64 (R, U).

    Raises:
        DataError: there are no units.
    """
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
    low, high = np.quantile(known, (_TAIL, 1 - _TAIL)) if known.size else (value, value)
    return Estimate(float(value), float(low), float(high))


def _means(pool: Pool, draws_RU: Array) -> Array:
    """Return the pooled mean of each replicate, nan without observations."""
    counts_R = draws_RU @ pool.counts_U
    totals_R = draws_RU @ pool.totals_U
    means: Array = np.divide(
        totals_R, counts_R, out=np.full(len(counts_R), np.nan), where=counts_R > 0
    )
    return means
