"""Constraints as tables, for loops that look a legal token up instead of computing masks.

``cell_constraints`` is the reference; every table is made by what it calls.

Dimensions: N cells, V vocabulary, T steps, P columns of ``rules``, the last one for a rest or an
unknown pitch.
"""

from __future__ import annotations

import functools
import itertools
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from musicrel.chorale import REST, Flags, Voice
from musicrel.generation.constraints.locks import UNKNOWN
from musicrel.generation.constraints.rules import COLUMNS, REST_COLUMN, PairRules
from musicrel.tokens import codec
from musicrel.tokens.vocabulary import LOWEST_PITCH

Sets = npt.NDArray[np.uint64]
"""Sets of columns, one bit each."""

_BITS: Final = np.uint64(1) << np.arange(COLUMNS, dtype=np.uint64)


class RuleTables(NamedTuple):
    """The tables of ``cell_constraints.Constraints``.

    Attributes:
        per_cell_NV: legal tokens of each cell regardless of others.
        hold_VV: tokens that can follow each token in a voice.
        locked_N: the locked cells.
        column_V: column of each token's pitch.
        ahead_T4: columns of the locked cells, with a step of unknown pitches at the end.
        at_once_44P: legal columns of a voice by the pitch of another voice in the same step.
        moved_PPP: legal columns of a voice by its pitch and that of another voice in an adjacent
            step, and by the present one of that voice.
        paired: whether a rule about two voices is on; if not, the last two tables are empty.
        first: token that stands before the first one of every voice.
    """

    per_cell_NV: Flags
    hold_VV: Flags
    locked_N: Flags
    column_V: codec.Ids
    ahead_T4: codec.Ids
    at_once_44P: Sets
    moved_PPP: Sets
    paired: bool
    first: int


def columns_of(pitches: codec.Ids) -> codec.Ids:
    """Return the columns of MIDI numbers, REST and UNKNOWN."""
    return np.where(pitches < 0, REST_COLUMN, pitches - LOWEST_PITCH)


@functools.lru_cache(maxsize=8)
def pair_tables(rules: tuple[str, ...]) -> tuple[Sets, Sets]:
    """Return ``at_once_44P`` and ``moved_PPP`` of some rules about two voices.

    Rules about an adjacent step must be the same for all pairs of voices.
    """
    if not rules:
        return np.zeros((*[len(Voice)] * 2, 0), np.uint64), np.zeros((0, 0, 0), np.uint64)
    at_once_44P = np.full((*[len(Voice)] * 2, COLUMNS), _BITS.sum())
    moved_PPP = np.full((COLUMNS,) * 3, _BITS.sum())
    for rule in map(PairRules, zip(rules, strict=True)):
        at_once_44P &= _at_once(rule)
        moved_PPP &= _moved(rule)
    return at_once_44P, moved_PPP


def _at_once(rule: PairRules) -> Sets:
    """Return the legal columns by the pitch of another voice in the same step, (4, 4, P)."""
    found = np.zeros((len(Voice), len(Voice), COLUMNS), dtype=np.uint64)
    for voice, other in itertools.product(Voice, Voice):
        now_P4 = _unknown(COLUMNS)
        now_P4[:, other] = _PITCHES
        found[voice, other] = _legal(rule, voice, _unknown(1), now_P4)
    return found


def _moved(rule: PairRules) -> Sets:
    """Return the columns that an adjacent step leaves legal, (P, P, P)."""
    found = np.full((COLUMNS,) * 3, _BITS.sum())
    now_P4 = _unknown(COLUMNS)
    now_P4[:, Voice.ALTO] = _PITCHES
    alone_P = _legal(rule, Voice.SOPRANO, _unknown(1), now_P4)
    for own, other in itertools.product(range(REST_COLUMN), repeat=2):
        before_14 = _unknown(1)
        before_14[0, [Voice.SOPRANO, Voice.ALTO]] = _PITCHES[[own, other]]
        found[own, other] = _legal(rule, Voice.SOPRANO, before_14, now_P4) | ~alone_P
    return found


_PITCHES: Final = np.array([*range(LOWEST_PITCH, LOWEST_PITCH + REST_COLUMN), REST])


def _unknown(rows: int) -> codec.Ids:
    return np.full((rows, len(Voice)), UNKNOWN)


def _legal(rules: PairRules, voice: int, before: codec.Ids, now: codec.Ids) -> Sets:
    """Return the legal columns of each row as sets."""
    legal_RP = rules.legal_pitches(voice, before, now, _unknown(1))
    sets: Sets = (legal_RP * _BITS).sum(axis=1, dtype=np.uint64)
    return sets
