"""The encoder of the published comparison, its faults among its parts and called what they are.

A BERT encoder (Devlin et al. 2019): token, type and position embeddings, a norm, blocks with norms
after them, a head whose output table is that of the tokens. The blocks are our own; where BERT
differs (biases in the attention's projections, the norms' epsilon, weights begun from N(0, 0.02))
its own way replaces ours. What the arms differ in stands in ``ARMS``.

Dimensions: B batch, H heads, T queries, S keys, L tokens, D width, d head width, W columns, V
vocabulary.

This file knows arithmetic; it knows nothing of the data or of how the published model was trained.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor, nn

from musicrel.errors import ModelError
from musicrel.model.blocks.attention import SelfAttention
from musicrel.model.blocks.kv_cache import KeyValueCache
from musicrel.model.config import ModelConfig
from musicrel.model.families.transformer import Block, Output, Transformer
from musicrel.model.features.conditioning import Told
from musicrel.model.positions.base import PositionalAttention, softmax_of_seen
from musicrel.model.positions.relative import RelativeAttention

LONGEST: Final = 128
"""Rows of the table of positions, and the farthest distance of the relative ones."""

_TYPES: Final = 2
_SPREAD: Final = 0.02
_NORM_EPSILON: Final = 1e-12


class CorrectedRelative(RelativeAttention):
    """Relative attention as the report meant it: the exact skew of one table for all heads."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__(
            config.heads, config.head_width, max_distance=LONGEST, shared=True, causal=False
        )

    def fused(
        self, q_BHTd: Tensor, k_BHTd: Tensor, v_BHTd: Tensor, *, causal: bool, mask: Tensor | None
    ) -> Tensor:
        """See the base class; windows are so short that writing all scores out is the fastest."""
        scores_BHTS = self.scores(q_BHTd, k_BHTd, causal=causal)
        return self.mix(softmax_of_seen(scores_BHTS, causal=causal, mask=mask), v_BHTd)


class CorrectedRelativeOfSpread1(CorrectedRelative):
    """The same with the published start: a table from N(0, 1), fifty times as wide as all else."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__(config)
        nn.init.normal_(self.table_HRd)


class RelativeAsPublished(CorrectedRelativeOfSpread1):
    """What the report trained: a skew that is none, and a second table that nothing reads."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__(config)
        self.never_read_Rd = nn.Parameter(torch.empty(2 * LONGEST - 1, config.head_width))
        nn.init.normal_(self.never_read_Rd, std=_SPREAD)

    def scores(
        self, q_BHTd: Tensor, k_BHSd: Tensor, *, causal: bool, first: int | None = None
    ) -> Tensor:
        """See the base class; the logits by distance end up at wrong pairs."""
        del causal, first
        q_BHTd = q_BHTd / math.sqrt(q_BHTd.shape[-1])
        tokens = k_BHSd.shape[2]
        rows_HWd = self.rows(tokens, tokens, causal=False)[:, :-1]
        by_distance_BHTW = torch.matmul(q_BHTd, rows_HWd.transpose(-1, -2))
        return torch.matmul(q_BHTd, k_BHSd.transpose(-1, -2)) + misplaced(by_distance_BHTW)


ARMS: Final[Mapping[str, Callable[[ModelConfig], PositionalAttention]]] = MappingProxyType(
    {
        "learned": lambda _: PositionalAttention(),
        "relative_as_published": RelativeAsPublished,
        "relative_of_spread_1": CorrectedRelativeOfSpread1,
        "relative": CorrectedRelative,
    }
)
"""By scheme. With ``learned`` alone the table of positions is used; the others have it, unused."""


class Attention(SelfAttention):
    """Self-attention with biases in its projections."""

    def __init__(self, config: ModelConfig) -> None:
        positional = ARMS[config.scheme](config)
        super().__init__(config.width, config.heads, positional, config.attention_dropout)
        self.project_in = nn.Linear(config.width, 3 * config.width)
        self.project_out = nn.Linear(config.width, config.width)


class PublishedEncoder(Transformer):
    """Token ids in, the distribution of every token out.

    Args:
        config: the shape; the scheme is one of ``ARMS``.

    Raises:
        ModelError: there is no such arm, or windows are longer than the table of positions.
    """

    def __init__(self, config: ModelConfig) -> None:
        _check(config)
        super().__init__(replace(config, scheme="learned", options={"max_length": LONGEST}))
        self.config = config
        del self.head  # the tokens' table is used in its place
        for block in self.blocks:
            if isinstance(block, Block):
                block.attention = Attention(config)
        self.embed_type = nn.Embedding(_TYPES, config.width)
        self.norm_embedding = nn.LayerNorm(config.width)
        self.dense = nn.Linear(config.width, config.width)
        self.norm_head = nn.LayerNorm(config.width)
        self.bias_V = nn.Parameter(torch.zeros(config.tokens))
        self._begin_as_bert()

    def forward(
        self,
        ids_BT: Tensor,
        conditions_BTC: Tensor,
        *,
        starts_B: Tensor | int = 0,
        mask: Tensor | None = None,
        cache: KeyValueCache | None = None,
        told: Told | None = None,
        record: bool = False,
    ) -> Output:
        """Read windows; places count from the window's start, and there are no conditions.

        Args:
            ids_BT: int64 token ids.
            conditions_BTC: not looked at.
            starts_B: not looked at.
            mask: bool, True where a key may be seen, (B, 1, 1, T).
            cache: not looked at: the model reads in both directions.
            told: not looked at.
            record: whether the attention weights are wanted.
        """
        del conditions_BTC, starts_B, cache, told
        x_BTD = self.embed_token(ids_BT) + self.embed_type.weight[0]
        if self.config.scheme == "learned":
            x_BTD = self.positions(x_BTD, 0)
        x_BTD = self.dropout(self.norm_embedding(x_BTD))
        passed = self.through(x_BTD, mask, record=record)
        return Output(self.said(self.norm(passed.out_BTD), mask), passed.weights)

    def said(self, states_BTD: Tensor, mask: Tensor | None) -> Tensor:
        """See the base class; a dense layer and a norm, then the table of the tokens."""
        del mask
        x_BTD = self.norm_head(F.gelu(self.dense(states_BTD)))
        return F.linear(x_BTD, self.embed_token.weight, self.bias_V)

    @torch.no_grad()
    def _begin_as_bert(self) -> None:
        """Weights and embeddings from N(0, 0.02), that of PAD 0, biases 0, norms 1 and 0."""
        for module in self.modules():
            if isinstance(module, nn.Linear | nn.Embedding):
                nn.init.normal_(module.weight, std=_SPREAD)
            if isinstance(module, nn.Linear):
                nn.init.zeros_(module.bias)
            if isinstance(module, nn.LayerNorm):
                module.eps = _NORM_EPSILON
        self.embed_token.weight[0] = 0.0


def misplaced(by_distance_BHTW: Tensor) -> Tensor:
    """The "skew" of the report, which is none: row i of its result holds rows L/2 + i//2.

    It pads a column on the left, reshapes (L, 2 L) to (2 L, L) and keeps the last L rows. The exact
    one is ``musicrel.model.positions.skew``.

    Args:
        by_distance_BHTW: logits of each query by distance -(L - 1) ... L - 1, (B, H, L, 2 L - 1).

    Returns:
        (B, H, L, L); no entry is the logit of its own pair.
    """
    tokens = by_distance_BHTW.shape[2]
    padded = F.pad(by_distance_BHTW, (1, 0))
    return padded.reshape(*padded.shape[:2], 2 * tokens, tokens)[:, :, tokens:]


def _check(config: ModelConfig) -> None:
    if config.scheme not in ARMS or config.options:
        raise ModelError(
            f"scheme {config.scheme!r} with options {dict(config.options)} is no arm of the "
            f"published comparison: expected one of {', '.join(ARMS)}, without options"
        )
    if config.trained_length > LONGEST:
        raise ModelError(
            f"windows of {config.trained_length} tokens are longer than the published table of "
            f"positions: expected at most {LONGEST}"
        )
