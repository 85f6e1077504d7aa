"""Attention with linear biases (Press et al. 2021, arXiv 2108.12409).

e_ij = q_i . k_j / sqrt d - m_a |i - j|, not scaled, m_a = 2^(-8a/h) for the heads a = 1 ... h. The
sign is a minus (some tables print a plus): distant keys count less. No parameters; extends to any
length.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from musicrel.model.positions.distance_bias import DistanceBiasAttention

_STEEPEST_POWER = 8.0


class LinearBias(DistanceBiasAttention):
    """Scores minus a slope times the distance.

    Args:
        heads: number of heads.
    """

    def __init__(self, heads: int) -> None:
        super().__init__()
        # no arithmetic of torch: on the meta device it imports the compiler, which takes a second
        slopes = [2.0 ** (-_STEEPEST_POWER * a / heads) for a in range(1, heads + 1)]
        self.slopes_H = nn.Buffer(torch.tensor(slopes), persistent=False)

    def by_distance(self, back_W: Tensor) -> Tensor:
        return -self.slopes_H[:, None] * back_W.abs()
