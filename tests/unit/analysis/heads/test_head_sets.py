"""Sets of heads against random ones."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.analysis.heads.head_sets import SetComparison, strongest
from musicrel.errors import DataError

VALUES = np.array([0.5, 0.1, 0.9, 0.3, 0.9, 0.0])


def test_rank_and_p_count_the_random_sets() -> None:
    """Ties count half in the rank, and in full against the chosen set."""
    found = SetComparison(heads=(0,), value=2.0, random=(0.0, 1.0, 2.0, 3.0))

    assert found.rank == (2 + 0.5) / 4
    assert found.p == (1 + 2) / (1 + 4)


def test_strongest_heads_come_first() -> None:
    """The first of equal ones before the others."""
    assert strongest(VALUES, 3) == (2, 4, 0)


@pytest.mark.parametrize("size", [0, 7])
def test_impossible_sizes_are_refused(size: int) -> None:
    """A set has one head at least, and no more than the model."""
    with pytest.raises(DataError, match=f"a set of {size} of 6 heads: expected 1 to 6"):
        strongest(VALUES, size)
