"""Incremental decoding with the compiled step; see ``decoding.step`` for the same in torch.

Each sequence's logits are the same to the bit in every batch, and whether its tokens are read one
by one or together.

Dimensions: B sequences, L capacity, C conditions, D width, N layers, H heads, S keys, V vocabulary.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from musicrel.errors import ModelError
from musicrel.model.compiled import context, step, weights
from musicrel.model.compiled.arithmetic import F32, Floats
from musicrel.model.compiled.context import Context
from musicrel.model.compiled.layers import Cache, Places, Rows
from musicrel.model.compiled.step import Memory
from musicrel.model.compiled.weights import Tensors, Weights
from musicrel.model.config import ModelConfig
from musicrel.model.features.interval_rows import NEIGHBOURS

_PREFILL_TOKENS: Final = 128
"""Tokens of a prompt that are read together; more would leave the processor's caches."""
_LINE: Final = 16
"""Numbers in a line of the processor's cache."""
_BASE: Final = 10_000.0
_NOTHING: Final = np.zeros((0, 0), dtype=F32)


@dataclass(frozen=True, slots=True)
class CompiledModel:
    """A causal model prepared for the compiled step.

    Attributes:
        config: its hyperparameters.
        weights: its weights.
        tables: its lookup tables.
        condition_tables: embeddings of each condition, (rows, D), scaled by sqrt D.
    """

    config: ModelConfig
    weights: Weights
    tables: Context
    condition_tables: tuple[Floats, ...]

    @classmethod
    def of(cls, config: ModelConfig, tensors: Tensors) -> CompiledModel:
        """Prepare a model.

        Args:
            config: its hyperparameters; ``weights.unsupported`` returns "".
            tensors: its float32 tensors by the names of the checkpoint.
        """
        scale = F32(math.sqrt(config.width))
        return cls(
            config=config,
            weights=weights.prepare(config, tensors),
            tables=context.prepare(config, tensors),
            condition_tables=tuple(
                tensors[f"embed_condition.{column}.weight"] * scale
                for column in range(len(config.conditions))
            ),
        )

    def added(self, conditions_BLC: Places) -> Floats:
        """Return what is added to the embeddings of the tokens: conditions and positions."""
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


def _padded(capacity: int) -> int:
    """Return a length of at least ``capacity``, an odd number of cache lines.

    Rows whose distance is a power of two would share a few places of the processor's cache.
    """
    lines = -(-capacity // _LINE) | 1
    return lines * _LINE


class CompiledDecoder:
    """A model prepared for decoding sequences, one for each row of ``conditions_BLC``.

    Args:
        model: the model.
        conditions_BLC: int64, rows of the conditions of every position.
        record: whether to return the attention weights.

    Attributes:
        length: number of tokens read.
    """

    def __init__(
        self, model: CompiledModel, conditions_BLC: Places, *, record: bool = False
    ) -> None:
        self.batch, self.capacity, _ = conditions_BLC.shape
        self.length = 0
        self._model, self._record = model, record
        if (conditions_BLC == conditions_BLC[:1]).all():
            conditions_BLC = conditions_BLC[:1]
        config = model.config
        head_width = config.width // config.heads
        stored = _padded(self.capacity)
        shape = (config.layers, self.batch, config.heads, head_width, stored)
        self._memory = Memory(
            ids_BL=np.zeros((self.batch, NEIGHBOURS - 1 + self.capacity), dtype=np.int64),
            conditions_BLC=np.ascontiguousarray(conditions_BLC, dtype=np.int64),
            added_BLD=model.added(conditions_BLC),
            cache=Cache(np.zeros(shape, dtype=F32), np.zeros(shape, dtype=F32)),
        )
        recorded = (self.batch, config.layers) if record else (1, 1)
        self._weights_BNHL = np.zeros((*recorded, config.heads, self.capacity), dtype=F32)
        self._scratch_11HL = np.zeros((1, 1, config.heads, self.capacity), dtype=F32)

    @property
    def failure(self) -> None:
        """Return None: a compiled step never changes its method."""

    def prefill(self, ids_BT: Places) -> None:
        """Read a prompt; sequences with equal prompts and conditions once.

        Args:
            ids_BT: int64 token ids.
        """
        self._store(ids_BT)
        done: dict[bytes, int] = {}
        for row, ids_T in enumerate(ids_BT):
            same = done.setdefault(ids_T.tobytes() + self._conditions_of(row), row)
            if same != row:
                self._copy(self._memory, same, row, ids_BT.shape[1])
                continue
            for first in range(self.length, self.length + ids_BT.shape[1], _PREFILL_TOKENS):
                stop = min(first + _PREFILL_TOKENS, self.length + ids_BT.shape[1])
                place_R = np.arange(first, stop)
                self._read(np.full_like(place_R, row), place_R, _NOTHING)
        self.length += ids_BT.shape[1]

    def step(self, ids_B: Places) -> tuple[Floats, Floats | None]:
        """Read the newest token of every sequence, int64 (B,).

        Returns:
            The logits of the next tokens, float32 (B, V), and the attention weights of every layer
            and head, (B, N, H, S), or None.
        """
        self._store(ids_B[:, None])
        logits_BV = np.empty((self.batch, self._model.config.tokens), dtype=F32)
        sequence_B = np.arange(self.batch)
        self._read(sequence_B, np.full_like(sequence_B, self.length), logits_BV)
        self.length += 1
        recorded = self._weights_BNHL[..., : self.length].copy() if self._record else None
        return logits_BV, recorded

    def branch_from(self, other: CompiledDecoder, row: int, tokens: int) -> None:
        """Continue the first ``tokens`` of a sequence of ``other`` in every sequence."""
        self._memory.ids_BL[:, : NEIGHBOURS - 1 + tokens] = other._memory.ids_BL[
            row, : NEIGHBOURS - 1 + tokens
        ]
        for target in range(self.batch):
            self._copy(other._memory, row, target, tokens)
        self.length = tokens

    def _read(self, sequence_R: Places, place_R: Places, logits_RV: Floats) -> None:
        record = self._record and bool(len(logits_RV))
        weights_RNHL = self._weights_BNHL if record else self._scratch_11HL
        rows = Rows(sequence_R, place_R, weights_RNHL, record)
        step.read(rows, self._model.weights, self._model.tables, self._memory, logits_RV)

    def _store(self, ids_BT: Places) -> None:
        """Store the ids of the next tokens.

        Raises:
            ModelError: they exceed the capacity.
        """
        tokens = ids_BT.shape[1]
        if self.length + tokens > self.capacity:
            raise ModelError(
                f"the cache holds {self.length} of {self.capacity} tokens, {tokens} more do not "
                "fit: create it with the capacity for the whole piece"
            )
        first = self.length + NEIGHBOURS - 1
        self._memory.ids_BL[:, first : first + tokens] = ids_BT

    def _copy(self, source: Memory, row: int, target: int, tokens: int) -> None:
        """Copy the keys and values of a sequence."""
        for own, others in zip(self._memory.cache, source.cache, strict=True):
            own[:, target, ..., :tokens] = others[:, row, ..., :tokens]

    def _conditions_of(self, row: int) -> bytes:
        conditions_BLC = self._memory.conditions_BLC
        own_LC: Places = conditions_BLC[min(row, len(conditions_BLC) - 1)]
        return own_LC.tobytes()
