"""Cross-attention for every scheme, against its formula."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
import torch

from musicrel.model.blocks.cross_attention import CrossAttention
from musicrel.model.positions.table import SCHEMES
from tests.helpers.models import enlarge_weights, tiny_config
from tests.helpers.naive_cross import naive_cross
from tests.helpers.naive_schemes import NAIVE

TRIED = [
    pytest.param(key, options, id=f"{key}-{number}")
    for key in SCHEMES
    for number, options in enumerate(NAIVE[key].options)
]
every_scheme = pytest.mark.parametrize(("scheme", "options"), TRIED)
SIZES = [(1, 1, 0), (1, 9, 4), (7, 3, 0), (5, 12, 2), (4, 6, 30)]


def cross_attention(scheme: str, options: Mapping[str, Any]) -> CrossAttention:
    """Return a layer of width 16 with two heads and large weights, in float64."""
    config = tiny_config(scheme, options=options, family="masked")
    listed = SCHEMES[scheme]
    torch.manual_seed(3)
    layer = CrossAttention(16, 2, listed.attention(config, {**listed.options, **options}))
    enlarge_weights(layer)
    return layer.double().eval()


@every_scheme
@pytest.mark.parametrize(("queries", "keys", "first"), SIZES)
@torch.no_grad()
def test_cross_attention_is_that_of_the_formula(
    scheme: str, options: Mapping[str, Any], queries: int, keys: int, first: int
) -> None:
    """Fewer or more queries than keys, from any position; with padding, and with padding only."""
    layer, formula = cross_attention(scheme, options), NAIVE[scheme]
    x_BTD, read_BSD = (torch.randn(3, n, 16, dtype=torch.float64) for n in (queries, keys))
    mask = torch.ones(3, 1, 1, keys, dtype=torch.bool)
    mask[1, ..., keys // 2 :] = False
    mask[2] = False

    places = range(first, first + queries)
    memory = layer.memory(read_BSD, planned_length=40, mask=mask)
    found = layer(x_BTD, memory, first=first, record=True)

    for b in range(3):
        expected, weights = naive_cross(
            layer, formula, (x_BTD[b], read_BSD[b]), places=places, seen_S=mask[b, 0, 0]
        )
        torch.testing.assert_close(found.out_BTD[b], expected, atol=1e-10, rtol=0)
        torch.testing.assert_close(found.weights_BHTS[b], weights, atol=1e-10, rtol=0)
    assert found.weights_BHTS.shape == (3, 2, queries, keys)
    assert (found.out_BTD[2] == 0).all()
    unrecorded = layer(x_BTD, memory, first=first)
    assert unrecorded.weights_BHTS is None
    assert torch.equal(unrecorded.out_BTD, found.out_BTD)


@every_scheme
@torch.no_grad()
def test_queries_may_come_one_by_one(scheme: str, options: Mapping[str, Any]) -> None:
    """The memory is computed once, and each query has its position, as in decoding."""
    layer = cross_attention(scheme, options)
    x_BTD, read_BSD = torch.randn(2, 9, 16).double(), torch.randn(2, 5, 16).double()
    memory = layer.memory(read_BSD, planned_length=9)

    whole = layer(x_BTD, memory).out_BTD
    parts = [layer(x_BTD[:, t : t + 1], memory, first=t).out_BTD for t in range(9)]

    torch.testing.assert_close(torch.cat(parts, dim=1), whole, atol=1e-10, rtol=0)
