"""Polar positions (PoPE: Gopalakrishnan et al. 2025, arXiv 2509.10534).

e_ij = sum_c s(q_ic) s(k_jc) cos((j - i) theta_c + delta_hc) / sqrt d, s the softplus: the
numbers of queries and keys count by their size, and positions by angles. theta_c = B^(-c/d), B =
10,000, has d frequencies; delta_h is learned, clipped to [-2 pi, 0] in use, and starts uniform
there (as in the paper's experiments on music) or at 0.

The sum is the product of [s(q) cos, s(q) sin] and [s(k) cos, s(k) sin], 2 d numbers for each query
and cached key, which fused kernels compute.

Dimensions: B batch, H heads, T tokens, d head width, D = 2 d.
"""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor, nn

from musicrel.model.positions.base import PositionalAttention, Tokens
from musicrel.model.positions.rope import BASE, places

INITIAL_PHASES = ("uniform", "zero")
_TURN = 2 * math.pi


class PolarAttention(PositionalAttention):
    """Attention with the sizes of queries and keys, and the angles of their positions."""

    def __init__(self, heads: int, head_width: int, *, initial_phase: str) -> None:
        super().__init__()
        self.phase_Hd = nn.Parameter(torch.zeros(heads, head_width))  # delta
        if initial_phase == "uniform":
            nn.init.uniform_(self.phase_Hd, -_TURN, 0.0)

    def rotate_q(self, q_BHTd: Tensor, at: Tokens) -> Tensor:
        # twice the width halves what ``scores`` and fused kernels divide by
        return math.sqrt(2) * _polar(q_BHTd, self._angles(q_BHTd, at))

    def rotate_k(self, k_BHTd: Tensor, at: Tokens) -> Tensor:
        phase_H1d = self.phase_Hd.clamp(-_TURN, 0.0)[:, None]
        return _polar(k_BHTd, self._angles(k_BHTd, at) + phase_H1d)

    def fused(
        self, q_BHTd: Tensor, k_BHTd: Tensor, v_BHTd: Tensor, *, causal: bool, mask: Tensor | None
    ) -> Tensor:
        width = v_BHTd.shape[-1]
        v_BHTD = F.pad(v_BHTd, (0, q_BHTd.shape[-1] - width))  # kernels need one width
        return super().fused(q_BHTd, k_BHTd, v_BHTD, causal=causal, mask=mask)[..., :width]

    def _angles(self, x_BHTd: Tensor, at: Tokens) -> Tensor:
        place_T, width = places(x_BHTd, at.first), x_BHTd.shape[-1]
        c_d = torch.arange(width, dtype=place_T.dtype, device=place_T.device)
        angle_Td = place_T[:, None] * BASE ** (-c_d / width)
        return angle_Td.remainder(_TURN).to(self.phase_Hd)  # exact in float32, too


def _polar(x_BHTd: Tensor, angle_Td: Tensor) -> Tensor:
    """Return sizes and angles as numbers, (B, H, T, 2 d)."""
    size_BHTd = F.softplus(x_BHTd)
    cos_Td, sin_Td = angle_Td.cos().to(x_BHTd), angle_Td.sin().to(x_BHTd)
    return torch.cat([size_BHTd * cos_Td, size_BHTd * sin_Td], dim=-1)
