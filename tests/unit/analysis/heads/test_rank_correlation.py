"""Spearman's rank correlation."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.analysis.heads.rank_correlation import ranks, spearman
from musicrel.errors import DataError


def naive_ranks(values: np.ndarray) -> list[float]:
    """Return 1 + the number of smaller values + half the number of other equal ones."""
    return [
        1 + sum(other < one for other in values) + (sum(other == one for other in values) - 1) / 2
        for one in values
    ]


def naive(x: np.ndarray, y: np.ndarray) -> float:
    """Return Pearson's correlation of the ranks."""
    return float(np.corrcoef(naive_ranks(x), naive_ranks(y))[0, 1])


def observations(seed: int, count: int, values: int) -> tuple[np.ndarray, np.ndarray]:
    """Return correlated pairs of whole numbers, with many ties."""
    rng = np.random.default_rng(seed)
    x = rng.integers(values, size=count).astype(float)
    return x, x + rng.integers(values, size=count)


@pytest.mark.parametrize("values", [2, 5, 1000])
@pytest.mark.parametrize("seed", range(3))
def test_correlation_is_that_of_the_ranks(seed: int, values: int) -> None:
    """With few and with many ties."""
    x, y = observations(seed, 40, values)

    np.testing.assert_allclose(ranks(x), naive_ranks(x))
    assert spearman(x, y) == pytest.approx(naive(x, y))
    assert spearman(x, np.exp(y / 100)) == pytest.approx(naive(x, y))


def test_rows_are_correlated_one_by_one() -> None:
    """Such as the heads of each note; a row of equal values has no correlation."""
    rows = [observations(seed, 20, 6) for seed in range(4)]
    x, y = (np.stack(part) for part in zip(*rows, strict=True))
    y[3] = 7.0

    found = spearman(x, y)

    assert found[:3] == pytest.approx([naive(*row) for row in rows[:3]])
    assert np.isnan(found[3])
    assert ranks(x).shape == x.shape


def test_values_must_be_finite_and_of_one_shape() -> None:
    """Anything else is a mistake of the caller."""
    with pytest.raises(DataError, match=r"shapes \(2,\) and \(3,\): expected the same"):
        spearman([1, 2], [1, 2, 3])
    with pytest.raises(DataError, match="with at least one value"):
        spearman([], [])
    with pytest.raises(DataError, match="a value to rank is not finite"):
        spearman([1, np.nan], [1, 2])
