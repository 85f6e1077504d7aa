"""Checks of the rules of four-part writing: one function per rule.

Only sounding pitches count: a repeated note does not move, and a voice that rests neither moves nor
crosses. Intervals are taken modulo the octave: a twelfth is a fifth. ``rules`` lists the rules,
``voice_leading`` counts them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, pairwise
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from musicrel.analysis import events, keys, requested_ranges
from musicrel.analysis.motion import FIFTH, OCTAVE, Motion, melodic
from musicrel.chorale import REST, Chorale, Flags, Voice, spans

_OUTER: Final = (Voice.SOPRANO, Voice.BASS)
_NEIGHBOURS: Final = tuple(pairwise(Voice))
_WHOLE_TONE: Final = 2
_AWKWARD: Final = (6, 10, 11)
_LEADING_TONE: Final = 11


class Violation(NamedTuple):
    """A violation: steps ``step`` to ``stop``, half-open, and its voices, highest first."""

    step: int
    stop: int
    voices: tuple[Voice, ...]


class _Harmony(NamedTuple):
    """A chord on a degree, as bits of semitones above the tonic."""

    needed: int
    allowed: int

    def matches(self, sets: npt.NDArray[np.int64]) -> Flags:
        """Return True for each pitch-class set, (T,), that is this chord."""
        return np.asarray((sets & self.needed == self.needed) & (sets & ~self.allowed == 0))


_DOMINANT: Final = _Harmony(needed=1 << 7 | 1 << 11, allowed=1 << 2 | 1 << 5 | 1 << 7 | 1 << 11)
"""V or V7: the fifth degree and the leading tone; the second and fourth degree are optional."""

_TONIC: Final = _Harmony(needed=1, allowed=1 | 1 << 3 | 1 << 4 | 1 << 7)
"""I or i: the tonic; either third and the fifth degree are optional."""


def _violations_at_moves(marks: Flags, *voices: Voice) -> Iterator[Violation]:
    """Yield one violation for each marked motion: the step it leads to."""
    for step in np.flatnonzero(marks) + 1:
        yield Violation(int(step), int(step) + 1, voices)


def _violations_of_runs(marks: Flags, *voices: Voice) -> Iterator[Violation]:
    """Yield one violation for each run of marked steps."""
    for step, stop in spans(marks):
        yield Violation(step, stop, voices)


def _violations_of_pairs(
    piece: Chorale, is_wrong: Callable[[Motion], Flags]
) -> Iterator[Violation]:
    """Yield one violation for each wrong motion of any two voices."""
    for upper, lower in combinations(Voice, 2):
        marks = is_wrong(Motion.of(piece.pitches, upper, lower))
        yield from _violations_at_moves(marks, upper, lower)


def parallels(interval: int, piece: Chorale) -> Iterator[Violation]:
    """Find similar motion from one ``interval`` to another, except unison to unison."""
    return _violations_of_pairs(
        piece, lambda motion: motion.similar() & motion.stays_at(interval) & ~motion.unisons()
    )


def parallel_unisons(piece: Chorale) -> Iterator[Violation]:
    """Find two voices that move from one unison to another."""
    return _violations_of_pairs(piece, lambda motion: motion.similar() & motion.unisons())


def contrary_perfects(piece: Chorale) -> Iterator[Violation]:
    """Find fifths or octaves in contrary motion, none of them a unison."""
    return _violations_of_pairs(
        piece,
        lambda motion: (
            motion.contrary()
            & (motion.stays_at(FIFTH) | motion.stays_at(OCTAVE))
            & (motion.before != 0)
            & (motion.after != 0)
        ),
    )


def hidden(interval: int, piece: Chorale) -> Iterator[Violation]:
    """Find outer voices in similar motion into ``interval``, the soprano by a leap."""
    motion = Motion.of(piece.pitches, *_OUTER)
    leapt = motion.similar() & (np.abs(motion.upper) > _WHOLE_TONE)
    yield from _violations_at_moves(leapt & motion.comes_to(interval), *_OUTER)


def crossing(piece: Chorale) -> Iterator[Violation]:
    """Find voices that sound below the next lower one."""
    for upper, lower in _NEIGHBOURS:
        above, below = piece.pitches[:, upper], piece.pitches[:, lower]
        yield from _violations_of_runs((above != REST) & (above < below), upper, lower)


def overlap(piece: Chorale) -> Iterator[Violation]:
    """Find voices that move beyond the previous pitch of their neighbour."""
    changes = events.sonority_onsets(piece.pitches)[1:]
    for upper, lower in _NEIGHBOURS:
        motion = Motion.of(piece.pitches, upper, lower)
        over = (motion.lower > motion.before) | (-motion.upper > motion.before)
        yield from _violations_at_moves(changes & motion.sounding & over, upper, lower)


def spacing(piece: Chorale) -> Iterator[Violation]:
    """Find soprano and alto, or alto and tenor, more than an octave apart."""
    for upper, lower in _NEIGHBOURS[:2]:
        above, below = piece.pitches[:, upper], piece.pitches[:, lower]
        yield from _violations_of_runs((below != REST) & (above - below > OCTAVE), upper, lower)


def out_of_range(piece: Chorale) -> Iterator[Violation]:
    """Find voices outside the range that the piece was requested with."""
    for voice, (low, high) in requested_ranges.of_piece(piece).items():
        line = piece.pitches[:, voice]
        yield from _violations_of_runs((line != REST) & ((line < low) | (line > high)), voice)


def wide_leaps(piece: Chorale) -> Iterator[Violation]:
    """Find melodic leaps of more than an octave."""
    for voice in Voice:
        moves, sounding = melodic(piece.pitches, voice)
        yield from _violations_at_moves(sounding & (np.abs(moves) > OCTAVE), voice)


def awkward_leaps(piece: Chorale) -> Iterator[Violation]:
    """Find melodic leaps of a tritone or a seventh."""
    for voice in Voice:
        moves, sounding = melodic(piece.pitches, voice)
        yield from _violations_at_moves(sounding & np.isin(np.abs(moves), _AWKWARD), voice)


def leading_tone(piece: Chorale) -> Iterator[Violation]:
    """Find authentic cadences whose leading tone, in an outer voice, does not rise to the tonic.

    An authentic cadence is V or V7 followed directly by I or i with the tonic in the bass, in
    ``piece.key`` or else the estimated key. Not examined: cadences in other keys, cadences with a
    passing note between the two chords, and a V under a fermata, which ends its phrase. A voice
    that falls silent does not break the rule.
    """
    key = piece.key or keys.estimate(piece.pitches)
    above_tonic = (piece.pitches - key.pitch_class) % 12
    cadences = _authentic_cadences(piece, key.pitch_class)
    for voice in _OUTER:
        moves, sounding = melodic(piece.pitches, voice)
        leading = above_tonic[:-1, voice] == _LEADING_TONE
        yield from _violations_at_moves(cadences & leading & sounding & (moves != 1), voice)


def _authentic_cadences(piece: Chorale, tonic: int) -> Flags:
    """Return True where V resolves to I at the next step, bool (T - 1,)."""
    sets = events.pitch_class_sets(piece.pitches, tonic)
    bass = piece.pitches[1:, Voice.BASS]
    on_tonic = (bass != REST) & (bass % 12 == tonic)
    within = ~piece.fermatas[:-1]
    harmonies = _DOMINANT.matches(sets)[:-1] & _TONIC.matches(sets)[1:]
    return np.asarray(harmonies & on_tonic & within)
