"""Every positional scheme as an explicit formula, entry by entry in float64: slow and plain.

The tests of the schemes run over ``SCHEMES``; a scheme without an entry in ``NAIVE`` fails them.
Only the learned tables are taken from the tested modules.

Dimensions: T queries, S keys, D width, d head width. Queries are the last T of the S positions.
"""
# ruff: noqa: N803, N806, N815  # shape suffixes: q_Td

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[np.float64]
Seen: TypeAlias = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Pair:
    head: int
    i: int
    j: int


Logit: TypeAlias = Callable[[Any, Array, Array, Pair], float]
"""(module, q_d, k_d, pair) -> e_ij."""
Value: TypeAlias = Callable[[Any, Array, Pair], Array]
"""(module, v_d, pair) -> what key j hands to query i."""
Embedding: TypeAlias = Callable[[Any, Array, int], Array]
"""(module, x_TD, start) -> the embeddings with the positions start, start + 1, ..."""


def _plain_logit(_module: Any, q_d: Array, k_d: Array, _pair: Pair) -> float:
    return float(q_d @ k_d) / math.sqrt(len(q_d))


def _plain_value(_module: Any, v_d: Array, _pair: Pair) -> Array:
    return v_d


def _plain_embedding(_module: Any, x_TD: Array, _start: int) -> Array:
    return x_TD


@dataclass(frozen=True, slots=True, kw_only=True)
class Naive:
    """A scheme as its source defines it."""

    moves: bool  # whether the logits of a model depend on the start position of a piece
    # options to test; distances up to 32 occur
    options: tuple[Mapping[str, Any], ...] = field(default=({},))
    logit: Logit = _plain_logit
    value: Value = _plain_value
    embedding: Embedding = _plain_embedding


def _sinusoidal(_module: Any, x_TD: Array, start: int) -> Array:
    """PE[p, 2c] = sin(p / 10000^(2c/D)), PE[p, 2c+1] = cos(the same)."""
    tokens, width = x_TD.shape
    table_TD = np.empty_like(x_TD)
    for token in range(tokens):
        for column in range(width):
            angle = (start + token) / 10000.0 ** (2 * (column // 2) / width)
            table_TD[token, column] = math.cos(angle) if column % 2 else math.sin(angle)
    return x_TD + table_TD


def _relative(module: Any, q_d: Array, k_d: Array, pair: Pair) -> float:
    tables_HRd = module.table_HRd.detach().numpy()
    table_Rd = tables_HRd[pair.head % len(tables_HRd)]
    farthest = module.max_distance
    row_d = table_Rd[farthest + max(-farthest, min(farthest, pair.j - pair.i))]
    return float(q_d @ k_d + q_d @ row_d) / math.sqrt(len(q_d))


def _sinusoidal_concat(module: Any, x_TD: Array, start: int) -> Array:
    table_TD = _sinusoidal(module, np.zeros_like(x_TD), start)
    weight, bias = (part.detach().numpy() for part in module.project.parameters())
    joined: Array = np.concatenate([x_TD, table_TD], axis=1) @ weight.T + bias
    return joined


def _learned(module: Any, x_TD: Array, start: int) -> Array:
    table_PD = module.table_PD.detach().numpy()
    return np.array([x_D + table_PD[start + token] for token, x_D in enumerate(x_TD)])


def _shaw_row(module: Any, table: Any, pair: Pair) -> Array:
    """a_r, r = clip(j - i, -R, R), of 2R + 1 rows (R + 1 where nothing follows)."""
    farthest = module.max_distance
    row_d: Array = table.detach().numpy()[farthest + max(-farthest, min(farthest, pair.j - pair.i))]
    return row_d


def _shaw(module: Any, q_d: Array, k_d: Array, pair: Pair) -> float:
    return float(q_d @ (k_d + _shaw_row(module, module.keys_Rd, pair))) / math.sqrt(len(q_d))


def _shaw_value(module: Any, v_d: Array, pair: Pair) -> Array:
    if module.values_Rd is None:
        return v_d
    return v_d + _shaw_row(module, module.values_Rd, pair)


def _bias(module: Any, q_d: Array, k_d: Array, pair: Pair) -> float:
    numbers_R = module.table_HR.detach().numpy()[pair.head]
    farthest = module.max_distance
    distances = list(range(-farthest if len(numbers_R) > farthest + 1 else 0, farthest + 1))
    distance = max(-farthest, min(farthest, pair.i - pair.j))
    return float(q_d @ k_d) / math.sqrt(len(q_d)) + float(numbers_R[distances.index(distance)])


def _transformer_xl(module: Any, q_d: Array, k_d: Array, pair: Pair) -> float:
    weight_Dd = module.project_HDd.detach().numpy()[pair.head]
    u_d, v_d = (part.detach().numpy()[pair.head] for part in (module.content_Hd, module.place_Hd))
    width, distance = len(weight_Dd), pair.i - pair.j
    angles = [distance / 10000.0 ** (2 * (column // 2) / width) for column in range(width)]
    r_D = np.array(
        [math.cos(angle) if column % 2 else math.sin(angle) for column, angle in enumerate(angles)]
    )
    return float((q_d + u_d) @ k_d + (q_d + v_d) @ (r_D @ weight_Dd)) / math.sqrt(len(q_d))


def rotated(x_d: Array, place: int, thetas: Sequence[float]) -> Array:
    rotated_xy = (x_d[0::2] + 1j * x_d[1::2]) * np.exp(1j * place * np.array(thetas))
    return np.stack([rotated_xy.real, rotated_xy.imag], axis=1).reshape(-1)


def _rope(_module: Any, q_d: Array, k_d: Array, pair: Pair) -> float:
    width = len(q_d)
    thetas = [10000.0 ** (-2 * c / width) for c in range(width // 2)]
    rotated_xy = rotated(q_d, pair.i, thetas) @ rotated(k_d, pair.j, thetas)
    return float(rotated_xy) / math.sqrt(width)


def _alibi(module: Any, q_d: Array, k_d: Array, pair: Pair) -> float:
    slope = 2.0 ** (-8.0 * (pair.head + 1) / len(module.slopes_H))
    taken_off: float = slope * abs(pair.i - pair.j)
    return float(q_d @ k_d) / math.sqrt(len(q_d)) - taken_off


NAIVE: Mapping[str, Naive] = {
    "none": Naive(moves=False),
    "sinusoidal": Naive(moves=True, embedding=_sinusoidal),
    "sinusoidal_concat": Naive(moves=True, embedding=_sinusoidal_concat),
    "learned": Naive(moves=True, embedding=_learned),
    "learned_sinusoidal": Naive(moves=True, embedding=_learned),
    "shaw": Naive(
        moves=False,
        options=({"max_distance": 5}, {"max_distance": 40, "values": False}),
        logit=_shaw,
        value=_shaw_value,
    ),
    "relative": Naive(
        moves=False,
        options=({"max_distance": 5}, {"max_distance": 5, "shared": True}, {"max_distance": 40}),
        logit=_relative,
    ),
    "bias": Naive(moves=False, options=({"max_distance": 5}, {"max_distance": 40}), logit=_bias),
    "transformer_xl": Naive(moves=False, logit=_transformer_xl),
    "rope": Naive(moves=False, logit=_rope),
    "alibi": Naive(moves=False, logit=_alibi),
}


@dataclass(frozen=True, slots=True)
class Head:
    """Result of one head of one sequence: logits (0 where masked), weights, outputs."""

    scores_TS: Array
    weights_TS: Array
    out_Td: Array


def attend(
    naive: Naive, module: Any, qkv: tuple[Array, Array, Array], *, head: int, seen_TS: Seen
) -> Head:
    """Compute one head pair by pair; a query without a visible key gets zeros.

    ``qkv`` are queries (T, d), keys and values (S, d); ``module`` gives the tables.
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


def visible_keys(queries: int, mask_S: Seen, *, causal: bool) -> Seen:
    first = len(mask_S) - queries
    return np.array(
        [
            [is_real and (not causal or j <= first + t) for j, is_real in enumerate(mask_S)]
            for t in range(queries)
        ],
        dtype=np.bool_,
    )
