"""Sets of heads against random sets of the same size.

Dimensions: H heads.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from musicrel.analysis.claims.intervals import Array
from musicrel.errors import DataError

RANDOM_SETS: Final = 100


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
    if not 1 <= size <= len(scores_H):
        raise DataError(f"a set of {size} of {len(scores_H)} heads: expected 1 to {len(scores_H)}")
    return tuple(np.argsort(-scores_H, kind="stable")[:size].tolist())
