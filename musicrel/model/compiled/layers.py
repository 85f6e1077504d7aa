"""The layers of a causal model over rows of several sequences, with a key-value cache.

A row is one token of one sequence. Keys and values of all rows are stored before any row attends,
so that the rows may be one token of many sequences or many tokens of one.

Dimensions: R rows, D width, N layers, B sequences, H heads, d head width, L capacity, S keys.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from musicrel.model.compiled.arithmetic import (
    F32,
    UNROLLED,
    Floats,
    add_rows,
    compiled,
    exp,
    gelu,
    layer_norm,
    matmul,
    relu,
)
from musicrel.model.compiled.weights import Weights

Places = npt.NDArray[np.int64]


@compiled
def softmax(p_S: Floats) -> None:
    """Replace logits by their softmax."""
    largest, total = p_S[0], F32(0.0)
    for s in range(p_S.shape[0]):
        largest = max(largest, p_S[s])
    for s in range(p_S.shape[0]):
        p_S[s] = exp(p_S[s] - largest)
        total += p_S[s]
    for s in range(p_S.shape[0]):
        p_S[s] /= total


class Cache(NamedTuple):
    """Keys and values of all sequences; rows are as long as an odd number of cache lines.

    Attributes:
        keys_NBHdL: the keys.
        values_NBHdL: the values.
    """

    keys_NBHdL: Floats
    values_NBHdL: Floats


class Rows(NamedTuple):
    """The rows that are read.

    Attributes:
        sequence_R: the sequence of each row.
        place_R: the position of each row in its sequence.
        weights_RNHL: gets the attention weights if ``record``; else one row of scratch space.
        record: whether attention weights are wanted.
    """

    sequence_R: Places
    place_R: Places
    weights_RNHL: Floats
    record: bool


@compiled
def attend(q_d: Floats, key_dL: Floats, value_dL: Floats, distance_dR: Floats, p_S: Floats) -> None:
    """Attend to the first S keys: ``p_S`` becomes the weights, ``q_d`` the sum of the values.

    Relative attention of Huang et al. 2018, eq. 3, if ``distance_dR`` has columns.
    """
    keys, width, distances = p_S.shape[0], q_d.shape[0], distance_dR.shape[1]
    p_S[:] = F32(0.0)
    for first in range(0, width, UNROLLED):
        add_rows(p_S, q_d, key_dL, first)
    if distances:
        _add_distances(p_S, q_d, distance_dR[:, distances - min(distances, keys) :])
    softmax(p_S)
    for i in range(width):
        value_L, total = value_dL[i], F32(0.0)
        for s in range(keys):
            total += p_S[s] * value_L[s]
        q_d[i] = total


@compiled
def _add_distances(p_S: Floats, q_d: Floats, near_dN: Floats) -> None:
    """Add the logits by distance; keys before the last N have that of the first of these."""
    far = p_S.shape[0] - near_dN.shape[1]
    for first in range(0, q_d.shape[0], UNROLLED):
        add_rows(p_S[far:], q_d, near_dN, first)
    farthest = F32(0.0)
    for i in range(q_d.shape[0]):
        farthest += q_d[i] * near_dN[i, 0]
    for s in range(far):
        p_S[s] += farthest


@compiled
def run(x_RD: Floats, rows: Rows, w: Weights, cache: Cache) -> None:
    """Run all layers on the embedded tokens ``x_RD`` in place; the cache gets their keys."""
    count, width = x_RD.shape
    y_RD = np.empty_like(x_RD)
    qkv_RO = np.empty((count, 3 * width), dtype=F32)
    h_RF = np.empty((count, w.widen_bias_NF.shape[1]), dtype=F32)
    zero_O = np.zeros(3 * width, dtype=F32)
    for n in range(w.norms_N4D.shape[0]):
        for r in range(count):
            layer_norm(x_RD[r], w.norms_N4D[n, 0], w.norms_N4D[n, 1], y_RD[r])
        matmul(y_RD, w.project_in_NDO[n], zero_O, qkv_RO)
        _attend_all(qkv_RO, n, rows, w, cache)
        matmul(qkv_RO[:, :width], w.project_out_NDD[n], zero_O[:width], y_RD)
        x_RD += y_RD
        for r in range(count):
            layer_norm(x_RD[r], w.norms_N4D[n, 2], w.norms_N4D[n, 3], y_RD[r])
        matmul(y_RD, w.widen_NDF[n], w.widen_bias_NF[n], h_RF)
        _activate(h_RF, w.is_gelu)
        matmul(h_RF, w.narrow_NFD[n], w.narrow_bias_ND[n], y_RD)
        x_RD += y_RD


@compiled
def _attend_all(qkv_RO: Floats, n: int, rows: Rows, w: Weights, cache: Cache) -> None:
    """Store the keys and values of layer ``n``, then replace the queries by attended values."""
    width = qkv_RO.shape[1] // 3
    d = width // w.heads
    for r in range(qkv_RO.shape[0]):
        b, place = rows.sequence_R[r], rows.place_R[r]
        for i in range(width):
            cache.keys_NBHdL[n, b, i // d, i % d, place] = qkv_RO[r, width + i]
            cache.values_NBHdL[n, b, i // d, i % d, place] = qkv_RO[r, 2 * width + i]
    for r in range(qkv_RO.shape[0]):
        b, kept = rows.sequence_R[r], r if rows.record else 0
        for h in range(w.heads):
            attend(
                qkv_RO[r, h * d : (h + 1) * d],
                cache.keys_NBHdL[n, b, h],
                cache.values_NBHdL[n, b, h],
                w.distance_NHdR[n, min(h, w.distance_NHdR.shape[1] - 1)],
                rows.weights_RNHL[kept, n if rows.record else 0, h, : rows.place_R[r] + 1],
            )


@compiled
def _activate(h_RF: Floats, is_gelu: bool) -> None:  # numba passes by place
    for r in range(h_RF.shape[0]):
        if is_gelu:
            gelu(h_RF[r])
        else:
            relu(h_RF[r])
