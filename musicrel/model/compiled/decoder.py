"""Incremental decoding with the compiled step; see ``decoding.step`` for the same in torch.

Each sequence's logits are the same to the bit in every batch, and whether its tokens are read one
by one or together.

Dimensions: B sequences, L capacity, C conditions, D width, N layers, H heads, S keys, T tokens, V
vocabulary.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from musicrel.errors import ModelError
from musicrel.model.compiled import attention, context, step, weights
from musicrel.model.compiled.arithmetic import F32, Floats
from musicrel.model.compiled.attention import Cache, Places, Rows, between
from musicrel.model.compiled.context import Context
from musicrel.model.compiled.step import Memory
from musicrel.model.compiled.tiles import PANEL, padded
from musicrel.model.compiled.weights import Tensors, Weights
from musicrel.model.config import ModelConfig
from musicrel.model.features.interval_rows import NEIGHBOURS
from musicrel.model.replaced_heads import ReplacedHeads

_PREFILL_TOKENS: Final = 128
"""Tokens of a prompt that are read together; more would leave the processor's caches."""
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


def run_once(model: CompiledModel) -> None:
    """Read two tokens, so that all functions are compiled or loaded from the cache."""
    conditions_BLC = np.zeros((1, 2, len(model.condition_tables)), dtype=np.int64)
    decoder = CompiledDecoder(model, conditions_BLC, record=True)
    decoder.prefill(np.zeros((1, 1), dtype=np.int64))
    decoder.step(np.zeros(1, dtype=np.int64))


def panels_of(tokens: int) -> int:
    """Return the number of tokens in whole panels."""
    return tokens // PANEL * PANEL


class CompiledDecoder:
    """A model prepared for decoding sequences, one for each row of ``conditions_BLC``.

    Args:
        model: the model.
        conditions_BLC: int64, rows of the conditions of every position.
        record: whether to return the attention weights.
        replaced: heads that are replaced at all positions; None: none.

    Attributes:
        length: number of tokens read.
    """

    def __init__(
        self,
        model: CompiledModel,
        conditions_BLC: Places,
        *,
        record: bool = False,
        replaced: ReplacedHeads | None = None,
    ) -> None:
        self.batch, self.capacity, _ = conditions_BLC.shape
        self.length = 0
        self._model, self._record = model, record
        self._ablation = attention.everywhere(replaced) if replaced else attention.nothing()
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
        recorded = (self.batch, config.layers) if record else (1, 1)
        self._weights_BNHL = np.zeros((*recorded, config.heads, stored), dtype=F32)
        self._scratch_R11L = np.zeros((self.batch, 1, 1, stored), dtype=F32)
        self._shared = 0

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
                self._copy(self._memory, same, row, range(ids_BT.shape[1]))
                continue
            for first in range(self.length, self.length + ids_BT.shape[1], _PREFILL_TOKENS):
                stop = min(first + _PREFILL_TOKENS, self.length + ids_BT.shape[1])
                place_R = np.arange(first, stop)
                self._read(np.full_like(place_R, row), place_R, _NOTHING, panels_of(first))
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
        self._read(sequence_B, np.full_like(sequence_B, self.length), logits_BV, self._shared)
        self.length += 1
        recorded = self._weights_BNHL[..., : self.length].copy() if self._record else None
        return logits_BV, recorded

    def read(self, ids_T: Places) -> tuple[Floats, Floats]:
        """Read the next tokens of the only sequence together.

        Args:
            ids_T: int64 token ids.

        Returns:
            The logits after each token, float32 (T, V), and its attention weights, (T, N, H, S),
            which have no rows unless recorded.
        """
        self._store(ids_T[None])
        config, stop = self._model.config, self.length + len(ids_T)
        logits_TV = np.empty((len(ids_T), config.tokens), dtype=F32)
        kept = len(ids_T) if self._record else 0
        weights_TNHS = np.zeros((kept, config.layers, config.heads, padded(stop)), dtype=F32)
        for first in range(0, len(ids_T), _PREFILL_TOKENS):
            part = slice(first, first + _PREFILL_TOKENS)
            place_R = np.arange(self.length, stop)[part]
            scratch_R11L = self._scratch(len(place_R))
            weights_RNHL = weights_TNHS[part] if self._record else scratch_R11L
            shared = panels_of(int(place_R[0]))
            own_R = np.zeros_like(place_R)
            rows = Rows(own_R, place_R, weights_RNHL, self._record, shared, self._ablation)
            model = self._model
            step.read(rows, model.weights, model.tables, self._memory, logits_TV[part])
        for row, weights_NHS in enumerate(weights_TNHS):
            weights_NHS[..., self.length + row + 1 :] = 0.0  # a panel reaches beyond the last key
        self.length = stop
        return logits_TV, weights_TNHS[..., :stop]

    def branch_from(self, other: CompiledDecoder, row: int, tokens: int, shared: int = 0) -> None:
        """Continue a sequence of ``other`` in every sequence; see ``take``."""
        self._shared = panels_of(tokens)
        self.take(0, other, row, tokens, shared)
        for target in range(1, self.batch):
            self.take(target, other, row, tokens, self._shared)

    def take(
        self, row: int, other: CompiledDecoder, source: int, tokens: int, shared: int = 0
    ) -> None:
        """Continue the first ``tokens`` of a sequence of ``other`` in one sequence.

        Args:
            row: the sequence; all sequences must continue as many tokens.
            other: a decoder of the same model.
            source: its sequence.
            tokens: number of tokens.
            shared: number of first tokens that the sequence has already.
        """
        ids = slice(NEIGHBOURS - 1 + tokens)  # shared keys are read from the first sequence
        self._memory.ids_BL[row, ids] = other._memory.ids_BL[source, ids]
        self._copy(other._memory, source, row, range(shared, tokens))
        self.length = tokens

    def select(self, rows_B: Places, shared: int = 0) -> None:
        """Continue in every sequence a copy of another one; all must have the same conditions.

        Args:
            rows_B: int64, the sequence that each continues.
            shared: number of first tokens that are the same in all sequences.
        """
        memory, targets = self._memory, np.flatnonzero(rows_B != np.arange(self.batch))
        sources = rows_B[targets]
        memory.ids_BL[targets] = memory.ids_BL[sources]
        for own in between(memory.cache, shared, self.length):
            own[:, targets] = own[:, sources]

    def _read(self, sequence_R: Places, place_R: Places, logits_RV: Floats, shared: int) -> None:
        record = self._record and bool(len(logits_RV))
        weights_RNHL = self._weights_BNHL if record else self._scratch(len(place_R))
        rows = Rows(sequence_R, place_R, weights_RNHL, record, shared, self._ablation)
        step.read(rows, self._model.weights, self._model.tables, self._memory, logits_RV)

    def _scratch(self, rows: int) -> Floats:
        """Return space for the attention weights of a head."""
        if rows > len(self._scratch_R11L):
            self._scratch_R11L = np.zeros((rows, *self._scratch_R11L.shape[1:]), dtype=F32)
        return self._scratch_R11L[:rows]

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

    def _copy(self, source: Memory, row: int, target: int, part: range) -> None:
        """Copy the keys and values of some tokens of a sequence."""
        own = between(self._memory.cache, part.start, part.stop)
        its = between(source.cache, part.start, part.stop)
        for targets, sources in zip(own, its, strict=True):
            targets[:, target] = sources[:, row]

    def _conditions_of(self, row: int) -> bytes:
        conditions_BLC = self._memory.conditions_BLC
        own_LC: Places = conditions_BLC[min(row, len(conditions_BLC) - 1)]
        return own_LC.tobytes()
