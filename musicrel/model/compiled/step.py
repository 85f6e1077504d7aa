"""The compiled step: from the newest tokens of some rows to the logits of the next ones.

Dimensions: R rows, B sequences, L capacity, C conditions, D width, N layers, H heads, d head width,
V vocabulary, I steps back.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from musicrel.model.compiled import layers
from musicrel.model.compiled.arithmetic import F32, Floats, compiled, layer_norm
from musicrel.model.compiled.attention import Cache, Places, Rows
from musicrel.model.compiled.context import (
    Context,
    add_biases,
    add_interval_logits,
    add_intervals,
)
from musicrel.model.compiled.tiles import PANEL
from musicrel.model.compiled.weights import Weights
from musicrel.model.features.interval_rows import NEIGHBOURS, OWN
from musicrel.model.features.interval_tables import VOICES


class Memory(NamedTuple):
    """Tokens, conditions and cache of the sequences.

    Attributes:
        ids_BL: the tokens so far, after seven zeros.
        conditions_BLC: rows of the conditions; one sequence if all are equal.
        added_BLD: embeddings of the conditions and positions; one sequence if all are equal.
        cache: keys and values.
    """

    ids_BL: Places
    conditions_BLC: Places
    added_BLD: Floats
    cache: Cache


@compiled
def read(rows: Rows, w: Weights, tables: Context, memory: Memory, logits_RV: Floats) -> None:
    """Read the tokens at some places and set the logits of the tokens after them.

    Args:
        rows: the places; the cache holds all positions before them.
        w: the weights.
        tables: the lookup tables.
        memory: tokens, conditions and cache.
        logits_RV: gets the logits; no rows if none are wanted.
    """
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
    layers.run(x_RD, rows, w, memory.cache)
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
    """Return the outputs of the head."""
    y_RD = np.empty_like(x_RD)
    output_RU = np.empty((x_RD.shape[0], w.head.panels_NPIn.shape[1] * PANEL), dtype=F32)
    for r in range(x_RD.shape[0]):
        layer_norm(x_RD[r], w.norm_2D[0], w.norm_2D[1], y_RD[r])
    layers.product(y_RD, w.head, 0, output_RU)
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
