"""The interface of positional schemes, and the scheme without positions.

A scheme can act on the token embeddings, once (``EmbeddingPositions``), or in the attention of
every layer (``PositionalAttention``). Each scheme is one file that overrides one of them;
``table.py`` lists them.

Dimensions: B batch, H heads, T queries, t queries of a tile, S keys, L tokens, D width, d head
width. By default the queries are the last T of the S positions, query row t at position S - T + t;
``first`` gives another position of the first query, for queries of another sequence or of a part of
one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, TypeAlias

import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor, nn

Place: TypeAlias = int | Tensor
"""A position: a number, or int64 (1,) on the device; as starts of sequences also int64 (B,)."""
INITIAL_STD: Final = 0.02
"""Standard deviation of learned positions at the start."""
_TILE: Final = 128
"""Queries of a tile."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """All that a scheme may know of the tokens whose queries or keys it transforms."""

    first: Place  # position of the first of them
    planned_length: int  # final length of the sequence, the same for all parts of it
    states_BTD: Tensor  # the states that the queries or keys are projections of
    # coordinates of what each token predicts and of itself, (B, T, 2, X), from
    # ``EmbeddingPositions.coordinates``; None: the scheme has none, or positions are not tokens
    coordinates_BT2X: Tensor | None = None


class SchemePart(nn.Module):
    """Common part of ``EmbeddingPositions`` and ``PositionalAttention``.

    Attributes:
        drop: dropout of the scheme's learned or added positions.
    """

    def __init__(self) -> None:
        super().__init__()
        self.drop = nn.Dropout(0.0)


class EmbeddingPositions(SchemePart):
    """Embedding positions that add nothing: order is visible to the attention only, or not at all.

    Schemes override ``at``, and ``reserve`` where the length matters.
    """

    def forward(self, x_BTD: Tensor, starts_B: Place) -> Tensor:
        """Return the embeddings with positions; a captured step needs reserved ones.

        Args:
            starts_B: position of the first token, one for all or one for each sequence.
        """
        if not is_captured(x_BTD):
            last = starts_B if isinstance(starts_B, int) else int(starts_B.max())
            self.reserve(last + x_BTD.shape[1])
        return self.at(x_BTD, starts_B)

    def reserve(self, length: int) -> None:
        """Prepare for sequences of this length."""

    def at(self, x_BTD: Tensor, starts_B: Place) -> Tensor:
        """Return the embeddings with positions that are reserved; the host is not synchronised."""
        return x_BTD

    def coordinates(self, ids_BT: Tensor, conditions_BTC: Tensor, starts_B: Place) -> Tensor | None:
        """Return ``Tokens.coordinates_BT2X``; the host is not synchronised."""
        return None


class PositionalAttention(SchemePart):
    """The arithmetic between queries, keys and values, without positions.

    Schemes that act on scores or values override ``scores``, ``mix`` and ``fused``; those that
    transform queries and keys override ``rotate_q`` and, where keys differ, ``rotate_k``. None of
    these synchronises the host, so that a step of decoding or of training can be captured in a
    graph.
    """

    def rotate_q(self, q_BHTd: Tensor, at: Tokens) -> Tensor:
        """Transform projected queries by the positions of their tokens."""
        return q_BHTd

    def rotate_k(self, k_BHTd: Tensor, at: Tokens) -> Tensor:
        """Transform projected keys, by default as queries; the cache holds transformed keys."""
        return self.rotate_q(k_BHTd, at)

    def scores(
        self, q_BHTd: Tensor, k_BHSd: Tensor, *, causal: bool, first: Place | None = None
    ) -> Tensor:
        """Return the scores before masking, (B, H, T, S).

        e_ij = q_i . k_j / sqrt d (Vaswani et al. 2017, eq. 1).

        Args:
            q_BHTd: queries, transformed by ``rotate_q``.
            k_BHSd: keys, transformed by ``rotate_k``.
            causal: whether entries with j > i are masked afterwards and may have any value.
            first: position of the first query; None: the queries are the last of the positions.
        """
        scale = 1.0 / math.sqrt(q_BHTd.shape[-1])
        return torch.matmul(q_BHTd * scale, k_BHSd.transpose(-1, -2))

    def mix(self, weights_BHTS: Tensor, v_BHSd: Tensor, *, first: Place | None = None) -> Tensor:
        """Return the weighted values, (B, H, T, d); ``first`` as in ``scores``."""
        return torch.matmul(weights_BHTS, v_BHSd)

    def fused(
        self, q_BHTd: Tensor, k_BHTd: Tensor, v_BHTd: Tensor, *, causal: bool, mask: Tensor | None
    ) -> Tensor:
        """Return the attention output of a whole sequence, computed in the fastest exact way.

        Args:
            q_BHTd: queries, as many as keys.
            causal: whether a query attends to itself and earlier keys only.
            mask: bool, True for keys that may be attended to, (B, 1, 1, T); None: all.
        """
        if mask is not None and causal:
            mask = mask & causal_mask(q_BHTd.shape[2], k_BHTd.shape[2], q_BHTd.device)
        return F.scaled_dot_product_attention(
            q_BHTd, k_BHTd, v_BHTd, attn_mask=mask, is_causal=causal and mask is None
        )


class ExplicitAttention(PositionalAttention):
    """Softmax over ``scores``, values gathered by ``mix``, where no fused kernel has the scores.

    Without gradients a tile of queries is computed at a time, and the memory is O(L x tile) instead
    of O(L^2); in training the backward pass needs all weights anyway.
    """

    def fused(
        self, q_BHTd: Tensor, k_BHTd: Tensor, v_BHTd: Tensor, *, causal: bool, mask: Tensor | None
    ) -> Tensor:
        tokens = q_BHTd.shape[2]
        tile = tokens if torch.is_grad_enabled() else _TILE
        parts = []
        for first in range(0, tokens, tile):
            stop = min(first + tile, tokens)
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
        return torch.cat(parts, dim=2) if len(parts) > 1 else parts[0]

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


def by_head(weight_HD: Tensor, states_BTD: Tensor) -> Tensor:
    """Return w_h . x for each head and token, (B, H, T), in full precision."""
    with torch.autocast(states_BTD.device.type, enabled=False):
        return weight_HD @ states_BTD.to(weight_HD).mT


def is_captured(x: Tensor) -> bool:
    """Return whether operations on ``x`` are recorded now, when the host cannot be asked."""
    return x.is_cuda and torch.cuda.is_current_stream_capturing()


def causal_mask(queries: int, keys: int, device: torch.device) -> Tensor:
    """Return a mask with True where query t may attend to key s: bool (T, S).

    Queries are the last T of the S positions.
    """
    return torch.ones(queries, keys, dtype=torch.bool, device=device).tril(keys - queries)


def masked_softmax(scores_BHTS: Tensor, *, causal: bool, mask: Tensor | None) -> Tensor:
    """Return the attention weights; rows and gradients of fully masked queries are 0."""
    queries, keys = scores_BHTS.shape[-2:]
    visible_keys = mask
    if causal and queries > 1:
        past_TS = causal_mask(queries, keys, scores_BHTS.device)
        if mask is None and queries <= keys:  # every query sees a key
            return scores_BHTS.masked_fill(~past_TS, -torch.inf).softmax(-1)
        visible_keys = past_TS if mask is None else past_TS & mask
    if visible_keys is None:
        return scores_BHTS.softmax(-1)
    is_masked_row = ~visible_keys.any(-1, keepdim=True)
    weights_BHTS = scores_BHTS.masked_fill(~(visible_keys | is_masked_row), -torch.inf).softmax(-1)
    return weights_BHTS.masked_fill(is_masked_row, 0.0)
