"""The computation of the critic's figures."""

from __future__ import annotations

import numpy as np
import pytest

import musicrel
from training import critic, opponents, quality


def test_calibration_counts_both_sides_alike() -> None:
    """For any ratio of window counts; log-odds are against Bach."""
    bach, others = np.array([-3.0, -3.0, 3.0, -3.0]), np.array([3.0, 3.0, 3.0, -3.0] * 10)

    low, high = critic.calibration(bach, others)

    assert [low["from"], low["windows"], low["bach"]] == pytest.approx([0.0, 31, 0.25])
    assert [high["from"], high["windows"], high["bach"]] == pytest.approx([0.8, 13, 0.75])


def test_the_last_chord_of_a_harmonisation_is_the_choice_of_the_model() -> None:
    """Its ends on the tonic are counted."""
    asked = critic.requests(musicrel.load_model("relative-infill"), "valid", 2)
    assert [one.last_chord for one in asked] == ["", ""]
    assert all(one.locks is not None for one in asked)


def test_nothing_is_measured_on_what_was_learned_from() -> None:
    """Opponents, candidates and the pieces of the quality table have distinct seeds."""
    learned = {split: set(range(first, first + opponents.PIECES[split]))
               for split, first in opponents._SEEDS.items()}  # fmt: skip
    candidates = [set(range(first, first + 8 * 1000)) for first in critic._SEEDS.values()]
    table = [set(range(quality._CHOOSING + 1000))]
    each = [*learned.values(), *candidates, *table]
    assert len(set().union(*each)) == sum(map(len, each))
