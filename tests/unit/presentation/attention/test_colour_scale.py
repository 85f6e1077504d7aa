"""Weights as colours."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.presentation.attention.attention_record import to_levels
from musicrel.presentation.attention.colour_scale import colours, full_weight, full_weights, rgb
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


def test_each_of_several_maps_has_its_own_scale() -> None:
    """A map without weights has the whole one."""
    maps = [to_levels(np.full((5, 5), weight, dtype=np.float32)) for weight in (0.01, 0.3, 0.0)]

    assert full_weights(np.array(maps)).tolist() == [0.02, 0.5, 1.0]
