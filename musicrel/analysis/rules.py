"""The rules of four-part writing as a table, and their checks.

``DEFAULT_RULES`` are checked unless others are requested. Bach breaks nearly all of them at times:
a piece is judged by its distance from his rates (``voice_leading``), not from zero.

Only sounding pitches count: a repeated note does not move, and a voice that rests neither moves nor
crosses. Intervals are taken modulo the octave: a twelfth is a fifth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from itertools import combinations, pairwise
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from musicrel.analysis import events, keys
from musicrel.chorale import RANGES, REST, Chorale, Flags, Pitches, Provenance, Voice
from musicrel.language import tr


def requested_ranges(piece: Chorale) -> Mapping[Voice, tuple[int, int]]:
    """Return the ranges in the settings that ``piece`` was generated with, else ``RANGES``.

    The settings may come from a file: anything but four pairs of numbers counts as none.
    """
    pairs = piece.provenance.settings.get("ranges") if piece.provenance else None
    if pairs is None:
        return RANGES
    try:
        return {
            voice: (int(low), int(high)) for voice, (low, high) in zip(Voice, pairs, strict=True)
        }
    except (TypeError, ValueError):
        return RANGES


def with_requested_ranges(piece: Chorale, ranges: Sequence[tuple[int, int]] | None) -> Chorale:
    """Return ``piece`` as its rules are checked: without provenance, with ``ranges`` if any."""
    if piece.provenance is not None or ranges is None:
        return piece
    settings = {"ranges": ranges}
    return replace(piece, provenance=Provenance(model="", sha256="", seed=0, settings=settings))


FIFTH: Final = 7
OCTAVE: Final = 12

Semitones = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Motion:
    """Two voices between steps 0 and 1, 1 and 2 ...; every array has T - 1 entries."""

    upper: Semitones  # semitones the upper voice moves up
    lower: Semitones  # semitones the lower voice moves up
    before: Semitones  # interval from the lower up to the upper voice at the earlier step
    after: Semitones  # the same at the later step; negative for crossed voices
    sounding: Flags  # both voices sound at both steps; elsewhere the other arrays are undefined

    @classmethod
    def of(cls, pitches: Pitches, upper: int, lower: int) -> Motion:
        pair = pitches[:, [upper, lower]].astype(np.int64)
        moves = np.diff(pair, axis=0)
        intervals = pair[:, 0] - pair[:, 1]
        sounds = (pair != REST).all(axis=1)
        return cls(
            upper=moves[:, 0],
            lower=moves[:, 1],
            before=intervals[:-1],
            after=intervals[1:],
            sounding=sounds[:-1] & sounds[1:],
        )

    def similar(self) -> Flags:
        return self.sounding & (self.upper * self.lower > 0)

    def contrary(self) -> Flags:
        return self.sounding & (self.upper * self.lower < 0)

    def stays_at(self, interval: int) -> Flags:
        return _is_at(self.before, interval) & _is_at(self.after, interval)

    def comes_to(self, interval: int) -> Flags:
        return ~_is_at(self.before, interval) & _is_at(self.after, interval)

    def unisons(self) -> Flags:
        return np.asarray((self.before == 0) & (self.after == 0))


def melodic(pitches: Pitches, voice: int) -> tuple[Semitones, Flags]:
    """Return the semitones up at each move of a voice, and if it sounds at both steps, (T - 1,)."""
    line = pitches[:, voice].astype(np.int64)
    sounds = line != REST
    return np.diff(line), sounds[:-1] & sounds[1:]


def _is_at(intervals: Semitones, interval: int) -> Flags:
    return np.asarray(np.abs(intervals) % OCTAVE == interval % OCTAVE)


_OUTER: Final = (Voice.SOPRANO, Voice.BASS)
_NEIGHBOURS: Final = tuple(pairwise(Voice))
_WHOLE_TONE: Final = 2
_AWKWARD: Final = (6, 10, 11)
_LEADING_TONE: Final = 11


Marks: TypeAlias = Iterator[tuple[Flags, tuple[Voice, ...]]]
"""Where voices, highest first, break a rule: for each step, or for each move to the next step."""


class _Harmony(NamedTuple):
    needed: int
    allowed: int

    def matches(self, sets: npt.NDArray[np.int64]) -> Flags:
        return np.asarray((sets & self.needed == self.needed) & (sets & ~self.allowed == 0))


# V or V7: the fifth degree and the leading tone; the second and fourth degree are optional.
_DOMINANT: Final = _Harmony(needed=1 << 7 | 1 << 11, allowed=1 << 2 | 1 << 5 | 1 << 7 | 1 << 11)

# I or i: the tonic; either third and the fifth degree are optional.
_TONIC: Final = _Harmony(needed=1, allowed=1 | 1 << 3 | 1 << 4 | 1 << 7)


def _pairs(piece: Chorale, is_wrong: Callable[[Motion], Flags]) -> Marks:
    for upper, lower in combinations(Voice, 2):
        yield is_wrong(Motion.of(piece.pitches, upper, lower)), (upper, lower)


def parallels(interval: int, piece: Chorale) -> Marks:
    return _pairs(
        piece, lambda motion: motion.similar() & motion.stays_at(interval) & ~motion.unisons()
    )


def contrary_perfects(piece: Chorale) -> Marks:
    return _pairs(
        piece,
        lambda motion: (
            motion.contrary()
            & (motion.stays_at(FIFTH) | motion.stays_at(OCTAVE))
            & (motion.before != 0)
            & (motion.after != 0)
        ),
    )


def hidden(interval: int, piece: Chorale) -> Marks:
    motion = Motion.of(piece.pitches, *_OUTER)
    leapt = motion.similar() & (np.abs(motion.upper) > _WHOLE_TONE)
    yield leapt & motion.comes_to(interval), _OUTER


def crossing(piece: Chorale) -> Marks:
    for upper, lower in _NEIGHBOURS:
        above, below = piece.pitches[:, upper], piece.pitches[:, lower]
        yield (above != REST) & (above < below), (upper, lower)


def overlap(piece: Chorale) -> Marks:
    changes = events.sonority_onsets(piece.pitches)[1:]
    for upper, lower in _NEIGHBOURS:
        motion = Motion.of(piece.pitches, upper, lower)
        over = (motion.lower > motion.before) | (-motion.upper > motion.before)
        yield changes & motion.sounding & over, (upper, lower)


def spacing(piece: Chorale) -> Marks:
    for upper, lower in _NEIGHBOURS[:2]:
        above, below = piece.pitches[:, upper], piece.pitches[:, lower]
        yield (below != REST) & (above - below > OCTAVE), (upper, lower)


def out_of_range(piece: Chorale) -> Marks:
    for voice, (low, high) in requested_ranges(piece).items():
        line = piece.pitches[:, voice]
        yield (line != REST) & ((line < low) | (line > high)), (voice,)


def leaps(is_wrong: Callable[[Semitones], Flags], piece: Chorale) -> Marks:
    for voice in Voice:
        moves, sounding = melodic(piece.pitches, voice)
        yield sounding & is_wrong(np.abs(moves)), (voice,)


def leading_tone(piece: Chorale) -> Marks:
    """Mark authentic cadences whose leading tone, in an outer voice, does not rise to the tonic.

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
        yield cadences & leading & sounding & (moves != 1), (voice,)


def _authentic_cadences(piece: Chorale, tonic: int) -> Flags:
    """Return True where V resolves to I at the next step, bool (T - 1,)."""
    sets = events.pitch_class_sets(piece.pitches, tonic)
    bass = piece.pitches[1:, Voice.BASS]
    on_tonic = (bass != REST) & (bass % 12 == tonic)
    within = ~piece.fermatas[:-1]
    harmonies = _DOMINANT.matches(sets)[:-1] & _TONIC.matches(sets)[1:]
    return np.asarray(harmonies & on_tonic & within)


_FUX: Final = "Fux, Gradus ad Parnassum (1725)"
_ALDWELL: Final = "Aldwell and Schachter, Harmony and Voice Leading"
_KOSTKA: Final = "Kostka and Payne, Tonal Harmony"
_PISTON: Final = "Piston, Harmony"


class Unit(Enum):
    """The unit of a rule's rate; the value is its printed form."""

    NOTES = tr("per 1,000 notes")  # of rules about the move from one step to the next
    STEPS = tr("% of steps")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    title: str
    explanation: str  # the violation, in plain words
    source: str
    check: Callable[[Chorale], Marks]
    unit: Unit = Unit.NOTES


# Name -> rule, in the order they are printed.
RULES: Final[Mapping[str, Rule]] = {
    "parallel_fifths": Rule(
        title=tr("Parallel fifths"),
        explanation=tr(
            "Two voices a fifth or twelfth apart move in the same direction to another "
            "fifth or twelfth."
        ),
        source=_FUX,
        check=partial(parallels, FIFTH),
    ),
    "parallel_octaves": Rule(
        title=tr("Parallel octaves"),
        explanation=tr(
            "Two voices one or more octaves apart move in the same direction to "
            "another octave or to a unison."
        ),
        source=_FUX,
        check=partial(parallels, OCTAVE),
    ),
    "parallel_unisons": Rule(
        title=tr("Parallel unisons"),
        explanation=tr("Two voices share one pitch and move together to another."),
        source=_FUX,
        check=partial(_pairs, is_wrong=lambda motion: motion.similar() & motion.unisons()),
    ),
    "contrary_perfects": Rule(
        title=tr("Fifths or octaves by contrary motion"),
        explanation=tr(
            "Two voices a fifth or octave apart move in opposite directions to the "
            "same interval, an octave wider or narrower."
        ),
        source=_KOSTKA,
        check=contrary_perfects,
    ),
    "hidden_fifths": Rule(
        title=tr("Hidden fifths"),
        explanation=tr(
            "Soprano and bass move in the same direction to a fifth, the soprano by a leap."
        ),
        source=_KOSTKA,
        check=partial(hidden, FIFTH),
    ),
    "hidden_octaves": Rule(
        title=tr("Hidden octaves"),
        explanation=tr(
            "Soprano and bass move in the same direction to an octave, the soprano by a leap."
        ),
        source=_KOSTKA,
        check=partial(hidden, OCTAVE),
    ),
    "crossing": Rule(
        title=tr("Voice crossing"),
        explanation=tr("A voice sounds below the next lower voice."),
        source=_ALDWELL,
        check=crossing,
        unit=Unit.STEPS,
    ),
    "overlap": Rule(
        title=tr("Overlap"),
        explanation=tr(
            "A voice is above the pitch the next higher voice just had, or below the one "
            "the next lower voice just had."
        ),
        source=_ALDWELL,
        check=overlap,
    ),
    "spacing": Rule(
        title=tr("Wide spacing"),
        explanation=tr("Soprano and alto, or alto and tenor, are more than an octave apart."),
        source=_ALDWELL,
        check=spacing,
        unit=Unit.STEPS,
    ),
    "range": Rule(
        title=tr("Out of range"),
        explanation=tr("A voice is above or below its usual range."),
        source=_PISTON,
        check=out_of_range,
        unit=Unit.STEPS,
    ),
    "wide_leap": Rule(
        title=tr("Leap beyond an octave"),
        explanation=tr("A voice leaps by more than an octave."),
        source=_PISTON,
        check=partial(leaps, lambda size: size > OCTAVE),
    ),
    "awkward_leap": Rule(
        title=tr("Awkward leap"),
        explanation=tr("A voice leaps by a tritone or a seventh; Bach's basses often do."),
        source=_FUX,
        check=partial(leaps, lambda size: np.isin(size, _AWKWARD)),
    ),
    "leading_tone": Rule(
        title=tr("Unresolved leading tone"),
        explanation=tr(
            "At an authentic cadence in the key of the piece, soprano or bass leaves the "
            "leading tone and does not rise to the tonic."
        ),
        source=_PISTON,
        check=leading_tone,
    ),
}

# The rules that are checked unless others are requested.
DEFAULT_RULES: Final = tuple(
    name for name in RULES if name not in {"contrary_perfects", "awkward_leap"}
)
