"""Area under the ROC curve, with an interval by bootstrap over groups."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from training.examination.estimate import Estimate, draws, estimate

Scores = npt.NDArray[np.float64]


def area(
    scores: Scores, is_other: npt.NDArray[np.bool_], groups: Sequence[str], seed: int
) -> Estimate:
    """Measure how well scores separate others from Bach.

    The area is the probability that one of another scores higher than one of Bach's: 0.5 for
    chance, 1 for certainty. Source: Hanley and McNeil 1982, the area as a rank statistic.

    Args:
        scores: float (N,), higher for what looks like another's.
        is_other: bool (N,).
        groups: the group of each.
        seed: of the draws.
    """
    above = scores[is_other, None] - scores[None, ~is_other]
    wins = np.where(above > 0, 1.0, np.where(above == 0, 0.5, 0.0))
    drawn = []
    for times in draws(groups, seed):
        others, bach = times[is_other], times[~is_other]
        if others.any() and bach.any():
            drawn.append(float(others @ wins @ bach / (others.sum() * bach.sum())))
    return estimate(wins.mean(), drawn)
