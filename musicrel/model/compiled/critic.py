"""A compiled critic: logits of the classes of whole pieces; see ``families.classifier`` for torch.

The logits of a piece are the same to the bit in every batch and with every padding.

Dimensions: B pieces, N tokens in raster order, T steps (N / 4), 4 voices, C conditions, S rows
summed, D width, K classes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from musicrel.errors import ModelError
from musicrel.model.compiled import encoder
from musicrel.model.compiled.arithmetic import F32, Floats
from musicrel.model.compiled.encoder import (
    EncoderWeights,
    Places,
    embed,
    positions,
    whole_steps,
)
from musicrel.model.compiled.layers import Tensors, plain
from musicrel.model.config import ModelConfig
from musicrel.model.features.context_rows import critic_rows, number_of_pitches
from musicrel.model.features.interval_tables import VOICES


@dataclass(frozen=True, slots=True)
class CompiledCritic:
    """A critic prepared for the compiled loops."""

    config: ModelConfig
    weights: EncoderWeights
    # head_KD, bias_K: from the mean of all steps to the logits of the classes
    head_KD: Floats
    bias_K: Floats

    @classmethod
    def of(cls, config: ModelConfig, tensors: Tensors) -> CompiledCritic:
        return cls(
            config=config,
            weights=encoder.prepare(config, tensors),
            head_KD=plain(tensors["head.weight"]),
            bias_K=plain(tensors["head.bias"]),
        )

    def logits(self, ids_BN: Places, conditions_BNC: Places, lengths_B: Places) -> Floats:
        ids_BT4, conditions_BTC = whole_steps(self.config, ids_BN, conditions_BNC)
        steps_B = _steps(lengths_B, ids_BN.shape[1])
        pitches = number_of_pitches(self.config.tokens)
        position_TD = positions(self.config, ids_BT4.shape[1])[0]
        logits_BK = np.empty((len(ids_BT4), len(self.bias_K)), dtype=F32)
        for piece, steps in enumerate(steps_B):
            some_T = slice(0, steps)
            row_TS = critic_rows(ids_BT4[piece, some_T], pitches)
            condition_TC = conditions_BTC[piece, some_T]
            x_TD = embed(row_TS, condition_TC, position_TD[some_T], self.weights)
            state_TD = encoder.run(x_TD, steps, np.arange(steps), self.weights.layers)
            mean_D = state_TD[:steps].sum(axis=0) / F32(max(steps, 1))
            logits_BK[piece] = (self.head_KD * mean_D).sum(axis=1) + self.bias_K
        return logits_BK


def run_once(model: CompiledCritic) -> None:
    """Read one step, so that all functions are compiled or loaded from the cache."""
    conditions_1NC = np.zeros((1, VOICES, len(model.config.conditions)), dtype=np.int64)
    model.logits(np.zeros((1, VOICES), dtype=np.int64), conditions_1NC, np.array([VOICES]))


def _steps(lengths_B: Places, longest: int) -> list[int]:
    lengths: list[int] = lengths_B.tolist()
    if any(length % VOICES or not 0 <= length <= longest for length in lengths):
        raise ModelError(
            f"lengths {', '.join(map(str, lengths))}: expected multiples of {VOICES} up to "
            f"{longest}"
        )
    return [length // VOICES for length in lengths]
