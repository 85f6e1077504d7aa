"""Attention over rows of several sequences, with a key-value cache.

Keys that several rows have in common are read once for all of them. Each row's sums are the same to
the bit however many there are.

Dimensions: R rows, D width, N layers, B sequences, H heads, d head width, L capacity, S keys, P
panels of n columns each (``tiles``), W distances. Columns of results are padded to whole panels.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from musicrel.model.compiled.arithmetic import F32, Floats, compiled, exp
from musicrel.model.compiled.tiles import PANEL, add_product
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
    """Keys and values of all sequences, each head's in the order in which attention reads them.

    Attributes:
        keys_NBHPdn: the keys, a column for each position.
        values_NBHPLn: the values, a row for each position.
    """

    keys_NBHPdn: Floats
    values_NBHPLn: Floats


def between(cache: Cache, first: int, stop: int) -> tuple[Floats, Floats]:
    """Return views of the keys, in whole panels, and values of some positions."""
    panels = slice(first // PANEL, -(-stop // PANEL))
    return cache.keys_NBHPdn[:, :, :, panels], cache.values_NBHPLn[..., first:stop, :]


class Rows(NamedTuple):
    """The rows that are read.

    Attributes:
        sequence_R: the sequence of each row.
        place_R: the position of each row in its sequence.
        weights_RNHL: gets the attention weights if ``record``; else scratch space for one head.
        record: whether attention weights are wanted.
        shared: number of first keys, in whole panels, that are the same for all rows: they are read
            from the sequence of the first row.
    """

    sequence_R: Places
    place_R: Places
    weights_RNHL: Floats
    record: bool
    shared: int


@compiled
def attend_all(qkv_RO: Floats, n: int, rows: Rows, w: Weights, cache: Cache) -> None:
    """Store the keys and values of layer ``n``, then replace the queries by attended values."""
    d = w.norms_N4D.shape[2] // w.heads
    _store(qkv_RO, rows, d, cache.keys_NBHPdn[n], cache.values_NBHPLn[n])
    kept_n = n if rows.record else 0
    mixed_Rd = np.empty((qkv_RO.shape[0], cache.values_NBHPLn.shape[3] * PANEL), dtype=F32)
    for h in range(w.heads):
        kept_h = h if rows.record else 0
        weights_RS = rows.weights_RNHL[:, kept_n, kept_h]
        _score(qkv_RO, h, rows, cache.keys_NBHPdn[n, :, h], weights_RS)
        if w.distances:
            table_Pdn = w.distance_NHPdn[n, min(h, w.distance_NHPdn.shape[1] - 1)]
            _add_by_distance(qkv_RO, h * d, rows, table_Pdn, w.distances, weights_RS)
        for r in range(qkv_RO.shape[0]):
            softmax(weights_RS[r, : rows.place_R[r] + 1])
        _mix(weights_RS, rows, cache.values_NBHPLn[n, :, h], mixed_Rd)
        for r in range(qkv_RO.shape[0]):
            qkv_RO[r, h * d : (h + 1) * d] = mixed_Rd[r, :d]


@compiled
def _store(qkv_RO: Floats, rows: Rows, d: int, key_BHPdn: Floats, value_BHPLn: Floats) -> None:
    """Store the keys and values of all rows."""
    width = key_BHPdn.shape[1] * d
    for r in range(qkv_RO.shape[0]):
        b, s = rows.sequence_R[r], rows.place_R[r]
        for i in range(width):
            h, j = i // d, i % d
            key_BHPdn[b, h, s // PANEL, j, s % PANEL] = qkv_RO[r, width + i]
            value_BHPLn[b, h, j // PANEL, s, j % PANEL] = qkv_RO[r, 2 * width + i]


@compiled
def _score(qkv_RO: Floats, h: int, rows: Rows, key_BPdn: Floats, logits_RS: Floats) -> None:
    """Set the logits of a head to the products of the queries with the keys."""
    count, column, first = qkv_RO.shape[0], h * key_BPdn.shape[2], rows.shared // PANEL
    for r in range(count):
        logits_RS[r, : (rows.place_R[r] // PANEL + 1) * PANEL] = F32(0.0)
    if first:
        shared_Pdn = key_BPdn[rows.sequence_R[0]][:first]
        add_product(qkv_RO, 0, column, count, shared_Pdn, logits_RS, 0)
    own_RS = logits_RS[:, rows.shared :]
    for r in range(count):
        own_Pdn = key_BPdn[rows.sequence_R[r]][first : rows.place_R[r] // PANEL + 1]
        add_product(qkv_RO, r, column, 1, own_Pdn, own_RS, r)


@compiled
def _add_by_distance(  # numba passes by place
    qkv_RO: Floats,
    column: int,
    rows: Rows,
    distance_Pdn: Floats,
    distances: int,
    logits_RS: Floats,
) -> None:
    """Add the logits by distance of a head; those farther than any key are not computed."""
    count = qkv_RO.shape[0]
    first = max(0, distances - rows.place_R.max() - 1) // PANEL
    by_distance_RW = np.zeros((count, (distance_Pdn.shape[0] - first) * PANEL), dtype=F32)
    add_product(qkv_RO, 0, column, count, distance_Pdn[first:], by_distance_RW, 0)
    stop = distances - first * PANEL
    for r in range(count):
        _add_distances(by_distance_RW[r], stop, logits_RS[r, : rows.place_R[r] + 1])


@compiled
def _add_distances(by_distance_W: Floats, stop: int, logit_S: Floats) -> None:
    """Add the logits of the distances before ``stop``; farther keys have that of the largest.

    Huang et al. 2018, eq. 3.
    """
    keys = logit_S.shape[0]
    near = min(keys, stop)
    start = stop - near
    for s in range(keys - near):
        logit_S[s] += by_distance_W[start]
    for s in range(near):
        logit_S[keys - near + s] += by_distance_W[start + s]


@compiled
def _mix(weights_RS: Floats, rows: Rows, value_BPLn: Floats, mixed_Rd: Floats) -> None:
    """Set ``mixed_Rd`` to the values of a head in the mixture of its weights."""
    mixed_Rd[:] = F32(0.0)
    if rows.shared:
        shared_PSn = value_BPLn[rows.sequence_R[0]][:, : rows.shared]
        add_product(weights_RS, 0, 0, len(mixed_Rd), shared_PSn, mixed_Rd, 0)
    for r in range(mixed_Rd.shape[0]):
        own_PSn = value_BPLn[rows.sequence_R[r]][:, rows.shared : rows.place_R[r] + 1]
        add_product(weights_RS, r, rows.shared, 1, own_PSn, mixed_Rd, r)
