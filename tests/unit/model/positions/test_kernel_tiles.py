"""Relative attention with a compiled softmax against the explicit scores in double precision."""

from __future__ import annotations

import math

import pytest
import torch
import torch.nn.functional as F  # noqa: N812  # its usual name
from torch import Tensor

from musicrel.experiment.training.tile_kernel import use_tile_kernel
from musicrel.generation import kernel
from musicrel.model.positions.base import masked_softmax
from musicrel.model.positions.relative import RelativeAttention
from tests.helpers.memory import Allocations

BATCH, WIDTH = 2, 32
EXACT = 1e-5
kinds = pytest.mark.parametrize("causal", [True, False], ids=["causal", "bidirectional"])
tables = pytest.mark.parametrize("shared", [True, False], ids=["shared", "per-head"])


def scheme_with_kernel(
    heads: int, distance: int, *, causal: bool, shared: bool = False
) -> RelativeAttention:
    """Return relative attention with random tables and compiled tiles."""
    scheme = RelativeAttention(heads, WIDTH, max_distance=distance, shared=shared, causal=causal)
    torch.nn.init.normal_(scheme.table_HRd, std=0.5)
    use_tile_kernel(scheme)
    assert scheme.tile_kernel is not None
    return scheme


def random_heads(heads: int, length: int, dtype: torch.dtype = torch.float32) -> list[Tensor]:
    """Return q, k and v, views of one projection, as in a model."""
    torch.manual_seed(length)
    qkv = torch.randn(BATCH, length, 3, heads, WIDTH).to(dtype)
    return [part.requires_grad_() for part in qkv.permute(2, 0, 3, 1, 4).unbind(0)]


def explicit(
    scheme: RelativeAttention, heads: list[Tensor], towards: Tensor, *, causal: bool
) -> tuple[Tensor, ...]:
    """Return the output and the gradients of q, k, v and the table, in double precision."""
    precise = RelativeAttention(
        scheme.table_HRd.shape[0],
        WIDTH,
        max_distance=scheme.max_distance,
        shared=len(scheme.table_HRd) == 1,
        causal=scheme.table_HRd.shape[1] == scheme.max_distance + 1,
    ).double()
    precise.load_state_dict(scheme.state_dict())
    leaves = [part.detach().double().requires_grad_() for part in heads]
    weights = masked_softmax(
        precise.scores(leaves[0], leaves[1], causal=causal), causal=causal, mask=None
    )
    out = precise.mix(weights, leaves[2])
    found = torch.autograd.grad(out, [*leaves, precise.table_HRd], towards.double())
    return out.detach(), *found


def computed(
    scheme: RelativeAttention, heads: list[Tensor], towards: Tensor, *, causal: bool
) -> tuple[Tensor, ...]:
    """Return the same from the scheme itself."""
    out = scheme.fused(*heads, causal=causal, mask=None)
    found = torch.autograd.grad(out, [*heads, scheme.table_HRd], towards)
    return out.detach(), *found


@kinds
@tables
@pytest.mark.parametrize("heads", [1, 4, 6])
@pytest.mark.parametrize(
    ("length", "distance"),
    [(1, 3), (2, 1), (96, 200), (97, 96), (97, 95), (200, 20), (200, 199), (200, 300)],
)
def test_result_and_all_gradients_are_those_of_the_explicit_scores(
    length: int, distance: int, heads: int, shared: bool, causal: bool
) -> None:
    """For several numbers of tiles, with and without distances beyond the table."""
    scheme = scheme_with_kernel(heads, distance, causal=causal, shared=shared)
    parts = random_heads(heads, length)
    towards = torch.randn(BATCH, heads, length, WIDTH)

    found = computed(scheme, parts, towards, causal=causal)

    expected = explicit(scheme, parts, towards, causal=causal)
    for one, other in zip(found, expected, strict=True):
        scale = max(1.0, float(other.abs().max()))
        torch.testing.assert_close(one.double(), other, atol=EXACT * scale, rtol=0)


@kinds
def test_scores_far_apart_give_finite_weights(causal: bool) -> None:
    """Rows whose highest score is hundreds above the others are still a softmax."""
    scheme = scheme_with_kernel(2, 30, causal=causal)
    parts = [part.detach() * 30 for part in random_heads(2, 120)]
    towards = torch.randn(BATCH, 2, 120, WIDTH)

    found = computed(scheme, [part.requires_grad_() for part in parts], towards, causal=causal)

    expected = explicit(scheme, parts, towards, causal=causal)
    for one, other in zip(found, expected, strict=True):
        scale = max(1.0, float(other.abs().max()))
        torch.testing.assert_close(one.double(), other, atol=1e-3 * scale, rtol=0)


def test_what_is_not_finite_stays_so() -> None:
    """A run that diverges is recognised by its loss."""
    scheme = scheme_with_kernel(2, 30, causal=True)
    parts = [part.detach() for part in random_heads(2, 100)]
    parts[0][0, 0, 50] = math.nan

    out = scheme.fused(*parts, causal=True, mask=None)

    assert out[0, 0, 50].isnan().all()
    assert out[0, 0, 49].isfinite().all()


@pytest.mark.parametrize("length", [128, 512])
def test_under_autocast_the_error_is_not_above_that_of_fused_attention(length: int) -> None:
    """Relative with tables of zero is vanilla attention; both get q, k and v in bfloat16."""
    scheme = scheme_with_kernel(4, 64, causal=True)
    torch.nn.init.zeros_(scheme.table_HRd)
    parts = random_heads(4, length, torch.bfloat16)
    towards = torch.randn(BATCH, 4, length, WIDTH)
    expected = explicit(scheme, parts, towards, causal=True)[:4]

    with torch.autocast("cpu", torch.bfloat16):
        ours = computed(scheme, parts, towards, causal=True)[:4]
        fused = F.scaled_dot_product_attention(parts[0], parts[1], parts[2], is_causal=True)
    vanilla = (fused, *torch.autograd.grad(fused, parts, towards.bfloat16()))

    for one, other, exact in zip(ours, vanilla, expected, strict=True):
        assert (one - exact).abs().mean() <= (other - exact).abs().mean()


def test_a_mask_double_precision_and_a_missing_kernel_go_through_torch() -> None:
    """The result is the same without the kernel."""
    scheme = scheme_with_kernel(2, 8, causal=False)
    parts = random_heads(2, 20)
    mask = torch.ones(BATCH, 1, 1, 20, dtype=torch.bool)

    with_kernel = scheme.fused(*parts, causal=False, mask=None)
    masked = scheme.fused(*parts, causal=False, mask=mask)
    double = scheme.double().fused(*(part.double() for part in parts), causal=False, mask=None)

    torch.testing.assert_close(masked, with_kernel, atol=EXACT, rtol=0)
    torch.testing.assert_close(double.float(), with_kernel, atol=EXACT, rtol=0)


def test_switched_off_nothing_is_compiled() -> None:
    """Torch computes everything then."""
    scheme = RelativeAttention(2, WIDTH, max_distance=8, shared=False, causal=True)

    with kernel.switched_off():
        use_tile_kernel(scheme)

    assert scheme.tile_kernel is None


@kinds
@tables
def test_training_never_holds_more_than_a_tile_of_four_heads(shared: bool, causal: bool) -> None:
    """The largest tensor has O(L x tile) entries, not L^2."""
    length, heads = 1024, 8
    scheme = scheme_with_kernel(heads, 256, causal=causal, shared=shared)
    parts = random_heads(heads, length)

    with Allocations() as allocations:
        out = scheme.fused(*parts, causal=causal, mask=None)
        torch.autograd.grad(out.sum(), [*parts, scheme.table_HRd])

    assert allocations.largest <= max(4 * 96 * 2 * length, 3 * BATCH * heads * length * WIDTH)
