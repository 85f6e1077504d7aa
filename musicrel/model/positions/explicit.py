"""Attention with explicit scores, computed for a tile of queries at a time.

For schemes whose scores no fused kernel supports. Without gradients the memory is O(L x tile)
instead of O(L^2); in training the backward pass needs all weights anyway.

Dimensions: B batch, H heads, T queries, t queries of a tile, S keys, d head width.
"""

from __future__ import annotations

import torch
from torch import Tensor

from musicrel.model.positions.base import PositionalAttention, masked_softmax

_TILE = 128


class ExplicitAttention(PositionalAttention):
    """Softmax over ``scores``, values gathered by ``mix``."""

    def fused(
        self, q_BHTd: Tensor, k_BHTd: Tensor, v_BHTd: Tensor, *, causal: bool, mask: Tensor | None
    ) -> Tensor:
        tokens = q_BHTd.shape[2]
        if torch.is_grad_enabled() or tokens <= _TILE:
            return self._part(q_BHTd, k_BHTd, v_BHTd, causal=causal, mask=mask, first=0)
        parts = []
        for first in range(0, tokens, _TILE):
            stop = min(first + _TILE, tokens)
            keys = slice(0, stop if causal else tokens)
            part_BHtd = self._part(
                q_BHTd[:, :, first:stop],
                k_BHTd[:, :, keys],
                v_BHTd[:, :, keys],
                causal=causal,
                mask=None if mask is None else mask[..., keys],
                first=first,
            )
            parts.append(part_BHtd)
        return torch.cat(parts, dim=2)

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
        """Return the output of some queries; causal ones are the last of the keys' positions."""
        scores_BHtS = self.scores(q_BHtd, k_BHSd, causal=causal, first=first)
        weights_BHtS = masked_softmax(scores_BHtS, causal=causal, mask=mask)
        return self.mix(weights_BHtS, v_BHSd, first=first)
