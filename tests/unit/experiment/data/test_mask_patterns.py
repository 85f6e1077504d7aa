"""Mask patterns of infilling models."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.experiment.data.mask_patterns import PATTERNS
from musicrel.experiment.recipe.recipe_parts import PATTERN_MODES


@pytest.mark.parametrize("mode", PATTERNS)
@pytest.mark.parametrize("steps", [1, 5, 40, 128])
def test_every_pattern_hides_something(mode: str, steps: int) -> None:
    """At least one cell of every piece, however short."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        hidden = PATTERNS[mode](steps, rng)
        assert hidden.shape == (steps, 4)
        assert hidden.any()


def test_a_given_soprano_is_never_hidden() -> None:
    """And the other three always are."""
    hidden = PATTERNS["soprano_given"](20, np.random.default_rng(0))
    assert hidden.all(axis=0).tolist() == [False, True, True, True]


def test_outer_voices_are_given_together() -> None:
    """Alto and tenor are hidden."""
    hidden = PATTERNS["outer_given"](20, np.random.default_rng(0))
    assert hidden.all(axis=0).tolist() == [False, True, True, False]


def test_two_bars_are_hidden_somewhere() -> None:
    """Thirty-two steps of all voices, one after the other."""
    hidden = PATTERNS["two_bars"](100, np.random.default_rng(0))
    (steps,) = np.nonzero(hidden.all(axis=1))
    assert len(steps) == 32 == steps[-1] - steps[0] + 1
    assert hidden.sum() == 4 * 32


def test_the_mixture_has_all_kinds() -> None:
    """Few cells and many, whole voices, whole steps, and one voice a step."""
    rng = np.random.default_rng(0)
    drawn = [PATTERNS["mixture"](64, rng) for _ in range(300)]
    shares = [hidden.mean() for hidden in drawn]
    assert min(shares) < 0.05
    assert max(shares) > 0.9
    assert any(hidden.all(axis=0).any() for hidden in drawn)
    assert sum(hidden.sum(axis=1).max() == 1 for hidden in drawn) > 100


def test_every_mode_of_a_recipe_that_hides_cells_has_a_pattern() -> None:
    """Recipes are checked against the modes alone."""
    assert tuple(PATTERNS) == PATTERN_MODES
