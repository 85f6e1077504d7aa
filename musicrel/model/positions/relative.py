"""Relative attention of the Music Transformer (Huang et al. 2018, arXiv 1809.04281, eq. 3).

e_ij = (q_i . k_j + q_i . E_(j-i)) / sqrt d, one table E a head or one shared by the heads. Memory
for E is O(L d): an (L, L, d) tensor never exists. Distances beyond the table take its farthest row.

On a CPU whole sequences are computed in tiles of query rows. Autograd would keep (L, L) matrices
for the backward pass, because fused kernels do not accept a bias that needs a gradient; here the
weights of each tile are computed again in the backward pass (as in FlashAttention, Dao et al.
2022), so that the memory is O(L x tile). ``RelativeAttention.scores`` is the reference in the
tests, and what a GPU computes, where a few large products are faster than many small ones.

Dimensions: B batch, H heads, T queries, S keys, L tokens, W columns of distances, R rows of the
table, d head width; in tiles G groups of N heads, t queries of a tile.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final

import torch
from torch import Tensor, nn

from musicrel.model.positions.base import INITIAL_STD, ExplicitAttention, Place, masked_softmax
from musicrel.model.positions.skew import skew

_TILE: Final = 64


class RelativeAttention(ExplicitAttention):
    """Scores with a learned vector for every distance and head."""

    def __init__(
        self, heads: int, head_width: int, *, max_distance: int, shared: bool, causal: bool
    ) -> None:
        super().__init__()
        rows = max_distance + 1 if causal else 2 * max_distance + 1
        self.max_distance = max_distance
        self.table_HRd = nn.Parameter(torch.empty(1 if shared else heads, rows, head_width))
        nn.init.normal_(self.table_HRd, std=INITIAL_STD)

    def scores(
        self, q_BHTd: Tensor, k_BHSd: Tensor, *, causal: bool, first: Place | None = None
    ) -> Tensor:
        """Compute the scores; a causal model's entries with j > i are undefined, to be masked."""
        q_BHTd = q_BHTd / math.sqrt(q_BHTd.shape[-1])
        queries, keys = q_BHTd.shape[2], k_BHSd.shape[2]
        content_BHTS = torch.matmul(q_BHTd, k_BHSd.mT)
        if queries > 1:
            rows_HWd = self.rows(keys, queries, causal=causal, first=first)
            return content_BHTS + skew(torch.matmul(q_BHTd, rows_HWd.mT), keys)
        by_distance_BH1R = torch.matmul(q_BHTd, self.drop(self.table_HRd).mT)
        row_S = self._index(keys, keys - 1 if first is None else first)
        return content_BHTS + by_distance_BH1R.index_select(-1, row_S)

    def fused(
        self, q_BHTd: Tensor, k_BHTd: Tensor, v_BHTd: Tensor, *, causal: bool, mask: Tensor | None
    ) -> Tensor:
        """Attend; on a CPU tile by tile, in full precision under autocast as well."""
        if q_BHTd.device.type != "cpu":
            return super().fused(q_BHTd, k_BHTd, v_BHTd, causal=causal, mask=mask)
        batch, heads, tokens, _ = q_BHTd.shape
        rows_HWd = self.rows(tokens, tokens, causal=causal).expand(heads, -1, -1)
        reach = tokens
        if causal and self.max_distance < tokens:
            # less that of the farthest row, which changes no weight, scores beyond it are 0
            rows_HWd, reach = rows_HWd - rows_HWd[:, :1], self.max_distance
        if mask is not None:
            mask = mask.expand(batch, heads, 1, tokens)
        parts = (x_BHTd.to(rows_HWd.dtype).contiguous() for x_BHTd in (q_BHTd, k_BHTd, v_BHTd))
        with torch.autocast("cpu", enabled=False):
            out_BHTd: Tensor = _Tiled.apply(  # type: ignore[no-untyped-call]  # untyped in torch
                *parts, rows_HWd.contiguous(), reach, causal, mask
            )
        return out_BHTd

    def rows(self, keys: int, queries: int, *, causal: bool, first: Place | None = None) -> Tensor:
        """Return the embeddings by distance, with one row more as required by ``skew``."""
        columns = keys + 1 if causal else keys + queries
        last = keys - 1 if first is None else first + queries - 1
        rows_HWd: Tensor = self.drop(self.table_HRd)[:, self._index(columns, last)]
        return rows_HWd

    def _index(self, columns: int, place: Place) -> Tensor:
        """Return the table rows of keys 0 ... ``columns`` - 1, relative to ``place``: int64."""
        distance = torch.arange(columns, device=self.table_HRd.device) - place
        farthest = self.table_HRd.shape[1] - 1 - self.max_distance
        return distance.clamp(-self.max_distance, farthest) + self.max_distance


class _Tiled(torch.autograd.Function):
    """softmax((q k^T + skew(q E^T)) / sqrt d) v; rows of fully masked queries are 0."""

    @staticmethod
    def forward(  # noqa: PLR0917  # torch passes them by position
        ctx: Any,
        q_GNLd: Tensor,
        k_GNLd: Tensor,
        v_GNLd: Tensor,
        rows_NWd: Tensor,
        reach: int,
        causal: bool,
        mask_GN1L: Tensor | None,
    ) -> Tensor:
        q_GNLd = q_GNLd / math.sqrt(q_GNLd.shape[-1])
        out_GNLd = torch.empty_like(q_GNLd)
        for g, rows, keys, columns in _tiles(q_GNLd, rows_NWd, reach, causal=causal):
            q_Ntd, k_NSd = q_GNLd[g, :, rows], k_GNLd[g, :, keys]
            mask_N1S = None if mask_GN1L is None else mask_GN1L[g, ..., keys]
            weights_NtS = _weights(q_Ntd, k_NSd, rows_NWd[:, columns], mask_N1S, causal=causal)
            torch.bmm(weights_NtS, v_GNLd[g, :, keys], out=out_GNLd[g, :, rows])
        ctx.save_for_backward(q_GNLd, k_GNLd, v_GNLd, rows_NWd, mask_GN1L)
        ctx.reach, ctx.causal = reach, causal
        return out_GNLd

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> Any:
        (dout_GNLd,) = grads
        q_GNLd, k_GNLd, v_GNLd, rows_NWd, mask_GN1L = ctx.saved_tensors
        dq_GNLd, drows_NWd = torch.empty_like(q_GNLd), torch.zeros_like(rows_NWd)
        dk_GNLd, dv_GNLd = torch.zeros_like(k_GNLd), torch.zeros_like(v_GNLd)
        for g, rows, keys, columns in _tiles(q_GNLd, rows_NWd, ctx.reach, causal=ctx.causal):
            q_Ntd, k_NSd, dout_Ntd = q_GNLd[g, :, rows], k_GNLd[g, :, keys], dout_GNLd[g, :, rows]
            e_NWd = rows_NWd[:, columns]
            mask_N1S = None if mask_GN1L is None else mask_GN1L[g, ..., keys]
            weights_NtS = _weights(q_Ntd, k_NSd, e_NWd, mask_N1S, causal=ctx.causal)
            dv_GNLd[g, :, keys].baddbmm_(weights_NtS.mT, dout_Ntd)
            dscores_NtS = torch._softmax_backward_data(  # noqa: SLF001  # there is no public name
                dout_Ntd @ v_GNLd[g, :, keys].mT, weights_NtS, -1, weights_NtS.dtype
            )
            dk_GNLd[g, :, keys].baddbmm_(dscores_NtS.mT, q_Ntd)
            by_distance_NtW = dscores_NtS.new_zeros((*dscores_NtS.shape[:2], e_NWd.shape[1]))
            near_NtN = _near(dscores_NtS, e_NWd, causal=ctx.causal)
            skew(by_distance_NtW, near_NtN.shape[2]).copy_(near_NtN)  # a view
            dq_GNLd[g, :, rows] = torch.baddbmm(dscores_NtS @ k_NSd, by_distance_NtW, e_NWd)
            drows_NWd[:, columns].baddbmm_(by_distance_NtW.mT, q_Ntd)
        dq_GNLd /= math.sqrt(q_GNLd.shape[-1])
        return dq_GNLd, dk_GNLd, dv_GNLd, drows_NWd, None, None, None


def _tiles(
    q_GNLd: Tensor, rows_NWd: Tensor, reach: int, *, causal: bool
) -> Iterator[tuple[int, slice, slice, slice]]:
    """Yield group, queries, keys and columns of distances of each tile."""
    length = q_GNLd.shape[2]
    for group in range(len(q_GNLd)):
        for start in range(0, length, _TILE):
            stop = min(start + _TILE, length)
            columns = rows_NWd.shape[1] if causal else 2 * length - start
            keys = slice(0, stop if causal else length)
            first = max(length - stop, length - (stop - start) - reach)
            yield group, slice(start, stop), keys, slice(first, columns)


def _weights(
    q_Ntd: Tensor, k_NSd: Tensor, rows_NWd: Tensor, mask_N1S: Tensor | None, *, causal: bool
) -> Tensor:
    scores_NtS = q_Ntd @ k_NSd.mT
    near_NtN = _near(scores_NtS, rows_NWd, causal=causal)
    near_NtN += skew(q_Ntd @ rows_NWd.mT, near_NtN.shape[2])
    if mask_N1S is not None:
        return masked_softmax(scores_NtS, causal=causal, mask=mask_N1S)
    if causal:
        height = q_Ntd.shape[1]
        future_tt = torch.ones(height, height, dtype=torch.bool, device=q_Ntd.device).triu(1)
        scores_NtS[..., -height:].masked_fill_(future_tt, -torch.inf)
    return scores_NtS.softmax(-1)


def _near(scores_NtS: Tensor, rows_NWd: Tensor, *, causal: bool) -> Tensor:
    """Return the view of the last keys, those for which there are columns of distances."""
    return scores_NtS[..., 1 - rows_NWd.shape[1] :] if causal else scores_NtS
