"""Polar positions against the package ``pope-pytorch``."""

from __future__ import annotations

import math

import pytest
import torch
from PoPE_pytorch import PoPE, apply_pope_to_qk

from musicrel.model.positions.base import Tokens
from musicrel.model.positions.pope import PolarAttention

HEADS, WIDTH, TOKENS = 3, 8, 40


@pytest.mark.parametrize("first", [0, 11])
def test_scores_are_those_of_pope_pytorch(first: int) -> None:
    """Phases outside [-2 pi, 0] are clipped by both."""
    ours = PolarAttention(HEADS, WIDTH, initial_phase="zero")
    theirs = PoPE(WIDTH, heads=HEADS)
    phases = torch.linspace(-8.0, 2.0, HEADS * WIDTH).view(HEADS, WIDTH)
    ours.phase_Hd.data.copy_(phases)
    theirs.bias.data.copy_(phases)
    q, k = (torch.randn(2, HEADS, TOKENS, WIDTH) for _ in range(2))

    at = Tokens(first, TOKENS, torch.empty(2, TOKENS, 0))
    found = ours.scores(ours.rotate_q(q, at), ours.rotate_k(k, at), causal=False)

    their_q, their_k = apply_pope_to_qk(theirs(TOKENS, offset=first), q, k)
    expected = their_q @ their_k.transpose(-1, -2) / math.sqrt(WIDTH)
    torch.testing.assert_close(found, expected, atol=2e-5, rtol=0)


@pytest.mark.parametrize("phase", ["uniform", "zero"])
def test_phases_start_as_asked(phase: str) -> None:
    torch.manual_seed(0)
    drawn = PolarAttention(16, 64, initial_phase=phase).phase_Hd.detach()

    if phase == "zero":
        assert float(drawn.abs().max()) == 0
        return
    assert -2 * math.pi <= float(drawn.min()) < -6
    assert -0.2 < float(drawn.max()) <= 0
    assert float(drawn.mean()) == pytest.approx(-math.pi, rel=0.1)
