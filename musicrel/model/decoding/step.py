"""One step of decoding: the newest token of every sequence, read against what the cache holds.

It computes what ``Transformer.forward`` computes for that token, tested equal, without the cost of
modules: weights are put in order once, projections are fused, caches were allocated beforehand, and
nothing is asked of the device before the logits are done. Each sequence's result is the same to the
bit in every batch on a CPU (see ``products``).

The same arithmetic has two forms. ``read`` looks at as many keys as there are. ``replay`` looks at
a fixed number of them, the newest place being a tensor, so that a device may record it once and
repeat it (see ``graph``); positional schemes say by ``replays`` whether they have that form.

Dimensions: B sequences, L room, S keys, D width, H heads, d head width, V vocabulary.

This file knows the model's arithmetic; it knows nothing of sampling or of graphs.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor, nn

from musicrel.model.blocks.batch_invariant_linear import Product, product
from musicrel.model.blocks.kv_cache import REACH, KeyValueCache
from musicrel.model.decoding.step_cross import AcrossStep
from musicrel.model.families.transformer import Block, Transformer
from musicrel.model.features.conditioning import Told
from musicrel.model.positions.base import PositionalAttention

_PART: Final = 512
_EVEN: Final = 64
Scores: TypeAlias = Callable[[PositionalAttention, Tensor, Tensor], Tensor]
"""(scheme, queries (B, H, 1, d), keys (B, H, S, d)) -> logits (B, H, 1, S)."""


@dataclass(frozen=True, slots=True)
class Read:
    """What the model says of the next token.

    Attributes:
        logits_BV: unnormalised log-probabilities.
        weights_BLHS: attention of every layer and head; None unless it was asked for.
    """

    logits_BV: Tensor
    weights_BLHS: Tensor | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Layer:
    """A block's weights in the order of their use."""

    positional: PositionalAttention
    norm_attention: Product
    project_in: Product
    project_out: Product
    across: AcrossStep | None
    norm_feedforward: Product
    widen: Product
    narrow: Product


@dataclass(frozen=True, slots=True)
class _Near:
    """The pitches sung last and the conditions; what of them is added to the embeddings, if any."""

    heard_B1D: Tensor | None
    pitch_B1N: Tensor
    told_B1C: Tensor


class Stepper:
    """A model made ready to decode sequences, one for each row of ``told_BLC``.

    Args:
        model: a causal model; its weights are copied, later changes are not seen.
        told_BLC: int64, the rows of the conditions of every place.
        record: whether the attention weights are wanted.

    Raises:
        ModelError: the places reach beyond what the model knows.
    """

    @torch.inference_mode()
    def __init__(self, model: Transformer, told_BLC: Tensor, *, record: bool = False) -> None:
        self.batch, self.room, _ = told_BLC.shape
        self._model, self._told_BLC, self._record = model, model.widened(told_BLC), record
        like = model.head.weight
        model.positions(like.new_zeros(1, self.room, like.shape[1]), 0)  # refuses what is too long
        self.cache = model.new_cache(self.batch, self.room)
        self._table_VD = model.embed_token.weight * math.sqrt(model.config.width)
        self._told = self._conditions()
        told_BLD = torch.cat([told.added_BND for told in self._told])
        self._told_BLD = told_BLD.expand(self.batch, -1, -1)
        blocks = [block for block in model.blocks if isinstance(block, Block)]
        self._layers = [self._layer(index, block) for index, block in enumerate(blocks)]
        self._shape = (self.batch, 3, -1, 1, model.config.head_width)
        self._norm = _norm(model.norm)
        heads = [model.head]
        if model.intervals is not None:
            heads.append(model.intervals.say)
            self._near_MD = model.intervals.table() * model.scale
        self._head = product(
            torch.cat([head.weight for head in heads]),
            torch.cat([head.bias for head in heads]),
            batch=self.batch,
        )
        self._back_N = torch.arange(REACH, -1, -1, device=like.device)
        self._place_L1 = torch.arange(self.room, device=like.device)[:, None]

    @property
    def replays(self) -> bool:
        """Whether ``replay`` is possible."""
        return self._model.positions.replays and all(
            layer.positional.replays and (layer.across is None or layer.across.replays)
            for layer in self._layers
        )

    @torch.inference_mode()
    def prefill(self, ids_BT: Tensor) -> None:
        """Take a prompt in, in parts of 512 tokens; rows that are told the same only once.

        Every sequence is read by itself, so that none depends on the batch it is in.
        """
        done: dict[bytes, KeyValueCache] = {}
        for row in range(self.batch):
            ids_1T, told_1TC = ids_BT[row : row + 1], self._told_BLC[row : row + 1]
            own = self.cache.row(row)
            same = ids_1T.cpu().numpy().tobytes() + told_1TC.cpu().numpy().tobytes()
            if same in done:
                own.copy_from(done[same])
                continue
            for first in range(0, ids_1T.shape[1], _PART):
                part = slice(first, min(first + _PART, ids_1T.shape[1]))
                told = self._told[row % len(self._told)].at(part)
                self._model(ids_1T[:, part], told_1TC[:, part], cache=own, told=told)
            done[same] = own
        self.cache.length = ids_BT.shape[1]

    @torch.inference_mode()
    def read(self, ids_B: Tensor) -> Read:
        """Read one token of every sequence, int64 (B,), into the cache."""
        self.cache.check_room(1)
        place = self.cache.length
        x_B1D = F.embedding(ids_B[:, None], self._table_VD)
        x_B1D += self._told_BLD[:, place : place + 1]
        near = self._near(ids_B, self._place_L1[place])
        if near is not None and near.heard_B1D is not None:
            x_B1D += near.heard_B1D
        x_B1D = self._placed(x_B1D, place)
        seen = self._through(x_B1D, place, self._place_L1[place], place + 1, _row)
        self.cache.advance(1)
        return self._said(*seen, near)

    @torch.inference_mode()
    def replay(self, ids_B: Tensor, place_1: Tensor, keys: int) -> Read:
        """As ``read``, in a form of fixed shape; does not count in the cache.

        Args:
            ids_B: int64, the tokens.
            place_1: int64, their place, the same for all.
            keys: S, more than the place: how many of the cache's keys are looked at, those not yet
                written with weight 0.
        """
        x_B1D = F.embedding(ids_B[:, None], self._table_VD)
        x_B1D += self._told_BLD.index_select(1, place_1)
        near = self._near(ids_B, place_1)
        if near is not None and near.heard_B1D is not None:
            x_B1D += near.heard_B1D
        x_B1D = self._model.positions.at(x_B1D, place_1)
        future_S = torch.arange(keys, device=place_1.device) > place_1

        def scores(scheme: PositionalAttention, q_BH1d: Tensor, k_BHSd: Tensor) -> Tensor:
            return scheme.row_at(q_BH1d, k_BHSd, place_1).masked_fill(future_S, -torch.inf)

        return self._said(*self._through(x_B1D, None, place_1, keys, scores), near)

    def _near(self, ids_B: Tensor, place_1: Tensor) -> _Near | None:
        """Keep the tokens at ``place_1``; what they and those before tell by distance."""
        listener, intervals = self._model.listener, self._model.intervals
        if listener is None:
            return None
        self.cache.ids_BL.index_copy_(1, place_1 + REACH, ids_B[:, None])
        ids_BN = self.cache.ids_BL.index_select(1, place_1 + self._back_N)
        pitch_B1N = listener.pitch_V[ids_BN][:, None]
        told_B1C = self._told_BLC.index_select(1, place_1)
        if intervals is None:
            return _Near(None, pitch_B1N, told_B1C)
        rows_B1M = intervals.rows(pitch_B1N, told_B1C)
        return _Near(F.embedding(rows_B1M, self._near_MD).sum(-2), pitch_B1N, told_B1C)

    def _placed(self, x_B1D: Tensor, place: int) -> Tensor:
        """The embeddings with their position; by themselves, where a scheme multiplies them."""
        forward = self._model.positions.forward
        if self.batch == 1 or self._model.positions.replays:
            return forward(x_B1D, place)
        return torch.cat([forward(x_1D[None], place) for x_1D in x_B1D.unbind()])

    def _through(
        self, x_B1D: Tensor, place: int | None, place_1: Tensor, keys: int, scores: Scores
    ) -> tuple[Tensor, Tensor | None]:
        """The last states, (B, 1, D), and the attention of all layers.

        ``place`` is None where queries and keys are not turned.
        """
        norms_first = self._model.config.norm == "pre"
        weights = []
        memory = zip(self._layers, self.cache.views(keys), strict=True)
        for layer, (keys_BHSd, values_BHSd) in memory:
            read_B1D = layer.norm_attention(x_B1D) if norms_first else x_B1D
            qkv_B1D3 = layer.project_in(read_B1D)
            q_BH1d, k_BH1d, v_BH1d = qkv_B1D3.view(self._shape).unbind(1)
            if place is not None:
                q_BH1d = layer.positional.turned(q_BH1d, place, self.room)
                k_BH1d = layer.positional.turned(k_BH1d, place, self.room)
            keys_BHSd.index_copy_(2, place_1, k_BH1d)
            values_BHSd.index_copy_(2, place_1, v_BH1d)
            weights_BH1S = scores(layer.positional, q_BH1d, keys_BHSd).softmax(-1)
            o_BH1d = layer.positional.row_mix(weights_BH1S, values_BHSd)
            x_B1D = x_B1D + layer.project_out(o_BH1d.reshape(self.batch, 1, -1))
            if not norms_first:
                x_B1D = layer.norm_attention(x_B1D)
            if layer.across is not None:
                x_B1D = layer.across(x_B1D, place, place_1)
            if norms_first:
                x_B1D += layer.narrow(layer.widen(layer.norm_feedforward(x_B1D)))
            else:
                x_B1D = layer.norm_feedforward(x_B1D + layer.narrow(layer.widen(x_B1D)))
            if self._record:
                weights.append(weights_BH1S[:, :, 0])
        return x_B1D, torch.stack(weights, dim=1) if self._record else None

    def _said(self, x_B1D: Tensor, weights_BLHS: Tensor | None, near: _Near | None) -> Read:
        said_B1V = self._head(self._norm(x_B1D))
        intervals, counterpoint = self._model.intervals, self._model.counterpoint
        if near is not None and intervals is not None:
            said_B1V, by_distance_B1R = said_B1V.tensor_split((len(self._table_VD),), dim=-1)
            said_B1V = said_B1V + intervals.spread(by_distance_B1R, near.pitch_B1N, near.told_B1C)
        if near is not None and counterpoint is not None:
            said_B1V = said_B1V + counterpoint(near.pitch_B1N, near.told_B1C)
        return Read(said_B1V[:, 0], weights_BLHS)

    def _conditions(self) -> list[Told]:
        """What each sequence is told; only one, if all are told the same.

        Each row is worked out by itself, so that none depends on the batch it is in.
        """
        is_shared = bool((self._told_BLC == self._told_BLC[:1]).all())
        rows = range(1 if is_shared else self.batch)
        return [self._model.told(self._told_BLC[row : row + 1]) for row in rows]

    def _layer(self, index: int, block: Block) -> _Layer:
        attention, config = block.attention, self._model.config
        first: Any = block.feedforward[0]
        last: Any = block.feedforward[2]
        spare = -config.feedforward % _EVEN  # zeros, so that no row ends in the middle of a vector
        return _Layer(
            positional=attention.positional,
            norm_attention=_norm(block.norm_attention),
            project_in=product(attention.project_in.weight, None, batch=self.batch),
            project_out=product(attention.project_out.weight, None, batch=self.batch),
            across=self._across(index, block),
            norm_feedforward=_norm(block.norm_feedforward),
            widen=product(
                F.pad(first.weight, (0, 0, 0, spare)),
                F.pad(first.bias, (0, spare)),
                batch=self.batch,
                activation=config.activation,
            ),
            narrow=product(F.pad(last.weight, (0, spare)), last.bias, batch=self.batch),
        )

    def _across(self, index: int, block: Block) -> AcrossStep | None:
        if block.across is None:
            return None
        memories = [told.memories[index] for told in self._told]
        norms_first = self._model.config.norm == "pre"
        return AcrossStep(block.across, memories, batch=self.batch, norms_first=norms_first)


def _row(scheme: PositionalAttention, q_BH1d: Tensor, k_BHSd: Tensor) -> Tensor:
    return scheme.row(q_BH1d, k_BHSd)


def _norm(norm: nn.Module) -> Product:
    if not isinstance(norm, nn.LayerNorm):
        return norm.forward
    shape, weight, bias, tiny = norm.normalized_shape, norm.weight, norm.bias, norm.eps
    return lambda x_B1D: F.layer_norm(x_B1D, shape, weight, bias, tiny)
