"""The transformer, reading in one direction or in both: one model for all schemes.

Dimensions: B batch, T tokens, S keys, C conditions, D width, V vocabulary, H heads.

This file knows ids and conditions as whole numbers; it knows nothing of what they mean.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor, nn

from musicrel.model.blocks.attention import SelfAttention
from musicrel.model.blocks.cross_attention import Memory
from musicrel.model.blocks.kv_cache import KeyValueCache, LayerCache
from musicrel.model.config import GIVEN, KEY, ModelConfig
from musicrel.model.families.step_cross_attention import Across
from musicrel.model.features.conditioning import Told
from musicrel.model.features.context_biases import CounterpointAround
from musicrel.model.features.intervals import NEIGHBOURS, Intervals, Neighbourhood
from musicrel.model.features.logit_biases import Counterpoint
from musicrel.model.features.lookahead import Foresight
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
        across: how much every layer looked at each step of an encoder, (B, H, T, steps); empty
            where none does, or unless they were asked for.
    """

    logits_BTV: Tensor
    weights: tuple[Tensor, ...]
    across: tuple[Tensor, ...] = ()


@dataclass(frozen=True, slots=True)
class Passed:
    """What blocks make of a sequence.

    Attributes:
        out_BTD: the states after the last of them.
        weights, across: as in ``Output``.
    """

    out_BTD: Tensor
    weights: tuple[Tensor, ...]
    across: tuple[Tensor, ...]


class Block(nn.Module):
    """Attention, a look across where the config says so, feed-forward; each added to what it read.

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
        self.across = Across(config) if config.cross else None
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
        memory: Memory | None = None,
    ) -> Passed:
        """What the block makes of ``x_BTD``, which begins at ``start`` in its piece."""
        attended = self.attention(
            self._before(x_BTD, self.norm_attention),
            causal=self.causal,
            mask=mask,
            cache=cache,
            start=start,
            record=record,
        )
        x_BTD = self._after(x_BTD, attended.out_BTD, self.norm_attention)
        weights, across = attended.weights_BHTS, None
        if self.across is not None and memory is not None:
            read_BTD = self._before(x_BTD, self.across.norm)
            looked = self.across(read_BTD, memory, start=start, record=record)
            x_BTD = self._after(x_BTD, looked.out_BTD, self.across.norm)
            across = looked.weights_BHTS
        made_BTD = self.feedforward(self._before(x_BTD, self.norm_feedforward))
        x_BTD = self._after(x_BTD, made_BTD, self.norm_feedforward)
        return Passed(x_BTD, _there(weights), _there(across))

    def _before(self, x_BTD: Tensor, norm: nn.LayerNorm) -> Tensor:
        """What a sublayer reads."""
        return norm(x_BTD) if self._norms_first else x_BTD

    def _after(self, x_BTD: Tensor, made_BTD: Tensor, norm: nn.LayerNorm) -> Tensor:
        """What it read with what it made of it."""
        x_BTD = x_BTD + self.dropout(made_BTD)
        return x_BTD if self._norms_first else norm(x_BTD)


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
        self.counterpoint = _counterpoint(config)
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
        told: Told | None = None,
        record: bool = False,
    ) -> Output:
        """Read tokens.

        Args:
            ids_BT: int64 token ids; with a cache, only those that are new.
            conditions_BTC: int64 rows, a column for each condition of the config.
            told: what ``told`` made of them, as part of a longer piece; then they are as
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
        if told is None:
            conditions_BTC = self.widened(conditions_BTC)
            told = self.told(conditions_BTC, mask)
        x_BTD, pitch_BTN = self.embed_token(ids_BT) * self.scale + told.added_BND, None
        if self.listener is not None:
            pitch_BTN = self.listener.neighbours(ids_BT, before_BM)
        if self.intervals is not None and pitch_BTN is not None:
            x_BTD = x_BTD + self.intervals.heard(pitch_BTN, conditions_BTC) * self.scale
        x_BTD = self.dropout(self.positions(x_BTD, starts_B))
        passed = self.through(x_BTD, mask, cache, start, told.memories, record=record)
        if cache is not None:
            cache.advance(ids_BT.shape[1])
        states_BTD = self.norm(passed.out_BTD)
        logits_BTV = self.said(states_BTD, mask)
        if self.intervals is not None and pitch_BTN is not None:
            logits_BTV = logits_BTV + self.intervals.said(states_BTD, pitch_BTN, conditions_BTC)
        if self.counterpoint is not None and pitch_BTN is not None:
            logits_BTV = logits_BTV + self.counterpoint(pitch_BTN, conditions_BTC)
        return Output(logits_BTV, passed.weights, passed.across)

    def through(
        self,
        x_BTD: Tensor,
        mask: Tensor | None = None,
        cache: KeyValueCache | None = None,
        start: int = 0,
        memories: Sequence[Memory] = (),
        *,
        record: bool = False,
    ) -> Passed:
        """What all blocks make of ``x_BTD``, and their attention weights where asked for."""
        passed = Passed(x_BTD, (), ())
        for index, block in enumerate(self.blocks):
            layer = cache.layer(index) if cache is not None else None
            made = block(
                passed.out_BTD,
                mask=mask,
                cache=layer,
                start=start,
                record=record,
                memory=memories[index] if memories else None,
            )
            passed = Passed(
                made.out_BTD, passed.weights + made.weights, passed.across + made.across
            )
        return passed

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

    def told(self, conditions_BTC: Tensor, mask: Tensor | None = None) -> Told:
        """What the conditions of a whole piece tell of it; ``mask`` as in ``forward``."""
        del mask
        told_BTD = self.embed_token.weight.new_zeros(*conditions_BTC.shape[:2], self.config.width)
        for column, embed in enumerate(self.embed_condition):
            told_BTD = told_BTD + embed(conditions_BTC[..., column])
        return Told(told_BTD * self.scale)

    @property
    def listener(self) -> Neighbourhood | None:
        """What knows the pitches sung last, where anything of the model wants to."""
        return self.intervals if self.intervals is not None else self.counterpoint

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


def _there(weights: Tensor | None) -> tuple[Tensor, ...]:
    return () if weights is None else (weights,)


def _intervals(config: ModelConfig) -> Intervals | None:
    """What hears and says distances, where the model is to have it."""
    if not config.pitches:
        return None
    names = list(config.conditions)
    key_column = names.index(KEY) if KEY in names else None
    shape = (config.tokens, config.pitches, config.width, key_column)
    return Foresight(*shape, names.index(GIVEN)) if GIVEN in names else Intervals(*shape)


def _counterpoint(config: ModelConfig) -> Counterpoint | None:
    """The tables of what fits, where the model is to have them."""
    if not config.counterpoint:
        return None
    kind = Counterpoint if config.is_causal else CounterpointAround
    return kind(config.tokens, config.counterpoint, list(config.conditions))
