"""Incremental decoding: one step for the newest token of every sequence, with a key-value cache.

A step computes the result of ``Transformer.forward`` for that token (tested to be equal) without
the overhead of modules: weights are prepared once, projections are fused, caches are preallocated,
and the host does not synchronise with the device before the logits are done. On a CPU each
sequence's result is the same to the bit in every batch (see ``batch_invariant_linear``).

The arithmetic has two forms. ``step`` reads as many keys as there are. ``fixed_step`` reads a fixed
number of keys, and the position is a tensor, so that a device can capture it once and replay it
(see ``graph``); positional schemes declare with ``graph_capturable`` whether they have this form.

Dimensions: B sequences, L capacity, S keys, D width, H heads, d head width, V vocabulary.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor, nn

from musicrel.model.blocks.ablation import Ablation
from musicrel.model.blocks.batch_invariant_linear import RowFunction, batch_invariant_linear
from musicrel.model.blocks.kv_cache import ID_CONTEXT, KeyValueCache
from musicrel.model.decoding.step_cross import CrossAttentionStep
from musicrel.model.families.transformer import Block, Transformer
from musicrel.model.features.interval_rows import NEIGHBOURS, OWN
from musicrel.model.features.interval_tables import VOICES
from musicrel.model.features.lines import Line
from musicrel.model.positions.base import PositionalAttention
from musicrel.model.replaced_heads import ReplacedHeads

_PREFILL_TOKENS: Final = 512
_ALIGNMENT: Final = 64
Scores: TypeAlias = Callable[[PositionalAttention, Tensor, Tensor], Tensor]
"""(scheme, queries (B, H, 1, d), keys (B, H, S, d)) -> logits (B, H, 1, S)."""


@dataclass(frozen=True, slots=True)
class StepOutput:
    """Result of a decoding step.

    Attributes:
        logits_BV: logits of the next token.
        weights_BLHS: attention of every layer and head; None unless recorded.
    """

    logits_BV: Tensor
    weights_BLHS: Tensor | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Layer:
    """The weights of a block in the order of their use."""

    positional: PositionalAttention
    norm_attention: RowFunction
    project_in: RowFunction
    project_out: RowFunction
    cross_attention: CrossAttentionStep | None
    norm_feedforward: RowFunction
    widen: RowFunction
    narrow: RowFunction


@dataclass(frozen=True, slots=True)
class _Recent:
    """The most recent pitches, the conditions, and the line of the next token's voice."""

    pitch_B1N: Tensor
    conditions_B1C: Tensor
    line: Line | None


class IncrementalDecoder:
    """A model prepared for decoding sequences, one for each row of ``conditions_BLC``.

    Args:
        model: a causal model; its weights are copied, later changes have no effect.
        conditions_BLC: int64, rows of the conditions of every position.
        record: whether to return the attention weights.
        replaced: heads that are replaced at all positions; None: none.

    Raises:
        ModelError: there are more positions than the model can represent.
    """

    @torch.inference_mode()
    def __init__(
        self,
        model: Transformer,
        conditions_BLC: Tensor,
        *,
        record: bool = False,
        replaced: ReplacedHeads | None = None,
    ) -> None:
        self.batch, self.capacity, _ = conditions_BLC.shape
        self._model, self._record = model, record
        self._conditions_BLC = model.with_lookahead(conditions_BLC)
        like = model.head.weight
        model.positions(like.new_zeros(1, self.capacity, like.shape[1]), 0)  # checks the length
        self.cache = model.new_cache(self.batch, self.capacity)
        self._table_VD = model.embed_token.weight * math.sqrt(model.config.width)
        # each row on its own, so that none depends on its batch; only once if all are equal
        is_shared = bool((self._conditions_BLC == self._conditions_BLC[:1]).all())
        self._conditioning = [
            model.embed_conditions(row_LC[None])
            for row_LC in self._conditions_BLC[: 1 if is_shared else None]
        ]
        added_BLD = torch.cat([conditioning.added_BND for conditioning in self._conditioning])
        self._added_BLD = added_BLD.expand(self.batch, -1, -1)
        blocks = [block for block in model.blocks if isinstance(block, Block)]
        self._layers = [self._layer(index, block) for index, block in enumerate(blocks)]
        self._shape = (self.batch, 3, -1, 1, model.config.head_width)
        self._norm = _norm(model.norm)
        heads = [model.head]
        if model.intervals is not None:
            heads.append(model.intervals.project)
            self._interval_MD = model.intervals.table() * model.scale
        self._head = batch_invariant_linear(
            torch.cat([head.weight for head in heads]),
            torch.cat([head.bias for head in heads]),
            batch=self.batch,
        )
        last = -1 if model.config.lines else ID_CONTEXT - NEIGHBOURS
        self._back_N = torch.arange(ID_CONTEXT, last, -1, device=like.device)
        self._place_L1 = torch.arange(self.capacity, device=like.device)[:, None]
        voice_1L = self._place_L1.T % VOICES
        self._ablation = Ablation.everywhere(replaced, voice_1L) if replaced else Ablation()

    @property
    def graph_capturable(self) -> bool:
        """Return whether ``fixed_step`` is available."""
        return self._model.positions.graph_capturable and all(
            module.graph_capturable
            for module in self._model.modules()
            if isinstance(module, PositionalAttention)
        )

    @torch.inference_mode()
    def prefill(self, ids_BT: Tensor) -> None:
        """Read a prompt in parts of 512 tokens; sequences with equal prompts and conditions once.

        Every sequence is read separately, so that none depends on its batch.

        Args:
            ids_BT: int64 token ids.
        """
        done: dict[bytes, KeyValueCache] = {}
        for row in range(self.batch):
            ids_1T, conditions_1TC = ids_BT[row : row + 1], self._conditions_BLC[row : row + 1]
            own = self.cache.row(row)
            same = ids_1T.cpu().numpy().tobytes() + conditions_1TC.cpu().numpy().tobytes()
            if same in done:
                own.fill(done[same], 0, ids_1T.shape[1])
                continue
            for first in range(0, ids_1T.shape[1], _PREFILL_TOKENS):
                part = slice(first, min(first + _PREFILL_TOKENS, ids_1T.shape[1]))
                conditioning = self._conditioning[row % len(self._conditioning)].at(part)
                self._model(
                    ids_1T[:, part],
                    conditions_1TC[:, part],
                    cache=own,
                    conditioning=conditioning,
                    ablation=self._ablation.at(part),
                )
            done[same] = own
        self.cache.length = ids_BT.shape[1]

    @torch.inference_mode()
    def step(self, ids_B: Tensor) -> StepOutput:
        """Decode one token of every sequence, int64 (B,), and append it to the cache."""
        self.cache.check_capacity(1)
        place = self.cache.length
        x_B1D, recent = self._embed(ids_B, self._place_L1[place])
        x_B1D = self._add_positions(x_B1D, place)
        seen = self._run_blocks(
            x_B1D,
            place,
            self._place_L1[place],
            place + 1,
            lambda scheme, q_BH1d, k_BHSd: scheme.row(q_BH1d, k_BHSd),
        )
        self.cache.length += 1
        return self._logits(*seen, recent)

    @torch.inference_mode()
    def fixed_step(self, ids_B: Tensor, place_1: Tensor, keys: int) -> StepOutput:
        """Decode as ``step`` with fixed shapes, without advancing the cache.

        Args:
            ids_B: int64, the tokens.
            place_1: int64, their position, the same for all.
            keys: number S of keys to read, more than the position; keys not yet written get weight
                0.
        """
        x_B1D, recent = self._embed(ids_B, place_1)
        x_B1D = self._model.positions.at(x_B1D, place_1)
        future_S = torch.arange(keys, device=place_1.device) > place_1

        def scores(scheme: PositionalAttention, q_BH1d: Tensor, k_BHSd: Tensor) -> Tensor:
            return scheme.row_at(q_BH1d, k_BHSd, place_1).masked_fill(future_S, -torch.inf)

        return self._logits(*self._run_blocks(x_B1D, None, place_1, keys, scores), recent)

    def _embed(self, ids_B: Tensor, place_1: Tensor) -> tuple[Tensor, _Recent | None]:
        """Embed the tokens at ``place_1`` without positions; return the recent pitches as well."""
        pitch_context, intervals = self._model.pitch_context, self._model.intervals
        counterpoint = self._model.counterpoint
        x_B1D = F.embedding(ids_B[:, None], self._table_VD)
        x_B1D += self._added_BLD.index_select(1, place_1)
        if pitch_context is None:
            return x_B1D, None
        self.cache.ids_BL.index_copy_(1, place_1 + ID_CONTEXT, ids_B[:, None])
        ids_BN = self.cache.ids_BL.index_select(1, place_1 + self._back_N)
        pitch_B1N = pitch_context.pitch_V[ids_BN[:, :NEIGHBOURS]][:, None]
        own_B1K = ids_BN[:, None, OWN::VOICES]
        line = None if counterpoint is None else counterpoint.line_of(own_B1K)
        conditions_B1C = self._conditions_BLC.index_select(1, place_1)
        if intervals is not None:
            rows_B1M = intervals.rows(pitch_B1N, conditions_B1C)
            x_B1D += F.embedding(rows_B1M, self._interval_MD).sum(-2)
        return x_B1D, _Recent(pitch_B1N, conditions_B1C, line)

    def _add_positions(self, x_B1D: Tensor, place: int) -> Tensor:
        """Add the positions; separately for each sequence if the scheme has a linear layer."""
        forward = self._model.positions.forward
        if self.batch == 1 or self._model.positions.graph_capturable:
            return forward(x_B1D, place)
        return torch.cat([forward(x_1D[None], place) for x_1D in x_B1D.unbind()])

    def _run_blocks(
        self, x_B1D: Tensor, place: int | None, place_1: Tensor, keys: int, scores: Scores
    ) -> tuple[Tensor, Tensor | None]:
        """Return the last states, (B, 1, D), and the attention weights of all layers.

        ``place`` is None if queries and keys need no rotation.
        """
        norms_first = self._model.config.norm == "pre"
        weights = []
        memory = zip(self._layers, self.cache.views(keys), strict=True)
        for index, (layer, (keys_BHSd, values_BHSd)) in enumerate(memory):
            input_B1D = layer.norm_attention(x_B1D) if norms_first else x_B1D
            qkv_B1D3 = layer.project_in(input_B1D)
            q_BH1d, k_BH1d, v_BH1d = qkv_B1D3.view(self._shape).unbind(1)
            if place is not None:
                q_BH1d = layer.positional.rotate_qk(q_BH1d, place, self.capacity)
                k_BH1d = layer.positional.rotate_qk(k_BH1d, place, self.capacity)
            keys_BHSd.index_copy_(2, place_1, k_BH1d)
            values_BHSd.index_copy_(2, place_1, v_BH1d)
            weights_BH1S = scores(layer.positional, q_BH1d, keys_BHSd).softmax(-1)
            o_BH1d = self._ablation.replace(
                index, layer.positional.row_mix(weights_BH1S, values_BHSd), place_1
            )
            x_B1D = x_B1D + layer.project_out(o_BH1d.reshape(self.batch, 1, -1))
            if not norms_first:
                x_B1D = layer.norm_attention(x_B1D)
            if layer.cross_attention is not None:
                x_B1D = layer.cross_attention(x_B1D, place, place_1)
            if norms_first:
                x_B1D += layer.narrow(layer.widen(layer.norm_feedforward(x_B1D)))
            else:
                x_B1D = layer.norm_feedforward(x_B1D + layer.narrow(layer.widen(x_B1D)))
            if self._record:
                weights.append(weights_BH1S[:, :, 0])
        return x_B1D, torch.stack(weights, dim=1) if self._record else None

    def _logits(
        self, x_B1D: Tensor, weights_BLHS: Tensor | None, recent: _Recent | None
    ) -> StepOutput:
        logits_B1V = self._head(self._norm(x_B1D))
        intervals, counterpoint = self._model.intervals, self._model.counterpoint
        if recent is not None and intervals is not None:
            logits_B1V, by_distance_B1R = logits_B1V.tensor_split((len(self._table_VD),), dim=-1)
            logits_B1V = logits_B1V + intervals.token_logits(
                by_distance_B1R, recent.pitch_B1N, recent.conditions_B1C
            )
        if recent is not None and counterpoint is not None:
            logits_B1V = logits_B1V + counterpoint(
                recent.pitch_B1N, recent.conditions_B1C, recent.line
            )
        return StepOutput(logits_B1V[:, 0], weights_BLHS)

    def _layer(self, index: int, block: Block) -> _Layer:
        attention, config = block.attention, self._model.config
        first: Any = block.feedforward[0]
        last: Any = block.feedforward[2]
        spare = (
            -config.feedforward % _ALIGNMENT
        )  # zeros, so that no row ends in the middle of a vector
        return _Layer(
            positional=attention.positional,
            norm_attention=_norm(block.norm_attention),
            project_in=batch_invariant_linear(attention.project_in.weight, None, batch=self.batch),
            project_out=batch_invariant_linear(
                attention.project_out.weight, None, batch=self.batch
            ),
            cross_attention=self._cross_attention(index, block),
            norm_feedforward=_norm(block.norm_feedforward),
            widen=batch_invariant_linear(
                F.pad(first.weight, (0, 0, 0, spare)),
                F.pad(first.bias, (0, spare)),
                batch=self.batch,
                activation=config.activation,
            ),
            narrow=batch_invariant_linear(
                F.pad(last.weight, (0, spare)), last.bias, batch=self.batch
            ),
        )

    def _cross_attention(self, index: int, block: Block) -> CrossAttentionStep | None:
        if block.cross_attention is None:
            return None
        memories = [conditioning.memories[index] for conditioning in self._conditioning]
        norms_first = self._model.config.norm == "pre"
        return CrossAttentionStep(
            block.cross_attention, memories, batch=self.batch, norms_first=norms_first
        )


def _norm(norm: nn.Module) -> RowFunction:
    if not isinstance(norm, nn.LayerNorm):
        return norm.forward
    shape, weight, bias, tiny = norm.normalized_shape, norm.weight, norm.bias, norm.eps
    return lambda x_B1D: F.layer_norm(x_B1D, shape, weight, bias, tiny)
