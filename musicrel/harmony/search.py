"""The search for the cheapest keys and chords of a piece: a dynamic program over passages.

A state is a key and a chord of it. Each passage has a state and an inversion; its cost is that of
its notes (``evidence``), its chord (``vocabulary``), the chord and the key before it
(``progression``), and the beat on which it begins. Key and chord as states of one search:
C. Raphael and J. Stoddard, "Functional harmonic analysis using probabilistic models", *Computer
Music Journal* 28, 2004. Tables have the dimensions (keys, chords).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Chorale, Mode
from musicrel.harmony import evidence, progression
from musicrel.harmony.beats import strengths
from musicrel.harmony.evidence import Evidence
from musicrel.harmony.numeral import INTERVALS, TRIAD
from musicrel.harmony.progression import KEYS, MODES
from musicrel.harmony.vocabulary import CHORDS, Chord
from musicrel.jobs import Job

Costs = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]

_LONGEST: Final = 10
"""Most places of change that a passage spans; a longer chord is several passages."""
_CHANGE: Final = {3: 0.0, 2: 0.0, 1: 0.05, 0: 0.45}
"""Cost of a new passage by the strength of its first step."""
_AWAY: Final = 2.5
"""Cost of a piece that begins in another key than its own."""
_AFTER_PHRASE: Final = 0.7
"""Discount of a new key at the beginning of a phrase."""
_CADENCES: Final = {1: 0.0, 5: 0.2, 6: 0.9}
_NO_CADENCE: Final = 1.0
"""Cost of the triad of a fermata by its degree, and of all other chords there."""
_NOT_THE_TONIC: Final = 1.0
"""Cost of any other chord than the tonic at the end of the piece."""
_BETWEEN_EVENTS: Final = 128
"""Places of change between two events."""
_WIDTH: Final = max(len(chords) for chords in CHORDS.values())


class Passage(NamedTuple):
    """A range of steps with one chord; keys are numbered as in ``progression``."""

    start: int
    stop: int
    key: int
    chord: Chord
    inversion: int


class _End(NamedTuple):
    """Tables for the passages that end at one place: cost, length in places, inversion."""

    costs: Costs
    lengths: Indices
    inversions: Indices


class _Begin(NamedTuple):
    """Tables for the passages that begin at one place: cost, and the state before them."""

    costs: Costs
    keys: Indices
    chords: Indices


class Search:
    """The search in one piece.

    Args:
        piece: not silent.
    """

    def __init__(self, piece: Chorale) -> None:
        self._piece = piece
        self._evidence = Evidence(piece)
        strong = strengths(piece)
        moves = np.asarray(piece.onsets.any(axis=1) & (strong >= 0))
        self._places = sorted({0, piece.steps, *np.flatnonzero(moves).tolist()})
        self._changes = [_CHANGE[max(int(strong[place]), 0)] for place in self._places[:-1]]
        self._phrase_starts = self._starts_of_phrases()

    def best(self) -> Job[float, list[Passage]]:
        """Return the passages of the cheapest analysis, in order.

        Yields:
            The share of a long piece that is done.
        """
        begun, ends = [self._first()], list[_End]()
        for stop in range(1, len(self._places)):
            if stop > 1:
                begun.append(self._begin(ends[-1].costs, stop - 1))
            ends.append(self._end(begun, stop))
            if stop % _BETWEEN_EVENTS == 0:
                yield stop / len(self._places)
        return self._traced(begun, ends)

    def _starts_of_phrases(self) -> list[int]:
        """Return for each place the one at which its phrase begins."""
        held, begin, found = self._piece.fermatas, 0, []
        for index, place in enumerate(self._places[:-1]):
            if place and held[place - 1] and not held[place]:
                begin = index
            found.append(begin)
        return found

    def _first(self) -> _Begin:
        """Return the tables for the beginning of the piece, which has no state before it."""
        costs = _per_key(_chord_costs) + _per_key(progression.entries)
        home = self._piece.key
        if home is not None:
            away = np.full((KEYS, 1), _AWAY)
            away[home.pitch_class + 12 * MODES.index(home.mode)] = 0
            costs = costs + away
        nowhere = np.zeros((KEYS, _WIDTH), dtype=np.int64)
        return _Begin(costs, nowhere, nowhere)

    def _begin(self, ended: Costs, place: int) -> _Begin:
        """Continue in the same key or enter another one, whichever is cheaper."""
        within = ended.reshape(2, 12, _WIDTH, 1) + _between_chords()[:, None]
        before = within.argmin(axis=2).reshape(KEYS, _WIDTH)
        stays = within.min(axis=2).reshape(KEYS, _WIDTH)
        leaving = ended + _per_key(progression.exits)
        last = leaving.argmin(axis=1)
        eased = _AFTER_PHRASE if self._piece.fermatas[self._places[place] - 1] else 0.0
        routes = leaving.min(axis=1)[:, None] + progression.between_keys() - eased
        origin = routes.argmin(axis=0)
        enters = routes.min(axis=0)[:, None] + _per_key(progression.entries)
        new = enters < stays
        return _Begin(
            costs=np.where(new, enters, stays) + _per_key(_chord_costs) + self._changes[place],
            keys=np.where(new, origin[:, None], np.arange(KEYS)[:, None]),
            chords=np.where(new, last[origin][:, None], before),
        )

    def _end(self, begun: list[_Begin], stop: int) -> _End:
        """Choose the best beginning of each state for passages that end at the place ``stop``."""
        first = max(stop - _LONGEST, self._phrase_starts[stop - 1])
        starts, end = np.array(self._places[first:stop]), self._places[stop]
        fit, sonorities = self._evidence.fits(starts, end), _sonorities()
        total = np.stack([begin.costs for begin in begun[first:stop]]) + fit.costs[:, sonorities]
        held = np.flatnonzero(self._piece.fermatas[starts] & self._piece.fermatas[end - 1])
        total[held] += _per_key(_cadence_costs)
        best = total.argmin(axis=0)
        return _End(
            costs=np.take_along_axis(total, best[None], axis=0)[0],
            lengths=stop - first - best,
            inversions=fit.inversions[best, sonorities],
        )

    def _traced(self, begun: list[_Begin], ends: list[_End]) -> list[Passage]:
        """Follow the cheapest way back from the end of the piece."""
        final = ends[-1].costs + _per_key(progression.exits) + _per_key(_final_costs)
        state = tuple(int(part) for part in np.unravel_index(final.argmin(), final.shape))
        stop, found = len(ends), list[Passage]()
        while stop > 0:
            key, end = state[0], ends[stop - 1]
            start = stop - int(end.lengths[state])
            chord, inversion = CHORDS[MODES[key // 12]][state[1]], int(end.inversions[state])
            steps = (self._places[start], self._places[stop])
            found.append(Passage(*steps, key, chord, inversion))
            state = int(begun[start].keys[state]), int(begun[start].chords[state])
            stop = start
        return found[::-1]


@cache
def _sonorities() -> Indices:
    """Return the sonority of each state."""
    found = np.zeros((KEYS, _WIDTH), dtype=np.int64)
    for key in range(KEYS):
        for index, chord in enumerate(CHORDS[MODES[key // 12]]):
            found[key, index] = evidence.sonority(
                key % 12 + chord.root, chord.quality, cadential=chord.cadential
            )
    return found


@cache
def _per_key(costs: Callable[[Mode], Costs]) -> Costs:
    """Return the table of a cost that depends on mode and chord; infinite where none is."""
    rows = [costs(mode) for mode in MODES]
    padded = [np.pad(row, (0, _WIDTH - len(row)), constant_values=np.inf) for row in rows]
    return np.repeat(np.stack(padded), 12, axis=0)


@cache
def _between_chords() -> Costs:
    """Return the costs of chords after each other, (modes, from, to)."""
    tables = [progression.between_chords(mode) for mode in MODES]
    return np.stack(
        [np.pad(table, (0, _WIDTH - len(table)), constant_values=np.inf) for table in tables]
    )


def _chord_costs(mode: Mode) -> Costs:
    return np.array([chord.cost for chord in CHORDS[mode]])


def _cadence_costs(mode: Mode) -> Costs:
    return np.array([_at_fermata(chord) for chord in CHORDS[mode]])


def _final_costs(mode: Mode) -> Costs:
    return np.array([_NOT_THE_TONIC if chord.degree > 1 else 0.0 for chord in CHORDS[mode]])


def _at_fermata(chord: Chord) -> float:
    """Return the cost of a chord at the end of a phrase."""
    plain = len(INTERVALS[chord.quality]) == TRIAD and not (chord.target or chord.cadential)
    if not plain or (chord.degree == progression.DOMINANT and chord.quality != "major"):
        return _NO_CADENCE
    return _CADENCES.get(chord.degree, _NO_CADENCE)
