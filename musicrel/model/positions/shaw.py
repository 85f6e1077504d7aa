"""Relative positions in scores and values (Shaw et al. 2018, arXiv 1803.02155).

e_ij = q_i . (k_j + aK_r) / sqrt d and o_i = sum_j alpha_ij (v_j + aV_r), r = clip(j - i, -R, R),
one pair of tables for all heads of a layer; the values' table is optional, as the authors found it
of little use. A range clipped to [-R, R] has 2R + 1 rows; a book prints 2R - 1, which is wrong.
The source builds an (L, L, d) tensor of rows; here logits and weights by distance are skewed, with
memory O(L^2).

Dimensions: B batch, H heads, T queries, S keys, W distances, d head width.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from musicrel.model.positions.base import INITIAL_STD, ExplicitAttention, Place
from musicrel.model.positions.skew import skew


class ShawAttention(ExplicitAttention):
    """Scores, and optionally values, with a learned vector for every distance."""

    def __init__(self, head_width: int, *, max_distance: int, values: bool, causal: bool) -> None:
        super().__init__()
        self.max_distance = max_distance
        self._most = 0 if causal else max_distance
        rows = max_distance + self._most + 1
        self.keys_Rd = nn.Parameter(torch.empty(rows, head_width))
        self.values_Rd = nn.Parameter(torch.empty(rows, head_width)) if values else None
        for table in self.parameters():
            nn.init.normal_(table, std=INITIAL_STD)

    def scores(
        self, q_BHTd: Tensor, k_BHSd: Tensor, *, causal: bool, first: Place | None = None
    ) -> Tensor:
        q_BHTd = q_BHTd / math.sqrt(q_BHTd.shape[-1])
        queries, keys = q_BHTd.shape[2], k_BHSd.shape[2]
        rows_Wd = self._rows(self.keys_Rd, queries, keys, first)
        by_distance_BHTW = torch.matmul(q_BHTd, rows_Wd.T)
        content_BHTS = torch.matmul(q_BHTd, k_BHSd.transpose(-1, -2))
        return content_BHTS + skew(by_distance_BHTW, keys)

    def mix(self, weights_BHTS: Tensor, v_BHSd: Tensor, *, first: Place | None = None) -> Tensor:
        mixed_BHTd = super().mix(weights_BHTS, v_BHSd, first=first)
        if self.values_Rd is None:
            return mixed_BHTd
        queries, keys = weights_BHTS.shape[-2:]
        by_distance_BHTW = weights_BHTS.new_zeros((*weights_BHTS.shape[:-1], keys + queries))
        skew(by_distance_BHTW, keys).copy_(weights_BHTS)  # a view: the weights go to their distance
        return mixed_BHTd + by_distance_BHTW @ self._rows(self.values_Rd, queries, keys, first)

    def _rows(self, table_Rd: Tensor, queries: int, keys: int, first: Place | None) -> Tensor:
        """Return the rows by distance with one more as required by ``skew``: (S + T, d)."""
        last = keys - 1 if first is None else first + queries - 1
        distance_W = torch.arange(keys + queries, device=table_Rd.device) - last
        row_W = distance_W.clamp(-self.max_distance, self._most) + self.max_distance
        rows_Wd: Tensor = self.drop(table_Rd)[row_W]
        return rows_Wd
