"""A learned decay with distance, on top of rotary or polar positions.

e_ij = r_ij - s(lambda_h) |i - j|, r the scores of the other scheme and s the softplus: ALiBi (Press
et al. 2021, arXiv 2108.12409) with a slope that each head learns, so that a model trained on short
windows reads longer pieces. The slopes start as those of ALiBi.

Dimensions: B batch, H heads, T tokens, W distances, d head width.
"""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor, nn

from musicrel.model.positions.base import PositionalAttention, Tokens
from musicrel.model.positions.distance_bias import DistanceBiasAttention, slopes


class LearnedDecay(DistanceBiasAttention):
    """Scores of rotated queries and keys minus a learned slope times the distance."""

    def __init__(self, rotation: PositionalAttention, heads: int) -> None:
        super().__init__()
        self.rotation = rotation
        raw = [math.log(math.expm1(slope)) for slope in slopes(heads)]
        self.decay_H = nn.Parameter(torch.tensor(raw))  # lambda

    def rotate_q(self, q_BHTd: Tensor, at: Tokens) -> Tensor:
        return self.rotation.rotate_q(q_BHTd, at)

    def rotate_k(self, k_BHTd: Tensor, at: Tokens) -> Tensor:
        return self.rotation.rotate_k(k_BHTd, at)

    def by_distance(self, back_W: Tensor) -> Tensor:
        return -F.softplus(self.decay_H)[:, None] * back_W.abs()
