"""Tiled relative attention and its gradients against autograd of the plain formula."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor

from musicrel.model.positions.relative import RelativeAttention
from musicrel.model.positions.tiled import tiled_relative_attention
from tests.helpers.memory import Allocations

BATCH, HEADS, WIDTH = 3, 2, 4
kinds = pytest.mark.parametrize("causal", [True, False], ids=["causal", "bidirectional"])
tables = pytest.mark.parametrize("shared", [True, False], ids=["shared", "per-head"])


def gathered(
    q: Tensor, k: Tensor, v: Tensor, rows_HWd: Tensor, *, causal: bool, mask: Tensor | None
) -> Tensor:
    """Compute the same with an (L, L, d) tensor: every pair picks its row by distance."""
    length = q.shape[2]
    distance_LL = torch.arange(length) - torch.arange(length)[:, None]
    rows_HLLd = rows_HWd[:, (distance_LL + length - 1).clamp(max=rows_HWd.shape[1] - 1)]
    scores = torch.einsum("bhid,bhjd->bhij", q, k)
    scores = scores + torch.einsum("bhid,hijd->bhij", q, rows_HLLd.expand(HEADS, -1, -1, -1))
    seen = torch.ones(BATCH, 1, length, length, dtype=torch.bool) if mask is None else mask
    if causal:
        seen = seen & (distance_LL <= 0)
    seen = seen.expand(BATCH, HEADS, length, length)
    raised = torch.where(seen, (scores / math.sqrt(WIDTH)).exp(), 0.0)
    sums = raised.sum(-1, keepdim=True)
    return (raised / torch.where(sums > 0, sums, 1.0)) @ v


def inputs(length: int, *, causal: bool, shared: bool) -> list[Tensor]:
    """Return random q, k, v and rows in float64, with gradients."""
    torch.manual_seed(length)
    shape = (BATCH, HEADS, length, WIDTH)
    rows = (1 if shared else HEADS, length + 1 if causal else 2 * length, WIDTH)
    return [
        torch.randn(size, dtype=torch.float64, requires_grad=True)
        for size in (shape, shape, shape, rows)
    ]


def padding(length: int) -> Tensor:
    """Return masks of one whole sequence, one padded at both ends, one of padding only."""
    mask = torch.ones(BATCH, 1, 1, length, dtype=torch.bool)
    mask[1, ..., : length // 4] = False
    mask[1, ..., length // 2 :] = False
    mask[2] = False
    return mask


@kinds
@tables
@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize(
    ("length", "tile"), [(1, 4), (2, 1), (7, 3), (33, 1), (33, 8), (33, 11), (33, 33), (33, 128)]
)
def test_result_and_all_gradients_are_those_of_the_formula(
    length: int, tile: int, padded: bool, shared: bool, causal: bool
) -> None:
    """To 1e-10 in float64, for several sizes of tiles and one tile for all."""
    leaves = inputs(length, causal=causal, shared=shared)
    mask = padding(length) if padded else None

    tiled = tiled_relative_attention(*leaves, causal=causal, mask=mask, tile=tile)
    plain = gathered(*leaves, causal=causal, mask=mask)

    torch.testing.assert_close(tiled, plain, atol=1e-10, rtol=0)
    towards = torch.randn_like(tiled)
    for found, expected in zip(
        torch.autograd.grad(tiled, leaves, towards),
        torch.autograd.grad(plain, leaves, towards),
        strict=True,
    ):
        torch.testing.assert_close(found, expected, atol=1e-10, rtol=0)


@kinds
def test_padding_gives_zeros_and_takes_no_gradient(causal: bool) -> None:
    """A sequence of padding only has zeros in both directions, and no NaN."""
    leaves = inputs(9, causal=causal, shared=False)

    out = tiled_relative_attention(*leaves, causal=causal, mask=padding(9), tile=4)
    gradients = torch.autograd.grad(out.sum(), leaves)

    assert (out[2] == 0).all()
    assert all((gradient[2] == 0).all() for gradient in gradients[:3])
    assert all(torch.isfinite(gradient).all() for gradient in gradients)


def test_queries_need_not_be_contiguous() -> None:
    """Heads are views of one projection."""
    q, k, v, rows = inputs(10, causal=True, shared=False)
    turned_q, turned_k, turned_v = (
        x.transpose(1, 2).contiguous().transpose(1, 2) for x in (q, k, v)
    )

    found = tiled_relative_attention(turned_q, turned_k, turned_v, rows, causal=True, tile=4)

    torch.testing.assert_close(found, tiled_relative_attention(q, k, v, rows, causal=True, tile=4))


LENGTH, TILE = 1024, 128


def scheme_and_heads(*, causal: bool, shared: bool) -> tuple[RelativeAttention, list[Tensor]]:
    """Return the scheme as in the model, and q, k, v of a long sequence."""
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
