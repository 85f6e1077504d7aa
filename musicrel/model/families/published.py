"""The encoder of the published comparison, including its faults.

A BERT encoder (Devlin et al. 2019): token, type and position embeddings, a norm, post-norm blocks,
and a head tied to the token embeddings. The blocks are ours with the differences of BERT: biases in
the attention's projections, its epsilon of the norms, initial weights from N(0, 0.02^2). ``ARMS``
lists the differences between the arms.

Dimensions: B batch, H heads, T queries, S keys, L tokens, D width, d head width, W columns, V
vocabulary.
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
from musicrel.model.blocks.attention import Recording, SelfAttention
from musicrel.model.config import ModelConfig
from musicrel.model.families.transformer import Block, Output, Transformer
from musicrel.model.positions.base import Place, PositionalAttention, masked_softmax
from musicrel.model.positions.relative import RelativeAttention

MAX_TOKENS: Final = 128
"""Rows of the table of positions, and the farthest distance of the relative ones."""

_TYPES: Final = 2
_STD: Final = 0.02
_NORM_EPSILON: Final = 1e-12


class CorrectedRelative(RelativeAttention):
    """Relative attention as the report intended it: exact skew, one table for all heads."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__(
            config.heads, config.head_width, max_distance=MAX_TOKENS, shared=True, causal=False
        )

    def fused(
        self, q_BHTd: Tensor, k_BHTd: Tensor, v_BHTd: Tensor, *, causal: bool, mask: Tensor | None
    ) -> Tensor:
        """Attend; windows are so short that the explicit scores are the fastest way."""
        scores_BHTS = self.scores(q_BHTd, k_BHTd, causal=causal)
        return self.mix(masked_softmax(scores_BHTS, causal=causal, mask=mask), v_BHTd)


class CorrectedRelativeUnitInit(CorrectedRelative):
    """Exact relative attention with the published initialisation N(0, 1), fifty times wider."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__(config)
        nn.init.normal_(self.table_HRd)


class RelativeAsPublished(CorrectedRelativeUnitInit):
    """The attention of the report: an incorrect skew, and a second table that is never used."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__(config)
        self.never_read_Rd = nn.Parameter(torch.empty(2 * MAX_TOKENS - 1, config.head_width))
        nn.init.normal_(self.never_read_Rd, std=_STD)

    def scores(
        self, q_BHTd: Tensor, k_BHSd: Tensor, *, causal: bool, first: Place | None = None
    ) -> Tensor:
        """Compute the scores; the logits by distance end up at wrong pairs."""
        q_BHTd = q_BHTd / math.sqrt(q_BHTd.shape[-1])
        tokens = k_BHSd.shape[2]
        rows_HWd = self.rows(tokens, tokens, causal=False)[:, :-1]
        by_distance_BHTW = torch.matmul(q_BHTd, rows_HWd.transpose(-1, -2))
        return torch.matmul(q_BHTd, k_BHSd.transpose(-1, -2)) + incorrect_skew(by_distance_BHTW)


ARMS: Final[Mapping[str, Callable[[ModelConfig], PositionalAttention]]] = MappingProxyType(
    {
        "learned": lambda _: PositionalAttention(),
        "relative_as_published": RelativeAsPublished,
        "relative_of_spread_1": CorrectedRelativeUnitInit,
        "relative": CorrectedRelative,
    }
)
"""Positional attention by scheme. The table of positions is used with ``learned`` only; the other
arms have it, unused.
"""


class Attention(SelfAttention):
    """Self-attention with biases in its projections."""

    def __init__(self, config: ModelConfig) -> None:
        positional = ARMS[config.scheme](config)
        super().__init__(config.width, config.heads, positional, config.attention_dropout)
        self.project_in = nn.Linear(config.width, 3 * config.width)
        self.project_out = nn.Linear(config.width, config.width)


class PublishedEncoder(Transformer):
    """Token ids to the logits of every token."""

    def __init__(self, config: ModelConfig) -> None:
        _check(config)
        super().__init__(replace(config, scheme="learned", options={"max_length": MAX_TOKENS}))
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
        self._initialise_as_bert()

    def forward(
        self,
        ids_BT: Tensor,
        conditions_BTC: Tensor,
        *,
        starts_B: Tensor | int = 0,
        mask: Tensor | None = None,
        record: bool = False,
    ) -> Output:
        """Compute the logits of windows by a dense layer, a norm and the tied token embeddings."""
        x_BTD = self.embed_token(ids_BT) + self.embed_type.weight[0]
        if self.config.scheme == "learned":
            x_BTD = self.positions(x_BTD, 0)
        x_BTD = self.dropout(self.norm_embedding(x_BTD))
        recorded = Recording() if record else None
        x_BTD = self.norm(self.run_blocks(x_BTD, mask, record=recorded))
        x_BTD = self.norm_head(F.gelu(self.dense(x_BTD)))
        logits_BTV = F.linear(x_BTD, self.embed_token.weight, self.bias_V)
        return Output.of(logits_BTV, recorded)

    @torch.no_grad()
    def _initialise_as_bert(self) -> None:
        """Draw weights and embeddings from N(0, 0.02^2), PAD 0, biases 0, norms 1 and 0."""
        for module in self.modules():
            if isinstance(module, nn.Linear | nn.Embedding):
                nn.init.normal_(module.weight, std=_STD)
            if isinstance(module, nn.Linear):
                nn.init.zeros_(module.bias)
            if isinstance(module, nn.LayerNorm):
                module.eps = _NORM_EPSILON
        self.embed_token.weight[0] = 0.0


def incorrect_skew(by_distance_BHTW: Tensor) -> Tensor:
    """Apply the incorrect "skew" of the report: row i of its result holds rows L/2 + i//2.

    It pads a column on the left, reshapes (L, 2 L) to (2 L, L) and keeps the last L rows. The exact
    skew is ``musicrel.model.positions.skew``.

    Returns:
        (B, H, L, L); no entry is the logit of its own pair.
    """
    tokens = by_distance_BHTW.shape[2]
    padded = F.pad(by_distance_BHTW, (1, 0))
    return padded.reshape(*padded.shape[:2], 2 * tokens, tokens)[:, :, tokens:]


def _check(config: ModelConfig) -> None:
    if config.scheme not in ARMS or config.options:
        raise ModelError(
            f"scheme {config.scheme!r} with options {dict(config.options)} is not an arm of the "
            f"published comparison: expected one of {', '.join(ARMS)}, without options"
        )
    if config.trained_length > MAX_TOKENS:
        raise ModelError(
            f"windows of {config.trained_length} tokens are longer than the published table of "
            f"positions: expected at most {MAX_TOKENS}"
        )
