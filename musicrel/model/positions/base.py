"""What a positional scheme may change, and the scheme that changes nothing.

A scheme has two places to act: on the token embeddings, once (``EmbeddingPositions``), and inside
the attention of every layer (``PositionalAttention``). Each scheme is one file that overrides one
of them; ``table.py`` lists them.

Dimensions: B batch, H heads, T queries, S keys, D width, d head width. Queries are the last T of
the S positions, so query row t stands at position S - T + t.

This file knows the plain arithmetic of attention; it knows nothing of any particular scheme.
"""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor, nn


class EmbeddingPositions(nn.Module):
    """Adds nothing to the embeddings: order shows only through the attention or not at all."""

    def forward(self, x_BTD: Tensor, starts_B: Tensor | int) -> Tensor:
        """The embeddings with their positions.

        Args:
            x_BTD: token embeddings.
            starts_B: the position of the first token, one for all or one for each sequence.
        """
        del starts_B
        return x_BTD


class PositionalAttention(nn.Module):
    """The arithmetic between queries, keys and values, without any positions.

    Schemes that act on the scores or the values override ``scores``, ``mix`` and ``fused``.
    """

    def scores(self, q_BHTd: Tensor, k_BHSd: Tensor, *, causal: bool) -> Tensor:
        """Logits before masking, (B, H, T, S): e_ij = q_i . k_j / sqrt d (Vaswani 2017, eq. 1)."""
        del causal
        scale = 1.0 / math.sqrt(q_BHTd.shape[-1])
        return torch.matmul(q_BHTd * scale, k_BHSd.transpose(-1, -2))

    def mix(self, weights_BHTS: Tensor, v_BHSd: Tensor) -> Tensor:
        """Values gathered by their weights, (B, H, T, d)."""
        return torch.matmul(weights_BHTS, v_BHSd)

    def fused(
        self, q_BHTd: Tensor, k_BHTd: Tensor, v_BHTd: Tensor, *, causal: bool, mask: Tensor | None
    ) -> Tensor:
        """The same result over a whole sequence at once, by the fastest exact way; no weights.

        Args:
            q_BHTd: queries; as many as there are keys.
            k_BHTd: keys.
            v_BHTd: values.
            causal: whether a query sees only itself and what comes before.
            mask: True where a key may be seen, (B, 1, 1, T); None: everywhere.
        """
        if mask is not None and causal:
            mask = mask & visible(q_BHTd.shape[2], k_BHTd.shape[2], q_BHTd.device)
        return F.scaled_dot_product_attention(
            q_BHTd, k_BHTd, v_BHTd, attn_mask=mask, is_causal=causal and mask is None
        )


def visible(queries: int, keys: int, device: torch.device) -> Tensor:
    """True where a causal query sees a key, bool (T, S); queries are the last of the positions."""
    return torch.ones(queries, keys, dtype=torch.bool, device=device).tril(keys - queries)
