"""The layers of a bidirectional model over one piece.

Dimensions: T steps of the piece, S steps that are wanted, D width, F hidden width of the
feed-forward network, N layers, H heads, d head width, 5 four voices and ``ANY``, P panels of n
columns each, W distances.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from musicrel import cores
from musicrel.errors import ModelError
from musicrel.model.compiled import layers
from musicrel.model.compiled.arithmetic import F32, Floats, compiled, exp
from musicrel.model.compiled.decoder import sinusoids
from musicrel.model.compiled.layers import (
    Layers,
    Tensors,
    add_rows,
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
_BLOCK: Final = 8 * HEIGHT
"""Steps that are computed together: what is computed of them stays in the processor's cache."""
_STEPS_OF_A_THREAD: Final = 32
"""Fewer steps are not worth the start of a thread."""
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


class _Seen(NamedTuple):
    """Keys, a column for each step, and values, a row for each."""

    key_HPdT: Floats
    value_HPTd: Floats


def run(x_TD: Floats, at_S: Places, w: Layers, ablation: Ablation) -> Floats:
    """Return the normalised states of the steps ``at_S`` after all layers.

    Every other step is read as a key and value alone in the last layer.
    """
    count = len(w.norms_N4D)
    return normalised(run_part(x_TD, at_S, 0, count, w, ablation), w)


def run_part(
    x_TD: Floats,
    at_S: Places,
    first: int,
    stop: int,
    w: Layers,
    ablation: Ablation,
) -> Floats:
    """Return the states of the steps ``at_S`` after the layers ``first`` to ``stop``.

    The steps of a layer, which depend on the layer before alone, are divided among threads.
    """
    every_T, seen, later = np.arange(len(x_TD)), _unseen(len(x_TD), w), _unseen(len(x_TD), w)
    divide(len(x_TD), partial(_see, x_TD, first, w, seen))
    for n in range(first, stop):
        is_last = n + 1 == stop
        wanted_S = at_S if is_last else every_T
        y_SD = np.empty((len(wanted_S), x_TD.shape[1]), dtype=F32)
        run_layer = partial(_layer, x_TD, seen, wanted_S, n, w, ablation, y_SD, later, is_last)
        divide(len(wanted_S), run_layer)
        x_TD, seen, later = y_SD, later, seen
    return x_TD


def divide(steps: int, work: Callable[[int, int], None]) -> None:
    """Do work on all steps, from one to another, in as many threads as get enough of them."""
    threads = max(1, min(cores.count(), steps // _STEPS_OF_A_THREAD))
    parts = cores.parts(steps, threads)
    cores.run_all([partial(work, part.start, part.stop) for part in parts])


def _unseen(steps: int, w: Layers) -> _Seen:
    width = w.norms_N4D.shape[2] // w.heads
    key_HPdT = np.empty((w.heads, padded(steps) // PANEL, width, PANEL), dtype=F32)
    value_HPTd = np.empty((w.heads, padded(width) // PANEL, steps, PANEL), dtype=F32)
    return _Seen(key_HPdT, value_HPTd)


@compiled
def normalised(x_SD: Floats, w: Layers) -> Floats:
    """Return the states after the last norm."""
    y_SD = np.empty_like(x_SD)
    normalise(x_SD, w.norm_2D[0], w.norm_2D[1], y_SD)
    return y_SD


@compiled
def _see(x_TD: Floats, n: int, w: Layers, seen: _Seen, start: int, stop: int) -> None:
    """Set the keys and values of the steps from ``start`` to ``stop`` in layer ``n``."""
    columns, width = x_TD.shape[1], seen.key_HPdT.shape[2]
    y_RD = np.empty((stop - start, columns), dtype=F32)
    normalise(x_TD[start:stop], w.norms_N4D[n, 0], w.norms_N4D[n, 1], y_RD)
    kv_RE = product(y_RD, w.project_in.panels_NPIn[n][columns // PANEL :])
    for r in range(stop - start):
        panel, column = (start + r) // PANEL, (start + r) % PANEL
        for h in range(w.heads):
            first = columns % PANEL + h * width  # the first panel begins with the last queries
            for i in range(width):
                seen.key_HPdT[h, panel, i, column] = kv_RE[r, first + i]
            for i in range(width):
                value = kv_RE[r, columns + first + i]
                seen.value_HPTd[h, i // PANEL, start + r, i % PANEL] = value


@compiled
def _layer(
    x_TD: Floats,
    seen: _Seen,
    at_S: Places,
    n: int,
    w: Layers,
    ablation: Ablation,
    y_SD: Floats,
    later: _Seen,
    is_last: bool,
    start: int,
    stop: int,
) -> None:
    """Set the states of some of the steps ``at_S`` after layer ``n``, from ``start`` to ``stop``.

    Unless it is the last, ``later`` gets their keys and values in the next layer.
    """
    width = x_TD.shape[1]
    query_PIn = w.project_in.panels_NPIn[n][: -(-width // PANEL)]
    z_RD = np.empty((_BLOCK, w.project_out.panels_NPIn.shape[1] * PANEL), dtype=F32)
    h_RF = np.empty((_BLOCK, w.widen.panels_NPIn.shape[1] * PANEL), dtype=F32)
    score_RT = np.empty((_BLOCK, seen.key_HPdT.shape[1] * PANEL), dtype=F32)
    for first in range(start, stop, _BLOCK):
        rows = min(_BLOCK, stop - first)
        x_RD, real_R = y_SD[first : first + rows], at_S[first : first + rows]
        _set_rows(x_RD, x_TD, real_R)
        normalise(x_RD, w.norms_N4D[n, 0], w.norms_N4D[n, 1], z_RD[:rows])
        q_RD = product(z_RD[:rows], query_PIn)
        for h in range(w.heads):
            distance_PdW = w.distance_NHPdn[n, min(h, w.distance_NHPdn.shape[1] - 1)]
            _attend(
                q_RD, seen, real_R, h, distance_PdW, w.distances // 2, ablation, score_RT[:rows]
            )
            if ablation.replaced_NH.shape[0] and ablation.replaced_NH[n, h]:
                _replace(q_RD, real_R, n, h, ablation)
        multiply(q_RD, 0, w.project_out, n, z_RD[:rows])
        add_rows(z_RD[:rows], x_RD)
        feed_forward(x_RD, n, w, z_RD[:rows], h_RF[:rows])
    if not is_last:
        _see(y_SD, n + 1, w, later, start, stop)


@compiled
def _replace(out_SD: Floats, at_S: Places, n: int, h: int, ablation: Ablation) -> None:
    """Replace the output of a head at the steps that have a row of values."""
    width = ablation.value_5NHd.shape[3]
    for s in range(at_S.shape[0]):
        row = ablation.row_T[at_S[s]]
        if row >= 0:
            out_SD[s, h * width : (h + 1) * width] = ablation.value_5NHd[row, n, h]


@compiled
def _set_rows(y_SD: Floats, x_TD: Floats, at_S: Places) -> None:
    for s in range(at_S.shape[0]):
        for i in range(x_TD.shape[1]):
            y_SD[s, i] = x_TD[at_S[s], i]


@compiled
def product(x_RI: Floats, panels_PIn: Floats) -> Floats:
    """Return the product of all rows with a matrix in panels."""
    y_RO = np.zeros((x_RI.shape[0], panels_PIn.shape[0] * PANEL), dtype=F32)
    add_product(x_RI, 0, 0, x_RI.shape[0], panels_PIn, y_RO, 0)
    return y_RO


@compiled
def _attend(
    q_RD: Floats,
    seen: _Seen,
    at_R: Places,
    head: int,
    distance_PdW: Floats,
    reach: int,
    ablation: Ablation,
    score_RT: Floats,
) -> None:
    """Replace the queries of one head by the sums of the values, weighted by attention."""
    key_PdT, value_PTd = seen.key_HPdT[head], seen.value_HPTd[head]
    rows, width, steps = at_R.shape[0], key_PdT.shape[1], value_PTd.shape[1]
    first, scratch_L = head * width, np.empty(_LANES, dtype=F32)
    score_RT[:] = F32(0.0)
    if reach:
        _set_distances(q_RD, first, distance_PdW, reach, at_R, score_RT, steps)
    add_product(q_RD, 0, first, rows, key_PdT, score_RT, 0)
    _remove(score_RT, at_R, ablation)
    share_R = np.empty(rows, dtype=F32)
    for r in range(rows):
        share_R[r] = F32(1.0) / _exponentials(score_RT[r, :steps], scratch_L)
    mixed_Rd = product(score_RT, value_PTd)
    for r in range(rows):
        for i in range(width):
            q_RD[r, first + i] = mixed_Rd[r, i] * share_R[r]


@compiled
def _remove(score_ST: Floats, at_S: Places, ablation: Ablation) -> None:
    for s in range(at_S.shape[0] if ablation.query >= 0 else 0):
        if at_S[s] == ablation.query:
            for t in range(ablation.removed_T.shape[0]):
                if ablation.removed_T[t]:
                    score_ST[s, t] = _FAR_BELOW


@compiled
def _set_distances(
    q_RD: Floats,
    first: int,
    distance_PdW: Floats,
    reach: int,
    at_R: Places,
    score_RT: Floats,
    steps: int,
) -> None:
    """Set the scores by distance; keys beyond the reach have that of the farthest.

    Relative attention of Huang et al. 2018, eq. 3, for distances on both sides.
    """
    nearest = max(reach - at_R.max(), 0) // PANEL
    farthest = min(reach - at_R.min() + steps - 1, 2 * reach) // PANEL
    by_distance_RW = np.zeros((at_R.shape[0], (farthest + 1 - nearest) * PANEL), dtype=F32)
    wanted_PdW = distance_PdW[nearest : farthest + 1]
    add_product(q_RD, 0, first, at_R.shape[0], wanted_PdW, by_distance_RW, 0)
    for r in range(at_R.shape[0]):
        origin = at_R[r] - reach
        near, far = max(origin, 0), min(origin + 2 * reach + 1, steps)
        shift = origin + nearest * PANEL
        if near:
            score_RT[r, :near] = by_distance_RW[r, near - shift]
        score_T, by_distance_W = (
            score_RT[r, near:far],
            by_distance_RW[r, near - shift : far - shift],
        )
        for t in range(far - near):
            score_T[t] = by_distance_W[t]
        if far < steps:
            score_RT[r, far:steps] = by_distance_RW[r, far - 1 - shift]


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


def embed(row_TS: Places, condition_TC: Places, position_TD: Floats, w: EncoderWeights) -> Floats:
    """Return the embedded steps of a piece: features, conditions and positions."""
    x_TD = np.zeros((len(row_TS), w.embed_RD.shape[1]), dtype=F32)
    divide(len(row_TS), partial(_embed, row_TS, condition_TC, position_TD, w, x_TD))
    return x_TD


@compiled
def _embed(
    row_TS: Places,
    condition_TC: Places,
    position_TD: Floats,
    w: EncoderWeights,
    x_TD: Floats,
    start: int,
    stop: int,
) -> None:
    """Add to the steps from ``start`` to ``stop`` what they consist of."""
    for t in range(start, stop):
        x_D = x_TD[t]
        for s in range(row_TS.shape[1]):
            _add_row(x_D, w.embed_RD, row_TS[t, s])
        for c in range(condition_TC.shape[1]):
            _add_row(x_D, w.condition_KD, w.first_C[c] + condition_TC[t, c])
        if position_TD.shape[0]:
            _add_row(x_D, position_TD, t)


@compiled
def _add_row(x_D: Floats, table_RD: Floats, row: int) -> None:
    for i in range(x_D.shape[0]):
        x_D[i] += table_RD[row, i]
