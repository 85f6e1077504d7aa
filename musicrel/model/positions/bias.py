"""A learned bias for every distance and head, added to the scores (T5, simplified).

e_ij = q_i . k_j / sqrt d + b_h(clip(i - j, -R, R)), not scaled, b = 0 at the start (Raffel et al.
2020, 2.1, with a row for every distance instead of buckets). Larger distances use the row of R.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from musicrel.model.positions.distance_bias import DistanceBiasAttention


class LearnedBias(DistanceBiasAttention):
    """Scores plus a learned bias.

    Args:
        heads: number of heads.
        max_distance: R.
        causal: rows for the distances 0 ... R only; else for -R ... R.
    """

    def __init__(self, heads: int, *, max_distance: int, causal: bool) -> None:
        super().__init__()
        self.max_distance = max_distance
        self._least = 0 if causal else -max_distance
        self.table_HR = nn.Parameter(torch.zeros(heads, max_distance - self._least + 1))

    def by_distance(self, back_W: Tensor) -> Tensor:
        """Return the biases; for keys after the query a causal table repeats distance 0."""
        row_W = back_W.clamp(self._least, self.max_distance) - self._least
        numbers_HW: Tensor = self.drop(self.table_HR)[:, row_W]
        return numbers_HW
