"""Scores with a bias for every distance: common part of ``bias`` and ``alibi``.

e_ij = q_i . k_j / sqrt d + b_h(i - j), the bias not scaled.

Dimensions: B batch, H heads, T queries, S keys, W distances, d head width.
"""

from __future__ import annotations

from abc import abstractmethod

import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor

from musicrel.model.positions.base import causal_mask
from musicrel.model.positions.explicit import ExplicitAttention


class DistanceBiasAttention(ExplicitAttention):
    """Scores plus ``by_distance``; computed by a fused kernel with an explicit mask."""

    @abstractmethod
    def by_distance(self, back_W: Tensor) -> Tensor:
        """Return the biases, (H, W).

        Args:
            back_W: int64, distance i - j of each key; negative for keys after the query.
        """

    def matrix(self, queries: int, keys: int, first: int | None, like: Tensor) -> Tensor:
        """Return the biases by query and key, (H, T, S), from those of W = S + T - 1 distances.

        Args:
            queries: T.
            keys: S.
            first: position of the first query; None: the queries are the last of the positions.
            like: a tensor of the device and dtype to use.
        """
        last = keys - 1 if first is None else first + queries - 1
        back_W = last - torch.arange(keys + queries - 1, device=like.device)
        by_distance_HW = self.by_distance(back_W).to(like.dtype)
        return by_distance_HW.unfold(-1, keys, 1).flip(-2)  # row t begins T - 1 - t columns in

    def scores(
        self, q_BHTd: Tensor, k_BHSd: Tensor, *, causal: bool, first: int | None = None
    ) -> Tensor:
        content_BHTS = super().scores(q_BHTd, k_BHSd, causal=causal, first=first)
        return content_BHTS + self.matrix(q_BHTd.shape[2], k_BHSd.shape[2], first, q_BHTd)

    def _part(
        self,
        q_BHtd: Tensor,
        k_BHSd: Tensor,
        v_BHSd: Tensor,
        *,
        causal: bool,
        mask: Tensor | None,
        first: int,
    ) -> Tensor:
        queries, keys = q_BHtd.shape[2], k_BHSd.shape[2]
        added_BHtS = self.matrix(queries, keys, first, q_BHtd)[None]
        if causal:
            past_tS = causal_mask(queries, keys, q_BHtd.device)
            added_BHtS = added_BHtS.masked_fill(~past_tS, -torch.inf)
        if mask is not None:
            added_BHtS = added_BHtS.masked_fill(~mask, -torch.inf)
        return F.scaled_dot_product_attention(q_BHtd, k_BHSd, v_BHSd, attn_mask=added_BHtS)
