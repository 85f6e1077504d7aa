"""Relative attention: the skew, tiles and their gradients, memory and arithmetic."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.utils.flop_counter import FlopCounterMode

from musicrel.experiment.runs.environment import peak_during
from musicrel.model.positions import base, relative
from musicrel.model.positions.base import ExplicitAttention, PositionalAttention, masked_softmax
from musicrel.model.positions.relative import RelativeAttention
from musicrel.model.positions.skew import skew
from tests.helpers.memory import Allocations

BATCH, HEADS, WIDTH = 3, 2, 4
kinds = pytest.mark.parametrize("causal", [True, False], ids=["causal", "bidirectional"])
tables = pytest.mark.parametrize("shared", [True, False], ids=["shared", "per-head"])
SIZES = [(1, 1), (1, 6), (2, 2), (4, 4), (8, 8), (3, 7), (7, 7)]
FEW_HEADS, HEAD_WIDTH = 2, 16


def picked(qe_BHTW1: torch.Tensor, keys: int) -> torch.Tensor:
    queries = qe_BHTW1.shape[-2]
    i_T1, j_S = torch.arange(queries)[:, None], torch.arange(keys)
    distance_TS = j_S - (keys - queries + i_T1)
    column_TS = (distance_TS + keys - 1).clamp(max=qe_BHTW1.shape[-1] - 1)
    return qe_BHTW1.gather(-1, column_TS.expand(*qe_BHTW1.shape[:-2], -1, -1))


def heads(length: int) -> list[Tensor]:
    return [torch.randn(1, FEW_HEADS, length, HEAD_WIDTH, requires_grad=True) for _ in range(3)]


def training_peak(scheme: PositionalAttention, length: int, *, causal: bool) -> int:
    """Return the peak number of bytes, forward and backward."""
    inputs = heads(length)

    def work() -> None:
        out = scheme.fused(*inputs, causal=causal, mask=None)
        torch.autograd.grad(out.sum(), [*inputs, *scheme.parameters()])

    return peak_during(work)


@kinds
@tables
@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize(
    "size", [(1, 4), (2, 1), (7, 3), (33, 1), (33, 8), (33, 11), (33, 33), (33, 128)]
)
def test_result_and_all_gradients_are_those_of_the_scores(
    size: tuple[int, int],
    padded: bool,
    shared: bool,
    causal: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """To 1e-10 in float64, for several sizes of tiles, heads that are not contiguous, padding.

    On a GPU the scores are computed as a whole to learn, and otherwise by the tile.
    """
    length, tile = size
    monkeypatch.setattr(relative, "_TILE", tile)
    scheme = RelativeAttention(HEADS, WIDTH, max_distance=9, shared=shared, causal=causal).double()
    shape = (BATCH, length, HEADS, WIDTH)
    heads = [torch.randn(shape, dtype=torch.float64, requires_grad=True) for _ in range(3)]
    mask = torch.ones(BATCH, 1, 1, length, dtype=torch.bool)
    mask[1, ..., : length // 4] = False
    mask[2] = False
    q, k, v = (each.transpose(1, 2) for each in heads)

    how: dict[str, Any] = {"causal": causal, "mask": mask if padded else None}
    tiled = scheme.fused(q, k, v, **how)
    monkeypatch.setattr(base, "_TILE", tile)
    with torch.no_grad():
        on_gpu = [ExplicitAttention.fused(scheme, q, k, v, **how)]
    on_gpu.append(ExplicitAttention.fused(scheme, q, k, v, **how))
    scores = scheme.scores(q, k, causal=causal)
    weights = masked_softmax(scores, causal=causal, mask=mask if padded else None)
    plain = scheme.mix(weights, v)

    for found in (tiled, *on_gpu):
        torch.testing.assert_close(found, plain, atol=1e-10, rtol=0)
    assert not padded or (tiled[2] == 0).all()
    leaves, towards = [*heads, scheme.table_HRd], torch.randn_like(tiled)
    for found, expected in zip(
        torch.autograd.grad(tiled, leaves, towards),
        torch.autograd.grad(plain, leaves, towards),
        strict=True,
    ):
        torch.testing.assert_close(found, expected, atol=1e-10, rtol=0)


LENGTH, TILE = 1024, 128


def scheme_and_heads(*, causal: bool, shared: bool) -> tuple[RelativeAttention, list[Tensor]]:
    scheme = RelativeAttention(HEADS, WIDTH, max_distance=LENGTH, shared=shared, causal=causal)
    return scheme, [torch.randn(1, HEADS, LENGTH, WIDTH, requires_grad=True) for _ in range(3)]


@kinds
@tables
def test_training_never_holds_more_than_a_tile(shared: bool, causal: bool) -> None:
    """The largest tensor has O(L x tile) entries, not L^2 or L^2 d."""
    scheme, heads = scheme_and_heads(causal=causal, shared=shared)

    with Allocations() as allocations:
        out = scheme.fused(*heads, causal=causal, mask=None)
        torch.autograd.grad(out.sum(), [*heads, scheme.table_HRd])

    assert allocations.largest <= HEADS * TILE * (LENGTH + TILE)


@kinds
def test_the_explicit_path_never_makes_a_row_a_pair(causal: bool) -> None:
    """It has logits by distance, at most 2 L^2 per head, never an (L, L, d) tensor."""
    scheme, (q, k, _) = scheme_and_heads(causal=causal, shared=False)

    with Allocations() as allocations:
        scheme.scores(q, k, causal=causal)

    assert allocations.largest <= HEADS * LENGTH * 2 * LENGTH
    assert allocations.largest < LENGTH * LENGTH * WIDTH * HEADS


@pytest.mark.parametrize(("queries", "keys"), SIZES)
def test_every_past_entry_is_that_of_its_own_distance(queries: int, keys: int) -> None:
    """Causal: past and present are exact, for all queries and for the last ones."""
    qe_BHTW1 = torch.randn(2, 3, queries, keys + 1)
    seen_TS = torch.ones(queries, keys).tril(keys - queries).bool()

    skewed = skew(qe_BHTW1, keys)

    assert skewed.shape == (2, 3, queries, keys)
    assert torch.equal(skewed[..., seen_TS], picked(qe_BHTW1, keys)[..., seen_TS])


@pytest.mark.parametrize(("queries", "keys"), SIZES)
def test_with_all_distances_every_entry_is_right(queries: int, keys: int) -> None:
    """Bidirectional: S + T - 1 distances, no undefined entry."""
    qe_BHTW1 = torch.randn(2, 3, queries, keys + queries)

    assert torch.equal(skew(qe_BHTW1, keys), picked(qe_BHTW1, keys))


def test_nothing_is_copied() -> None:
    qe_BHTW1 = torch.zeros(1, 1, 4, 8)

    skew(qe_BHTW1, 4).fill_(1.0)

    assert qe_BHTW1.sum() == 16
    assert (qe_BHTW1[..., -1] == 0).all()


@kinds
def test_the_memory_of_relative_grows_with_the_length_not_with_its_square(causal: bool) -> None:
    """The fitted exponent from 512 to 2,048 tokens is 1; the table is constant."""
    scheme = RelativeAttention(FEW_HEADS, HEAD_WIDTH, max_distance=256, shared=False, causal=causal)
    lengths = (512, 1024, 2048)

    peaks = [training_peak(scheme, length, causal=causal) for length in lengths]

    exponents = [math.log2(after / before) for before, after in pairwise(peaks)]
    assert max(exponents) < 1.2


def test_relative_learns_with_less_arithmetic_than_its_explicit_path() -> None:
    """At 1,024 tokens tiles skip most of the future, explicit scores do not."""
    scheme = RelativeAttention(4, 32, max_distance=256, shared=False, causal=True)
    inputs = [torch.randn(1, 4, 1024, 32, requires_grad=True) for _ in range(3)]
    future = torch.ones(1024, 1024).triu(1).bool()

    with FlopCounterMode(display=False) as tiled:
        torch.autograd.backward(scheme.fused(*inputs, causal=True, mask=None).sum())
    with FlopCounterMode(display=False) as explicit:
        scores = scheme.scores(inputs[0], inputs[1], causal=True).masked_fill(future, -torch.inf)
        torch.autograd.backward(scheme.mix(scores.softmax(-1), inputs[2]).sum())

    assert tiled.get_total_flops() < 0.75 * explicit.get_total_flops()
