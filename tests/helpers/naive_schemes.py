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
    # states of query and key, and of all keys
    x_i: Array
    x_j: Array
    x_SD: Array
    coordinates: Array | None = None  # of all tokens, (S, 2, X), as ``Tokens`` has them


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
    knows_window: bool = False  # whether the formula contains the trained length
    # options to test; distances up to 32 occur
    options: tuple[Mapping[str, Any], ...] = field(default=({},))
    logit: Logit = _plain_logit
    value: Value = _plain_value
    embedding: Embedding = _plain_embedding
    # (config, ids_T, rows_TC) -> ``Pair.coordinates``
    coordinates: Callable[[Any, Array, Array], Array] | None = None


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


def _rope_decay(module: Any, q_d: Array, k_d: Array, pair: Pair) -> float:
    return _rope(module, q_d, k_d, pair) - _decay(module, pair)


def _pope_decay(module: Any, q_d: Array, k_d: Array, pair: Pair) -> float:
    return _pope(module.rotation, q_d, k_d, pair) - _decay(module, pair)


def _decay(module: Any, pair: Pair) -> float:
    slope = math.log1p(math.exp(float(module.decay_H.detach()[pair.head])))
    return slope * abs(pair.i - pair.j)


def _slow(width: int, window: int) -> list[bool]:
    """Return which pairs need more than the window for a turn."""
    return [2 * math.pi * 10000.0 ** (2 * c / width) > window for c in range(width // 2)]


def _hope(module: Any, q_d: Array, k_d: Array, pair: Pair) -> float:
    width = len(q_d)
    slow = _slow(width, module.trained_length)
    thetas = [0.0 if slow[c] else 10000.0 ** (-2 * c / width) for c in range(width // 2)]
    return float(rotated(q_d, pair.i, thetas) @ rotated(k_d, pair.j, thetas)) / math.sqrt(width)


def darope_coordinate(module: Any, head: int, x_D: Array, place: int) -> float:
    """Return c_h(x_m) = L sigmoid(w_h . x_m + alpha_h logit((m + 1/2) / L))."""
    window = module.trained_length
    part = min(max((place + 0.5) / window, 1e-6), 1 - 1e-6)
    weight_D, alpha = (one.detach().numpy()[head] for one in (module.content_HD, module.prior_H))
    raised = float(weight_D @ x_D) + float(alpha) * math.log(part / (1 - part))
    return float(window / (1 + math.exp(-raised)))


def _darope(module: Any, q_d: Array, k_d: Array, pair: Pair) -> float:
    width, score = len(q_d), 0.0
    content = darope_coordinate(module, pair.head, pair.x_j, pair.j) - darope_coordinate(
        module, pair.head, pair.x_i, pair.i
    )
    for c, slow in enumerate(_slow(width, module.trained_length)):
        angle = (content if slow else pair.j - pair.i) * 10000.0 ** (-2 * c / width)
        q, k = (complex(*x_d[2 * c : 2 * c + 2]) for x_d in (q_d, k_d))
        score += (q.conjugate() * k * complex(math.cos(angle), math.sin(angle))).real
    return score / math.sqrt(width)


def _pope(module: Any, q_d: Array, k_d: Array, pair: Pair) -> float:
    """Return sum_c s(q_c) s(k_c) cos((j - i) theta_c + delta_c), delta clipped to [-2 pi, 0]."""
    width, score = len(q_d), 0.0
    for c, delta in enumerate(module.phase_Hd.detach().numpy()[pair.head].tolist()):
        q, k = (math.log1p(math.exp(float(x_d[c]))) for x_d in (q_d, k_d))
        angle = (pair.j - pair.i) * 10000.0 ** (-c / width)
        score += q * k * math.cos(angle + min(max(delta, -2 * math.pi), 0.0))
    return score / math.sqrt(width)


def _kerple(module: Any, q_d: Array, k_d: Array, pair: Pair) -> float:
    power, rate = (abs(float(one.detach()[pair.head])) for one in module.parameters())
    taken_off = power * math.log(1 + rate * abs(pair.i - pair.j))
    return _plain_logit(module, q_d, k_d, pair) - taken_off


def _fire(module: Any, q_d: Array, k_d: Array, pair: Pair) -> float:
    """Return q . k / sqrt d + f(s(|i - j|) / s(max(i, L))), s(x) = log(c x + 1)."""
    c, factor, slope_M, offset_M, out_HM = (one.detach().numpy() for one in module.parameters())
    farthest = max(pair.i, abs(float(factor[0])) * module.threshold)
    near, far = (math.log(abs(float(c[0])) * x + 1) for x in (abs(pair.i - pair.j), farthest))
    units_M = np.maximum(slope_M * near / (far + 1e-6) + offset_M, 0.0)
    return _plain_logit(module, q_d, k_d, pair) + float(out_HM[pair.head] @ units_M)


def _fox(module: Any, q_d: Array, k_d: Array, pair: Pair) -> float:
    """Return q . k / sqrt d + log of the product of the gates after the earlier of both."""
    weight_HD, offset_H = (one.detach().numpy() for one in module.parameters())
    kept = 0.0
    for x_D in pair.x_SD[min(pair.i, pair.j) + 1 : max(pair.i, pair.j) + 1]:
        kept -= math.log1p(math.exp(-float(weight_HD[pair.head] @ x_D + offset_H[pair.head])))
    return _plain_logit(module, q_d, k_d, pair) + kept


SPANS = (64, 16, 4, 46)
"""Bars, sixteenths of a bar, voices, semitones."""


def musical_score(q_d: Array, k_d: Array, i_X: Sequence[float], j_X: Sequence[float]) -> float:
    """Return the score of a query at coordinates i and a key at j: pair c turns by c mod 4."""
    pairs, score = len(q_d) // 2, 0.0
    for c in range(pairs):
        kind, number = c % 4, c // 4
        last = len([other for other in range(pairs) if other % 4 == kind]) - 1
        power = number / last if last else 0
        angle = (j_X[kind] - i_X[kind]) * math.pi / 2 * (2 / SPANS[kind]) ** power
        q, k = (complex(*x_d[2 * c : 2 * c + 2]) for x_d in (q_d, k_d))
        score += (q.conjugate() * k * complex(math.cos(angle), math.sin(angle))).real
    return score / math.sqrt(len(q_d))


def _musical(_module: Any, q_d: Array, k_d: Array, pair: Pair) -> float:
    """Return the score; bar and beat are those of 4/4 if positions are steps."""
    i_X, j_X = ((place // 16, place % 16, 0, 0) for place in (pair.i, pair.j))
    if pair.coordinates is not None:
        i_X, j_X = pair.coordinates[pair.i, 0], pair.coordinates[pair.j, 1]
    return musical_score(q_d, k_d, i_X, j_X)


def _musical_coordinates(config: Any, ids_T: Array, rows_TC: Array) -> Array:
    """Return bar, beat, voice and pitch of what each token predicts, and of itself: (T, 2, 4)."""
    names, found = list(config.conditions), []
    for place, token in enumerate(ids_T.tolist()):
        described = place if config.is_causal else place - 1
        row = int(rows_TC[place, names.index("bar")]) if "bar" in names else 0
        each = 12 if row > 16 else 16
        beat = row - 17 if row > 16 else row - 1 if row else described // 4 % 16
        line = described // 4 - beat
        pitch = (token - 5) % 46 if token >= 5 else -12
        for cell in (described, place - 1):
            since = cell // 4 - line
            found.append((line // each + since // each, since % each, cell % 4, pitch))
    return np.array(found, dtype=np.float64).reshape(-1, 2, 4)


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
    "rope_decay": Naive(moves=False, logit=_rope_decay),
    "hope": Naive(moves=False, knows_window=True, logit=_hope),
    "darope": Naive(moves=False, knows_window=True, logit=_darope),
    "pope": Naive(moves=False, options=({}, {"initial_phase": "zero"}), logit=_pope),
    "pope_decay": Naive(moves=False, logit=_pope_decay),
    "musical": Naive(moves=True, logit=_musical, coordinates=_musical_coordinates),
    "kerple": Naive(moves=False, logit=_kerple),
    "fire": Naive(moves=False, options=({}, {"threshold": 5}), logit=_fire),
    "fox": Naive(moves=False, logit=_fox),
}


@dataclass(frozen=True, slots=True)
class Head:
    """Result of one head of one sequence: logits (0 where masked), weights, outputs."""

    scores_TS: Array
    weights_TS: Array
    out_Td: Array


def attend(
    naive: Naive,
    module: Any,
    qkv: tuple[Array, Array, Array],
    x_SD: Array,
    *,
    head: int,
    seen_TS: Seen,
    coordinates: Array | None = None,
) -> Head:
    """Compute one head pair by pair; a query without a visible key gets zeros.

    ``qkv`` are queries (T, d), keys and values (S, d) of the states ``x_SD``; ``module`` gives the
    tables.
    """
    q_Td, k_Sd, v_Sd = qkv
    scores_TS, weights_TS = np.zeros(seen_TS.shape), np.zeros(seen_TS.shape)
    out_Td = np.zeros_like(q_Td)
    for t, q_d in enumerate(q_Td):
        keys = np.flatnonzero(seen_TS[t])
        i = len(k_Sd) - len(q_Td) + t
        pairs = [Pair(head, i, int(j), x_SD[i], x_SD[j], x_SD, coordinates) for j in keys]
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
