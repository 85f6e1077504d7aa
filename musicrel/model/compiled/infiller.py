"""A compiled infilling model: all steps are read at once; see ``families.infiller`` for torch.

The logits of a piece are the same to the bit in every batch and for every choice of wanted steps.

Dimensions: B pieces, N tokens in raster order, T steps (N / 4), S wanted steps, 4 voices, C
conditions, D width, V vocabulary.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np

from musicrel.errors import ModelError
from musicrel.model.compiled import context, encoder, grid, voice_heads
from musicrel.model.compiled.arithmetic import F32, Floats
from musicrel.model.compiled.context import Biases
from musicrel.model.compiled.encoder import EncoderWeights, Places, embed, positions, whole_steps
from musicrel.model.compiled.grid import Grid, GridTables
from musicrel.model.compiled.layers import Tensors
from musicrel.model.compiled.voice_heads import Flags, VoiceHeads
from musicrel.model.config import ModelConfig
from musicrel.model.features.interval_tables import VOICES
from musicrel.model.replaced_heads import Ablations, value_rows

Layers: TypeAlias = Callable[[Floats, Places], Floats]
"""From the states of all steps before the layers, (T, D), and the indices of some, int64 (S,), to
their normalised states after the layers, (S, D)."""


@dataclass(frozen=True, slots=True)
class CompiledInfiller:
    """An infilling model prepared for the compiled loops."""

    config: ModelConfig
    weights: EncoderWeights
    heads: VoiceHeads  # the weights of the output layers
    tables: GridTables
    biases: Biases

    @classmethod
    def of(cls, config: ModelConfig, tensors: Tensors) -> CompiledInfiller:
        return cls(
            config=config,
            weights=encoder.prepare(config, tensors),
            heads=voice_heads.prepare(tensors),
            tables=grid.prepare(config),
            biases=context.biases(config, tensors),
        )

    def logits_at(
        self,
        ids_BN: Places,
        conditions_BNC: Places,
        steps_S: Places,
        starts: int | Places = 0,
        *,
        wanted_S4: Flags | None = None,
        layers: Layers | None = None,
        replaced: Ablations | None = None,
    ) -> Floats:
        """Return the logits of the four voices of some steps, float32 (B, S, 4, V)."""
        ids_BT4, conditions_BTC = whole_steps(self.config, ids_BN, conditions_BNC)
        steps_S = _checked(steps_S, ids_BT4.shape[1])
        wanted_S4 = np.ones((len(steps_S), VOICES), np.bool_) if wanted_S4 is None else wanted_S4
        logits_BS4V = np.zeros((len(ids_BT4), len(steps_S), VOICES, self.config.tokens), dtype=F32)
        position_BTD = positions(self.config, ids_BT4.shape[1], starts)
        wanted_T4 = np.zeros((ids_BT4.shape[1], VOICES), np.bool_)
        wanted_T4[steps_S] = wanted_S4
        ablation = encoder.everywhere(replaced, value_rows(wanted_T4))
        for number, ids_T4 in enumerate(ids_BT4):
            rows_TC = conditions_BTC[number]
            piece = grid.of_piece(ids_T4, rows_TC, self.tables)
            position_TD = position_BTD[min(number, len(position_BTD) - 1)]
            x_TD = embed(grid.input_rows(piece, self.tables), rows_TC, position_TD, self.weights)
            if layers is None:
                state_SD = encoder.run(x_TD, steps_S, self.weights.layers, ablation)
            else:
                state_SD = layers(x_TD, steps_S)
            set_logits = partial(
                self._set_logits, state_SD, steps_S, wanted_S4, piece, logits_BS4V[number]
            )
            encoder.divide(len(steps_S), set_logits)
        return logits_BS4V

    def _set_logits(
        self,
        state_SD: Floats,
        steps_S: Places,
        wanted_S4: Flags,
        piece: Grid,
        logits_S4V: Floats,
        start: int,
        stop: int,
    ) -> None:
        """Set the logits of the wanted steps from number ``start`` to ``stop``."""
        some = slice(start, stop)
        voice_heads.set_logits(
            state_SD[some],
            steps_S[some],
            wanted_S4[some],
            piece,
            self.heads,
            self.tables,
            self.biases,
            logits_S4V[some],
        )


def run_once(model: CompiledInfiller) -> None:
    """Read one step, so that all functions are compiled or loaded from the cache."""
    conditions_1NC = np.zeros((1, VOICES, len(model.config.conditions)), dtype=np.int64)
    model.logits_at(np.zeros((1, VOICES), dtype=np.int64), conditions_1NC, np.arange(1))


def _checked(steps_S: Places, steps: int) -> Places:
    if len(steps_S) and not 0 <= steps_S.min() <= steps_S.max() < steps:
        raise ModelError(f"the steps {steps_S.tolist()} are wanted: expected 0 to {steps - 1}")
    return np.ascontiguousarray(steps_S, dtype=np.int64)
