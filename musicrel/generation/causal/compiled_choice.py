"""The choice of the next tokens, compiled: recurrence, hard rules, sampling, log-probability.

``cell_constraints.Constraints`` and ``sampling.Sampler`` are the reference. All sums are in double
precision, in the order of the vocabulary. Without the compiler Python runs the same loops.

Dimensions: B sequences, N tokens so far, V vocabulary.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, SimpleNamespace
from typing import Any, Final, TypeVar

import numpy as np

from musicrel.chorale import Flags
from musicrel.generation.causal.recurrence import LONGEST, Match, Recurrence
from musicrel.generation.cell_constraints import RuleTables
from musicrel.generation.sampling import Choice, Floats, Sampler, Tokens
from musicrel.model.tokens.vocabulary import REST_TOKEN

Function = TypeVar("Function", bound=Callable[..., Any])

try:
    from musicrel.model.compiled.arithmetic import compiled_exactly
except Exception:  # noqa: BLE001  # numba is missing or broken

    def compiled_exactly(function: Function) -> Function:
        """Leave a function as it is."""
        return function


_VOICES: Final = 4


@compiled_exactly
def choose(
    legal_BV: Flags, logits_BV: Floats, drawn_BV: Floats, uniforms_B: Floats, s: Sampler
) -> Choice:
    """Choose a token of every sequence; -1 where a logit of a legal one is not finite.

    The tokens are drawn from ``drawn_BV``, which are finite where the model's logits are.
    """
    rows = logits_BV.shape[0]
    found = Choice(np.full(rows, -1), np.empty(rows), np.empty(rows), np.empty(rows))
    for b in range(rows):
        if np.isfinite(logits_BV[b][legal_BV[b]]).all():
            found.tokens[b] = draw(drawn_BV[b], legal_BV[b], uniforms_B[b], s)
            _measure(logits_BV[b], legal_BV[b], found, b)
    return found


@compiled_exactly
def mark_all_legal(ids_BN: Tokens, written: int, tables: RuleTables, legal_BV: Flags) -> bool:
    """Set the legal tokens after ``written`` of all sequences; return False as ``mark_legal``."""
    is_left = True
    for b in range(ids_BN.shape[0]):
        is_left = mark_legal(ids_BN[b], written, tables, legal_BV[b]) and is_left
    return is_left


@compiled_exactly
def mark_legal(ids_N: Tokens, written: int, tables: RuleTables, legal_V: Flags) -> bool:
    """Set the legal tokens of the next cell; return False where rules about two voices leave none.

    These rules are then waived.
    """
    cell = written - 1
    before = ids_N[written - _VOICES] if cell >= _VOICES else REST_TOKEN
    for v in range(legal_V.shape[0]):
        legal_V[v] = tables.per_cell_NV[cell, v] and tables.hold_VV[before, v]
    if tables.locked_N[cell] or not tables.moved_PPP.shape[0]:
        return True
    columns, left = _legal_columns(ids_N, cell, tables), False
    for v in range(legal_V.shape[0]):
        left = left or (legal_V[v] and _holds(columns, tables.column_V[v]))
    if left:
        for v in range(legal_V.shape[0]):
            legal_V[v] = legal_V[v] and _holds(columns, tables.column_V[v])
    return left


@compiled_exactly
def _holds(columns: np.uint64, column: int) -> bool:
    return bool((columns >> np.uint64(column)) & np.uint64(1))


@compiled_exactly
def _legal_columns(ids_N: Tokens, cell: int, tables: RuleTables) -> np.uint64:
    step, voice = cell // _VOICES, cell % _VOICES
    first = cell - voice + 1  # index of the first token of the step
    unknown = tables.moved_PPP.shape[0] - 1
    own_before = tables.column_V[ids_N[cell + 1 - _VOICES]] if step else unknown
    own_after = tables.ahead_T4[step + 1, voice]
    columns = ~np.uint64(0)
    for other in range(_VOICES):
        if other != voice:
            now = tables.ahead_T4[step, other]
            if other < voice:
                now = tables.column_V[ids_N[first + other]]
            before = tables.column_V[ids_N[first + other - _VOICES]] if step else unknown
            columns &= tables.at_once_44P[voice, other, now]
            columns &= tables.moved_PPP[own_before, before, now]
            columns &= tables.moved_PPP[own_after, tables.ahead_T4[step + 1, other], now]
    return columns


@compiled_exactly
def draw(logit_V: Floats, legal_V: Flags, uniform: float, s: Sampler) -> int:
    """Draw a legal token; see ``Sampler.choose``."""
    likeliest = -1
    for v in range(logit_V.shape[0]):
        if legal_V[v] and (likeliest < 0 or logit_V[v] > logit_V[likeliest]):
            likeliest = v
    if s.temperature == 0.0:
        return likeliest
    weight_V = np.zeros_like(logit_V)
    for v in range(logit_V.shape[0]):
        if legal_V[v]:
            weight_V[v] = np.exp((logit_V[v] - logit_V[likeliest]) / s.temperature)
    if s.top_k or s.top_p < 1.0:
        _filter(weight_V, s)
    return _inverted(weight_V, uniform)


@compiled_exactly
def _filter(weight_V: Floats, s: Sampler) -> None:
    order_V = _by_weight(weight_V)
    total, before = weight_V.sum(), 0.0
    for rank in range(order_V.shape[0]):
        share = weight_V[order_V[rank]] / total
        before += share
        if before - share >= s.top_p or (s.top_k and rank >= s.top_k):
            weight_V[order_V[rank]] = 0.0


@compiled_exactly
def _by_weight(weight_V: Floats) -> Tokens:
    """Return the tokens by weight, the largest first; of equal ones the first is first."""
    order_V = np.arange(weight_V.shape[0])
    for v in range(1, order_V.shape[0]):
        place = v
        while place and weight_V[order_V[place - 1]] < weight_V[v]:
            order_V[place] = order_V[place - 1]
            place -= 1
        order_V[place] = v
    return order_V


@compiled_exactly
def _inverted(weight_V: Floats, uniform: float) -> int:
    """Return the first token at which the cumulative weight exceeds the random number's share."""
    cumulative_V = np.cumsum(weight_V)
    end = cumulative_V[-1]
    token: int = (cumulative_V <= min(uniform * end, np.nextafter(end, 0.0))).sum()
    return token


@compiled_exactly
def _measure(logit_V: Floats, legal_V: Flags, found: Choice, b: int) -> None:
    """Set the log-probability of the chosen token, the entropy and the share of legal tokens."""
    largest, total, entropy, legal = logit_V.max(), 0.0, 0.0, 0.0
    for v in range(logit_V.shape[0]):
        total += np.exp(logit_V[v] - largest)
    scale = largest + np.log(total)
    for v in range(logit_V.shape[0]):
        log_p = logit_V[v] - scale
        p = np.exp(log_p)
        entropy -= p * log_p
        legal += p * legal_V[v]
    found.log_probability[b] = logit_V[found.tokens[b]] - scale
    found.entropy[b], found.legal_share[b] = entropy, legal


@compiled_exactly
def find_matches(ids_BN: Tokens, index: int, past: Recurrence) -> Match:
    """Return the best match of every sequence; ``past`` applies to the token ``index``.

    A match ends whole bars before the token, ``nearest`` or more. The best one is of the highest
    kind; of equal ones it is the latest. The kind is -1 if there is none, because of the given
    voices.
    """
    step, rows = (index - 1) // _VOICES, ids_BN.shape[0]
    found = Match(np.empty(rows, np.int64), np.empty(rows, np.int64))
    for b in range(rows):
        best = -2
        for start in range(step - past.nearest * past.bar, -1, -past.bar):
            kind = _kind(ids_BN[b], step, start, past)
            if kind > best:
                best = kind
                found.tokens_B[b] = ids_BN[b, 1 + past.voice + start * _VOICES]
        found.kinds_B[b] = best
    return found


@compiled_exactly
def _kind(ids_N: Tokens, step: int, start: int, past: Recurrence) -> int:
    """Return the kind of the match of the tokens before ``step`` with those before ``start``."""
    given_V = past.given_TV[step]
    for voice in range(_VOICES):
        if given_V[voice] >= 0 and ids_N[1 + start * _VOICES + voice] != given_V[voice]:
            return -1
    since, first = min(past.since_T[step], LONGEST), 1 + past.voice
    steps, notes, in_phrase = 0, 0, 0
    while steps < min(start, LONGEST):
        token = ids_N[first + (step - steps - 1) * _VOICES]
        if past.class_V[token] != past.class_V[ids_N[first + (start - steps - 1) * _VOICES]]:
            break
        if not _given_recurs(ids_N, step - steps - 1, start - steps - 1, given_V):
            break
        is_note = past.first_onset <= token < past.first_hold
        notes += is_note
        in_phrase += is_note and steps < since
        steps += 1
    kinds: int = past.nats_R.shape[0] // 2
    if past.since_T[start] == past.since_T[step] and steps >= since:
        return kinds + min(in_phrase, kinds - 1)
    return min(notes, kinds - 1)


@compiled_exactly
def _given_recurs(ids_N: Tokens, step: int, earlier: int, given_V: Tokens) -> bool:
    for voice in range(_VOICES):
        first = 1 + voice
        if given_V[voice] >= 0 and (
            ids_N[first + step * _VOICES] != ids_N[first + earlier * _VOICES]
        ):
            return False
    return True


def run_once() -> None:
    """Choose one token, so that all functions are compiled or loaded from the cache."""
    tables = RuleTables(
        per_cell_NV=np.ones((1, 1), dtype=np.bool_),
        hold_VV=np.ones((REST_TOKEN + 1, 1), dtype=np.bool_),
        locked_N=np.zeros(1, dtype=np.bool_),
        column_V=np.zeros(1, dtype=np.int64),
        ahead_T4=np.zeros((2, _VOICES), dtype=np.int64),
        at_once_44P=np.ones((_VOICES, _VOICES, 1), dtype=np.uint64),
        moved_PPP=np.ones((1, 1, 1), dtype=np.uint64),
    )
    legal_11, zeros_11 = np.ones((1, 1), dtype=np.bool_), np.zeros((1, 1))
    mark_all_legal(zeros_11.astype(np.int64), 1, tables, legal_11)
    choose(legal_11, zeros_11, zeros_11.copy(), np.zeros(1), Sampler(1.0, 1, 0.5))
    zeros_T, free_TV = np.zeros(5, np.int64), np.full((5, _VOICES), -1)
    past = Recurrence(1, zeros_T, np.ones(5, np.bool_), 0, 1, np.zeros(1, np.int64), free_TV)
    find_matches(np.zeros((1, 18), dtype=np.int64), 17, past)


def in_python() -> Any:
    """Return the functions of this module as they are, where they cannot be compiled."""
    scope = dict(globals())
    for name, function in globals().items():
        plain = getattr(function, "py_func", None)
        if plain is not None:
            scope[name] = FunctionType(plain.__code__, scope, name)
    return SimpleNamespace(**scope)
