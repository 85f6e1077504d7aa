"""The distance of two distributions over ranked symbols."""

from __future__ import annotations

import pytest

from musicrel.analysis import wasserstein

REFERENCE = {"often": 6, "seldom": 1, "sometimes": 3}


def test_the_same_shares_are_at_no_distance() -> None:
    """The totals do not matter."""
    doubled = {symbol: 2 * count for symbol, count in REFERENCE.items()}
    assert wasserstein.distance(doubled, REFERENCE) == 0.0


@pytest.mark.parametrize(
    ("counts", "distance"),
    [
        ({"often": 1}, 0.3 * 1 + 0.1 * 2),  # what is missing is carried from ranks 1 and 2
        ({"sometimes": 1}, 0.6 * 1 + 0.1 * 1),
        ({"seldom": 1}, 0.6 * 2 + 0.3 * 1),
        ({"unheard": 1}, 0.6 * 3 + 0.3 * 2 + 0.1 * 1),
    ],
)
def test_the_distance_is_the_work_of_carrying_all_mass(
    counts: dict[str, int], distance: float
) -> None:
    """Mass times ranks; unknown symbols are beyond the last rank."""
    assert wasserstein.distance(counts, REFERENCE) == pytest.approx(distance)


def test_unknown_symbols_are_ordered_by_their_share() -> None:
    """The more frequent one is nearer."""
    counts = {"rare": 1, "common": 3}
    # common at bin 3 with 3/4 of the mass, rare at bin 4 with 1/4
    expected = 0.75 * 3 + 0.25 * 4 - (0.3 * 1 + 0.1 * 2)
    assert wasserstein.distance(counts, REFERENCE) == pytest.approx(expected)


def test_of_equally_common_symbols_the_first_that_occurred_comes_first() -> None:
    """The order of the table is the order of occurrence."""
    assert wasserstein.by_rank({"late": 1, "top": 2, "later": 1}) == ["top", "late", "later"]
