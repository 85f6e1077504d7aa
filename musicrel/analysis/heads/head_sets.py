"""Sets of heads against random sets of the same size.

Dimensions: H heads, K heads of a set, D random sets.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.analysis.claims.intervals import Array
from musicrel.errors import DataError

RANDOM_SETS: Final = 100

Places = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetComparison:
    """A set of heads against random ones; the value of a set is the mean over its heads.

    Attributes:
        heads: the chosen ones, by their number in the model.
        value: of the chosen set.
        random: values of the random sets, in rising order.
    """

    heads: tuple[int, ...]
    value: float
    random: tuple[float, ...]

    @property
    def rank(self) -> float:
        """Return the share of random sets that the chosen one exceeds; ties count half."""
        values = np.array(self.random)
        return float(((values < self.value) + 0.5 * (values == self.value)).mean())

    @property
    def p(self) -> float:
        """Return the one-sided p-value: (1 + sets as large) / (1 + sets)."""
        as_large = sum(value >= self.value for value in self.random)
        return (1 + as_large) / (1 + len(self.random))


def strongest(scores_H: Array, size: int) -> tuple[int, ...]:
    """Return the ``size`` heads with the largest scores, the first of equals first.

    Raises:
        DataError: there are not so many heads.
    """
    _check(len(scores_H), size)
    return tuple(np.argsort(-scores_H, kind="stable")[:size].tolist())


def compare(
    values_H: Array, heads: tuple[int, ...], rng: np.random.Generator, sets: int = RANDOM_SETS
) -> SetComparison:
    """Compare a set of heads with random sets of the same size, drawn from all heads.

    The heads must be chosen by other data than ``values_H``, such as other pieces, or the chosen
    set exceeds random ones in any case.

    Args:
        values_H: a value for each head.
        heads: the chosen set.
        rng: draws the random sets.
        sets: their number D.

    Raises:
        DataError: the set is empty, or has a head that the model lacks.
    """
    _check(len(values_H), len(heads))
    if max(heads) >= len(values_H) or min(heads) < 0:
        raise DataError(
            f"the set has heads {min(heads)} to {max(heads)}: expected 0 to {len(values_H) - 1}"
        )
    drawn_DK = np.stack(
        [rng.choice(len(values_H), size=len(heads), replace=False) for _ in range(sets)]
    )
    random = np.sort(values_H[drawn_DK].mean(axis=1))
    value = float(values_H[list(heads)].mean())
    return SetComparison(heads=heads, value=value, random=tuple(random.tolist()))


def _check(heads: int, size: int) -> None:
    if not 1 <= size <= heads:
        raise DataError(f"a set of {size} of {heads} heads: expected 1 to {heads}")
