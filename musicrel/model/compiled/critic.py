"""A compiled critic: logits of the classes of whole pieces; see ``families.critic`` for torch.

The logits of a piece are the same to the bit in every batch and with every padding.

Dimensions: B pieces, N tokens in raster order, T steps (N / 4), 4 voices, C conditions, S rows
summed, D width, K classes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from musicrel.errors import ModelError
from musicrel.model.compiled import encoder, encoder_weights
from musicrel.model.compiled.arithmetic import F32, Floats, compiled
from musicrel.model.compiled.encoder import Places
from musicrel.model.compiled.encoder_weights import EncoderWeights, plain
from musicrel.model.compiled.steps import embed, positions, whole_steps
from musicrel.model.compiled.weights import Tensors
from musicrel.model.config import FIRST_PITCH_TOKEN, ModelConfig
from musicrel.model.features.critic_rows import (
    BASS,
    CLASSES,
    DIRECTIONS,
    MAX_GAP,
    MIN_GAP,
    NONE,
    PAIRS,
    SUMMED,
    first_rows,
)
from musicrel.model.features.interval_tables import OCTAVE, VOICES

_FIRST_S: Final = first_rows()
_PAIRS: Final = np.array(PAIRS).T.copy()
_MOTION: Final = 3 * VOICES
_GAP: Final = _MOTION + VOICES
_PAIR: Final = _GAP + VOICES - 1
"""First slot of each kind of feature, after those of the chords."""


class Head(NamedTuple):
    """The output layer.

    Attributes:
        weight_KD, bias_K: from the mean of all steps to the logits of the classes.
        pitches: number of pitches of the vocabulary.
    """

    weight_KD: Floats
    bias_K: Floats
    pitches: int


def unsupported(config: ModelConfig) -> str:
    """Return the reason why a model has no compiled form, or ""."""
    return encoder_weights.unsupported(config, "critic")


@dataclass(frozen=True, slots=True)
class CompiledCritic:
    """A critic prepared for the compiled loops.

    Attributes:
        config: its hyperparameters.
        weights: the weights of embeddings and layers.
        head: the output layer.
    """

    config: ModelConfig
    weights: EncoderWeights
    head: Head

    @classmethod
    def of(cls, config: ModelConfig, tensors: Tensors) -> CompiledCritic:
        """Prepare a model.

        Args:
            config: its hyperparameters; ``unsupported`` returns "".
            tensors: its float32 tensors by the names of the checkpoint.
        """
        return cls(
            config=config,
            weights=encoder_weights.prepare(config, tensors),
            head=Head(
                weight_KD=plain(tensors["head.weight"]),
                bias_K=plain(tensors["head.bias"]),
                pitches=(config.tokens - FIRST_PITCH_TOKEN) // 2,
            ),
        )

    def logits(self, ids_BN: Places, conditions_BNC: Places, lengths_B: Places) -> Floats:
        """Return the logits of the classes of each piece, float32 (B, K).

        Args:
            ids_BN: int64, four tokens per step.
            conditions_BNC: int64; those of a step's first token are used.
            lengths_B: number of tokens of each piece; those after them are padding.

        Raises:
            ModelError: the tokens do not form whole steps, or a number is outside its range.
        """
        ids_BT4, conditions_BTC = whole_steps(self.config, ids_BN, conditions_BNC)
        steps_B = _steps(lengths_B, ids_BN.shape[1])
        position_TD = positions(self.config, ids_BT4.shape[1])[0]
        logits_BK = np.empty((len(ids_BT4), len(self.head.bias_K)), dtype=F32)
        for piece, steps in enumerate(steps_B):
            some_T = slice(0, steps)
            row_TS = _rows(ids_BT4[piece, some_T], self.head.pitches)
            condition_TC = conditions_BTC[piece, some_T]
            x_TD = embed(row_TS, condition_TC, position_TD[some_T], self.weights)
            state_TD = encoder.run(x_TD, steps, np.arange(steps), self.weights)
            _set_logits(state_TD, steps, self.head, logits_BK[piece])
        return logits_BK


def run_once(model: CompiledCritic) -> None:
    """Read one step, so that all functions are compiled or loaded from the cache."""
    conditions_1NC = np.zeros((1, VOICES, len(model.config.conditions)), dtype=np.int64)
    model.logits(np.zeros((1, VOICES), dtype=np.int64), conditions_1NC, np.array([VOICES]))


def _steps(lengths_B: Places, longest: int) -> list[int]:
    """Return the number of steps of each piece."""
    lengths: list[int] = lengths_B.tolist()
    if any(length % VOICES or not 0 <= length <= longest for length in lengths):
        raise ModelError(
            f"lengths {', '.join(map(str, lengths))}: expected multiples of {VOICES} up to "
            f"{longest}"
        )
    return [length // VOICES for length in lengths]


@compiled
def _set_logits(state_TD: Floats, steps: int, head: Head, logit_K: Floats) -> None:
    """Set the logits of one piece: those of the mean of its steps."""
    width = head.weight_KD.shape[1]
    mean_D = np.zeros(width, dtype=F32)
    for t in range(steps):
        for i in range(width):
            mean_D[i] += state_TD[t, i]
    for k in range(logit_K.shape[0]):
        total = F32(0.0)
        for i in range(width):
            total += mean_D[i] * head.weight_KD[k, i]
        logit_K[k] = total / F32(max(steps, 1)) + head.bias_K[k]


@compiled
def _rows(ids_T4: Places, pitches: int) -> Places:
    """Return the rows of the features of each step, (T, S); see ``features.critic_features``."""
    steps = ids_T4.shape[0]
    pitch_T4 = np.full((steps + 2, VOICES), NONE, dtype=np.int64)
    for t in range(steps):
        for voice in range(VOICES):
            if ids_T4[t, voice] >= FIRST_PITCH_TOKEN:
                pitch_T4[t + 1, voice] = (ids_T4[t, voice] - FIRST_PITCH_TOKEN) % pitches
    row_TS = np.empty((steps, SUMMED), dtype=np.int64)
    for t in range(steps):
        _set_rows(row_TS[t], pitch_T4[t : t + 3])
    return row_TS


@compiled
def _set_rows(row_S: Places, near_34: Places) -> None:
    """Set the rows of a step from its pitches and those of the steps before and after."""
    before_4, now_4 = near_34[0], near_34[1]
    for cell in range(3 * VOICES):
        row_S[cell] = _class(near_34[cell // VOICES, cell % VOICES], now_4[BASS])
    for voice in range(VOICES):
        row_S[_MOTION + voice] = _apart(now_4[voice], before_4[voice], -OCTAVE, OCTAVE)
    for voice in range(VOICES - 1):
        row_S[_GAP + voice] = _apart(now_4[voice], now_4[voice + 1], MIN_GAP, MAX_GAP)
    for pair in range(_PAIRS.shape[0]):
        upper, lower = _PAIRS[pair, 0], _PAIRS[pair, 1]
        was, now = _class(before_4[upper], before_4[lower]), _class(now_4[upper], now_4[lower])
        direction = _apart(now_4[upper], before_4[upper], -1, 1)
        row_S[_PAIR + pair] = (was * CLASSES + now) * DIRECTIONS + direction
    for slot in range(row_S.shape[0]):
        row_S[slot] += _FIRST_S[min(slot, _PAIR)]


@compiled
def _class(pitch: int, above: int) -> int:
    """Return the semitones within the octave from one pitch up to another; 12: none."""
    return OCTAVE if pitch < 0 or above < 0 else (pitch - above) % OCTAVE


@compiled
def _apart(pitch: int, above: int, least: int, most: int) -> int:
    """Return the clipped distance of two pitches as a row from 0; the last if one is none."""
    if pitch < 0 or above < 0:
        return most - least + 1
    return min(max(pitch - above, least), most) - least
