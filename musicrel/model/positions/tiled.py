"""Relative attention over whole sequences in tiles of query rows, with a custom backward pass.

Autograd would keep (L, L) matrices for the backward pass, because fused kernels do not accept a
bias that needs a gradient. Here the weights of each tile are recomputed in the backward pass from
the logarithm of their normaliser (as in FlashAttention, Dao et al. 2022, alg. 4), so that the extra
memory is O(L x tile). ``RelativeAttention.scores`` is the reference in its tests.

Dimensions: B batch, H heads, L tokens, t rows of a tile, S its keys, W columns of distances.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from musicrel.model.positions.skew import skew

_TILE = 96


def query_distance_logits(q_BHTd: Tensor, rows_HWd: Tensor) -> Tensor:
    """Return the logits q . E for every distance: (B, H, T, W); E is shared or one per head."""
    if rows_HWd.shape[0] == 1:
        return torch.matmul(q_BHTd, rows_HWd[0].T)
    return torch.matmul(q_BHTd, rows_HWd.transpose(-1, -2))


def tiled_relative_attention(
    q_BHLd: Tensor,
    k_BHLd: Tensor,
    v_BHLd: Tensor,
    rows_HWd: Tensor,
    *,
    causal: bool,
    mask: Tensor | None = None,
    tile: int = _TILE,
) -> Tensor:
    """Compute softmax((q k^T + skew(q E^T)) / sqrt d) v, tile by tile.

    Args:
        q_BHLd: queries.
        k_BHLd: keys.
        v_BHLd: values.
        rows_HWd: embeddings by distance as returned by ``RelativeAttention.rows``.
        causal: whether a query attends to itself and earlier keys only.
        mask: bool, True for keys that may be attended to, (B, 1, 1, L); None: all.
        tile: rows of queries at a time.

    Returns:
        (B, H, L, d). Rows of fully masked queries are 0.
    """
    heads = (part.to(rows_HWd.dtype) for part in (q_BHLd, k_BHLd, v_BHLd))
    with torch.autocast(q_BHLd.device.type, enabled=False):  # sums in full precision
        result: Tensor = _Tiled.apply(  # type: ignore[no-untyped-call]  # torch leaves it untyped
            *heads, rows_HWd, causal, mask, tile
        )
    return result


class _Tiled(torch.autograd.Function):
    @staticmethod
    def forward(  # noqa: PLR0917  # torch passes them by position
        ctx: Any,
        q_BHLd: Tensor,
        k_BHLd: Tensor,
        v_BHLd: Tensor,
        rows_HWd: Tensor,
        causal: bool,
        mask: Tensor | None,
        tile: int,
    ) -> Tensor:
        out_BHLd = torch.empty_like(q_BHLd)
        norm_BHL = q_BHLd.new_empty(q_BHLd.shape[:-1])
        scaled_BHLd = q_BHLd / math.sqrt(q_BHLd.shape[-1])
        for view in _tiles(q_BHLd.shape[2], rows_HWd.shape[1], causal=causal, tile=tile):
            scores_BHtS = _scores(view, scaled_BHLd, k_BHLd, rows_HWd, mask)
            most_BHt = scores_BHtS.amax(-1)
            weights_BHtS = _weights(scores_BHtS, most_BHt)
            sum_BHt = weights_BHtS.sum(-1)
            mixed_BHtd = weights_BHtS @ v_BHLd[:, :, : view.keys]
            whole_BHt1 = sum_BHt.masked_fill(sum_BHt == 0, 1.0)[..., None]
            torch.div(mixed_BHtd, whole_BHt1, out=out_BHLd[:, :, view.queries])
            norm_BHL[:, :, view.queries] = most_BHt + sum_BHt.log()  # one exp for both
        ctx.save_for_backward(scaled_BHLd, k_BHLd, v_BHLd, rows_HWd, out_BHLd, norm_BHL, mask)
        ctx.causal, ctx.tile = causal, tile
        return out_BHLd

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> Any:
        (dout_BHLd,) = grads
        q_BHLd, k_BHLd, v_BHLd, rows_HWd, out_BHLd, norm_BHL, mask = ctx.saved_tensors
        dq, drows = torch.empty_like(q_BHLd), torch.zeros_like(rows_HWd)
        dk, dv = torch.zeros_like(k_BHLd), torch.zeros_like(v_BHLd)
        delta_BHL1 = (dout_BHLd * out_BHLd).sum(-1, keepdim=True)
        for view in _tiles(q_BHLd.shape[2], rows_HWd.shape[1], causal=ctx.causal, tile=ctx.tile):
            at, seen = view.queries, slice(0, view.keys)
            scores_BHtS = _scores(view, q_BHLd, k_BHLd, rows_HWd, mask)
            weights_BHtS = _weights(scores_BHtS, norm_BHL[:, :, at])
            dv[:, :, seen] += weights_BHtS.transpose(-1, -2) @ dout_BHLd[:, :, at]
            dscores_BHtS = dout_BHLd[:, :, at] @ v_BHLd[:, :, seen].transpose(-1, -2)
            dscores_BHtS.sub_(delta_BHL1[:, :, at]).mul_(weights_BHtS)
            dk[:, :, seen] += dscores_BHtS.transpose(-1, -2) @ q_BHLd[:, :, at]
            dqe_BHtW = _unskewed(dscores_BHtS, view)
            columns, table = view.columns, rows_HWd[0] if len(rows_HWd) == 1 else rows_HWd
            dq[:, :, at] = dscores_BHtS @ k_BHLd[:, :, seen] + dqe_BHtW @ table[..., columns, :]
            drows[:, columns] += _row_gradient(dqe_BHtW, q_BHLd[:, :, at], rows_HWd.shape[0])
        return dq.div_(math.sqrt(q_BHLd.shape[-1])), dk, dv, drows, None, None, None


class _Tile:
    """One tile: its queries, number of keys, and columns among all distances."""

    __slots__ = ("causal", "columns", "keys", "queries", "rows")

    def __init__(self, start: int, stop: int, length: int, columns: int, *, causal: bool) -> None:
        self.queries = slice(start, stop)
        self.rows = stop - start
        self.causal = causal
        self.keys = stop if causal else length
        first = length - stop
        self.columns = slice(first, columns if causal else first + length + self.rows)


def _tiles(length: int, columns: int, *, causal: bool, tile: int) -> list[_Tile]:
    return [
        _Tile(start, min(start + tile, length), length, columns, causal=causal)
        for start in range(0, length, tile)
    ]


def _scores(
    view: _Tile, scaled_BHLd: Tensor, k_BHLd: Tensor, rows_HWd: Tensor, mask: Tensor | None
) -> Tensor:
    q_BHtd = scaled_BHLd[:, :, view.queries]
    scores_BHtS = q_BHtd @ k_BHLd[:, :, : view.keys].transpose(-1, -2)
    scores_BHtS += skew(query_distance_logits(q_BHtd, rows_HWd[:, view.columns]), view.keys)
    if view.causal:
        future = torch.ones(view.rows, view.rows, dtype=torch.bool, device=scores_BHtS.device).triu(
            1
        )
        scores_BHtS[..., view.keys - view.rows :].masked_fill_(future, -torch.inf)
    if mask is not None:
        scores_BHtS.masked_fill_(~mask[..., : view.keys], -torch.inf)
    return scores_BHtS


def _weights(scores_BHtS: Tensor, norm_BHt: Tensor) -> Tensor:
    safe_BHt1 = norm_BHt.masked_fill(norm_BHt == -torch.inf, 0.0)[..., None]
    return scores_BHtS.sub_(safe_BHt1).exp_()


def _unskewed(dscores_BHtS: Tensor, view: _Tile) -> Tensor:
    """Return the gradient by distance of the gradient by key; the inverse of ``skew``."""
    columns = view.columns.stop - view.columns.start
    dqe_BHtW = dscores_BHtS.new_zeros((*dscores_BHtS.shape[:-1], columns))
    skew(dqe_BHtW, view.keys).copy_(dscores_BHtS)
    return dqe_BHtW


def _row_gradient(dqe_BHtW: Tensor, q_BHtd: Tensor, tables: int) -> Tensor:
    """Return the gradient of the rows, summed over the batch and shared heads: (tables, W, d)."""
    if tables == 1:
        return (dqe_BHtW.flatten(0, 2).T @ q_BHtd.flatten(0, 2))[None]
    return torch.einsum("bhtw,bhtd->hwd", dqe_BHtW, q_BHtd)
