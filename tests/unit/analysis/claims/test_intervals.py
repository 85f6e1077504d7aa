"""Pooled means with bootstrap intervals."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.analysis.claims import intervals
from musicrel.analysis.claims.intervals import Pool
from musicrel.errors import DataError


def naive_means(values: list[list[float]], draws: np.ndarray) -> list[float]:
    """Return the mean of all observations of each replicate, unit by unit."""
    found = []
    for counts in draws.astype(int):
        drawn = [x for count, unit in zip(counts, values, strict=True) for x in unit * count]
        found.append(sum(drawn) / len(drawn))
    return found


VALUES = [[1.0, 2.0, 3.0], [4.0], [10.0, 0.0], [5.0, 5.0, 5.0, 6.0]]


def pooled(values: list[list[float]]) -> Pool:
    """Return the pool of some units."""
    units = [unit for unit, of_unit in enumerate(values) for _ in of_unit]
    return Pool.of([x for of_unit in values for x in of_unit], units, len(values))


def test_mean_and_interval_are_those_of_all_observations() -> None:
    """Against a loop over the replicates; units with more observations weigh more."""
    draws = intervals.draws(4, np.random.default_rng(1), 200)

    found = intervals.mean(pooled(VALUES), draws)

    assert found is not None
    assert found.value == pytest.approx(41 / 10)
    assert found[1:] == pytest.approx(np.quantile(naive_means(VALUES, draws), (0.025, 0.975)))


def test_difference_draws_both_together() -> None:
    """A constant shift has an interval without width."""
    draws = intervals.draws(4, np.random.default_rng(1), 200)
    shifted = pooled([[x + 2 for x in unit] for unit in VALUES])

    found = intervals.difference(shifted, pooled(VALUES), draws)

    assert found == pytest.approx((2, 2, 2))
    assert found is not None
    assert found.above_zero
    assert not found.below_zero


def test_interval_covers_the_true_mean() -> None:
    """In 95 % of samples, up to the error of 300 of them."""
    rng, covered = np.random.default_rng(2), 0
    for _ in range(300):
        found = intervals.mean(
            Pool.of_units(rng.normal(3, 1, size=60)), intervals.draws(60, rng, 400)
        )
        assert found is not None
        covered += found.low <= 3 <= found.high

    assert 0.90 <= covered / 300 <= 0.98


def test_missing_observations_do_not_count() -> None:
    """Those that are nan; a pool of nothing has no mean."""
    draws = intervals.draws(3, np.random.default_rng(0), 50)
    half = Pool.of_units([1.0, np.nan, 3.0])

    assert half.value == 2
    assert intervals.mean(Pool.of_units([np.nan] * 3), draws) is None
    assert intervals.difference(half, Pool.of_units([np.nan] * 3), draws) is None
    found = intervals.mean(half, draws)
    assert found is not None
    assert 1 <= found.low <= found.high <= 3


def test_nothing_cannot_be_drawn_from() -> None:
    """It takes at least one piece."""
    with pytest.raises(DataError, match="nothing to draw from: expected at least one piece"):
        intervals.draws(0, np.random.default_rng(0))
