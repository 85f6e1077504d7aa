"""Relative attention in tiles of query rows, the softmax of each tile computed by a kernel.

The same as ``tiled.py``, faster on a CPU: torch computes the products, and a compiled kernel reads
the scores of a tile once for all that is between them. Weights are recomputed in the backward pass.
Everything is float32, under autocast as well: with heads of 32 columns, products in bfloat16 are
not faster.

Distances: softmax does not change if a row of scores is shifted, so that the vector of the farthest
distance can be subtracted from all. Keys beyond the table then need no positional score.

Dimensions: B batch, H heads, L tokens, d head width, W columns of distances, G groups of N heads, U
tiles, t queries of a tile, S its keys.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import torch
from torch import Tensor

_TILE: Final = 96
_HEADS: Final = 4
"""Heads at a time: the scores of a tile should stay in the processor's cache."""


@dataclass(frozen=True, slots=True)
class TileKernel:
    """The arithmetic between the products of a tile, on NumPy arrays of float32.

    Attributes:
        weigh: replaces scores by weights, as ``musicrel.model.compiled.tile_softmax.weigh``.
        differentiate: their gradient, as ``tile_softmax.differentiate``.
    """

    weigh: Callable[..., None]
    differentiate: Callable[..., None]


def kernel_relative_attention(
    q_BHLd: Tensor,
    k_BHLd: Tensor,
    v_BHLd: Tensor,
    rows_HWd: Tensor,
    *,
    causal: bool,
    kernel: TileKernel,
) -> Tensor:
    """Compute softmax((q k^T + skew(q E^T)) / sqrt d) v, tile by tile, on a CPU.

    Args:
        q_BHLd: queries.
        k_BHLd: keys.
        v_BHLd: values.
        rows_HWd: float32, one table a head or one for all. Causal: embeddings of the distances
            -(W - 1) ... 0, keys farther back have none. Else of -(L - 1) ... L - 1.
        causal: whether a query attends to itself and earlier keys only.
        kernel: arithmetic of a tile.

    Returns:
        (B, H, L, d), float32.
    """
    heads = (part.to(rows_HWd.dtype) for part in (q_BHLd, k_BHLd, v_BHLd))
    rows_HWd = rows_HWd.expand(q_BHLd.shape[1], -1, -1)
    with torch.autocast(q_BHLd.device.type, enabled=False):
        result: Tensor = _KernelTiles.apply(  # type: ignore[no-untyped-call]  # untyped in torch
            *heads, rows_HWd, causal, kernel
        )
    return result


class _KernelTiles(torch.autograd.Function):
    @staticmethod
    def forward(  # noqa: PLR0917  # torch passes them by position
        ctx: Any,
        q_BHLd: Tensor,
        k_BHLd: Tensor,
        v_BHLd: Tensor,
        rows_HWd: Tensor,
        causal: bool,
        kernel: TileKernel,
    ) -> Tensor:
        tiling = _Tiling.of(q_BHLd, rows_HWd, causal=causal)
        q_GNLd = tiling.grouped(q_BHLd / math.sqrt(q_BHLd.shape[-1]))
        k_GNLd, v_GNLd = tiling.grouped(k_BHLd), tiling.grouped(v_BHLd)
        rows_HWd = rows_HWd.contiguous()
        out_GNLd, norm_GUt = torch.empty_like(q_GNLd), tiling.norms(q_GNLd)
        work = _Work(q_GNLd, tiling)
        for view in tiling.tiles():
            scores_NtS, norm_Nt = work.scores(view, q_GNLd, k_GNLd, rows_HWd, norm_GUt)
            kernel.weigh(*work.arrays(view), norm_Nt.numpy(), view.start, view.zero, causal)
            torch.bmm(
                scores_NtS, v_GNLd[view.group, :, : view.keys], out=out_GNLd[view.group][view.rows]
            )
        ctx.save_for_backward(q_GNLd, k_GNLd, v_GNLd, rows_HWd, norm_GUt)
        ctx.tiling, ctx.kernel = tiling, kernel
        return out_GNLd.view(q_BHLd.shape)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> Any:
        (dout_BHLd,) = grads
        tiling, kernel = ctx.tiling, ctx.kernel
        q_GNLd, k_GNLd, v_GNLd, rows_HWd, norm_GUt = ctx.saved_tensors
        dout_GNLd = tiling.grouped(dout_BHLd)
        dq_GNLd, drows_HWd = torch.empty_like(q_GNLd), torch.zeros_like(rows_HWd)
        dk_GNLd, dv_GNLd = torch.zeros_like(k_GNLd), torch.zeros_like(v_GNLd)
        work, dwork = _Work(q_GNLd, tiling), _Work(q_GNLd, tiling)
        for view in tiling.tiles():
            seen = slice(None), slice(view.keys)
            table = view.heads, view.columns
            q_Ntd, dout_Ntd = q_GNLd[view.group][view.rows], dout_GNLd[view.group][view.rows]
            weights_NtS, norm_Nt = work.scores(view, q_GNLd, k_GNLd, rows_HWd, norm_GUt)
            dscores_NtS, dby_distance_NtW = dwork.views(view)
            torch.bmm(dout_Ntd, v_GNLd[view.group][seen].mT, out=dscores_NtS)
            arrays = (*work.arrays(view), norm_Nt.numpy(), *dwork.arrays(view))
            kernel.differentiate(*arrays, view.start, view.zero, tiling.causal)
            dv_GNLd[view.group][seen].baddbmm_(weights_NtS.mT, dout_Ntd)
            dk_GNLd[view.group][seen].baddbmm_(dscores_NtS.mT, q_Ntd)
            drows_HWd[table].baddbmm_(dby_distance_NtW.mT, q_Ntd)
            dq_Ntd = dq_GNLd[view.group][view.rows]
            torch.bmm(dscores_NtS, k_GNLd[view.group][seen], out=dq_Ntd)
            dq_Ntd.baddbmm_(dby_distance_NtW, rows_HWd[table])
        dq_GNLd.div_(math.sqrt(q_GNLd.shape[-1]))
        shape = dout_BHLd.shape
        return *(part.view(shape) for part in (dq_GNLd, dk_GNLd, dv_GNLd)), drows_HWd, None, None


@dataclass(frozen=True, slots=True)
class _Tile:
    """One tile of a group of heads.

    Attributes:
        group: index of the group.
        heads: its tables.
        index: index of the tile within the group.
        rows: its queries, of all heads.
        start: position of the first query.
        height: number of queries.
        keys: number of keys.
        columns: its columns of distances.
        zero: column of the distance 0 among these.
    """

    group: int
    heads: slice
    index: int
    rows: tuple[slice, slice]
    start: int
    height: int
    keys: int
    columns: slice
    zero: int


@dataclass(frozen=True, slots=True)
class _Tiling:
    """The division into groups of heads and tiles of queries."""

    heads: int
    together: int
    groups: int
    length: int
    columns: int
    causal: bool

    @classmethod
    def of(cls, q_BHLd: Tensor, rows_HWd: Tensor, *, causal: bool) -> _Tiling:
        batch, heads, length, _ = q_BHLd.shape
        together = next(count for count in range(_HEADS, 0, -1) if heads % count == 0)
        groups = batch * heads // together
        return cls(heads, together, groups, length, rows_HWd.shape[1], causal)

    def grouped(self, x_BHLd: Tensor) -> Tensor:
        """Return a contiguous tensor of groups, (G, N, L, d)."""
        return x_BHLd.reshape(self.groups, self.together, *x_BHLd.shape[2:]).contiguous()

    def norms(self, like: Tensor) -> Tensor:
        """Return an empty tensor for the norms of all tiles, (G, U, N t)."""
        return like.new_empty(self.groups, -(-self.length // _TILE), self.together * _TILE)

    def tiles(self) -> Iterator[_Tile]:
        """Yield all tiles, those of a group one after the other."""
        for group in range(self.groups):
            head = group * self.together % self.heads
            for index, start in enumerate(range(0, self.length, _TILE)):
                stop = min(start + _TILE, self.length)
                columns, zero = self._columns(start, stop)
                yield _Tile(
                    group=group,
                    heads=slice(head, head + self.together),
                    index=index,
                    rows=(slice(None), slice(start, stop)),
                    start=start,
                    height=stop - start,
                    keys=stop if self.causal else self.length,
                    columns=columns,
                    zero=zero,
                )

    def _columns(self, start: int, stop: int) -> tuple[slice, int]:
        """Return the columns of the queries of a tile and, among these, that of distance 0."""
        if not self.causal:
            return slice(self.length - stop, 2 * self.length - 1 - start), stop - 1
        near = min(stop, self.columns)
        return slice(self.columns - near, self.columns), near - 1


class _Work:
    """Memory for the scores by key and by distance of one tile, used for all of them."""

    def __init__(self, like: Tensor, tiling: _Tiling) -> None:
        self._together = tiling.together
        rows = tiling.together * min(_TILE, tiling.length)
        self._by_key = like.new_empty(rows * tiling.length)
        self._by_distance = like.new_empty(rows * tiling.columns)

    def views(self, view: _Tile) -> tuple[Tensor, Tensor]:
        """Return the scores by key (N, t, S) and by distance (N, t, W), not initialised."""
        found = []
        columns = view.columns.stop - view.columns.start
        for memory, width in ((self._by_key, view.keys), (self._by_distance, columns)):
            entries = self._together * view.height * width
            found.append(memory[:entries].view(self._together, view.height, width))
        return found[0], found[1]

    def arrays(self, view: _Tile) -> Iterator[Any]:
        """Return ``views`` as NumPy arrays."""
        return (part.numpy() for part in self.views(view))

    def scores(
        self, view: _Tile, q_GNLd: Tensor, k_GNLd: Tensor, rows_HWd: Tensor, norm_GUt: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Compute the products q . k and q . E; return the former and the norms of the tile."""
        q_Ntd = q_GNLd[view.group][view.rows]
        by_key_NtS, by_distance_NtW = self.views(view)
        torch.bmm(q_Ntd, k_GNLd[view.group, :, : view.keys].mT, out=by_key_NtS)
        torch.bmm(q_Ntd, rows_HWd[view.heads, view.columns].mT, out=by_distance_NtW)
        norms = norm_GUt[view.group, view.index, : self._together * view.height]
        return by_key_NtS, norms.view(self._together, view.height)
