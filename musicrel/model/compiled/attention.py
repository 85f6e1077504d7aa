"""Attention over rows of several sequences, with a key-value cache.

Keys that several rows have in common are read once for all of them. Each row's sums are the same to
the bit however many there are.

Dimensions: R rows, D width, N layers, B sequences, H heads, d head width, L capacity, S keys, P
panels of n columns each (``tiles``), W distances, 4 voices. Columns of results are padded to whole
panels.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from musicrel.model.compiled.arithmetic import F32, Floats, compiled, exp
from musicrel.model.compiled.layers import Layers
from musicrel.model.compiled.tiles import PANEL, add_product
from musicrel.model.features.interval_tables import VOICES
from musicrel.model.replaced_heads import Ablations

Places = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_FAR_BELOW: Final = F32(-1e30)


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
    """Keys and values of all sequences, each head's in the order in which attention reads them."""

    keys_NBHPdn: Floats
    values_NBHPLn: Floats


def between(cache: Cache, first: int, stop: int) -> tuple[Floats, Floats]:
    """Return views of the keys, in whole panels, and values of some positions."""
    panels = slice(first // PANEL, -(-stop // PANEL))
    return cache.keys_NBHPdn[:, :, :, panels], cache.values_NBHPLn[..., first:stop, :]


class Ablation(NamedTuple):
    """Heads that are replaced and keys that are removed in each row."""

    # whether the output of a head is replaced; one row stands for all, no row for no head
    replaced_RNH: Flags
    value_4NHd: Floats  # what replaces it, by the voice of the token that is predicted
    removed_RL: Flags  # whether a key is not attended to; one row stands for all, no row for no key


def ablation_of(ablations: Ablations | None = None) -> Ablation:
    """Return ablations as the loops read them; None: nothing is replaced or removed."""
    given = ablations or Ablations()
    replaced_RNH, value_5NHd, removed_RL = given.replaced_RLH, given.values_5LHd, given.removed_RS
    if replaced_RNH is None or value_5NHd is None:
        replaced_RNH, value_5NHd = np.zeros((0, 0, 0), np.bool_), np.zeros((0, 0, 0, 0), F32)
    if removed_RL is None:
        removed_RL = np.zeros((0, 0), np.bool_)
    return Ablation(
        np.ascontiguousarray(replaced_RNH),
        np.array(value_5NHd[:VOICES], dtype=F32),
        np.ascontiguousarray(removed_RL),
    )


class Rows(NamedTuple):
    """The rows that are read."""

    sequence_R: Places
    place_R: Places
    weights_RNHL: Floats  # gets the attention weights; no rows where they are not wanted
    # owner, shared: sequence and number of first keys, in whole panels, that are the same for all
    owner: int
    shared: int
    ablation: Ablation


@compiled
def attend_all(qkv_RO: Floats, n: int, rows: Rows, w: Layers, cache: Cache) -> None:
    """Store the keys and values of layer ``n``, then replace the queries by attended values."""
    d = w.norms_N4D.shape[2] // w.heads
    _store(qkv_RO, rows, d, cache.keys_NBHPdn[n], cache.values_NBHPLn[n])
    count, panels = qkv_RO.shape[0], cache.keys_NBHPdn.shape[3]
    weights_RS = np.empty((count, panels * PANEL), dtype=F32)
    mixed_Rd = np.empty((count, cache.values_NBHPLn.shape[3] * PANEL), dtype=F32)
    for h in range(w.heads):
        _score(qkv_RO, h, rows, cache.keys_NBHPdn[n, :, h], weights_RS)
        if w.distances:
            table_Pdn = w.distance_NHPdn[n, min(h, w.distance_NHPdn.shape[1] - 1)]
            _add_by_distance(qkv_RO, h * d, rows, table_Pdn, w.distances, weights_RS)
        _set_removed(weights_RS, rows, _FAR_BELOW)
        for r in range(count):
            softmax(weights_RS[r, : rows.place_R[r] + 1])
        _set_removed(weights_RS, rows, F32(0.0))
        _mix(weights_RS, rows, cache.values_NBHPLn[n, :, h], mixed_Rd)
        for r in range(count):
            qkv_RO[r, h * d : (h + 1) * d] = mixed_Rd[r, :d]
            if rows.weights_RNHL.shape[0]:
                seen = rows.place_R[r] + 1
                rows.weights_RNHL[r, n, h, :seen] = weights_RS[r, :seen]
    _replace(qkv_RO, n, rows, w.heads, d)


@compiled
def _set_removed(p_RS: Floats, rows: Rows, number: Any) -> None:
    last = rows.ablation.removed_RL.shape[0] - 1
    for r in range(p_RS.shape[0] if last >= 0 else 0):
        removed_L = rows.ablation.removed_RL[min(r, last)]
        for s in range(rows.place_R[r] + 1):
            if removed_L[s]:
                p_RS[r, s] = number


@compiled
def _replace(qkv_RO: Floats, n: int, rows: Rows, heads: int, d: int) -> None:
    last = rows.ablation.replaced_RNH.shape[0] - 1
    for r in range(qkv_RO.shape[0] if last >= 0 else 0):
        for h in range(heads):
            if rows.ablation.replaced_RNH[min(r, last), n, h]:
                value_d = rows.ablation.value_4NHd[rows.place_R[r] % VOICES, n, h]
                qkv_RO[r, h * d : (h + 1) * d] = value_d


@compiled
def _store(qkv_RO: Floats, rows: Rows, d: int, key_BHPdn: Floats, value_BHPLn: Floats) -> None:
    heads = key_BHPdn.shape[1]
    for r in range(qkv_RO.shape[0]):
        b, s = rows.sequence_R[r], rows.place_R[r]
        panel, column = s // PANEL, s % PANEL
        for h in range(heads):
            key, value = (heads + h) * d, (2 * heads + h) * d
            for j in range(d):
                key_BHPdn[b, h, panel, j, column] = qkv_RO[r, key + j]
                value_BHPLn[b, h, j // PANEL, s, j % PANEL] = qkv_RO[r, value + j]


@compiled
def _score(qkv_RO: Floats, h: int, rows: Rows, key_BPdn: Floats, logits_RS: Floats) -> None:
    """Set the logits of a head to the products of the queries with the keys."""
    count, column, first = qkv_RO.shape[0], h * key_BPdn.shape[2], rows.shared // PANEL
    for r in range(count):
        logits_RS[r, : (rows.place_R[r] // PANEL + 1) * PANEL] = F32(0.0)
    if first:
        shared_Pdn = key_BPdn[rows.owner][:first]
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
        shared_PSn = value_BPLn[rows.owner][:, : rows.shared]
        add_product(weights_RS, 0, 0, len(mixed_Rd), shared_PSn, mixed_Rd, 0)
    for r in range(mixed_Rd.shape[0]):
        own_PSn = value_BPLn[rows.sequence_R[r]][:, rows.shared : rows.place_R[r] + 1]
        add_product(weights_RS, r, rows.shared, 1, own_PSn, mixed_Rd, r)
