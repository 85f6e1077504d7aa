"""Roman numerals of a piece, with its local keys.

The cheapest keys and chords are found by a dynamic program over passages. A state is a key and a
chord of it. Each passage has a state and an inversion; its cost is that of its notes, its chord,
the chord and the key before it (``progression``), and the beat on which it begins. Key and chord as
states of one search: C. Raphael and J. Stoddard, "Functional harmonic analysis using probabilistic
models", *Computer Music Journal* 28, 2004. Tables have the dimensions (keys, chords).

The pieces analysed last are remembered: strip, score and file show the numerals of the same piece.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from threading import Lock
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from musicrel import jobs
from musicrel.analysis import keys, progression
from musicrel.analysis.numeral import Numeral, figure, key_label
from musicrel.analysis.progression import CHORDS, KEYS, MODES, WIDTH, Chord, Evidence, strengths
from musicrel.chorale import REST, Chorale, Key, spans
from musicrel.jobs import Job

Costs = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]

# Most places of change that a passage spans; a longer chord is several passages.
_LONGEST: Final = 10
# Cost of a new passage by the strength of its first step.
_CHANGE: Final = {3: 0.0, 2: 0.0, 1: 0.05, 0: 0.45}
_AWAY: Final = 2.5  # cost of a piece that begins in another key than its own
_AFTER_PHRASE: Final = 0.7  # discount of a new key at the beginning of a phrase
_BETWEEN_EVENTS: Final = 128  # places of change between two events


class Passage(NamedTuple):
    """A range of steps with one chord; keys are numbered as in ``progression``."""

    start: int
    stop: int
    key: int
    chord: Chord
    inversion: int


class _End(NamedTuple):
    costs: Costs
    lengths: Indices
    inversions: Indices


class _Begin(NamedTuple):
    costs: Costs
    keys: Indices
    chords: Indices


class Search:
    def __init__(self, piece: Chorale) -> None:
        self._piece = piece
        self._evidence = Evidence(piece)
        strong = strengths(piece)
        moves = np.asarray(piece.onsets.any(axis=1) & (strong >= 0))
        self._places = sorted({0, piece.steps, *np.flatnonzero(moves).tolist()})
        self._changes = [_CHANGE[max(int(strong[place]), 0)] for place in self._places[:-1]]
        self._phrase_starts = self._starts_of_phrases()

    def best(self) -> Job[float, list[Passage]]:
        """Return the cheapest passages; yields the share of a long piece that is done."""
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
        costs = progression.OWN + progression.FIRST
        home = self._piece.key
        if home is not None:
            away = np.full((KEYS, 1), _AWAY)
            away[home.pitch_class + 12 * MODES.index(home.mode)] = 0
            costs = costs + away
        nowhere = np.zeros((KEYS, WIDTH), dtype=np.int64)
        return _Begin(costs, nowhere, nowhere)

    def _begin(self, ended: Costs, place: int) -> _Begin:
        """Continue in the same key or enter another one, whichever is cheaper."""
        within = ended.reshape(2, 12, WIDTH, 1) + progression.between_chords()[:, None]
        before = within.argmin(axis=2).reshape(KEYS, WIDTH)
        stays = within.min(axis=2).reshape(KEYS, WIDTH)
        leaving = ended + progression.LAST
        last = leaving.argmin(axis=1)
        eased = _AFTER_PHRASE if self._piece.fermatas[self._places[place] - 1] else 0.0
        routes = leaving.min(axis=1)[:, None] + progression.between_keys() - eased
        origin = routes.argmin(axis=0)
        enters = routes.min(axis=0)[:, None] + progression.FIRST
        new = enters < stays
        return _Begin(
            costs=np.where(new, enters, stays) + progression.OWN + self._changes[place],
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
        total[held] += progression.AT_FERMATA
        best = total.argmin(axis=0)
        return _End(
            costs=np.take_along_axis(total, best[None], axis=0)[0],
            lengths=stop - first - best,
            inversions=fit.inversions[best, sonorities],
        )

    def _traced(self, begun: list[_Begin], ends: list[_End]) -> list[Passage]:
        final = ends[-1].costs + progression.LAST + progression.AT_THE_END
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
    found = np.zeros((KEYS, WIDTH), dtype=np.int64)
    for key in range(KEYS):
        for index, chord in enumerate(CHORDS[MODES[key // 12]]):
            found[key, index] = progression.sonority(
                key % 12 + chord.root, chord.quality, cadential=chord.cadential
            )
    return found


_MIN_VOICES: Final = 2  # passages in which fewer voices sound have no numeral


class _Analysis:
    """The numerals of a piece; only one thread at a time looks for them."""

    def __init__(self, piece: Chorale) -> None:
        self.piece, self.lock = piece, Lock()
        self.found: tuple[Numeral, ...] | None = None


_LAST: Final = deque[_Analysis](maxlen=8)  # the pieces analysed last
_LAST_LOCK: Final = Lock()


def numerals(piece: Chorale) -> tuple[Numeral, ...]:
    """Return the Roman numerals of a piece, in order; none where fewer than two voices sound.

    A piece without a key is analysed as if it could begin in any.
    """
    return jobs.run(analyse(piece))


def analyse(piece: Chorale) -> Job[float, tuple[Numeral, ...]]:
    """Return the numerals as ``numerals`` does; yields the share of a long piece that is done.

    A thread with the same piece waits for them.
    """
    with _LAST_LOCK:
        shared = next((one for one in _LAST if _sounds_alike(piece, one.piece)), None)
        if shared is None:
            shared = _Analysis(piece)
            _LAST.append(shared)
    with shared.lock:
        if shared.found is None:
            shared.found = yield from _analysed(piece)
        return shared.found


def _sounds_alike(one: Chorale, other: Chorale) -> bool:
    return (
        (one.key, one.meter, one.pickup) == (other.key, other.meter, other.pickup)
        and np.array_equal(one.pitches, other.pitches)
        and np.array_equal(one.onsets, other.onsets)
        and np.array_equal(one.fermatas, other.fermatas)
    )


def _analysed(piece: Chorale) -> Job[float, tuple[Numeral, ...]]:
    if (piece.pitches == REST).all():
        return ()
    found = yield from Search(piece).best()
    passages = _joined(part for passage in found for part in _cut(piece, passage))
    return tuple(_named(passages, piece.key))


def _cut(piece: Chorale, passage: Passage) -> Iterator[Passage]:
    sounding = (piece.pitches[passage.start : passage.stop] != REST).sum(axis=1)
    for start, stop in spans(sounding > 0):
        if sounding[start:stop].max() >= _MIN_VOICES:
            yield passage._replace(start=passage.start + start, stop=passage.start + stop)


def _joined(passages: Iterable[Passage]) -> list[Passage]:
    joined: list[Passage] = []
    for passage in passages:
        if joined and joined[-1][2:] == passage[2:] and joined[-1].stop == passage.start:
            joined[-1] = joined[-1]._replace(stop=passage.stop)
        else:
            joined.append(passage)
    return joined


def _named(passages: Sequence[Passage], home: Key | None) -> Iterator[Numeral]:
    before: Key | None = None
    for passage in passages:
        mode, near = MODES[passage.key // 12], before or home
        chord, key = passage.chord, keys.spelled(passage.key % 12, mode, near)
        text = figure(chord.numeral, chord.quality, passage.inversion, chord.target)
        yield Numeral(
            start=passage.start,
            stop=passage.stop,
            text=text if key == before else f"{key_label(key)} {text}",
            figure=text,
            key=key,
            degree=chord.degree,
            quality=chord.quality,
            inversion=passage.inversion,
            applied_to=chord.applied_to,
            root=(key.pitch_class + chord.root) % 12,
        )
        before = key
