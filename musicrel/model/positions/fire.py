"""A learned function of the interpolated distance (FIRE: Li et al. 2024, arXiv 2310.04418, eq. 4).

e_ij = q_i . k_j / sqrt d + f_h(s(i - j) / (s(max(i, L)) + 1e-6)), s(x) = log(|c x| + 1): the
distance as a share of the farthest possible one, so that no share beyond the window is new. f has
one layer of M = 32 ReLUs and an output for each head, initialised as linear layers of torch are; it
has no constant, which would change no weight. L is the threshold times a learned factor, below
which distances are not stretched; c is learned, too, and starts at 0.1, as in the authors' code.

Extends to any length. Training keeps M numbers for each pair of tokens. Keys after the query have
the distance |i - j|, whose share may be above 1.

Dimensions: B batch, H heads, T queries, S keys, M units, d head width.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from musicrel.model.positions.base import Place
from musicrel.model.positions.distance_bias import BiasedAttention

_UNITS = 32
_SPEED = 0.1
_LEAST = 1e-6


class FunctionalBias(BiasedAttention):
    """Scores plus a learned function of the distance and the query's position."""

    def __init__(self, heads: int, *, threshold: int) -> None:
        super().__init__()
        self.threshold = threshold
        self.speed_1 = nn.Parameter(torch.tensor([_SPEED]))  # c
        self.factor_1 = nn.Parameter(torch.ones(1))
        self.slope_M, self.offset_M = (nn.Parameter(torch.empty(_UNITS)) for _ in range(2))
        self.out_HM = nn.Parameter(torch.empty(heads, _UNITS))
        for part, inputs in ((self.slope_M, 1), (self.offset_M, 1), (self.out_HM, _UNITS)):
            nn.init.uniform_(part, -(inputs**-0.5), inputs**-0.5)

    def bias(self, q_BHTd: Tensor, k_BHSd: Tensor, first: Place) -> Tensor:
        i_T1 = (first + torch.arange(q_BHTd.shape[2], device=q_BHTd.device))[:, None]
        back_TS = i_T1 - torch.arange(k_BHSd.shape[2], device=q_BHTd.device)
        farthest_T1 = i_T1.maximum((self.factor_1 * self.threshold).abs())
        share_TS = self._shrunk(back_TS) / (self._shrunk(farthest_T1) + _LEAST)
        units_TSM = (share_TS[..., None] * self.slope_M + self.offset_M).relu()
        return (units_TSM @ self.out_HM.mT).movedim(-1, 0)

    def _shrunk(self, distance: Tensor) -> Tensor:
        return (self.speed_1 * distance).abs().log1p()
