"""Spearman's rank correlation with ties.

It is Pearson's correlation of the ranks, where tied values share the mean of their ranks (Kendall
and Gibbons 1990, *Rank Correlation Methods*, chapter 3).

Dimensions: N observations, G groups of tied values.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.analysis.claims.intervals import Array
from musicrel.errors import DataError

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
    return np.stack([_ranks(row) for row in rows]).reshape(array.shape)


def _ranks(values_N: Array) -> Array:
    """Return the ranks of some values."""
    order_N = np.argsort(values_N, kind="stable")
    is_new_N = np.diff(values_N[order_N], prepend=-np.inf) > 0
    group_N = np.cumsum(is_new_N) - 1  # of ties, in that order
    sizes_G = np.bincount(group_N)
    means_G = np.cumsum(sizes_G) - (sizes_G - 1) / 2
    found: Array = np.empty(len(values_N))
    found[order_N] = means_G[group_N]
    return found


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
