"""Data-aware rotary positions (DaRoPE: Levy et al. 2026, "RoPE is dead, long live RoPE", eq. 2-6).

The K pairs that complete a turn in the trained window L are rotated by m theta_c, as in ``rope``.
Slower pairs are rotated by c_h(x_m) theta_c, a coordinate that each head computes from the token:

    c_h(x_m) = L sigmoid(w_h . x_m + alpha_h logit((m + 1/2) / L)),  the fraction clipped to
    [1e-6, 1 - 1e-6]

where x_m is the state that query and key are projections of. w_h starts from N(0, 0.1^2), alpha_h
at 0.5. It depends on the token alone, so that the cache holds rotated keys. D + 1 parameters for
each head. Extends to any length: beyond L the coordinate stays below L.

Dimensions: B batch, H heads, T tokens, D width, C pairs, d head width.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from musicrel.model.positions.base import PositionalAttention, Tokens, by_head
from musicrel.model.positions.rope import check_pairs, fast_pairs, places, rotated, speeds

_EPSILON = 1e-6
_CONTENT_STD = 0.1
_PRIOR = 0.5


class DataAwareRotation(PositionalAttention):
    """Attention with slow pairs rotated by a learned coordinate."""

    def __init__(self, width: int, heads: int, *, trained_length: int) -> None:
        super().__init__()
        self._width, self.trained_length = width // heads, trained_length
        check_pairs(self._width, "darope")
        self._fast = fast_pairs(self._width, trained_length)
        self.content_HD = nn.Parameter(torch.empty(heads, width))  # w
        self.prior_H = nn.Parameter(torch.full((heads,), _PRIOR))  # alpha
        nn.init.normal_(self.content_HD, std=_CONTENT_STD)

    def rotate_q(self, q_BHTd: Tensor, at: Tokens) -> Tensor:
        place_T = places(q_BHTd, at.first)
        theta_C = speeds(self._width, self.trained_length, 1.0, "none", place_T.device)
        turned_TC = (place_T[:, None] * theta_C).remainder(2 * math.pi)  # exact in float32, too
        coordinate_BHT = self.coordinates(at.states_BTD, place_T)
        slow_BHTC = coordinate_BHT[..., None] * theta_C.to(coordinate_BHT)
        is_fast_C = torch.arange(len(theta_C), device=q_BHTd.device) < self._fast
        return rotated(q_BHTd, torch.where(is_fast_C, turned_TC.to(slow_BHTC), slow_BHTC))

    def coordinates(self, states_BTD: Tensor, place_T: Tensor) -> Tensor:
        """Return c_h(x_m), (B, H, T), in positions from 0 to L, in full precision."""
        ratio_T = ((place_T + 0.5) / self.trained_length).clamp(_EPSILON, 1 - _EPSILON)
        prior_HT = self.prior_H[:, None] * ratio_T.logit().to(self.prior_H)
        return self.trained_length * (by_head(self.content_HD, states_BTD) + prior_HT).sigmoid()
