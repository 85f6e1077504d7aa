"""The choice of the next tokens, compiled: recurrence, hard rules, sampling, log-probability.

``cell_constraints.Constraints`` and ``sampling.Sampler`` are the reference. All sums are in double
precision, in the order of the vocabulary. Without the compiler Python runs the same loops.

Dimensions: B sequences, N tokens so far, V vocabulary.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, SimpleNamespace
from typing import Any, Final, NamedTuple, Self, TypeVar

import numpy as np

from musicrel.chorale import REST, Chorale, Flags
from musicrel.generation.causal.recurrence import LONGEST, Recurrence, recurrences_of
from musicrel.generation.causal.written import Written
from musicrel.generation.cell_constraints import Constraints, RuleTables
from musicrel.generation.sampling import Choice, Floats, Logits, Sampler, Tokens
from musicrel.model.tokens.vocabulary import ARTICULATED, REST_TOKEN, START, Vocabulary

Function = TypeVar("Function", bound=Callable[..., Any])

try:
    from musicrel.model.compiled.arithmetic import compiled_exactly
except Exception:  # noqa: BLE001  # numba is missing or broken

    def compiled_exactly(function: Function) -> Function:
        """Leave a function as it is."""
        return function


_VOICES: Final = 4


class Choosing(NamedTuple):
    """Rules, recurrences and sampler that choose tokens."""

    rules: RuleTables
    pasts: tuple[Recurrence, ...]
    sampler: Sampler

    @classmethod
    def of(cls, constraints: Constraints, s: Sampler) -> Self:
        vocabulary = constraints.vocabulary
        first_hold = vocabulary.first_hold if vocabulary.holds else 0
        sampler = Sampler(float(s.temperature), s.top_k, float(s.top_p), first_hold)
        return cls(constraints.tables(), recurrences_of(constraints), sampler)


@compiled_exactly
def choose(  # noqa: PLR0917  # numba passes by place
    index: int,
    logits_BV: Logits,
    wanted_BV: Flags,
    first: int,
    written: Written,
    by: Choosing,
) -> bool:
    """Choose the tokens at ``index`` of the sequences from ``first`` on, a row of logits for each.

    Wanted tokens are the only legal ones where one is legal; no rows: all are wanted. Return False
    where a logit of a legal token is not finite.
    """
    legal_V = np.empty(logits_BV.shape[1], dtype=np.bool_)
    for r in range(logits_BV.shape[0]):
        b = first + r
        ids_N, logit_V = written.choices.tokens[b], logits_BV[r].astype(np.float64)
        written.is_dead_BN[b, index] = not mark_legal(ids_N, index, by.rules, legal_V)
        if not legal_V.any():  # the cell has to hold a pitch that it forbids
            written.is_dead_BN[b, index] = True
            legal_V[:] = by.rules.per_cell_NV[index - 1]
        if wanted_BV.shape[0]:
            _narrow(legal_V, wanted_BV[r])
        if not np.isfinite(logit_V[legal_V]).all():
            return False
        drawn_V = logit_V.copy()
        for past in by.pasts:
            raise_logits(drawn_V, ids_N, index, past)
        ids_N[index] = draw(drawn_V, legal_V, written.uniforms_BN[b, index - 1], by.sampler)
        _measure(logit_V, legal_V, written.choices, b, index)
    return True


@compiled_exactly
def _narrow(legal_V: Flags, wanted_V: Flags) -> None:
    both_V = legal_V & wanted_V
    if both_V.any():
        legal_V[:] = both_V


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
    begun_V = weight_V[: s.first_hold] if s.first_hold else weight_V
    order_V = _by_weight(begun_V)
    total, before = begun_V.sum(), 0.0
    if total == 0.0:
        return
    for rank in range(order_V.shape[0]):
        share = begun_V[order_V[rank]] / total
        before += share
        if before - share >= s.top_p or (s.top_k and rank >= s.top_k):
            begun_V[order_V[rank]] = 0.0
    begun_V *= total / begun_V.sum()


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
def _measure(logit_V: Floats, legal_V: Flags, found: Choice, b: int, index: int) -> None:
    """Set the log-probability of the chosen token, the entropy and the share of legal tokens."""
    largest, total, mean, legal = logit_V.max(), 0.0, 0.0, 0.0
    for v in range(logit_V.shape[0]):
        weight = np.exp(logit_V[v] - largest)
        total += weight
        mean += weight * logit_V[v]
        legal += weight * legal_V[v]
    scale = largest + np.log(total)
    found.log_probability[b, index] = logit_V[found.tokens[b, index]] - scale
    found.entropy[b, index] = scale - mean / total
    found.legal_share[b, index] = legal / total


@compiled_exactly
def raise_logits(logit_V: Floats, ids_N: Tokens, index: int, past: Recurrence) -> None:
    """Raise the logits of the class of the token that recurs at ``index``, if one does."""
    step = (index - 1) // _VOICES
    if (index - 1) % _VOICES != past.voice or not past.free_T[step]:
        return
    token, kind = find_match(ids_N, step, past)
    if kind >= 0:
        for v in range(logit_V.shape[0]):
            if past.class_V[v] == past.class_V[token]:
                logit_V[v] += past.nats_R[kind]


@compiled_exactly
def find_match(ids_N: Tokens, step: int, past: Recurrence) -> tuple[int, int]:
    """Return the token that followed the best match of the voice before a step, and its kind.

    A match ends whole bars before the step, ``nearest`` or more. The best one is of the highest
    kind; of equal ones it is the latest. The kind is negative if there is none.
    """
    token, best = 0, -2
    for start in range(step - past.nearest * past.bar, -1, -past.bar):
        kind = _kind(ids_N, step, start, past)
        if kind > best:
            token, best = ids_N[1 + past.voice + start * _VOICES], kind
    return token, best


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


def trial(
    vocabulary: Vocabulary, steps: int = 1, rules: tuple[str, ...] = ()
) -> tuple[Written, Choosing]:
    """Return arguments of ``choose``, at first the smallest, for the token at index 1."""
    constraints = Constraints(vocabulary, Chorale.of(np.full((steps, _VOICES), REST)), rules=rules)
    written = Written.of(np.full((1, 1), START), 1, np.zeros((1, 1)))
    return written, Choosing.of(constraints, Sampler(1.0, 1, 0.5))


def run_once() -> None:
    """Choose a token, so that all functions are compiled or loaded from the cache."""
    logits_1V, none_wanted = np.zeros((1, ARTICULATED.size), np.float32), np.zeros((0, 0), np.bool_)
    choose(1, logits_1V, none_wanted, 0, *trial(ARTICULATED))


def in_python() -> Any:
    """Return the functions of this module as they are, where they cannot be compiled."""
    scope = dict(globals())
    for name, function in globals().items():
        plain = getattr(function, "py_func", None)
        if plain is not None:
            scope[name] = FunctionType(plain.__code__, scope, name)
    return SimpleNamespace(**scope)
