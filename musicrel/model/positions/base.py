"""What a positional scheme may change, and the scheme that changes nothing.

A scheme has two places to act: on the token embeddings, once (``EmbeddingPositions``), and inside
the attention of every layer (``PositionalAttention``). Each scheme is one file that overrides one
of them; ``table.py`` lists them.

Dimensions: B batch, H heads, T queries, S keys, D width, d head width. Queries are the last T of
the S positions, so query row t stands at position S - T + t; ``first`` says otherwise, where the
queries come from another sequence or are one part of many.

This file knows the plain arithmetic of attention; it knows nothing of any particular scheme.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor, nn


class EmbeddingPositions(nn.Module):
    """Adds nothing to the embeddings: order shows only through the attention or not at all.

    Attributes:
        drop: what a scheme sends its positions through before they are added.
        replays: whether a step of decoding may be recorded; so wherever a scheme defines ``at``.
    """

    replays: ClassVar[bool] = True

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.replays = "at" in vars(cls)

    def __init__(self) -> None:
        super().__init__()
        self.drop = nn.Dropout(0.0)

    def forward(self, x_BTD: Tensor, starts_B: Tensor | int) -> Tensor:
        """The embeddings with their positions.

        Args:
            x_BTD: token embeddings.
            starts_B: the position of the first token, one for all or one for each sequence.
        """
        del starts_B
        return x_BTD

    def at(self, x_B1D: Tensor, place_1: Tensor) -> Tensor:
        """As ``forward`` for one token at ``place_1``, int64 (1,), which is never read by the host.

        So that a device may record the step once and repeat it for every place. ``forward`` was
        called with the longest sequence before; a scheme without it is decoded all the same.
        """
        del place_1
        return x_B1D


class PositionalAttention(nn.Module):
    """The arithmetic between queries, keys and values, without any positions.

    Schemes that act on the scores or the values override ``scores``, ``mix`` and ``fused``; those
    that move queries and keys themselves override ``turned``. Decoding works with these; a scheme
    that knows a faster way for a single query overrides ``row``, and ``row_at`` in addition where a
    device may record the step once and repeat it.

    Attributes:
        drop: what a scheme sends its learned positions through before they are used.
        replays: whether a step of decoding may be recorded; so wherever a scheme defines
            ``row_at``, and then neither ``turned`` nor ``mix`` may look at positions.
    """

    replays: ClassVar[bool] = True

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.replays = "row_at" in vars(cls)

    def __init__(self) -> None:
        super().__init__()
        self.drop = nn.Dropout(0.0)

    def turned(self, x_BHTd: Tensor, first: int, planned: int) -> Tensor:
        """Queries or keys as ``scores`` and ``fused`` want them; keys are kept in this form.

        Args:
            x_BHTd: as they were projected.
            first: position of the first of them.
            planned: how many tokens the whole request will have, the same for all parts of it.
        """
        del first, planned
        return x_BHTd

    def scores(
        self, q_BHTd: Tensor, k_BHSd: Tensor, *, causal: bool, first: int | None = None
    ) -> Tensor:
        """Logits before masking, (B, H, T, S): e_ij = q_i . k_j / sqrt d (Vaswani 2017, eq. 1).

        Args:
            q_BHTd: queries, turned.
            k_BHSd: keys, turned.
            causal: whether entries with j > i are masked afterwards and may be anything.
            first: position of the first query; None: the queries are the last of the positions.
        """
        del causal, first
        scale = 1.0 / math.sqrt(q_BHTd.shape[-1])
        return torch.matmul(q_BHTd * scale, k_BHSd.transpose(-1, -2))

    def row(self, q_BH1d: Tensor, k_BHSd: Tensor, first: int | None = None) -> Tensor:
        """``scores`` of one token, (B, H, 1, S): the newest, at position S - 1.

        With ``first`` it is a token at that position, which sees all keys. A sequence's logits are
        the same to the bit in every batch on a CPU; so a scheme's own ``scores`` are asked for one
        sequence after the other.
        """
        if type(self).scores is PositionalAttention.scores:
            return met(q_BH1d / math.sqrt(q_BH1d.shape[-1]), k_BHSd)
        past = first is None
        if len(q_BH1d) == 1:
            return self.scores(q_BH1d, k_BHSd, causal=past, first=first)
        each = zip(q_BH1d.unbind(), k_BHSd.unbind(), strict=True)
        return torch.cat([
            self.scores(q_H1d[None], k_HSd[None], causal=past, first=first) for q_H1d, k_HSd in each
        ])  # fmt: skip

    def row_at(self, q_BH1d: Tensor, k_BHSd: Tensor, place_1: Tensor) -> Tensor:
        """``scores`` of one token at ``place_1``, int64 (1,), never read by the host: (B, H, 1, S).

        Entries of keys beyond the place are masked afterwards and may be any number.
        """
        del place_1
        return PositionalAttention.scores(self, q_BH1d, k_BHSd, causal=True)

    def mix(self, weights_BHTS: Tensor, v_BHSd: Tensor, *, first: int | None = None) -> Tensor:
        """Values gathered by their weights, (B, H, T, d); ``first`` as in ``scores``."""
        del first
        return torch.matmul(weights_BHTS, v_BHSd)

    def row_mix(self, weights_BH1S: Tensor, v_BHSd: Tensor, first: int | None = None) -> Tensor:
        """``mix`` of the token of ``row``, (B, H, 1, d), with the same promise."""
        if len(v_BHSd) == 1 or type(self).mix is PositionalAttention.mix:
            return self.mix(weights_BH1S, v_BHSd, first=first)
        each = zip(weights_BH1S.unbind(), v_BHSd.unbind(), strict=True)
        return torch.cat([
            self.mix(weights_H1S[None], v_HSd[None], first=first) for weights_H1S, v_HSd in each
        ])  # fmt: skip

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


def met(q_BH1d: Tensor, k_BHSd: Tensor) -> Tensor:
    """The products q . k of one query a head, (B, H, 1, S); on a CPU alike in every batch.

    Where a result begins in memory decides how it is summed; it begins alike for every sequence
    when the heads are a multiple of four, else the sequences are taken one after the other.
    """
    k_BHdS = k_BHSd.transpose(-1, -2)
    if q_BH1d.shape[1] % 4 == 0 or len(q_BH1d) == 1:
        return torch.matmul(q_BH1d, k_BHdS)
    each = zip(q_BH1d.unbind(), k_BHdS.unbind(), strict=True)
    return torch.stack([torch.bmm(q_H1d, k_HdS) for q_H1d, k_HdS in each])


def visible(queries: int, keys: int, device: torch.device) -> Tensor:
    """True where a causal query sees a key, bool (T, S); queries are the last of the positions."""
    return torch.ones(queries, keys, dtype=torch.bool, device=device).tril(keys - queries)


def softmax_of_seen(scores_BHTS: Tensor, *, causal: bool, mask: Tensor | None) -> Tensor:
    """Weights over the keys each query sees; zeros, also backwards, where it sees none."""
    queries, keys = scores_BHTS.shape[-2:]
    seen = mask
    if causal and queries > 1:
        past_TS = visible(queries, keys, scores_BHTS.device)
        seen = past_TS if mask is None else past_TS & mask
    if seen is None:
        return scores_BHTS.softmax(-1)
    blind = ~seen.any(-1, keepdim=True)
    weights_BHTS = scores_BHTS.masked_fill(~(seen | blind), -torch.inf).softmax(-1)
    return weights_BHTS.masked_fill(blind, 0.0)
