"""The trend at the end of a learning curve."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.experiment.study.run_watch import CurvePoint, slope, trend


def curve(losses: list[float], every: int = 10) -> list[CurvePoint]:
    return [
        CurvePoint(step=every * number, tokens=0, seconds=0.0, nats=loss)
        for number, loss in enumerate(losses, 1)
    ]


def test_the_slope_is_the_median_of_all_pairs_in_the_last_quarter() -> None:
    """Against a plain loop in float64."""
    losses = np.random.default_rng(0).normal(2.0, 0.1, 40).tolist()
    naive = [
        (losses[right] - losses[left]) / (10.0 * (right - left))
        for left in range(29, 40)
        for right in range(left + 1, 40)
    ]

    assert slope(curve(losses)) == pytest.approx(np.median(np.array(naive)))


@pytest.mark.parametrize(
    ("losses", "found"),
    [
        ([2.0, 1.5, 1.2, 1.1, 1.05], "falls"),
        ([2.0, 1.0, 1.1, 1.2, 1.3], "rises"),
        ([2.0, 1.0, 1.001, 1.0, 1.001], "level"),
        ([2.0, 1.0], None),
        ([], None),
    ],
)
def test_a_trend_is_a_change_of_a_hundredth_over_the_last_quarter(
    losses: list[float], found: str | None
) -> None:
    assert trend(curve(losses)) == found


def test_a_single_outlier_does_not_turn_the_trend() -> None:
    losses = [1.0] * 20
    losses[-2] = 1.5

    assert trend(curve(losses)) == "level"


def test_the_trend_does_not_depend_on_the_distance_of_evaluations() -> None:
    losses = [2.0 - 0.02 * number for number in range(12)]

    assert trend(curve(losses)) == trend(curve(losses, every=100)) == "falls"
