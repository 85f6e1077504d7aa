"""The inputs of bidirectional models: whole steps of four tokens, embedded by rows of features.

Dimensions: B pieces, N tokens in raster order, T steps (N / 4), 4 voices, C conditions, S rows
summed, D width.
"""

from __future__ import annotations

import functools
from typing import Final

import numpy as np

from musicrel.errors import ModelError
from musicrel.model.compiled.arithmetic import F32, Floats, compiled
from musicrel.model.compiled.decoder import sinusoids
from musicrel.model.compiled.encoder import Places
from musicrel.model.compiled.encoder_weights import EncoderWeights
from musicrel.model.compiled.tiles import HEIGHT, PANEL, padded
from musicrel.model.config import ModelConfig
from musicrel.model.features.interval_tables import VOICES

_POSITIONS: Final = 1024
"""Tables of positions are as long as a multiple of this."""


def whole_steps(
    config: ModelConfig, ids_BN: Places, conditions_BNC: Places
) -> tuple[Places, Places]:
    """Return tokens (B, T, 4) and conditions (B, T, C) of the steps, checked.

    Raises:
        ModelError: the tokens do not form whole steps, or an id or a row is outside its table.
    """
    if ids_BN.shape[1] % VOICES:
        raise ModelError(f"{ids_BN.shape[1]} tokens: expected whole steps of 4")
    rows_BTC = np.ascontiguousarray(conditions_BNC[:, ::VOICES], dtype=np.int64)
    size_C = np.array(list(config.conditions.values()), dtype=np.int64)
    outside = (ids_BN < 0) | (ids_BN >= config.tokens)
    if outside.any() or ((rows_BTC < 0) | (rows_BTC >= size_C)).any():
        raise ModelError(
            f"a token or a condition is outside the tables of the model: expected tokens below "
            f"{config.tokens}, and conditions below {size_C.tolist()}"
        )
    ids_BT4 = np.ascontiguousarray(ids_BN, dtype=np.int64).reshape(len(ids_BN), -1, VOICES)
    return ids_BT4, rows_BTC


def positions(config: ModelConfig, steps: int, starts: int | Places = 0) -> Floats:
    """Return what a scheme adds to the steps: (1 or B, T, D); no steps if it adds nothing.

    Args:
        config: hyperparameters of the model.
        steps: number of steps T.
        starts: index of the first token in its piece, one for all or one for each piece.
    """
    if config.scheme != "sinusoidal":
        return np.zeros((1, 0, config.width), dtype=F32)
    first_B = np.atleast_1d(starts) // VOICES
    table_PD = _table(padded(int(first_B.max()) + steps, _POSITIONS), config.width)
    return table_PD[first_B[:, None] + np.arange(steps)]


@functools.lru_cache(maxsize=4)
def _table(length: int, width: int) -> Floats:
    return sinusoids(length, width)


@compiled
def embed(row_TS: Places, condition_TC: Places, position_TD: Floats, w: EncoderWeights) -> Floats:
    """Return the embedded steps of a piece, padded: features, conditions and positions."""
    width = w.embed_RD.shape[1]
    shape = (-(-row_TS.shape[0] // HEIGHT) * HEIGHT, -(-width // PANEL) * PANEL)
    x_TD = np.zeros(shape, dtype=F32)
    for t in range(row_TS.shape[0]):
        x_D = x_TD[t, :width]
        for s in range(row_TS.shape[1]):
            _add_row(x_D, w.embed_RD, row_TS[t, s])
        for c in range(condition_TC.shape[1]):
            _add_row(x_D, w.condition_KD, w.first_C[c] + condition_TC[t, c])
        if position_TD.shape[0]:
            _add_row(x_D, position_TD, t)
    return x_TD


@compiled
def _add_row(x_D: Floats, table_RD: Floats, row: int) -> None:
    for i in range(x_D.shape[0]):
        x_D[i] += table_RD[row, i]
