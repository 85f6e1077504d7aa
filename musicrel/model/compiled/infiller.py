"""A compiled infilling model: all steps are read at once; see ``families.infiller`` for torch.

The logits of a piece are the same to the bit in every batch and for every choice of wanted steps.

Dimensions: B pieces, N tokens in raster order, T steps (N / 4), S wanted steps, 4 voices, C
conditions, D width, V vocabulary.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from musicrel.errors import ModelError
from musicrel.model.compiled import encoder, encoder_weights, grid, grid_biases, voice_heads
from musicrel.model.compiled.arithmetic import F32, Floats
from musicrel.model.compiled.encoder import Places
from musicrel.model.compiled.encoder_weights import EncoderWeights
from musicrel.model.compiled.grid import GridTables
from musicrel.model.compiled.grid_biases import GridBiases
from musicrel.model.compiled.steps import embed, positions, whole_steps
from musicrel.model.compiled.voice_heads import Flags, VoiceHeads
from musicrel.model.compiled.weights import Tensors
from musicrel.model.config import ModelConfig
from musicrel.model.features.interval_tables import VOICES

Layers: TypeAlias = Callable[[Floats, int, Places, EncoderWeights], Floats]
"""The computation of the layers; arguments and result as of ``encoder.run``."""


def unsupported(config: ModelConfig) -> str:
    """Return the reason why a model has no compiled form, or ""."""
    return encoder_weights.unsupported(config, "infill")


@dataclass(frozen=True, slots=True)
class CompiledInfiller:
    """An infilling model prepared for the compiled loops.

    Attributes:
        config: its hyperparameters.
        weights: the weights of embeddings and layers.
        heads: the weights of the output layers.
        tables: the tables of the features.
        biases: the biases by rule.
    """

    config: ModelConfig
    weights: EncoderWeights
    heads: VoiceHeads
    tables: GridTables
    biases: GridBiases

    @classmethod
    def of(cls, config: ModelConfig, tensors: Tensors) -> CompiledInfiller:
        """Prepare a model.

        Args:
            config: its hyperparameters; ``unsupported`` returns "".
            tensors: its float32 tensors by the names of the checkpoint.
        """
        return cls(
            config=config,
            weights=encoder_weights.prepare(config, tensors),
            heads=voice_heads.prepare(tensors),
            tables=grid.prepare(config),
            biases=grid_biases.prepare(config, tensors),
        )

    def logits_at(
        self,
        ids_BN: Places,
        conditions_BNC: Places,
        steps_S: Places,
        starts: int | Places = 0,
        *,
        wanted_S4: Flags | None = None,
        layers: Layers = encoder.run,
    ) -> Floats:
        """Return the logits of the four voices of some steps, float32 (B, S, 4, V).

        Args:
            ids_BN: int64, four tokens per step.
            conditions_BNC: int64; those of a step's first token are used.
            steps_S: int64, the wanted steps.
            starts: index of the first token in its piece, one for all or one for each.
            wanted_S4: bool, the wanted voices of these steps, zero for others; None: all.
            layers: the computation of the layers.

        Raises:
            ModelError: the tokens do not form whole steps, or a number is outside its range.
        """
        ids_BT4, conditions_BTC = whole_steps(self.config, ids_BN, conditions_BNC)
        steps_S = _checked(steps_S, ids_BT4.shape[1])
        wanted_S4 = np.ones((len(steps_S), VOICES), np.bool_) if wanted_S4 is None else wanted_S4
        logits_BS4V = np.zeros((len(ids_BT4), len(steps_S), VOICES, self.config.tokens), dtype=F32)
        position_BTD = positions(self.config, ids_BT4.shape[1], starts)
        for number, ids_T4 in enumerate(ids_BT4):
            rows_TC = conditions_BTC[number]
            piece = grid.of_piece(ids_T4, rows_TC, self.tables)
            position_TD = position_BTD[min(number, len(position_BTD) - 1)]
            x_TD = embed(grid.input_rows(piece, self.tables), rows_TC, position_TD, self.weights)
            voice_heads.set_logits(
                layers(x_TD, len(ids_T4), steps_S, self.weights),
                steps_S,
                wanted_S4,
                piece,
                self.heads,
                self.tables,
                self.biases,
                logits_BS4V[number],
            )
        return logits_BS4V


def run_once(model: CompiledInfiller) -> None:
    """Read one step, so that all functions are compiled or loaded from the cache."""
    conditions_1NC = np.zeros((1, VOICES, len(model.config.conditions)), dtype=np.int64)
    model.logits_at(np.zeros((1, VOICES), dtype=np.int64), conditions_1NC, np.arange(1))


def _checked(steps_S: Places, steps: int) -> Places:
    """Return the numbers of the wanted steps of a piece of ``steps``."""
    if len(steps_S) and not 0 <= steps_S.min() <= steps_S.max() < steps:
        raise ModelError(f"the steps {steps_S.tolist()} are wanted: expected 0 to {steps - 1}")
    return np.ascontiguousarray(steps_S, dtype=np.int64)
