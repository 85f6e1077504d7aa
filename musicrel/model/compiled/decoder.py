"""Reading with the compiled step; see ``torch_reader`` for the same in torch.

Each sequence's logits are the same to the bit in every batch, and whether its tokens are read one
by one or together.

Dimensions: B sequences, L capacity, C conditions, D width, N layers, H heads, S keys, T tokens, V
vocabulary.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from musicrel.errors import ModelError
from musicrel.model.compiled import attention, context, layers
from musicrel.model.compiled.arithmetic import F32, Floats, compiled
from musicrel.model.compiled.attention import Cache, Places, Rows, attend_all, between
from musicrel.model.compiled.context import (
    Context,
    add_biases,
    add_interval_logits,
    add_intervals,
)
from musicrel.model.compiled.layers import (
    Layers,
    Matrices,
    Tensors,
    feed_forward,
    multiply,
    normalise,
    plain,
)
from musicrel.model.compiled.tiles import PANEL, padded
from musicrel.model.config import ModelConfig
from musicrel.model.features.interval_tables import NEIGHBOURS, OWN, VOICES, interval_rows
from musicrel.model.reading import Reading
from musicrel.model.replaced_heads import Ablations


class Weights(NamedTuple):
    """The weights of a causal model; embeddings are scaled by sqrt D."""

    token_VD: Floats
    interval_MD: Floats  # embeddings of the interval rows; no rows without interval features
    layers: Layers
    head: Matrices  # the logits of the tokens, then those by interval; one matrix


def _weights(config: ModelConfig, tensors: Tensors) -> Weights:
    scale = np.float32(math.sqrt(config.width))
    names = [name for name in ("head", "intervals.project") if f"{name}.weight" in tensors]
    head_OD = np.concatenate([tensors[f"{name}.weight"] for name in names])
    bias_O = np.concatenate([tensors[f"{name}.bias"] for name in names])
    return Weights(
        token_VD=plain(tensors["embed_token.weight"] * scale),
        interval_MD=_interval_table(config, tensors) * scale,
        layers=layers.prepare(config, tensors),
        head=Matrices(layers.in_panels(head_OD[None]), plain(bias_O)[None]),
    )


def _interval_table(config: ModelConfig, tensors: Tensors) -> Floats:
    """Return the vectors of all interval rows, each distance summed with its class."""
    if not config.pitches:
        return np.zeros((0, config.width), dtype=np.float32)
    weight_MD = tensors["intervals.embed_row.weight"]
    class_Q = interval_rows(config.tokens, config.pitches)["class_NR"].flatten()
    near_MD = weight_MD[: len(class_Q)] + tensors["intervals.embed_class.weight"][class_Q]
    return plain(np.concatenate([near_MD, weight_MD[len(class_Q) :]]))


@compiled
def _run_layers(x_RD: Floats, rows: Rows, w: Layers, cache: Cache) -> None:
    """Run all layers on the embedded tokens ``x_RD`` in place; the cache gets their keys."""
    count, width = x_RD.shape
    y_RD = np.empty((count, w.project_out.panels_NPIn.shape[1] * PANEL), dtype=F32)
    qkv_RO = np.empty((count, w.project_in.panels_NPIn.shape[1] * PANEL), dtype=F32)
    h_RF = np.empty((count, w.widen.panels_NPIn.shape[1] * PANEL), dtype=F32)
    for n in range(w.norms_N4D.shape[0]):
        normalise(x_RD, w.norms_N4D[n, 0], w.norms_N4D[n, 1], y_RD)
        multiply(y_RD, 0, w.project_in, n, qkv_RO)
        attend_all(qkv_RO, n, rows, w, cache)
        multiply(qkv_RO, 0, w.project_out, n, y_RD)
        x_RD += y_RD[:, :width]
        feed_forward(x_RD, n, w, y_RD, h_RF)


class Memory(NamedTuple):
    """Tokens, conditions and cache of the sequences."""

    ids_BL: Places  # the tokens so far, after seven zeros
    conditions_BLC: Places  # rows of the conditions; one sequence if all are equal
    added_BLD: Floats  # embeddings of the conditions and positions; one sequence if all are equal
    cache: Cache


class Step(NamedTuple):
    """Tokens that are read, and what they are read with."""

    rows: Rows
    weights: Weights
    tables: Context
    memory: Memory


@compiled
def read(step: Step, logits_RV: Floats) -> None:
    """Read tokens and set the logits of those after them, if they are wanted."""
    rows, w, tables, memory = step.rows, step.weights, step.tables, step.memory
    count = rows.place_R.shape[0]
    x_RD = np.empty((count, w.token_VD.shape[1]), dtype=F32)
    pitch_RN = np.empty((count, NEIGHBOURS), dtype=np.int64)
    for r in range(count):
        b, newest = rows.sequence_R[r], rows.place_R[r] + NEIGHBOURS - 1
        shared = min(b, memory.added_BLD.shape[0] - 1)
        for i in range(NEIGHBOURS):
            pitch_RN[r, i] = tables.pitch_V[memory.ids_BL[b, newest - i]]
        x_RD[r] = w.token_VD[memory.ids_BL[b, newest]]
        x_RD[r] += memory.added_BLD[shared, rows.place_R[r]]
        if tables.intervals.outputs:
            condition_C = memory.conditions_BLC[shared, rows.place_R[r]]
            add_intervals(x_RD[r], pitch_RN[r], condition_C, w.interval_MD, tables.intervals)
    _run_layers(x_RD, rows, w.layers, memory.cache)
    if logits_RV.shape[0]:
        output_RU = _outputs(x_RD, w)
        for r in range(count):
            shared = min(rows.sequence_R[r], memory.conditions_BLC.shape[0] - 1)
            condition_C = memory.conditions_BLC[shared, rows.place_R[r]]
            newest = rows.place_R[r] + NEIGHBOURS - 1
            id_I = memory.ids_BL[rows.sequence_R[r], newest - OWN :: -VOICES]
            _set_logits(logits_RV[r], output_RU[r], pitch_RN[r], condition_C, id_I, tables)


@compiled
def _outputs(x_RD: Floats, w: Weights) -> Floats:
    y_RD = np.empty_like(x_RD)
    output_RU = np.empty((x_RD.shape[0], w.head.panels_NPIn.shape[1] * PANEL), dtype=F32)
    normalise(x_RD, w.layers.norm_2D[0], w.layers.norm_2D[1], y_RD)
    multiply(y_RD, 0, w.head, 0, output_RU)
    return output_RU


@compiled
def _set_logits(
    logit_V: Floats,
    output_U: Floats,
    pitch_N: Places,
    condition_C: Places,
    id_I: Places,
    tables: Context,
) -> None:
    """Set the logits of one row: head, intervals, biases by rule."""
    tokens = logit_V.shape[0]
    logit_V[:] = output_U[:tokens]
    if tables.intervals.outputs:
        add_interval_logits(logit_V, output_U[tokens:], pitch_N, condition_C, tables.intervals)
    if tables.biases.rhythm_WG.shape[0]:
        add_biases(logit_V, pitch_N, condition_C, id_I, tables.pitch_V, tables.biases)


_PREFILL_TOKENS: Final = 128
"""Tokens of a prompt that are read together; more would leave the processor's caches."""
_BASE: Final = 10_000.0
_NOTHING: Final = np.zeros((0, 0), dtype=F32)


@dataclass(frozen=True, slots=True)
class CompiledModel:
    """A causal model prepared for the compiled step."""

    config: ModelConfig
    weights: Weights
    tables: Context
    # embeddings of each condition, (rows, D), scaled by sqrt D
    condition_tables: tuple[Floats, ...]

    @classmethod
    def of(cls, config: ModelConfig, tensors: Tensors) -> CompiledModel:
        scale = F32(math.sqrt(config.width))
        return cls(
            config=config,
            weights=_weights(config, tensors),
            tables=context.prepare(config, tensors),
            condition_tables=tuple(
                tensors[f"embed_condition.{column}.weight"] * scale
                for column in range(len(config.conditions))
            ),
        )

    def added(self, conditions_BLC: Places) -> Floats:
        length, width = conditions_BLC.shape[1], self.config.width
        added_BLD = np.zeros((*conditions_BLC.shape[:2], width), dtype=F32)
        for column, table in enumerate(self.condition_tables):
            added_BLD += table[conditions_BLC[..., column]]
        return added_BLD + sinusoids(length, width) if self._is_sinusoidal else added_BLD

    @property
    def _is_sinusoidal(self) -> bool:
        return self.config.scheme == "sinusoidal"


def sinusoids(positions: int, width: int) -> Floats:
    """Return the sinusoids of Vaswani et al. 2017, 3.5, (positions, width)."""
    angle_PC = np.arange(positions)[:, None] / _BASE ** (np.arange(0, width, 2) / width)
    both_PC2 = np.stack([np.sin(angle_PC), np.cos(angle_PC)], axis=-1)
    return both_PC2.reshape(positions, -1)[:, :width].astype(F32)


def run_once(model: CompiledModel) -> None:
    """Read two tokens, so that all functions are compiled or loaded from the cache."""
    conditions_BLC = np.zeros((1, 2, len(model.condition_tables)), dtype=np.int64)
    decoder = CompiledDecoder(model, conditions_BLC, record=True)
    decoder.prefill(np.zeros((1, 1), dtype=np.int64))
    decoder.step(np.zeros(1, dtype=np.int64))


def _recorded(step: Step, weights_RNHL: Floats) -> Step:
    return step._replace(rows=step.rows._replace(weights_RNHL=weights_RNHL))


def panels_of(tokens: int) -> int:
    """Return the number of tokens in whole panels."""
    return tokens // PANEL * PANEL


class CompiledDecoder:
    """A model prepared for decoding sequences, one for each row of ``conditions_BLC``."""

    def __init__(
        self,
        model: CompiledModel,
        conditions_BLC: Places,
        *,
        record: bool = False,
        replaced: Ablations | None = None,
    ) -> None:
        self.batch, self.capacity, _ = conditions_BLC.shape
        self.length = 0
        self._model, self._record = model, record
        self._ablation = attention.ablation_of(replaced)
        if (conditions_BLC == conditions_BLC[:1]).all():
            conditions_BLC = conditions_BLC[:1]
        config = model.config
        head_width = config.width // config.heads
        stored = padded(self.capacity)
        shape = (config.layers, self.batch, config.heads)
        keys = (*shape, stored // PANEL, head_width, PANEL)
        values = (*shape, padded(head_width) // PANEL, stored, PANEL)
        self._memory = Memory(
            ids_BL=np.zeros((self.batch, NEIGHBOURS - 1 + self.capacity), dtype=np.int64),
            conditions_BLC=np.ascontiguousarray(conditions_BLC, dtype=np.int64),
            added_BLD=model.added(conditions_BLC),
            cache=Cache(np.zeros(keys, dtype=F32), np.zeros(values, dtype=F32)),
        )
        recorded = self.batch if record else 0
        self._weights_BNHL = np.zeros((recorded, config.layers, config.heads, stored), dtype=F32)
        self._shared = 0

    @property
    def failure(self) -> None:
        """Return None: a compiled step never changes its method."""

    def prefill(self, ids_BT: Places) -> None:
        """Read a prompt; sequences with equal prompts and conditions once."""
        self._store(ids_BT)
        done: dict[bytes, int] = {}
        for row, ids_T in enumerate(ids_BT):
            same = done.setdefault(ids_T.tobytes() + self._conditions_of(row), row)
            if same != row:
                self._copy(self._memory, same, row, range(ids_BT.shape[1]))
                continue
            for first in range(self.length, self.length + ids_BT.shape[1], _PREFILL_TOKENS):
                stop = min(first + _PREFILL_TOKENS, self.length + ids_BT.shape[1])
                place_R = np.arange(first, stop)
                step = self._step(np.full_like(place_R, row), place_R, row, panels_of(first))
                read(step, _NOTHING)
        self.length += ids_BT.shape[1]

    def step(
        self, ids_B: Places, ablations: Ablations | None = None
    ) -> tuple[Floats, Floats | None]:
        self._store(ids_B[:, None])
        logits_BV = np.empty((self.batch, self._model.config.tokens), dtype=F32)
        newest = self.step_of(np.arange(self.batch), self.length, ablations)
        read(_recorded(newest, self._weights_BNHL), logits_BV)
        self.length += 1
        recorded = self._weights_BNHL[..., : self.length].copy() if self._record else None
        return logits_BV, recorded

    def read(self, ids_T: Places) -> Reading:
        self._store(ids_T[None])
        config, stop = self._model.config, self.length + len(ids_T)
        logits_TV = np.empty((len(ids_T), config.tokens), dtype=F32)
        kept = len(ids_T) if self._record else 0
        weights_TNHS = np.zeros((kept, config.layers, config.heads, padded(stop)), dtype=F32)
        for first in range(0, len(ids_T), _PREFILL_TOKENS):
            part = slice(first, first + _PREFILL_TOKENS)
            place_R = np.arange(self.length, stop)[part]
            shared = panels_of(int(place_R[0]))
            step = self._step(np.zeros_like(place_R), place_R, 0, shared)
            read(_recorded(step, weights_TNHS[part]), logits_TV[part])
        self.length = stop
        if not self._record:
            return Reading(logits_TV)
        return Reading(
            logits_TV, np.ascontiguousarray(weights_TNHS[..., :stop].transpose(1, 2, 0, 3))
        )

    def branch_from(
        self, other: CompiledDecoder, rows_B: Places, tokens: int, shared: int = 0
    ) -> None:
        self._shared = panels_of(tokens) if (rows_B == rows_B[0]).all() else 0
        for target, row in enumerate(rows_B):
            has = self._shared if target and self._shared else shared
            self.take(target, other, row, tokens, has)

    def take(
        self, row: int, other: CompiledDecoder, source: int, tokens: int, shared: int = 0
    ) -> None:
        ids = slice(NEIGHBOURS - 1 + tokens)  # shared keys are read from the first sequence
        self._memory.ids_BL[row, ids] = other._memory.ids_BL[source, ids]
        self._copy(other._memory, source, row, range(shared, tokens))
        self.length = tokens

    def select(self, rows_B: Places, shared: int = 0) -> None:
        memory, targets = self._memory, np.flatnonzero(rows_B != np.arange(self.batch))
        sources = rows_B[targets]
        memory.ids_BL[targets] = memory.ids_BL[sources]
        for own in between(memory.cache, shared, self.length):
            own[:, targets] = own[:, sources]

    def step_of(self, sequence_R: Places, place: int, ablations: Ablations | None = None) -> Step:
        """Return a step that reads the token at a place of some sequences."""
        place_R = np.full_like(sequence_R, place)
        return self._step(sequence_R, place_R, 0, self._shared, ablations)

    def _step(
        self,
        sequence_R: Places,
        place_R: Places,
        owner: int,
        shared: int,
        ablations: Ablations | None = None,
    ) -> Step:
        w = self._model.weights
        ablation = attention.ablation_of(ablations) if ablations else self._ablation
        if ablations is not None and ablations.layers is not None:
            first = w.layers.norms_N4D[: ablations.layers]
            w = w._replace(layers=w.layers._replace(norms_N4D=first))
        unrecorded = self._weights_BNHL[:0]
        rows = Rows(sequence_R, place_R, unrecorded, owner, shared, ablation)
        return Step(rows, w, self._model.tables, self._memory)

    def check_room(self, tokens: int) -> None:
        """Check that so many tokens can be read: loops would write beyond the cache."""
        if self.length + tokens > self.capacity:
            raise ModelError(
                f"the cache holds {self.length} of {self.capacity} tokens, {tokens} more do not "
                "fit: create it with the capacity for the whole piece"
            )

    def _store(self, ids_BT: Places) -> None:
        tokens, first = ids_BT.shape[1], self.length + NEIGHBOURS - 1
        self.check_room(tokens)
        self._memory.ids_BL[:, first : first + tokens] = ids_BT

    def _copy(self, source: Memory, row: int, target: int, part: range) -> None:
        own = between(self._memory.cache, part.start, part.stop)
        its = between(source.cache, part.start, part.stop)
        for targets, sources in zip(own, its, strict=True):
            targets[:, target] = sources[:, row]

    def _conditions_of(self, row: int) -> bytes:
        conditions_BLC = self._memory.conditions_BLC
        own_LC: Places = conditions_BLC[min(row, len(conditions_BLC) - 1)]
        return own_LC.tobytes()
