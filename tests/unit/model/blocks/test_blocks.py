"""Cross-attention for every scheme against its formula, and the key-value cache."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
import torch

from musicrel.errors import ModelError
from musicrel.generation.infill.torch_reader import in_bfloat16
from musicrel.model.blocks.attention import Recording
from musicrel.model.blocks.cross_attention import CrossAttention, StepCrossAttention
from musicrel.model.blocks.kv_cache import KeyValueCache
from musicrel.model.positions.table import SCHEMES
from tests.helpers.models import enlarge_weights, tiny_config, tiny_ids, tiny_model, tiny_rows
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


@pytest.fixture
def cache() -> KeyValueCache:
    """Return a cache of two layers, one sequence, two heads, capacity four, head width 3."""
    return KeyValueCache(2, (1, 2, 4, 3), torch.zeros(1, dtype=torch.float64))


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
    recorded = Recording()
    found_BTD = layer(x_BTD, memory, first=first, record=recorded)
    (weights_BHTS,) = recorded.cross_weights

    for b in range(3):
        expected, weights = naive_cross(
            layer, formula, (x_BTD[b], read_BSD[b]), places=places, seen_S=mask[b, 0, 0]
        )
        torch.testing.assert_close(found_BTD[b], expected, atol=1e-10, rtol=0)
        torch.testing.assert_close(weights_BHTS[b], weights, atol=1e-10, rtol=0)
    assert weights_BHTS.shape == (3, 2, queries, keys)
    assert (found_BTD[2] == 0).all()
    assert torch.equal(layer(x_BTD, memory, first=first), found_BTD)


@every_scheme
@torch.no_grad()
def test_queries_may_come_one_by_one(scheme: str, options: Mapping[str, Any]) -> None:
    layer = cross_attention(scheme, options)
    x_BTD, read_BSD = torch.randn(2, 9, 16).double(), torch.randn(2, 5, 16).double()
    memory = layer.memory(read_BSD, planned_length=9)

    whole = layer(x_BTD, memory)
    parts = [layer(x_BTD[:, t : t + 1], memory, first=t) for t in range(9)]

    torch.testing.assert_close(torch.cat(parts, dim=1), whole, atol=1e-10, rtol=0)


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
    recorded = Recording()
    found_BND = layer(x_BND, memory, start=start, record=recorded)
    (weights_BHNS,) = recorded.cross_weights

    for b in range(2):
        expected, weights = naive_cross(
            layer.attention,
            NAIVE[scheme],
            (x_BND[b], steps_BTD[b]),
            places=[(start + n) // 4 for n in range(cells)],
            seen_S=mask[b, 0, 0],
        )
        torch.testing.assert_close(found_BND[b], expected, atol=1e-10, rtol=0)
        torch.testing.assert_close(weights_BHNS[b], weights, atol=1e-10, rtol=0)


def test_rows_are_replaced_by_copies_of_others() -> None:
    cache = KeyValueCache(2, (3, 2, 4, 3), torch.zeros(1, dtype=torch.float64))
    stored = torch.randn(2, 3, 2, 4, 3).double()
    ids = torch.arange(3)[:, None].expand(3, 4)
    cache.append_ids(ids)
    cache.layer(1, 4).append(*stored)
    cache.length = 4

    cache.select(torch.tensor([0, 2, 0]), first=1)

    for kept, (before, after) in enumerate(zip(stored, cache.layer(1, 0)[:2], strict=True)):
        assert torch.equal(after[:, :, :1], before[:, :, :1]), kept
        assert torch.equal(after[:, :, 1:4], before[[0, 2, 0], :, 1:]), kept
    assert cache.ids_BL[:, -1].tolist() == [0, 2, 0]


def test_a_model_refuses_more_tokens_than_the_capacity() -> None:
    config = tiny_config("relative", conditions=("voice",))
    model, ids, rows = tiny_model(config), tiny_ids(config, 1, 5), tiny_rows(config, 1, 5)
    cache = model.new_cache(1, 4)

    with torch.inference_mode(), pytest.raises(ModelError, match="0 of 4 tokens, 5 more do not"):
        model(ids, rows, cache=cache)

    assert cache.length == 0


WANTED = torch.tensor([0, 3, 4, 22])


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("norm", ["pre", "post"])
def test_the_states_of_some_steps_are_those_of_all(scheme: str, norm: str) -> None:
    """In float32 they are equal, and in bfloat16 most are nearly so.

    A random head that hesitates between two keys may choose the other one by rounding.
    """
    model = tiny_model(tiny_config(scheme, family="infill", norm=norm))
    x_BTD = torch.randn(2, 23, model.config.width, generator=torch.Generator().manual_seed(0))
    with torch.inference_mode():
        expected = model.run_blocks(x_BTD)[:, WANTED]
        single = model.run_blocks(x_BTD, at_S=WANTED)
        with torch.autocast("cpu", torch.bfloat16):
            mixed = in_bfloat16(model).run_blocks(x_BTD, at_S=WANTED)
    torch.testing.assert_close(single, expected, atol=2e-5, rtol=1e-4)
    assert mixed.dtype == torch.float32
    assert (mixed - expected).abs().median() < 0.03 * expected.abs().mean()
