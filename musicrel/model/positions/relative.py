"""Relative attention of the Music Transformer (Huang et al. 2018, arXiv 1809.04281, eq. 3).

e_ij = (q_i . k_j + q_i . E_(j-i)) / sqrt d, one table E a head or one shared by the heads. Memory
for E is O(L d): an (L, L, d) tensor never exists. Distances beyond the table take its farthest row.
Training runs through ``tiled.py``, or ``kernel_tiles.py`` where there is a compiled kernel;
``scores`` here is the explicit path, the reference of both.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from musicrel.model.positions.base import INITIAL_STD, PositionalAttention, qk_scores
from musicrel.model.positions.kernel_tiles import TileKernel, kernel_relative_attention
from musicrel.model.positions.skew import skew
from musicrel.model.positions.tiled import query_distance_logits, tiled_relative_attention


class RelativeAttention(PositionalAttention):
    """Scores with a learned vector for every distance and head.

    Args:
        heads: number of heads.
        head_width: d.
        max_distance: R; the largest distance with its own row.
        shared: one table for all heads instead of one each.
        causal: rows for -R ... 0 only; else for -R ... R.

    Attributes:
        tile_kernel: computes the softmax of tiles on a CPU; None: torch does.
    """

    def __init__(
        self, heads: int, head_width: int, *, max_distance: int, shared: bool, causal: bool
    ) -> None:
        super().__init__()
        rows = max_distance + 1 if causal else 2 * max_distance + 1
        self.max_distance = max_distance
        self.tile_kernel: TileKernel | None = None
        self.table_HRd = nn.Parameter(torch.empty(1 if shared else heads, rows, head_width))
        nn.init.normal_(self.table_HRd, std=INITIAL_STD)

    def scores(
        self, q_BHTd: Tensor, k_BHSd: Tensor, *, causal: bool, first: int | None = None
    ) -> Tensor:
        """Compute the scores; a causal model's entries with j > i are undefined, to be masked."""
        scale = 1.0 / math.sqrt(q_BHTd.shape[-1])
        q_BHTd = q_BHTd * scale
        queries, keys = q_BHTd.shape[2], k_BHSd.shape[2]
        content_BHTS = torch.matmul(q_BHTd, k_BHSd.transpose(-1, -2))
        if queries == 1 and first is None:
            return content_BHTS + self._of_last_query(q_BHTd, keys)
        rows_HWd = self.rows(keys, queries, causal=causal, first=first)
        return content_BHTS + skew(query_distance_logits(q_BHTd, rows_HWd), keys)

    def _of_last_query(self, q_BH1d: Tensor, keys: int) -> Tensor:
        """Return the positional scores of the last query at a cost independent of S."""
        by_distance = query_distance_logits(q_BH1d, self.table_HRd[:, : self.max_distance + 1])
        near_BH1N = by_distance[..., max(self.max_distance + 1 - keys, 0) :]
        extrapolation = keys - near_BH1N.shape[-1]
        far = near_BH1N[..., :1].expand(*near_BH1N.shape[:-1], extrapolation)
        return torch.cat([far, near_BH1N], dim=-1)

    def row(self, q_BH1d: Tensor, k_BHSd: Tensor, first: int | None = None) -> Tensor:
        """Compute the scores of one query, whose skew is a slice."""
        q_BH1d = q_BH1d / math.sqrt(q_BH1d.shape[-1])
        scores_BH1S = qk_scores(q_BH1d, k_BHSd)
        if first is not None:
            by_distance_BH1R = self._row_scores(q_BH1d, self.table_HRd)
            return scores_BH1S.add_(by_distance_BH1R[..., self._index(k_BHSd.shape[2], first)])
        near = min(self.max_distance + 1, k_BHSd.shape[2])
        rows_HNd = self.table_HRd[:, self.max_distance + 1 - near : self.max_distance + 1]
        near_BH1N = self._row_scores(q_BH1d, rows_HNd)
        scores_BH1S[..., -near:] += near_BH1N
        if near < k_BHSd.shape[2]:
            scores_BH1S[..., :-near] += near_BH1N[..., :1]
        return scores_BH1S

    def row_at(self, q_BH1d: Tensor, k_BHSd: Tensor, place_1: Tensor) -> Tensor:
        """Compute the scores of one query, for keys after it as well if the table has them."""
        q_BH1d = q_BH1d / math.sqrt(q_BH1d.shape[-1])
        index_S = self._index(k_BHSd.shape[2], place_1)
        by_distance_BH1R = query_distance_logits(q_BH1d, self.table_HRd)
        content_BH1S = torch.matmul(q_BH1d, k_BHSd.transpose(-1, -2))
        return content_BH1S + by_distance_BH1R.index_select(-1, index_S)

    def _row_scores(self, q_BH1d: Tensor, rows_HNd: Tensor) -> Tensor:
        """Return the scores by distance, (B, H, 1, N), one sequence at a time.

        For a batch the tables would have to be copied, and the result of a sequence could depend on
        the others of its batch.
        """
        rows_HdN = rows_HNd.mT.expand(q_BH1d.shape[1], -1, -1)
        if len(q_BH1d) == 1:
            return torch.bmm(q_BH1d[0], rows_HdN)[None]
        return torch.stack([torch.bmm(q_H1d, rows_HdN) for q_H1d in q_BH1d.unbind()])

    def fused(
        self, q_BHTd: Tensor, k_BHTd: Tensor, v_BHTd: Tensor, *, causal: bool, mask: Tensor | None
    ) -> Tensor:
        """Attend tile by tile, with memory O(L)."""
        tokens = q_BHTd.shape[2]
        if self.tile_kernel is not None and mask is None and self._is_for_kernel():
            rows_HWd = self._near(tokens) if causal else self.rows(tokens, tokens, causal=False)
            return kernel_relative_attention(
                q_BHTd, k_BHTd, v_BHTd, rows_HWd, causal=causal, kernel=self.tile_kernel
            )
        rows_HWd = self.rows(tokens, tokens, causal=causal)
        return tiled_relative_attention(q_BHTd, k_BHTd, v_BHTd, rows_HWd, causal=causal, mask=mask)

    def _is_for_kernel(self) -> bool:
        return self.table_HRd.device.type == "cpu" and self.table_HRd.dtype == torch.float32

    def _near(self, tokens: int) -> Tensor:
        """Return the embeddings of past distances less that of the farthest one, if it repeats."""
        table_HRd: Tensor = self.drop(self.table_HRd)[:, : self.max_distance + 1]
        if table_HRd.shape[1] < tokens:
            return table_HRd[:, 1:] - table_HRd[:, :1]
        return table_HRd[:, -tokens:]

    def rows(self, keys: int, queries: int, *, causal: bool, first: int | None = None) -> Tensor:
        """Return the embeddings by distance, with one row more as required by ``skew``.

        Returns:
            (heads or 1, W + 1, d); row c belongs to the distance c - p, p the position of the last
            query, W = S when causal, else S + T - 1. For keys after the query a causal table
            repeats the row of distance 0.
        """
        columns = keys + 1 if causal else keys + queries
        last = keys - 1 if first is None else first + queries - 1
        rows_HWd: Tensor = self.drop(self.table_HRd)[:, self._index(columns, last)]
        return rows_HWd

    def _index(self, columns: int, place: int | Tensor) -> Tensor:
        """Return the table rows of keys 0 ... ``columns`` - 1, relative to ``place``: int64."""
        distance = torch.arange(columns, device=self.table_HRd.device) - place
        farthest = self.table_HRd.shape[1] - 1 - self.max_distance
        return distance.clamp(-self.max_distance, farthest) + self.max_distance
