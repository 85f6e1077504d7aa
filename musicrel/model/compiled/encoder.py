"""The layers of a bidirectional model over one piece.

Dimensions: T steps of the piece, S steps that are wanted, D width, F hidden width of the
feed-forward network, N layers, H heads, d head width, 5 four voices and ``ANY``, P panels of n
columns each, W distances. Rows are padded to a multiple of ``HEIGHT``, columns to whole panels.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from musicrel.model.compiled.arithmetic import (
    F32,
    Floats,
    compiled,
    exp,
    gelu,
    layer_norm,
    relu,
)
from musicrel.model.compiled.encoder_weights import EncoderWeights
from musicrel.model.compiled.tiles import HEIGHT, PANEL, add_product

Places = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_FAR_BELOW: Final = F32(-1e30)
_QUERIES: Final = 4 * HEIGHT
"""Queries that attend together: their scores stay in the processor's nearest cache."""
_LANES: Final = 16
"""Entries that are compared side by side."""


class Ablation(NamedTuple):
    """Heads that are replaced at some steps, and keys that are removed for one.

    Attributes:
        replaced_NH: whether the output of a head is replaced; no layers for no head.
        value_5NHd: what replaces it; see ``ReplacedHeads``.
        row_T: the row of the values at each step, -1 where nothing is replaced.
        query: the step that some keys are removed for, -1 for none.
        removed_T: whether a key is removed for it.
    """

    replaced_NH: Flags
    value_5NHd: Floats
    row_T: Places
    query: int
    removed_T: Flags


def nothing() -> Ablation:
    """Return the ablation without any effect."""
    none_NH, none_T = np.zeros((0, 0), dtype=np.bool_), np.zeros(0, dtype=np.bool_)
    value_5NHd, row_T = np.zeros((0, 0, 0, 0), dtype=F32), np.zeros(0, dtype=np.int64)
    return Ablation(none_NH, value_5NHd, row_T, -1, none_T)


def run(x_TD: Floats, steps: int, at_S: Places, w: EncoderWeights) -> Floats:
    """Return the normalised states of the steps ``at_S`` after all layers, padded.

    Every other step is read as a key and value alone in the last layer.

    Args:
        x_TD: the embedded steps, padded with zeros.
        steps: their number T.
        at_S: the wanted steps.
        w: the weights.
    """
    return normalised(run_part(x_TD, steps, at_S, 0, len(w.norms_N4D), w, nothing()), w)


@compiled
def run_part(
    x_TD: Floats,
    steps: int,
    at_S: Places,
    first: int,
    stop: int,
    w: EncoderWeights,
    ablation: Ablation,
) -> Floats:
    """Return the states of the steps ``at_S`` after the layers ``first`` to ``stop``, padded.

    Args:
        x_TD: the states of all steps before these layers, padded with zeros.
        steps: their number T.
        at_S: the wanted steps.
        first: number of the first layer.
        stop: the number after the last; at least one layer is run.
        w: the weights.
        ablation: what is replaced and removed.
    """
    every_T = np.arange(steps)
    for n in range(first, stop - 1):
        x_TD = _layer(x_TD, steps, every_T, n, w, ablation)
    return _layer(x_TD, steps, at_S, stop - 1, w, ablation)


@compiled
def normalised(x_SD: Floats, w: EncoderWeights) -> Floats:
    """Return the states after the last norm."""
    return _normalised(x_SD, w.norm_2D[0], w.norm_2D[1])


@compiled
def _layer(
    x_TD: Floats, steps: int, at_S: Places, n: int, w: EncoderWeights, ablation: Ablation
) -> Floats:
    """Return the states of the steps ``at_S`` after layer ``n``."""
    norms_4D = w.norms_N4D[n]
    y_TD = _normalised(x_TD, norms_4D[0], norms_4D[1])
    x_SD, y_SD = _rows(x_TD, at_S), _rows(y_TD, at_S)
    q_SD = product(y_SD, w.query_NPDn[n])
    kv_TE = product(y_TD, w.key_value_NPDn[n])
    attended_SD = np.zeros_like(x_SD)
    for h in range(w.heads):
        distance_PdW = w.distance_NHPdn[n, min(h, w.distance_NHPdn.shape[1] - 1)]
        _attend(q_SD, kv_TE, steps, at_S, h, distance_PdW, w.reach, ablation, attended_SD)
        if ablation.replaced_NH.shape[0] and ablation.replaced_NH[n, h]:
            _replace(attended_SD, at_S, n, h, ablation)
    _add(attended_SD, w.project_out_NPDn[n], x_SD)
    _feed_forward(x_SD, n, w)
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
def _feed_forward(x_SD: Floats, n: int, w: EncoderWeights) -> None:
    """Add the output of the feed-forward network to ``x_SD``."""
    norms_4D = w.norms_N4D[n]
    y_SD = _normalised(x_SD, norms_4D[2], norms_4D[3])
    h_SF = np.zeros((x_SD.shape[0], w.widen_bias_NF.shape[1]), dtype=F32)
    add_bias(h_SF, w.widen_bias_NF[n])
    _add(y_SD, w.widen_NPDn[n], h_SF)
    for r in range(h_SF.shape[0]):
        if w.is_gelu:
            gelu(h_SF[r])
        else:
            relu(h_SF[r])
    add_bias(x_SD, w.narrow_bias_ND[n])
    _add(h_SF, w.narrow_NPFn[n], x_SD)


@compiled
def add_bias(y_RO: Floats, bias_O: Floats) -> None:
    """Add a bias to every row."""
    for r in range(y_RO.shape[0]):
        for n in range(y_RO.shape[1]):
            y_RO[r, n] += bias_O[n]


@compiled
def product(x_RI: Floats, panels_PIn: Floats) -> Floats:
    """Return the product of all rows with a matrix in panels."""
    y_RO = np.zeros((x_RI.shape[0], panels_PIn.shape[0] * PANEL), dtype=F32)
    _add(x_RI, panels_PIn, y_RO)
    return y_RO


@compiled
def _add(x_RI: Floats, panels_PIn: Floats, y_RO: Floats) -> None:
    add_product(x_RI, 0, 0, x_RI.shape[0], panels_PIn, y_RO, 0)


@compiled
def _normalised(x_RD: Floats, gain_D: Floats, bias_D: Floats) -> Floats:
    y_RD = np.zeros_like(x_RD)
    width = gain_D.shape[0]
    for r in range(x_RD.shape[0]):
        layer_norm(x_RD[r, :width], gain_D, bias_D, y_RD[r, :width])
    return y_RD


@compiled
def _rows(x_TD: Floats, at_S: Places) -> Floats:
    """Return some rows, padded with zeros."""
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
    key_PdT, value_PTd = _keys_and_values(kv_TE, steps, head * width, width)
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
    """Set the scores of removed keys far below all others."""
    for s in range(at_S.shape[0] if ablation.query >= 0 else 0):
        if at_S[s] == ablation.query:
            for t in range(ablation.removed_T.shape[0]):
                if ablation.removed_T[t]:
                    score_ST[s, t] = _FAR_BELOW


@compiled
def _keys_and_values(kv_TE: Floats, steps: int, first: int, width: int) -> tuple[Floats, Floats]:
    """Return a head's keys, a column for each step, and its values, a row for each, in panels."""
    key_PdT = np.zeros((-(-steps // PANEL), width, PANEL), dtype=F32)
    value_PTd = np.zeros((-(-width // PANEL), steps, PANEL), dtype=F32)
    half = kv_TE.shape[1] // 2
    for t in range(steps):
        panel, column = t // PANEL, t % PANEL
        for i in range(width):
            key_PdT[panel, i, column] = kv_TE[t, first + i]
        for i in range(width):
            value_PTd[i // PANEL, t, i % PANEL] = kv_TE[t, half + first + i]
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
        _add_number(score_ST[r, :near], by_distance_SW[r, 0])
        _add_numbers(score_ST[r, near:far], by_distance_SW[r, near - origin :])
        _add_number(score_ST[r, far:steps], by_distance_SW[r, 2 * reach])


@compiled
def _add_number(y_N: Floats, number: float) -> None:
    for n in range(y_N.shape[0]):
        y_N[n] += number


@compiled
def _add_numbers(y_N: Floats, x_N: Floats) -> None:
    for n in range(y_N.shape[0]):
        y_N[n] += x_N[n]


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
