"""The transformer, causal or bidirectional: one model for all positional schemes.

Dimensions: B batch, T tokens, S keys, C conditions, D width, V vocabulary, H heads.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

import torch
from torch import Tensor, nn

from musicrel.model.blocks.ablation import Ablation
from musicrel.model.blocks.attention import Recording, SelfAttention
from musicrel.model.blocks.cross_attention import Conditioning, Memory, StepCrossAttention
from musicrel.model.blocks.kv_cache import KeyValueCache, LayerCache
from musicrel.model.config import GIVEN, KEY, ModelConfig
from musicrel.model.features.interval_tables import NEIGHBOURS
from musicrel.model.features.intervals import Intervals, Lookahead
from musicrel.model.features.logit_biases import ContextBiases, LogitBiases
from musicrel.model.positions.table import embedding_positions, key_width, positional_attention

_HEAD_STD = 0.02
_ACTIVATIONS: Final[Mapping[str, type[nn.Module]]] = {"gelu": nn.GELU, "relu": nn.ReLU}


@dataclass(frozen=True, slots=True)
class Output:
    """Output of a model."""

    # row n are the logits of the token after n; of token n in family ``masked``; of the class of
    # the sequence, with one row, in ``classifier``
    logits_BTV: Tensor
    # self-attention weights (B, H, T, S) of every layer; empty unless recorded
    weights: tuple[Tensor, ...]
    # cross-attention weights of every layer to the encoder's steps, (B, H, T, steps); empty without
    # cross-attention or unless recorded
    cross_weights: tuple[Tensor, ...] = ()
    # output of each head of every layer before the projection, (B, H, T, d); empty unless recorded
    mixed: tuple[Tensor, ...] = ()

    @classmethod
    def of(cls, logits_BTV: Tensor, recorded: Recording | None) -> Output:
        if recorded is None:
            return cls(logits_BTV, ())
        weights, cross, mixed = recorded.weights, recorded.cross_weights, recorded.mixed
        return cls(logits_BTV, tuple(weights), tuple(cross), tuple(mixed))


class Block(nn.Module):
    """Self-attention, optional cross-attention and feed-forward network, with residuals.

    Pre-norm (Xiong et al. 2020): x + f(norm(x)); post-norm (Vaswani et al. 2017): norm(x + f(x)).
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.causal = config.is_causal
        self._norms_first = config.norm == "pre"
        self.norm_attention = nn.LayerNorm(config.width)
        self.attention = SelfAttention(
            config.width, config.heads, positional_attention(config), config.attention_dropout
        )
        self.cross_attention = StepCrossAttention(config) if config.cross else None
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
        mask: Tensor | None = None,
        cache: LayerCache | None = None,
        memory: Memory | None = None,
        record: Recording | None = None,
        ablation: Ablation | None = None,
        coordinates_BT2X: Tensor | None = None,
        at_S: Tensor | None = None,
    ) -> Tensor:
        """Return the states after the block at the positions ``at_S``; None: at all."""
        update_BTD = self.attention(
            self.before(x_BTD, self.norm_attention),
            causal=self.causal,
            mask=mask,
            cache=cache,
            record=record,
            ablation=ablation,
            coordinates_BT2X=coordinates_BT2X,
        )
        x_BTD = self.after(x_BTD, update_BTD, self.norm_attention)
        if self.cross_attention is not None and memory is not None:
            input_BTD = self.before(x_BTD, self.cross_attention.norm)
            start = 0 if cache is None else cache.start
            update_BTD = self.cross_attention(input_BTD, memory, start=start, record=record)
            x_BTD = self.after(x_BTD, update_BTD, self.cross_attention.norm)
        x_BTD = x_BTD if at_S is None else x_BTD[:, at_S]
        update_BTD = self.feedforward(self.before(x_BTD, self.norm_feedforward))
        return self.after(x_BTD, update_BTD, self.norm_feedforward)

    def before(self, x_BTD: Tensor, norm: nn.LayerNorm) -> Tensor:
        return norm(x_BTD) if self._norms_first else x_BTD

    def after(self, x_BTD: Tensor, update_BTD: Tensor, norm: nn.LayerNorm) -> Tensor:
        x_BTD = x_BTD + self.dropout(update_BTD)
        return x_BTD if self._norms_first else norm(x_BTD)


class Transformer(nn.Module):
    """The common part of the networks of all families: embeddings, blocks, last norm, head."""

    tokens_per_position: ClassVar[int] = 1

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

    def run_blocks(
        self,
        x_BTD: Tensor,
        mask: Tensor | None = None,
        cache: KeyValueCache | None = None,
        memories: Sequence[Memory] = (),
        *,
        record: Recording | None = None,
        ablation: Ablation | None = None,
        coordinates_BT2X: Tensor | None = None,
        at_S: Tensor | None = None,
    ) -> Tensor:
        ablation, tokens = Ablation() if ablation is None else ablation, x_BTD.shape[1]
        blocks = self.blocks[: ablation.layers]
        for index, block in enumerate(blocks):
            x_BTD = block(
                x_BTD,
                mask=mask,
                cache=None if cache is None else cache.layer(index, tokens),
                memory=memories[index] if memories else None,
                record=record,
                ablation=ablation.layer(index),
                coordinates_BT2X=coordinates_BT2X,
                at_S=at_S if index == len(blocks) - 1 else None,
            )
        return x_BTD if at_S is None or blocks else x_BTD[:, at_S]

    def reserve(self, tokens: int) -> None:
        """Prepare the positions of so many tokens of a piece."""
        self.positions.reserve(-(-tokens // self.tokens_per_position))

    def new_cache(self, batch: int, capacity: int) -> KeyValueCache:
        shape = (batch, self.config.heads, capacity, self.config.head_width)
        like = self.embed_token.weight
        return KeyValueCache(self.config.layers, shape, like, key_width(self.config))

    @property
    def parameter_count(self) -> int:
        return sum(parameter.numel() for parameter in self.parameters())

    def with_lookahead(self, conditions_BTC: Tensor) -> Tensor:
        """Append lookahead features to the conditions of a whole piece: (B, T, C or more)."""
        intervals = self.intervals
        if isinstance(intervals, Lookahead):
            return intervals.with_lookahead(conditions_BTC)
        return conditions_BTC

    def embed_conditions(self, conditions_BTC: Tensor, mask: Tensor | None = None) -> Conditioning:
        added_BTD = self.embed_token.weight.new_zeros(*conditions_BTC.shape[:2], self.config.width)
        return Conditioning(self.add_conditions(added_BTD, conditions_BTC))

    def add_conditions(self, x_BTD: Tensor, conditions_BTC: Tensor) -> Tensor:
        """Add the embedded conditions to ``x_BTD`` and scale the sum: (B, T, D)."""
        for column, embed in enumerate(self.embed_condition):
            x_BTD = x_BTD + embed(conditions_BTC[..., column])
        return x_BTD * self.scale

    @property
    def scale(self) -> float:
        """Return the factor of the embeddings (Vaswani et al. 2017, 3.4)."""
        return math.sqrt(self.config.width)

    @torch.no_grad()
    def _initialise(self) -> None:
        """Initialise all weights except those of the positions, which initialise themselves.

        embeddings            N(0, 1/(D n)) for n tables, multiplied by sqrt D when used (Vaswani et
                              al. 2017, 3.4): their sum has variance 1, large enough beside
                              sinusoids of variance 1/2; intervals count as three tables, of each of
                              which about eight rows are summed
        input projections     N(0, 1/fan-in)
        output projections    N(0, 1/(2 layers fan-in)): the residual stream keeps its scale
        heads                 N(0, 0.02^2)
        biases 0, norms 1 and 0
        """
        tables = 1 + len(self.embed_condition) + (0 if self.intervals is None else 3)
        heads = (self.head, None if self.intervals is None else self.intervals.project)
        outwards = 1.0 / math.sqrt(2 * self.config.layers)
        for name, module in self.named_modules():
            if isinstance(module, nn.Embedding) and name.startswith("embed_"):
                nn.init.normal_(module.weight, std=(self.config.width * tables) ** -0.5)
            elif isinstance(module, nn.Embedding) and name.startswith("intervals."):
                std = (self.config.width * tables * NEIGHBOURS) ** -0.5
                nn.init.normal_(module.weight, std=std)
            elif isinstance(module, nn.Linear):
                std = module.in_features**-0.5
                if name.endswith(("project_out", "feedforward.2")):
                    std *= outwards
                nn.init.normal_(module.weight, std=_HEAD_STD if module in heads else std)
                if module.bias is not None:
                    nn.init.zeros_(module.bias)


class Predictor(Transformer):
    """Token ids to logits of the next token, or of the token itself if masked."""

    def forward(
        self,
        ids_BT: Tensor,
        conditions_BTC: Tensor,
        *,
        starts_B: Tensor | int = 0,
        mask: Tensor | None = None,
        record: bool = False,
        ablation: Ablation | None = None,
        cache: KeyValueCache | None = None,
        conditioning: Conditioning | None = None,
    ) -> Output:
        """Compute the logits.

        Args:
            ids_BT: int64 token ids; with a cache, only the new ones.
            conditions_BTC: int64 rows, a column for each condition of the config.
            starts_B: position of the first token in its piece; ignored with a cache.
            mask: bool, True for keys that may be attended to, (B, 1, 1, T); for padded batches.
            record: whether to return the attention weights and the output of each head.
            ablation: what is replaced, removed or left out; None: nothing.
            cache: keys and values of the tokens so far; the new ones are appended.
            conditioning: result of ``embed_conditions`` for these tokens as part of a longer piece;
                the conditions are then those returned by ``with_lookahead``. None: the tokens are
                all.
        """
        before_BM = None if cache is None else cache.append_ids(ids_BT)
        if conditioning is None:
            conditions_BTC = self.with_lookahead(conditions_BTC)
            conditioning = self.embed_conditions(conditions_BTC, mask)
        x_BTD = self.embed_token(ids_BT) * self.scale + conditioning.added_BND
        context = self.intervals if self.intervals is not None else self.counterpoint
        pitch_BTN = ids_BT if context is None else context.neighbours(ids_BT, before_BM)
        if self.intervals is not None:
            x_BTD = x_BTD + self.intervals.embed(pitch_BTN, conditions_BTC) * self.scale
        recorded = Recording() if record else None
        x_BTD = self.run_blocks(
            self.dropout(self._with_positions(x_BTD, starts_B, cache)),
            mask,
            cache,
            conditioning.memories,
            record=recorded,
            ablation=ablation,
            coordinates_BT2X=self.positions.coordinates(
                ids_BT, conditions_BTC, starts_B if cache is None else cache.start
            ),
        )
        if cache is not None:
            cache.length += ids_BT.shape[1]
        states_BTD = self.norm(x_BTD)
        logits_BTV: Tensor = self.head(states_BTD)
        if self.intervals is not None:
            logits_BTV = logits_BTV + self.intervals.logits(states_BTD, pitch_BTN, conditions_BTC)
        if self.counterpoint is not None:
            line = self.counterpoint.lines_of(ids_BT, before_BM)
            logits_BTV = logits_BTV + self.counterpoint(pitch_BTN, conditions_BTC, line)
        return Output.of(logits_BTV, recorded)

    def _with_positions(
        self, x_BTD: Tensor, starts_B: Tensor | int, cache: KeyValueCache | None
    ) -> Tensor:
        if cache is not None and cache.fixed is not None:
            return self.positions.at(x_BTD, cache.start)
        placed_BTD: Tensor = self.positions(x_BTD, starts_B if cache is None else cache.length)
        return placed_BTD


def _intervals(config: ModelConfig) -> Intervals | None:
    if not config.pitches:
        return None
    names = list(config.conditions)
    key_column = names.index(KEY) if KEY in names else None
    shape = (config.tokens, config.pitches, config.width, key_column)
    return Lookahead(*shape, names.index(GIVEN)) if GIVEN in names else Intervals(*shape)


def _counterpoint(config: ModelConfig) -> LogitBiases | None:
    if not config.counterpoint:
        return None
    kind = LogitBiases if config.is_causal else ContextBiases
    names, has_lines = list(config.conditions), config.lines > 0
    return kind(config.tokens, config.counterpoint, names, lines=has_lines)
