"""The layers of a bidirectional model over one piece.

Dimensions: T steps of the piece, S steps that are wanted, D width, F hidden width of the
feed-forward network, N layers, H heads, d head width, 5 four voices and ``ANY``, P panels of n
columns each, W distances. Rows are padded to a multiple of ``HEIGHT``.
"""

from __future__ import annotations

import functools
import math
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from musicrel.errors import ModelError
from musicrel.model.compiled import layers
from musicrel.model.compiled.arithmetic import F32, Floats, compiled, exp
from musicrel.model.compiled.decoder import sinusoids
from musicrel.model.compiled.layers import (
    Layers,
    Tensors,
    feed_forward,
    multiply,
    normalise,
    plain,
)
from musicrel.model.compiled.tiles import HEIGHT, PANEL, add_product, padded
from musicrel.model.config import ModelConfig
from musicrel.model.features.interval_tables import VOICES
from musicrel.model.replaced_heads import Ablations


class EncoderWeights(NamedTuple):
    """The weights of a bidirectional model without its head; embeddings are scaled by sqrt D."""

    embed_RD: Floats  # vectors of the rows of features
    condition_KD: Floats  # vectors of the rows of all conditions
    first_C: npt.NDArray[np.int64]  # first row of each condition
    layers: Layers  # the relative tables have a column for each distance from -R to R


def prepare(config: ModelConfig, tensors: Tensors) -> EncoderWeights:
    """Return the weights of a model; arguments as in ``layers.prepare``."""
    scale, columns = np.float32(math.sqrt(config.width)), range(len(config.conditions))
    nothing = np.zeros((0, config.width), dtype=np.float32)
    tables = [tensors[f"embed_condition.{column}.weight"] for column in columns]
    return EncoderWeights(
        embed_RD=plain(tensors["embed_token.weight"] * scale),
        condition_KD=plain(np.concatenate([nothing, *tables])) * scale,
        first_C=np.cumsum([0, *config.conditions.values()])[:-1],
        layers=layers.prepare(config, tensors),
    )


Places = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_FAR_BELOW: Final = F32(-1e30)
_QUERIES: Final = 4 * HEIGHT
"""Queries that attend together: their scores stay in the processor's nearest cache."""
_LANES: Final = 16
"""Entries that are compared side by side."""


class Ablation(NamedTuple):
    """Heads that are replaced at some steps, and keys that are removed for one."""

    replaced_NH: Flags  # whether the output of a head is replaced; no layers for no head
    value_5NHd: Floats  # what replaces it; see ``Ablations``
    row_T: Places  # the row of the values at each step, -1 where nothing is replaced
    query: int  # the step that some keys are removed for, -1 for none
    removed_T: Flags


def nothing() -> Ablation:
    """Return the ablation without any effect."""
    none_NH, none_T = np.zeros((0, 0), dtype=np.bool_), np.zeros(0, dtype=np.bool_)
    value_5NHd, row_T = np.zeros((0, 0, 0, 0), dtype=F32), np.zeros(0, dtype=np.int64)
    return Ablation(none_NH, value_5NHd, row_T, -1, none_T)


def everywhere(replaced: Ablations | None, row_T: Places) -> Ablation:
    """Return the ablation that replaces heads at all steps, by the row of the values at each."""
    if replaced is None or replaced.replaced_RLH is None or replaced.values_5LHd is None:
        return nothing()
    return nothing()._replace(
        replaced_NH=np.ascontiguousarray(replaced.replaced_RLH[0]),
        value_5NHd=np.ascontiguousarray(replaced.values_5LHd),
        row_T=row_T,
    )


def at_step(ablations: Ablations, step: int, voice: int, steps: int) -> Ablation:
    """Return the first of some ablations at one step, which predicts a note of a voice."""
    ablation = everywhere(ablations, np.where(np.arange(steps) == step, voice, -1))
    if ablations.removed_RS is None:
        return ablation
    removed_T = np.ascontiguousarray(ablations.removed_RS[0])
    return ablation._replace(query=step, removed_T=removed_T)


def run(
    x_TD: Floats, steps: int, at_S: Places, w: Layers, ablation: Ablation | None = None
) -> Floats:
    """Return the normalised states of the steps ``at_S`` after all layers, padded.

    Every other step is read as a key and value alone in the last layer.
    """
    count = len(w.norms_N4D)
    return normalised(run_part(x_TD, steps, at_S, 0, count, w, ablation or nothing()), w)


@compiled
def run_part(
    x_TD: Floats,
    steps: int,
    at_S: Places,
    first: int,
    stop: int,
    w: Layers,
    ablation: Ablation,
) -> Floats:
    """Return the states of the steps ``at_S`` after the layers ``first`` to ``stop``, padded."""
    every_T = np.arange(steps)
    for n in range(first, stop - 1):
        x_TD = _layer(x_TD, steps, every_T, n, w, ablation)
    return _layer(x_TD, steps, at_S, stop - 1, w, ablation)


@compiled
def normalised(x_SD: Floats, w: Layers) -> Floats:
    """Return the states after the last norm."""
    y_SD = np.empty_like(x_SD)
    normalise(x_SD, w.norm_2D[0], w.norm_2D[1], y_SD)
    return y_SD


@compiled
def _layer(x_TD: Floats, steps: int, at_S: Places, n: int, w: Layers, ablation: Ablation) -> Floats:
    width = x_TD.shape[1]
    y_TD, x_SD = np.empty_like(x_TD), _rows(x_TD, at_S)
    normalise(x_TD, w.norms_N4D[n, 0], w.norms_N4D[n, 1], y_TD)
    project_PIn = w.project_in.panels_NPIn[n]
    q_SD = product(_rows(y_TD, at_S), project_PIn[: -(-width // PANEL)])
    kv_TE = product(y_TD, project_PIn[width // PANEL :])
    attended_SD, reach = np.zeros_like(x_SD), w.distances // 2
    for h in range(w.heads):
        distance_PdW = w.distance_NHPdn[n, min(h, w.distance_NHPdn.shape[1] - 1)]
        _attend(q_SD, kv_TE, steps, at_S, h, distance_PdW, reach, ablation, attended_SD)
        if ablation.replaced_NH.shape[0] and ablation.replaced_NH[n, h]:
            _replace(attended_SD, at_S, n, h, ablation)
    y_SD = np.empty((x_SD.shape[0], w.project_out.panels_NPIn.shape[1] * PANEL), dtype=F32)
    h_SF = np.empty((x_SD.shape[0], w.widen.panels_NPIn.shape[1] * PANEL), dtype=F32)
    multiply(attended_SD, 0, w.project_out, n, y_SD)
    x_SD += y_SD[:, :width]
    feed_forward(x_SD, n, w, y_SD, h_SF)
    return x_SD


@compiled
def _replace(out_SD: Floats, at_S: Places, n: int, h: int, ablation: Ablation) -> None:
    """Replace the output of a head at the steps that have a row of values."""
    width = ablation.value_5NHd.shape[3]
    for s in range(at_S.shape[0]):
        row = ablation.row_T[at_S[s]]
        if row >= 0:
            out_SD[s, h * width : (h + 1) * width] = ablation.value_5NHd[row, n, h]


@compiled
def product(x_RI: Floats, panels_PIn: Floats) -> Floats:
    """Return the product of all rows with a matrix in panels."""
    y_RO = np.zeros((x_RI.shape[0], panels_PIn.shape[0] * PANEL), dtype=F32)
    add_product(x_RI, 0, 0, x_RI.shape[0], panels_PIn, y_RO, 0)
    return y_RO


@compiled
def _rows(x_TD: Floats, at_S: Places) -> Floats:
    rows = -(-at_S.shape[0] // HEIGHT) * HEIGHT
    y_SD = np.zeros((rows, x_TD.shape[1]), dtype=F32)
    for s in range(at_S.shape[0]):
        for i in range(x_TD.shape[1]):
            y_SD[s, i] = x_TD[at_S[s], i]
    return y_SD


@compiled
def _attend(
    q_SD: Floats,
    kv_TE: Floats,
    steps: int,
    at_S: Places,
    head: int,
    distance_PdW: Floats,
    reach: int,
    ablation: Ablation,
    out_SD: Floats,
) -> None:
    """Set the columns of one head to the sums of the values, weighted by attention."""
    width = distance_PdW.shape[1]
    key_PdT, value_PTd = _keys_and_values(kv_TE, out_SD.shape[1], steps, head * width, width)
    scratch_L, share_S = np.zeros(_LANES, dtype=F32), np.zeros(_QUERIES, dtype=F32)
    for first in range(0, q_SD.shape[0], _QUERIES):
        rows = min(_QUERIES, q_SD.shape[0] - first)
        score_ST = np.zeros((rows, key_PdT.shape[0] * PANEL), dtype=F32)
        add_product(q_SD, first, head * width, rows, key_PdT, score_ST, 0)
        if reach:
            real_S = at_S[first : first + rows]
            _add_distances(q_SD, first, head * width, distance_PdW, reach, real_S, score_ST, steps)
        mixed_Sd = np.zeros((rows, value_PTd.shape[0] * PANEL), dtype=F32)
        _remove(score_ST, at_S[first : first + rows], ablation)
        for r in range(rows):
            share_S[r] = F32(1.0) / _exponentials(score_ST[r, :steps], scratch_L)
        add_product(score_ST, 0, 0, rows, value_PTd, mixed_Sd, 0)
        for r in range(rows):
            for i in range(width):
                out_SD[first + r, head * width + i] = mixed_Sd[r, i] * share_S[r]


@compiled
def _remove(score_ST: Floats, at_S: Places, ablation: Ablation) -> None:
    for s in range(at_S.shape[0] if ablation.query >= 0 else 0):
        if at_S[s] == ablation.query:
            for t in range(ablation.removed_T.shape[0]):
                if ablation.removed_T[t]:
                    score_ST[s, t] = _FAR_BELOW


@compiled
def _keys_and_values(
    kv_TE: Floats, columns: int, steps: int, first: int, width: int
) -> tuple[Floats, Floats]:
    """Return a head's keys, a column for each step, and its values, a row for each, in panels."""
    key_PdT = np.zeros((-(-steps // PANEL), width, PANEL), dtype=F32)
    value_PTd = np.zeros((-(-width // PANEL), steps, PANEL), dtype=F32)
    first += columns % PANEL  # the first panel begins with the last queries
    for t in range(steps):
        panel, column = t // PANEL, t % PANEL
        for i in range(width):
            key_PdT[panel, i, column] = kv_TE[t, first + i]
        for i in range(width):
            value_PTd[i // PANEL, t, i % PANEL] = kv_TE[t, columns + first + i]
    return key_PdT, value_PTd


@compiled
def _add_distances(
    q_SD: Floats,
    first: int,
    column: int,
    distance_PdW: Floats,
    reach: int,
    at_S: Places,
    score_ST: Floats,
    steps: int,
) -> None:
    """Add the scores by distance; keys beyond the reach have that of the farthest.

    Relative attention of Huang et al. 2018, eq. 3, for distances on both sides.
    """
    by_distance_SW = np.zeros((score_ST.shape[0], distance_PdW.shape[0] * PANEL), dtype=F32)
    add_product(q_SD, first, column, score_ST.shape[0], distance_PdW, by_distance_SW, 0)
    for r in range(at_S.shape[0]):
        origin = at_S[r] - reach
        near, far = max(origin, 0), min(origin + 2 * reach + 1, steps)
        score_ST[r, :near] += by_distance_SW[r, 0]
        score_ST[r, near:far] += by_distance_SW[r, near - origin : far - origin]
        score_ST[r, far:steps] += by_distance_SW[r, 2 * reach]


@compiled
def _exponentials(p_T: Floats, scratch_L: Floats) -> Any:
    """Replace scores by the numerators of their softmax; return their sum."""
    largest, total = _largest(p_T, scratch_L), F32(0.0)
    for t in range(p_T.shape[0]):
        p_T[t] = exp(p_T[t] - largest)
        total += p_T[t]
    return total


@compiled
def _largest(p_T: Floats, scratch_L: Floats) -> Any:
    """Return the largest entry.

    The compiler does not use vectors for a plain loop, because an entry may be undefined;
    ``scratch_L`` therefore gets the largest of every 16th entry.
    """
    largest = p_T[0]
    whole = p_T.shape[0] // _LANES * _LANES
    if whole:
        scratch_L[:] = largest
        for start in range(0, whole, _LANES):
            for n in range(_LANES):
                scratch_L[n] = max(scratch_L[n], p_T[start + n])
        for n in range(_LANES):
            largest = max(largest, scratch_L[n])
    for t in range(whole, p_T.shape[0]):
        largest = max(largest, p_T[t])
    return largest


_POSITIONS: Final = 1024
"""Tables of positions are as long as a multiple of this."""


def whole_steps(
    config: ModelConfig, ids_BN: Places, conditions_BNC: Places
) -> tuple[Places, Places]:
    """Return tokens (B, T, 4) and conditions (B, T, C) of the steps, checked."""
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
    """Return what a scheme adds to the steps: (1 or B, T, D); no steps if it adds nothing."""
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
    shape = (-(-row_TS.shape[0] // HEIGHT) * HEIGHT, width)
    x_TD = np.zeros(shape, dtype=F32)
    for t in range(row_TS.shape[0]):
        x_D = x_TD[t]
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
