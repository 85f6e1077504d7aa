"""Every positional scheme once more, written out entry by entry in float64, as slow as it is plain.

The tests of the schemes run over ``SCHEMES``; a scheme that has no entry in ``NAIVE`` fails them.

Dimensions: T queries, S keys, D width, d head width. Queries are the last T of the S positions.

This file knows formulas; of the product's code it takes only the learned tables.
"""
# ruff: noqa: N803, N806, N815  # shape suffixes: q_Td

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[np.float64]
Seen: TypeAlias = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Pair:
    """The query at position i and the key at position j, in one head."""

    head: int
    i: int
    j: int


Logit: TypeAlias = Callable[[Any, Array, Array, Pair], float]
"""(module, q_d, k_d, pair) -> e_ij."""
Value: TypeAlias = Callable[[Any, Array, Pair], Array]
"""(module, v_d, pair) -> what key j hands to query i."""
Embedding: TypeAlias = Callable[[Any, Array, int], Array]
"""(module, x_TD, start) -> the embeddings with the positions start, start + 1, ..."""


def _plain_logit(module: Any, q_d: Array, k_d: Array, pair: Pair) -> float:
    del module, pair
    return float(q_d @ k_d) / math.sqrt(len(q_d))


def _plain_value(module: Any, v_d: Array, pair: Pair) -> Array:
    del module, pair
    return v_d


def _plain_embedding(module: Any, x_TD: Array, start: int) -> Array:
    del module, start
    return x_TD


@dataclass(frozen=True, slots=True, kw_only=True)
class Naive:
    """A scheme as its source defines it.

    Attributes:
        moves: whether the bare scheme tells a piece from the same piece begun later.
        options: the options it is tried with; distances up to 32 occur.
        logit: e_ij.
        value: what is gathered.
        embedding: what is done to the embeddings.
    """

    moves: bool
    options: tuple[Mapping[str, Any], ...] = field(default=({},))
    logit: Logit = _plain_logit
    value: Value = _plain_value
    embedding: Embedding = _plain_embedding


def _sinusoidal(module: Any, x_TD: Array, start: int) -> Array:
    """PE[p, 2c] = sin(p / 10000^(2c/D)), PE[p, 2c+1] = cos(the same)."""
    del module
    tokens, width = x_TD.shape
    table_TD = np.empty_like(x_TD)
    for token in range(tokens):
        for column in range(width):
            angle = (start + token) / 10000.0 ** (2 * (column // 2) / width)
            table_TD[token, column] = math.cos(angle) if column % 2 else math.sin(angle)
    return x_TD + table_TD


def _relative(module: Any, q_d: Array, k_d: Array, pair: Pair) -> float:
    """(q_i . k_j + q_i . E_(j-i)) / sqrt d, distances beyond the table clipped."""
    tables_HRd = module.table_HRd.detach().numpy()
    table_Rd = tables_HRd[pair.head % len(tables_HRd)]
    farthest = module.max_distance
    row_d = table_Rd[farthest + max(-farthest, min(farthest, pair.j - pair.i))]
    return float(q_d @ k_d + q_d @ row_d) / math.sqrt(len(q_d))


NAIVE: Mapping[str, Naive] = {
    "sinusoidal": Naive(moves=True, embedding=_sinusoidal),
    "relative": Naive(
        moves=False,
        options=({"max_distance": 5}, {"max_distance": 5, "shared": True}, {"max_distance": 40}),
        logit=_relative,
    ),
}


@dataclass(frozen=True, slots=True)
class Head:
    """What one head of one sequence gives: logits (0 where unseen), weights, gathered values."""

    scores_TS: Array
    weights_TS: Array
    out_Td: Array


def attend(
    naive: Naive, module: Any, qkv: tuple[Array, Array, Array], *, head: int, seen_TS: Seen
) -> Head:
    """Attention of one head, pair by pair; a query that sees no key gets zeros.

    Args:
        naive: the scheme.
        module: the product's scheme, for its tables.
        qkv: queries (T, d), keys and values (S, d).
        head: which head it is.
        seen_TS: which key each query sees.
    """
    q_Td, k_Sd, v_Sd = qkv
    scores_TS, weights_TS = np.zeros(seen_TS.shape), np.zeros(seen_TS.shape)
    out_Td = np.zeros_like(q_Td)
    for t, q_d in enumerate(q_Td):
        keys = np.flatnonzero(seen_TS[t])
        pairs = [Pair(head, len(k_Sd) - len(q_Td) + t, int(j)) for j in keys]
        for pair in pairs:
            scores_TS[t, pair.j] = naive.logit(module, q_d, k_Sd[pair.j], pair)
        raised = np.exp(scores_TS[t, keys] - scores_TS[t, keys].max(initial=-np.inf))
        weights_TS[t, keys] = raised / raised.sum()
        for pair in pairs:
            out_Td[t] += weights_TS[t, pair.j] * naive.value(module, v_Sd[pair.j], pair)
    return Head(scores_TS, weights_TS, out_Td)


def seen(queries: int, mask_S: Seen, *, causal: bool) -> Seen:
    """Which key each query may see, (T, S)."""
    first = len(mask_S) - queries
    return np.array(
        [
            [is_real and (not causal or j <= first + t) for j, is_real in enumerate(mask_S)]
            for t in range(queries)
        ],
        dtype=np.bool_,
    )
