"""The interface of positional schemes, and the scheme without positions.

A scheme can act on the token embeddings, once (``EmbeddingPositions``), or in the attention of
every layer (``PositionalAttention``). Each scheme is one file that overrides one of them;
``table.py`` lists them.

Dimensions: B batch, H heads, T queries, S keys, D width, d head width. By default the queries are
the last T of the S positions, query row t at position S - T + t; ``first`` gives another position
of the first query, for queries of another sequence or of a part of one.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar, Final

import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor, nn

INITIAL_STD: Final = 0.02
"""Standard deviation of learned positions at the start."""


class SchemePart(nn.Module):
    """Common part of ``EmbeddingPositions`` and ``PositionalAttention``.

    Attributes:
        drop: dropout of the scheme's learned or added positions.
        graph_capturable: whether a decoding step can be captured in a graph: true for every class
            that itself defines the method named ``fixed_method``.
    """

    fixed_method: ClassVar[str]
    graph_capturable: ClassVar[bool]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.graph_capturable = cls.fixed_method in vars(cls)

    def __init__(self) -> None:
        super().__init__()
        self.drop = nn.Dropout(0.0)


class EmbeddingPositions(SchemePart):
    """Embedding positions that add nothing: order is visible to the attention only, or not at all.

    A decoding step of a scheme that defines ``at`` can be captured in a graph.
    """

    fixed_method = "at"

    def forward(self, x_BTD: Tensor, starts_B: Tensor | int) -> Tensor:
        """Return the embeddings with positions.

        Args:
            x_BTD: token embeddings.
            starts_B: position of the first token, one for all or one for each sequence.
        """
        return x_BTD

    def at(self, x_B1D: Tensor, place_1: Tensor) -> Tensor:
        """Add the position of one token, int64 (1,), without synchronising with the host.

        A device can capture the step once and replay it at every position. ``forward`` was called
        with the longest sequence before. Schemes without this method are decoded without a graph.
        """
        return x_B1D


class PositionalAttention(SchemePart):
    """The arithmetic between queries, keys and values, without positions.

    Schemes that act on scores or values override ``scores``, ``mix`` and ``fused``; those that
    transform queries and keys override ``rotate_qk``. Decoding works with these. A scheme with a
    faster way for a single query overrides ``row``, and also ``row_at`` where a step can be
    captured in a graph; then ``rotate_qk`` and ``mix`` do not depend on positions.
    """

    fixed_method = "row_at"

    def rotate_qk(self, x_BHTd: Tensor, first: int, planned_length: int) -> Tensor:
        """Transform queries or keys by their positions; the cache holds transformed keys.

        Args:
            x_BHTd: projected queries or keys.
            first: position of the first of them.
            planned_length: final length of the sequence, the same for all parts of it.
        """
        return x_BHTd

    def scores(
        self, q_BHTd: Tensor, k_BHSd: Tensor, *, causal: bool, first: int | None = None
    ) -> Tensor:
        """Return the scores before masking, (B, H, T, S).

        e_ij = q_i . k_j / sqrt d (Vaswani et al. 2017, eq. 1).

        Args:
            q_BHTd: queries, transformed by ``rotate_qk``.
            k_BHSd: keys, transformed by ``rotate_qk``.
            causal: whether entries with j > i are masked afterwards and may have any value.
            first: position of the first query; None: the queries are the last of the positions.
        """
        scale = 1.0 / math.sqrt(q_BHTd.shape[-1])
        return torch.matmul(q_BHTd * scale, k_BHSd.transpose(-1, -2))

    def row(self, q_BH1d: Tensor, k_BHSd: Tensor, first: int | None = None) -> Tensor:
        """Return the scores of one query, (B, H, 1, S), by default the newest, at position S - 1.

        With ``first`` it is a query at that position and attends to all keys. On a CPU the result
        of a sequence is the same to the bit in every batch; therefore a scheme's own ``scores`` are
        computed for one sequence at a time.
        """
        if type(self).scores is PositionalAttention.scores:
            return qk_scores(q_BH1d / math.sqrt(q_BH1d.shape[-1]), k_BHSd)
        past = first is None
        if len(q_BH1d) == 1:
            return self.scores(q_BH1d, k_BHSd, causal=past, first=first)
        each = zip(q_BH1d.unbind(), k_BHSd.unbind(), strict=True)
        return torch.cat([
            self.scores(q_H1d[None], k_HSd[None], causal=past, first=first) for q_H1d, k_HSd in each
        ])  # fmt: skip

    def row_at(self, q_BH1d: Tensor, k_BHSd: Tensor, place_1: Tensor) -> Tensor:
        """Return the scores of one query at ``place_1``, int64 (1,): (B, H, 1, S).

        The host is not synchronised. Entries of keys beyond the position are masked afterwards and
        may have any value.
        """
        return PositionalAttention.scores(self, q_BH1d, k_BHSd, causal=True)

    def mix(self, weights_BHTS: Tensor, v_BHSd: Tensor, *, first: int | None = None) -> Tensor:
        """Return the weighted values, (B, H, T, d); ``first`` as in ``scores``."""
        return torch.matmul(weights_BHTS, v_BHSd)

    def row_mix(self, weights_BH1S: Tensor, v_BHSd: Tensor, first: int | None = None) -> Tensor:
        """Return the weighted values of the query of ``row``, (B, H, 1, d); batch-invariant."""
        if len(v_BHSd) == 1 or type(self).mix is PositionalAttention.mix:
            return self.mix(weights_BH1S, v_BHSd, first=first)
        each = zip(weights_BH1S.unbind(), v_BHSd.unbind(), strict=True)
        return torch.cat([
            self.mix(weights_H1S[None], v_HSd[None], first=first) for weights_H1S, v_HSd in each
        ])  # fmt: skip

    def fused(
        self, q_BHTd: Tensor, k_BHTd: Tensor, v_BHTd: Tensor, *, causal: bool, mask: Tensor | None
    ) -> Tensor:
        """Return the attention output of a whole sequence, computed in the fastest exact way.

        Args:
            q_BHTd: queries, as many as keys.
            k_BHTd: keys.
            v_BHTd: values.
            causal: whether a query attends to itself and earlier keys only.
            mask: bool, True for keys that may be attended to, (B, 1, 1, T); None: all.
        """
        if mask is not None and causal:
            mask = mask & causal_mask(q_BHTd.shape[2], k_BHTd.shape[2], q_BHTd.device)
        return F.scaled_dot_product_attention(
            q_BHTd, k_BHTd, v_BHTd, attn_mask=mask, is_causal=causal and mask is None
        )


def qk_scores(q_BH1d: Tensor, k_BHSd: Tensor) -> Tensor:
    """Return the products q . k of one query per head, (B, H, 1, S); batch-invariant on a CPU.

    The order of summation depends on the alignment of the result. All sequences are aligned alike
    if the number of heads is a multiple of four, else one sequence is computed at a time.
    """
    k_BHdS = k_BHSd.transpose(-1, -2)
    if q_BH1d.shape[1] % 4 == 0 or len(q_BH1d) == 1:
        return torch.matmul(q_BH1d, k_BHdS)
    each = zip(q_BH1d.unbind(), k_BHdS.unbind(), strict=True)
    return torch.stack([torch.bmm(q_H1d, k_HdS) for q_H1d, k_HdS in each])


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
        visible_keys = past_TS if mask is None else past_TS & mask
    if visible_keys is None:
        return scores_BHTS.softmax(-1)
    is_masked_row = ~visible_keys.any(-1, keepdim=True)
    weights_BHTS = scores_BHTS.masked_fill(~(visible_keys | is_masked_row), -torch.inf).softmax(-1)
    return weights_BHTS.masked_fill(is_masked_row, 0.0)
