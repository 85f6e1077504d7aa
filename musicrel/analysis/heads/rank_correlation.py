"""Spearman's rank correlation with ties, and its bootstrap interval over pieces.

It is Pearson's correlation of the ranks, where tied values share the mean of their ranks (Kendall
and Gibbons 1990, *Rank Correlation Methods*, chapter 3).

Dimensions: N observations, R replicates, P pieces, G groups of tied values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self

import numpy as np
import numpy.typing as npt

from musicrel.analysis.claims import intervals
from musicrel.analysis.claims.intervals import Array, Estimate
from musicrel.errors import DataError

Places = npt.NDArray[np.int64]
_ROUNDING: Final = 1e-6


def spearman(first: npt.ArrayLike, second: npt.ArrayLike) -> Array:
    """Return the rank correlation along the last axis; nan where all values of one are equal.

    Args:
        first: (..., N), such as the weights of N heads for each of several notes.
        second: (..., N), such as their effects.

    Raises:
        DataError: the shapes differ, or a value is not finite.
    """
    pair = [np.asarray(values, dtype=np.float64) for values in (first, second)]
    _check(*pair)
    x, y = (ranks(values) for values in pair)
    x, y = x - x.mean(-1, keepdims=True), y - y.mean(-1, keepdims=True)
    return _ratio((x * y).sum(-1), np.sqrt((x**2).sum(-1) * (y**2).sum(-1)))


def ranks(values: npt.ArrayLike) -> Array:
    """Return the ranks along the last axis, from 1; ties have the mean of theirs."""
    array = np.asarray(values, dtype=np.float64)
    rows = array.reshape(-1, array.shape[-1])
    found = np.stack([_Ranking.of(row).ranks(np.ones((1, len(row))))[0] for row in rows])
    return found.reshape(array.shape)


def over_pieces(
    first: npt.ArrayLike, second: npt.ArrayLike, pieces: npt.ArrayLike, draws_RP: Array
) -> Estimate:
    """Return the rank correlation of all observations, with its interval over pieces.

    Every replicate has its own ranks, those of the observations of its pieces.

    Args:
        first: (N,).
        second: (N,).
        pieces: the piece of each observation, 0 to P - 1.
        draws_RP: from ``intervals.draws``.

    Raises:
        DataError: the shapes differ, or a value is not finite.
    """
    x, y = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    of_piece = np.asarray(pieces, dtype=np.int64)
    _check(x, y)
    rankings = _Ranking.of(x), _Ranking.of(y)
    replicates = [
        _weighted(*rankings, counts_P[of_piece][None]) for counts_P in draws_RP
    ]  # fmt: skip
    return intervals.estimate(float(spearman(x, y)), np.array(replicates))


@dataclass(frozen=True, slots=True)
class _Ranking:
    """The order of some values.

    Attributes:
        order_N: places of the values, the smallest first.
        starts_G: where each group of ties begins in that order.
        group_N: the group of each value, in their own order.
    """

    order_N: Places
    starts_G: Places
    group_N: Places

    @classmethod
    def of(cls, values_N: Array) -> Self:
        order_N = np.argsort(values_N, kind="stable")
        is_new = np.diff(values_N[order_N], prepend=-np.inf) > 0
        group_N = np.empty(len(values_N), dtype=np.int64)
        group_N[order_N] = np.cumsum(is_new) - 1
        return cls(order_N, np.flatnonzero(is_new), group_N)

    def ranks(self, counts_RN: Array) -> Array:
        """Return the ranks of the values if value n occurs ``counts_RN[r, n]`` times: (R, N)."""
        sizes_RG = np.add.reduceat(counts_RN[:, self.order_N], self.starts_G, axis=1)
        means_RG = np.cumsum(sizes_RG, axis=1) - (sizes_RG - 1) / 2
        found: Array = means_RG[:, self.group_N]
        return found


def _weighted(first: _Ranking, second: _Ranking, counts_1N: Array) -> float:
    """Return the rank correlation of values that occur some number of times."""
    total = counts_1N.sum()
    x, y = (ranking.ranks(counts_1N) for ranking in (first, second))
    x, y = (values - (counts_1N * values).sum() / total for values in (x, y))
    xy, xx, yy = (np.array((counts_1N * a * b).sum()) for a, b in ((x, y), (x, x), (y, y)))
    return float(_ratio(xy, np.sqrt(xx * yy)))


def _ratio(above: Array, below: Array) -> Array:
    """Return a quotient, nan where ``below`` is 0 up to rounding; ranks differ by 1/2 at least."""
    varies = below > _ROUNDING
    found: Array = np.divide(above, below, out=np.full(np.shape(above), np.nan), where=varies)
    return found


def _check(first: Array, second: Array) -> None:
    if first.shape != second.shape or not first.shape[-1:] > (0,):
        raise DataError(
            f"the values to rank have shapes {first.shape} and {second.shape}: expected the same, "
            "with at least one value"
        )
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise DataError("a value to rank is not finite: expected finite weights and effects")
