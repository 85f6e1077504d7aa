"""The transformer, reading in one direction or in both: one model for all schemes.

Dimensions: B batch, T tokens, S keys, C conditions, D width, V vocabulary, H heads.

This file knows ids and conditions as whole numbers; it knows nothing of what they mean.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor, nn

from musicrel.model.attention import Attended, SelfAttention
from musicrel.model.cache import KeyValueCache, LayerCache
from musicrel.model.config import GIVEN, ModelConfig
from musicrel.model.foresight import Foresight
from musicrel.model.intervals import KEY, NEIGHBOURS, Intervals
from musicrel.model.positions.table import embedding_positions, positional_attention

_HEAD_SPREAD = 0.02
_ACTIVATIONS: Final[Mapping[str, type[nn.Module]]] = {"gelu": nn.GELU, "relu": nn.ReLU}


@dataclass(frozen=True, slots=True)
class Output:
    """What the model gives.

    Attributes:
        logits_BTV: row n is the unnormalised distribution of the token after n; of the token at n
            in family ``masked``; of the class of the whole, with one row, in ``classifier``.
        weights: attention weights (B, H, T, S) of every layer; empty unless they were asked for.
    """

    logits_BTV: Tensor
    weights: tuple[Tensor, ...]


class Block(nn.Module):
    """Attention, then feed-forward, each added to what it read.

    With norms before (Xiong et al. 2020): x + f(norm(x)); after (Vaswani et al. 2017):
    norm(x + f(x)).
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.causal = config.is_causal
        self._norms_first = config.norm == "pre"
        self.norm_attention = nn.LayerNorm(config.width)
        self.attention = SelfAttention(
            config.width, config.heads, positional_attention(config), config.attention_dropout
        )
        self.norm_feedforward = nn.LayerNorm(config.width)
        self.feedforward = nn.Sequential(
            nn.Linear(config.width, config.feedforward),
            _ACTIVATIONS[config.activation](),
            nn.Linear(config.feedforward, config.width),
        )
        self.dropout = nn.Dropout(config.dropout)

    def forward(
        self,
        x_BTD: Tensor,
        *,
        mask: Tensor | None,
        cache: LayerCache | None,
        start: int,
        record: bool,
    ) -> Attended:
        """The block's output as ``out_BTD``, with its attention weights where asked for."""
        attended: Attended = self.attention(
            self.norm_attention(x_BTD) if self._norms_first else x_BTD,
            causal=self.causal,
            mask=mask,
            cache=cache,
            start=start,
            record=record,
        )
        x_BTD = x_BTD + self.dropout(attended.out_BTD)
        if self._norms_first:
            x_BTD = x_BTD + self.dropout(self.feedforward(self.norm_feedforward(x_BTD)))
        else:
            x_BTD = self.norm_attention(x_BTD)
            x_BTD = self.norm_feedforward(x_BTD + self.dropout(self.feedforward(x_BTD)))
        return Attended(x_BTD, attended.weights_BHTS)


class Transformer(nn.Module):
    """Token ids in, distributions of the next token out, or of the token itself where masked.

    Args:
        config: the shape; the scheme named there is the only thing in which two arms differ.
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.config = config
        self.embed_token = nn.Embedding(config.tokens, config.width)
        self.embed_condition = nn.ModuleList(
            nn.Embedding(rows, config.width) for rows in config.conditions.values()
        )
        self.intervals = _intervals(config)
        self.positions = embedding_positions(config)
        self.dropout = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(Block(config) for _ in range(config.layers))
        self.norm = nn.LayerNorm(config.width) if config.norm == "pre" else nn.Identity()
        self.head = nn.Linear(config.width, config.classes or config.tokens)
        self._initialise()

    def forward(
        self,
        ids_BT: Tensor,
        conditions_BTC: Tensor,
        *,
        starts_B: Tensor | int = 0,
        mask: Tensor | None = None,
        cache: KeyValueCache | None = None,
        told_BTD: Tensor | None = None,
        record: bool = False,
    ) -> Output:
        """Read tokens.

        Args:
            ids_BT: int64 token ids; with a cache, only those that are new.
            conditions_BTC: int64 rows, a column for each condition of the config.
            told_BTD: what ``told`` made of them, as part of a longer piece; then they are as
                ``widened`` made them. None: they are all there is.
            starts_B: position of the first token in its piece; ignored with a cache.
            mask: bool, True where a key may be seen, (B, 1, 1, T); for padded batches.
            cache: what has been read so far; takes the new tokens in.
            record: whether the attention weights are wanted.
        """
        start, before_BM = 0, None
        if cache is not None:
            cache.check_room(ids_BT.shape[1])
            start = starts_B = cache.length
            before_BM = cache.remember(ids_BT)
        if told_BTD is None:
            conditions_BTC = self.widened(conditions_BTC)
            told_BTD = self.told(conditions_BTC, mask)
        x_BTD, pitch_BTN = self.embed_token(ids_BT) * self.scale + told_BTD, None
        if self.intervals is not None:
            pitch_BTN = self.intervals.neighbours(ids_BT, before_BM)
            x_BTD = x_BTD + self.intervals.heard(pitch_BTN, conditions_BTC) * self.scale
        x_BTD = self.dropout(self.positions(x_BTD, starts_B))
        x_BTD, weights = self.through(x_BTD, mask, cache, start, record=record)
        if cache is not None:
            cache.advance(ids_BT.shape[1])
        states_BTD = self.norm(x_BTD)
        logits_BTV = self.said(states_BTD, mask)
        if self.intervals is not None and pitch_BTN is not None:
            logits_BTV = logits_BTV + self.intervals.said(states_BTD, pitch_BTN, conditions_BTC)
        return Output(logits_BTV, weights)

    def through(
        self,
        x_BTD: Tensor,
        mask: Tensor | None = None,
        cache: KeyValueCache | None = None,
        start: int = 0,
        *,
        record: bool = False,
    ) -> tuple[Tensor, tuple[Tensor, ...]]:
        """What all blocks make of ``x_BTD``, and their attention weights where asked for."""
        weights: list[Tensor] = []
        for index, block in enumerate(self.blocks):
            layer = cache.layer(index) if cache is not None else None
            attended = block(x_BTD, mask=mask, cache=layer, start=start, record=record)
            x_BTD = attended.out_BTD
            if attended.weights_BHTS is not None:
                weights.append(attended.weights_BHTS)
        return x_BTD, tuple(weights)

    def said(self, states_BTD: Tensor, mask: Tensor | None) -> Tensor:
        """What is said of the last states, as logits; ``mask`` as in ``forward``."""
        del mask
        logits_BTV: Tensor = self.head(states_BTD)
        return logits_BTV

    def new_cache(self, batch: int, room: int) -> KeyValueCache:
        """An empty cache for ``batch`` sequences of up to ``room`` tokens."""
        shape = (batch, self.config.heads, room, self.config.head_width)
        return KeyValueCache(self.config.layers, shape, self.head.weight)

    @property
    def parameter_count(self) -> int:
        """Number of trained numbers."""
        return sum(parameter.numel() for parameter in self.parameters())

    def widened(self, conditions_BTC: Tensor) -> Tensor:
        """The conditions of a whole piece with what follows from them ahead: (B, T, C or more)."""
        intervals = self.intervals
        if isinstance(intervals, Foresight):
            return intervals.widened(conditions_BTC)
        return conditions_BTC

    def told(self, conditions_BTC: Tensor, mask: Tensor | None = None) -> Tensor:
        """What the conditions add to the embeddings, (B, T, D); ``mask`` as in ``forward``."""
        del mask
        told_BTD = self.embed_token.weight.new_zeros(*conditions_BTC.shape[:2], self.config.width)
        for column, embed in enumerate(self.embed_condition):
            told_BTD = told_BTD + embed(conditions_BTC[..., column])
        return told_BTD * self.scale

    @property
    def scale(self) -> float:
        """What embeddings are multiplied by (Vaswani et al. 2017, 3.4)."""
        return math.sqrt(self.config.width)

    @torch.no_grad()
    def _initialise(self) -> None:
        """Set all weights but those of the positions, which set their own.

        embeddings            N(0, 1/(D n)) for n tables, multiplied by sqrt D when used (Vaswani et
                              al. 2017, 3.4): their sum has variance 1, so that sinusoids added to
                              it, of variance 1/2, are not drowned; intervals count as three tables,
                              of each of which about eight rows are summed
        projections inwards   N(0, 1/fan-in)
        projections outwards  N(0, 1/(2 layers fan-in)): the residual stream keeps its size
        heads                 N(0, 0.02^2)
        biases 0, norms 1 and 0
        """
        tables = 1 + len(self.embed_condition) + (0 if self.intervals is None else 3)
        heads = (self.head, None if self.intervals is None else self.intervals.say)
        outwards = 1.0 / math.sqrt(2 * self.config.layers)
        for name, module in self.named_modules():
            if isinstance(module, nn.Embedding) and name.startswith("embed_"):
                nn.init.normal_(module.weight, std=(self.config.width * tables) ** -0.5)
            elif isinstance(module, nn.Embedding) and name.startswith("intervals."):
                spread = (self.config.width * tables * NEIGHBOURS) ** -0.5
                nn.init.normal_(module.weight, std=spread)
            elif isinstance(module, nn.Linear):
                spread = module.in_features**-0.5
                if name.endswith(("project_out", "feedforward.2")):
                    spread *= outwards
                nn.init.normal_(module.weight, std=_HEAD_SPREAD if module in heads else spread)
                if module.bias is not None:
                    nn.init.zeros_(module.bias)


def _intervals(config: ModelConfig) -> Intervals | None:
    """What hears and says distances, where the model is to have it."""
    if not config.pitches:
        return None
    names = list(config.conditions)
    key_column = names.index(KEY) if KEY in names else None
    shape = (config.tokens, config.pitches, config.width, key_column)
    return Foresight(*shape, names.index(GIVEN)) if GIVEN in names else Intervals(*shape)
