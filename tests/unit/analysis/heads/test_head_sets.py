"""Sets of heads against random ones."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from musicrel.analysis.heads.head_sets import SetComparison, compare, strongest
from musicrel.errors import DataError

VALUES = np.array([0.5, 0.1, 0.9, 0.3, 0.9, 0.0])


def test_a_set_has_the_mean_of_its_heads() -> None:
    """Random sets have as many different heads."""
    found = compare(VALUES, (2, 3), np.random.default_rng(0), sets=200)

    possible = {(VALUES[a] + VALUES[b]) / 2 for a, b in combinations(range(6), 2)}
    assert found.value == pytest.approx(0.6)
    assert found.heads == (2, 3)
    assert len(found.random) == 200
    assert list(found.random) == sorted(found.random)
    assert all(min(abs(value - other) for other in possible) < 1e-12 for value in found.random)


def test_rank_and_p_count_the_random_sets() -> None:
    """Ties count half in the rank, and in full against the chosen set."""
    found = SetComparison(heads=(0,), value=2.0, random=(0.0, 1.0, 2.0, 3.0))

    assert found.rank == (2 + 0.5) / 4
    assert found.p == (1 + 2) / (1 + 4)


def test_a_hundred_sets_are_drawn_again_with_a_seed() -> None:
    """By default."""
    first, second = (compare(VALUES, (0,), np.random.default_rng(5)) for _ in range(2))

    assert first == second
    assert len(first.random) == 100


def test_strongest_heads_come_first() -> None:
    """The first of equal ones before the others."""
    assert strongest(VALUES, 3) == (2, 4, 0)


def test_impossible_sets_are_refused() -> None:
    """Empty ones, too large ones, heads that do not exist."""
    rng = np.random.default_rng(0)
    with pytest.raises(DataError, match="a set of 0 of 6 heads: expected 1 to 6"):
        compare(VALUES, (), rng)
    with pytest.raises(DataError, match="a set of 7 of 6 heads"):
        strongest(VALUES, 7)
    with pytest.raises(DataError, match="heads 1 to 6: expected 0 to 5"):
        compare(VALUES, (1, 6), rng)
