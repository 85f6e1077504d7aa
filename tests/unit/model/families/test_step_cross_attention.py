"""Cross-attention from cells to the steps of an encoder, for every scheme, against the formula."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
import torch

from musicrel.model.families.step_cross_attention import StepCrossAttention
from musicrel.model.features.conditioning import Conditioning
from musicrel.model.positions.table import SCHEMES
from tests.helpers.models import enlarge_weights, tiny_config
from tests.helpers.naive_cross import naive_cross
from tests.helpers.naive_schemes import NAIVE

TRIED = [
    pytest.param(key, options, id=f"{key}-{number}")
    for key in SCHEMES
    for number, options in enumerate(NAIVE[key].options)
]
PARTS = [(0, 20), (0, 17), (0, 3), (3, 1), (5, 9), (6, 4)]


def layer_of(scheme: str, options: Mapping[str, Any]) -> StepCrossAttention:
    """Return a layer of width 16 with two heads and large weights, in float64."""
    config = tiny_config(
        scheme, options=options, family="encoder_decoder", encoder_layers=1, conditions=("given",)
    )
    torch.manual_seed(3)
    layer = StepCrossAttention(config)
    enlarge_weights(layer)
    return layer.double().eval()


@pytest.mark.parametrize(("scheme", "options"), TRIED)
@pytest.mark.parametrize(("start", "cells"), PARTS)
@torch.no_grad()
def test_cell_n_attends_from_step_n_over_4(
    scheme: str, options: Mapping[str, Any], start: int, cells: int
) -> None:
    """To all steps, later ones included, but not to padding; outputs and weights."""
    layer = layer_of(scheme, options)
    x_BND, steps_BTD = (torch.randn(2, n, 16, dtype=torch.float64) for n in (cells, 5))
    mask = torch.ones(2, 1, 1, 5, dtype=torch.bool)
    mask[1, ..., 3:] = False

    memory = layer.attention.memory(steps_BTD, mask=mask)
    found = layer(x_BND, memory, start=start, record=True)

    for b in range(2):
        expected, weights = naive_cross(
            layer.attention,
            NAIVE[scheme],
            (x_BND[b], steps_BTD[b]),
            places=[(start + n) // 4 for n in range(cells)],
            seen_S=mask[b, 0, 0],
        )
        torch.testing.assert_close(found.out_BTD[b], expected, atol=1e-10, rtol=0)
        torch.testing.assert_close(found.weights_BHTS[b], weights, atol=1e-10, rtol=0)
    assert layer(x_BND, memory, start=start, record=False).weights_BHTS is None


@torch.no_grad()
def test_the_conditioning_of_some_positions_has_all_steps() -> None:
    """Parts share the memory."""
    memory = layer_of("relative", {}).attention.memory(torch.randn(1, 5, 16).double())
    conditioning = Conditioning(torch.arange(20.0).view(1, 20, 1), (memory,))
    part = conditioning.at(slice(6, 8))
    assert part.added_BND.flatten().tolist() == [6.0, 7.0]
    assert part.memories == (memory,)
