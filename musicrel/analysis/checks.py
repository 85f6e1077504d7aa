"""Where a piece breaks the rules of four-part writing: one function a rule.

Only sounding pitches count: a repeated note does not move, and a voice that rests neither moves nor
crosses. Intervals are the same with octaves added: a twelfth is a fifth.

This file knows pitches; how the rules are called and counted stands in ``rules``.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from musicrel.analysis import events, keys
from musicrel.analysis.motion import FIFTH, OCTAVE, Motion, melodic
from musicrel.chorale import RANGES, REST, Chorale, Flags, Voice

_OUTER: Final = (Voice.SOPRANO, Voice.BASS)
_NEIGHBOURS: Final = tuple(pairwise(Voice))
_WHOLE_TONE: Final = 2
_AWKWARD: Final = (6, 10, 11)
_LEADING_TONE: Final = 11


class Place(NamedTuple):
    """Where a rule is broken: steps ``step`` to ``stop``, half-open, and the voices, top first."""

    step: int
    stop: int
    voices: tuple[Voice, ...]


class _Harmony(NamedTuple):
    """A chord on a degree, as bits of semitones above the tonic."""

    needed: int
    allowed: int

    def matches(self, sets: npt.NDArray[np.int64]) -> Flags:
        """Which of the pitch-class sets, (T,), are this chord."""
        return np.asarray((sets & self.needed == self.needed) & (sets & ~self.allowed == 0))


_DOMINANT: Final = _Harmony(needed=1 << 7 | 1 << 11, allowed=1 << 2 | 1 << 5 | 1 << 7 | 1 << 11)
"""V or V7: the fifth degree and the leading tone, the second and fourth degree at will."""

_TONIC: Final = _Harmony(needed=1, allowed=1 | 1 << 3 | 1 << 4 | 1 << 7)
"""I or i: the tonic, either third and the fifth degree at will."""


def _moved(marks: Flags, *voices: Voice) -> Iterator[Place]:
    """A place for each motion that is marked: the step it leads to."""
    for step in np.flatnonzero(marks) + 1:
        yield Place(int(step), int(step) + 1, voices)


def _lasting(marks: Flags, *voices: Voice) -> Iterator[Place]:
    """A place for each run of marked steps."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], marks, [False]])))
    for step, stop in edges.reshape(-1, 2):
        yield Place(int(step), int(stop), voices)


def parallels(interval: int, piece: Chorale) -> Iterator[Place]:
    """Two voices move the same way from one ``interval`` to another, unison to unison excepted."""
    for upper, lower in combinations(Voice, 2):
        motion = Motion.of(piece.pitches, upper, lower)
        unisons = motion.before_unison() & motion.after_unison()
        yield from _moved(motion.similar() & motion.stays_at(interval) & ~unisons, upper, lower)


def parallel_unisons(piece: Chorale) -> Iterator[Place]:
    """Two voices move from one unison to another."""
    for upper, lower in combinations(Voice, 2):
        motion = Motion.of(piece.pitches, upper, lower)
        unisons = motion.before_unison() & motion.after_unison()
        yield from _moved(motion.similar() & unisons, upper, lower)


def contrary_perfects(piece: Chorale) -> Iterator[Place]:
    """Two voices move apart or together, fifth to fifth or octave to octave, not to a unison."""
    for upper, lower in combinations(Voice, 2):
        motion = Motion.of(piece.pitches, upper, lower)
        perfect = motion.stays_at(FIFTH) | motion.stays_at(OCTAVE)
        unison = motion.before_unison() | motion.after_unison()
        yield from _moved(motion.contrary() & perfect & ~unison, upper, lower)


def hidden(interval: int, piece: Chorale) -> Iterator[Place]:
    """The outer voices move the same way into ``interval``, the soprano by a leap."""
    motion = Motion.of(piece.pitches, *_OUTER)
    leapt = motion.similar() & (np.abs(motion.upper) > _WHOLE_TONE)
    yield from _moved(leapt & motion.comes_to(interval), *_OUTER)


def crossing(piece: Chorale) -> Iterator[Place]:
    """A voice sounds below the next lower one."""
    for upper, lower in _NEIGHBOURS:
        above, below = piece.pitches[:, upper], piece.pitches[:, lower]
        yield from _lasting((above != REST) & (above < below), upper, lower)


def overlap(piece: Chorale) -> Iterator[Place]:
    """Where the sonority changes, a voice is beyond the pitch its neighbour just had."""
    changes = events.sonority_begins(piece.pitches)[1:]
    for upper, lower in _NEIGHBOURS:
        motion = Motion.of(piece.pitches, upper, lower)
        over = (motion.lower > motion.before) | (-motion.upper > motion.before)
        yield from _moved(changes & motion.sounding & over, upper, lower)


def spacing(piece: Chorale) -> Iterator[Place]:
    """Soprano and alto, or alto and tenor, are more than an octave apart."""
    for upper, lower in _NEIGHBOURS[:2]:
        above, below = piece.pitches[:, upper], piece.pitches[:, lower]
        yield from _lasting((below != REST) & (above - below > OCTAVE), upper, lower)


def beyond_range(piece: Chorale) -> Iterator[Place]:
    """A voice leaves its range."""
    for voice, (low, high) in RANGES.items():
        line = piece.pitches[:, voice]
        yield from _lasting((line != REST) & ((line < low) | (line > high)), voice)


def wide_leaps(piece: Chorale) -> Iterator[Place]:
    """A voice moves by more than an octave."""
    for voice in Voice:
        moves, sounding = melodic(piece.pitches, voice)
        yield from _moved(sounding & (np.abs(moves) > OCTAVE), voice)


def awkward_leaps(piece: Chorale) -> Iterator[Place]:
    """A voice moves by a tritone or a seventh."""
    for voice in Voice:
        moves, sounding = melodic(piece.pitches, voice)
        yield from _moved(sounding & np.isin(np.abs(moves), _AWKWARD), voice)


def leading_tone(piece: Chorale) -> Iterator[Place]:
    """At a full close an outer voice leaves the leading tone for a note other than the tonic.

    A full close is V or V7 going straight to I or i with the tonic in the bass, in the key of the
    piece: ``piece.key``, or the key its notes speak for. Closes in other keys are not looked at,
    nor those with a passing note between the two chords, nor a V under a fermata, which ends its
    phrase; a voice that falls silent is not at fault.
    """
    key = piece.key or keys.analysed(piece.pitches)
    above_tonic = (piece.pitches - key.pitch_class) % 12
    closes = _full_closes(piece, key.pitch_class)
    for voice in _OUTER:
        moves, sounding = melodic(piece.pitches, voice)
        leading = above_tonic[:-1, voice] == _LEADING_TONE
        yield from _moved(closes & leading & sounding & (moves != 1), voice)


def _full_closes(piece: Chorale, tonic: int) -> Flags:
    """Whether V becomes I from each step to the next, (T - 1,)."""
    sets = events.pitch_class_sets(piece.pitches, tonic)
    bass = piece.pitches[1:, Voice.BASS]
    on_tonic = (bass != REST) & (bass % 12 == tonic)
    within = ~piece.fermatas[:-1]
    harmonies = _DOMINANT.matches(sets)[:-1] & _TONIC.matches(sets)[1:]
    return np.asarray(harmonies & on_tonic & within)
