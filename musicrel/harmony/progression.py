"""Costs of one chord after another, and of one key after another.

Within a key the usual roots follow the chart of S. Kostka and D. Payne, *Tonal Harmony*, chapter 7:
iii to vi, vi to ii or IV, these to V or vii, and V or vii to I; I goes anywhere. An applied chord
leads to its target, a cadential six-four to the dominant. The distance of keys is counted in
signs of their signatures, as in the regions of A. Schoenberg, *Structural Functions of Harmony*.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Mode
from musicrel.harmony.vocabulary import CHORDS, Chord

Costs = npt.NDArray[np.float64]

MODES: Final[tuple[Mode, ...]] = ("major", "minor")
KEYS: Final = 24
"""Keys are numbered by tonic, the twelve major ones first."""

_USUAL: Final[Mapping[int, frozenset[int]]] = {
    1: frozenset({2, 3, 4, 5, 6, 7}), 2: frozenset({5, 7}), 3: frozenset({6, 4}),
    4: frozenset({1, 2, 5, 7}), 5: frozenset({1, 6}), 6: frozenset({2, 4, 5}),
    7: frozenset({1, 5}),
}  # fmt: skip
_POSSIBLE: Final = frozenset(
    {(2, 1), (2, 4), (2, 6), (4, 6), (5, 4), (6, 1), (6, 3), (6, 7), (3, 2), (3, 1), (5, 2), (5, 7)}
)
DOMINANT: Final = 5
_LESS_USUAL: Final = 0.25
"""A pair of ``_POSSIBLE``."""
_UNUSUAL: Final = 0.5
"""Any other pair."""
_UNRESOLVED: Final = 0.9
"""An applied chord that does not lead to its target, or a cadential six-four without dominant."""
_ROAMING: Final = 0.4
"""An applied chord that leads to another chord in the key of its target, such as vi."""
_GAINS_SEVENTH: Final = -0.3
"""A triad that becomes a dominant seventh; this makes up for most of a new passage."""
_MODULATION: Final = 1.6
"""A new key, without its distance."""
_PER_SIGN: Final = 0.25
_ENTRIES: Final[Mapping[int, float]] = {1: 0, 2: 0.1, 3: 0.6, 4: 0.1, 5: 0, 6: 0.2, 7: 0.1}
"""The first chord of a key, by its degree."""
_APPLIED_ENTRY: Final = 0.6


@cache
def between_chords(mode: Mode) -> Costs:
    """Return the cost of each chord of a mode after each other one, float64 (from, to)."""
    chords = CHORDS[mode]
    return np.array([[_step(one, other) for other in chords] for one in chords])


@cache
def entries(mode: Mode) -> Costs:
    """Return the cost of each chord as the first one of a key, float64 (chords,)."""
    return np.array(
        [_APPLIED_ENTRY if chord.target else _ENTRIES[chord.degree] for chord in CHORDS[mode]]
    )


@cache
def exits(mode: Mode) -> Costs:
    """Return the cost of each chord as the last one of a key, float64 (chords,)."""
    return np.array(
        [_UNRESOLVED if chord.target or chord.cadential else 0.0 for chord in CHORDS[mode]]
    )


@cache
def between_keys() -> Costs:
    """Return the cost of each key after each other one, float64 (from, to)."""
    signs = np.array([7 * (tonic + up) % 12 for up in (0, 3) for tonic in range(12)])
    apart = np.abs(signs[:, None] - signs[None, :])
    costs = _MODULATION + _PER_SIGN * np.minimum(apart, 12 - apart)
    np.fill_diagonal(costs, np.inf)
    return np.asarray(costs)


def _step(one: Chord, other: Chord) -> float:
    """Return the cost of a chord after another one."""
    same = (one.root, one.target, one.cadential) == (other.root, other.target, other.cadential)
    if same:
        return _of_one_root(one, other)
    if one.cadential:
        return 0.0 if other.degree == DOMINANT and not other.target else _UNRESOLVED
    if one.target:
        return _after_applied(one, other)
    return 0.0 if other.target else _of_degrees(one.degree, other.degree)


def _of_one_root(one: Chord, other: Chord) -> float:
    """Return the cost of a chord on the root of the one before."""
    if one.quality == other.quality:
        return 0.0
    gains = (one.quality, other.quality) == ("major", "dominant")
    return _GAINS_SEVENTH if gains else _LESS_USUAL


def _of_degrees(one: int, other: int) -> float:
    if other in _USUAL[one]:
        return 0.0
    return _LESS_USUAL if (one, other) in _POSSIBLE else _UNUSUAL


def _after_applied(one: Chord, other: Chord) -> float:
    """Return the cost of a chord after an applied one."""
    if other.target:
        return 0.0 if other.target == one.target else _ROAMING
    if other.cadential:
        return 0.0 if one.applied_to == DOMINANT else _UNRESOLVED
    if other.degree == one.applied_to:
        return 0.0
    deceptive = (one.applied_to + 4) % 7 + 1
    return _ROAMING if other.degree == deceptive else _UNRESOLVED
