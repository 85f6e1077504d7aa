"""Memory and arithmetic of relative attention, by length and beside Shaw et al. (2018)."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.utils.flop_counter import FlopCounterMode

from musicrel.experiment.runs.memory import peak_during
from musicrel.experiment.study.layer_arms import NaiveShaw
from musicrel.model.positions.base import PositionalAttention
from musicrel.model.positions.relative import RelativeAttention
from musicrel.model.positions.shaw import ShawAttention

HEADS, WIDTH = 2, 16
kinds = pytest.mark.parametrize("causal", [True, False], ids=["causal", "bidirectional"])


def heads(length: int) -> list[Tensor]:
    """Return q, k and v of one sequence, with gradients."""
    return [torch.randn(1, HEADS, length, WIDTH, requires_grad=True) for _ in range(3)]


def training_peak(scheme: PositionalAttention, length: int, *, causal: bool) -> int:
    """Return the peak number of bytes, forward and backward."""
    inputs = heads(length)

    def work() -> None:
        out = scheme.fused(*inputs, causal=causal, mask=None)
        torch.autograd.grad(out.sum(), [*inputs, *scheme.parameters()])

    return peak_during(work)


@kinds
def test_the_naive_way_is_the_same_attention(causal: bool) -> None:
    """The reference of the measurements computes the same."""
    options: dict[str, Any] = {"max_distance": 5, "values": False, "causal": causal}
    scheme, naive = ShawAttention(WIDTH, **options), NaiveShaw(WIDTH, **options)
    naive.load_state_dict(scheme.state_dict())
    inputs = heads(20)

    found, expected = (one.fused(*inputs, causal=causal, mask=None) for one in (scheme, naive))

    torch.testing.assert_close(found, expected, atol=1e-5, rtol=0)


@kinds
def test_the_memory_of_relative_grows_with_the_length_not_with_its_square(causal: bool) -> None:
    """The fitted exponent from 512 to 2,048 tokens is 1; the table is constant."""
    scheme = RelativeAttention(HEADS, WIDTH, max_distance=256, shared=False, causal=causal)
    lengths = (512, 1024, 2048)

    peaks = [training_peak(scheme, length, causal=causal) for length in lengths]

    exponents = [math.log2(after / before) for before, after in pairwise(peaks)]
    assert max(exponents) < 1.2


def test_shaws_way_holds_a_tensor_of_all_pairs_times_the_width() -> None:
    """At 512 tokens it takes many times as much memory, with quadratic growth."""
    scheme = RelativeAttention(HEADS, WIDTH, max_distance=64, shared=True, causal=False)
    shaw = NaiveShaw(WIDTH, max_distance=64, values=False, causal=False)

    naive = [training_peak(shaw, length, causal=False) for length in (256, 512)]
    relative = training_peak(scheme, 512, causal=False)

    assert naive[1] > 512 * 512 * WIDTH * 4
    assert math.log2(naive[1] / naive[0]) > 1.8
    assert relative < naive[1] / 8


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
