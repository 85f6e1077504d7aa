"""Weights as colours."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.presentation.attention.attention_record import to_levels
from musicrel.presentation.attention.colour_scale import colours, full_weight, rgb, stretched
from musicrel.presentation.words.palette import DARK, LIGHT, Theme


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_scale_runs_from_paper_to_text(theme: Theme) -> None:
    """Over the accent, in 256 colours."""
    scale = colours(theme)

    assert scale.shape == (256, 3)
    assert tuple(scale[0]) == rgb(theme.lane)
    assert tuple(scale[-1]) == rgb(theme.text)


@pytest.mark.parametrize(("most", "full"), [(0.01, 0.02), (0.04, 0.05), (0.3, 0.5), (0.9, 1.0)])
def test_last_colour_is_for_the_strongest_weights(most: float, full: float) -> None:
    """One of a few round weights, so that the scale stands still while a map grows."""
    weights = np.linspace(0, most, 1000, dtype=np.float32).reshape(25, 40)

    assert full_weight(to_levels(weights)) == full


def test_map_without_weights_has_the_whole_scale() -> None:
    """Nothing is divided by nothing."""
    assert full_weight(np.zeros((0, 0), dtype=np.uint8)) == 1.0


def test_stretched_scale_ends_at_the_full_weight() -> None:
    """Larger weights have the last colour, too."""
    scale = stretched(LIGHT, 0.25)

    assert (scale[128:] == rgb(LIGHT.text)).all()
    assert tuple(scale[0]) == rgb(LIGHT.lane)
    assert (stretched(LIGHT, 1.0) == colours(LIGHT)).all()
