"""The chords of a key, the fit of a passage to them, and the costs of progressions.

A cost is small where a chord is common in four-part writing. The order of the diatonic chords, and
the usual roots after each other, are those of S. Kostka and D. Payne, *Tonal Harmony*, chapter 7:
iii to vi, vi to ii or IV, these to V or vii, and V or vii to I; I goes anywhere. Seventh chords,
borrowed and applied chords are those of chapters 13 to 23. An applied chord leads to its target, a
cadential six-four to the dominant. The numbers were set by hand on pieces of the corpus. The
distance of keys is counted in signs of their signatures, as in the regions of A. Schoenberg,
*Structural Functions of Harmony*.

A chord costs its foreign notes, by duration, and its missing tones. A foreign note costs less where
it is a passing note, a neighbour, a suspension or an anticipation. Segments are scored by matching
and missing notes after B. Pardo and W. P. Birmingham, "Algorithms for chordal analysis", *Computer
Music Journal* 26, 2002; the preference for ornamental notes that move by step is that of
D. Temperley, *The Cognition of Basic Musical Structures*, 2001, chapter 6.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from musicrel import meter_beats
from musicrel.analysis.numeral import INTERVALS, TRIAD, Quality
from musicrel.chorale import REST, STEPS_PER_QUARTER, Chorale, Meter, Mode, Voice

_QUALITIES: Final[Mapping[str, Quality]] = {
    "M": "major", "m": "minor", "d": "diminished", "a": "augmented",
    "7": "dominant", "m7": "minor-seventh", "M7": "major-seventh",
    "h7": "half-diminished", "d7": "diminished-seventh",
}  # fmt: skip
_DEGREES: Final = ("i", "ii", "iii", "iv", "v", "vi", "vii")


class Chord(NamedTuple):
    numeral: str  # its Roman numeral, without figures
    root: int  # its root in semitones above the tonic
    quality: Quality
    cost: float
    target: str = ""  # the numeral that an applied chord leads to, or ""
    cadential: bool = False  # True for the six-four chord that delays the dominant

    @property
    def degree(self) -> int:
        return degree(self.numeral)

    @property
    def applied_to(self) -> int:
        return degree(self.target) if self.target else 0


def degree(numeral: str) -> int:
    """Return the scale degree of a numeral: 6 for bVI."""
    return _DEGREES.index(numeral.lstrip("b#").lower()) + 1


_MAJOR: Final = """
I 0 M 0      I 0 M7 1.3     ii 2 m .15    ii 2 m7 .2   iii 4 m .7    iii 4 m7 1.4
IV 5 M .1    IV 5 M7 .7     V 7 M 0       V 7 7 .05    vi 9 m .2     vi 9 m7 .7
vii 11 d .25 vii 11 h7 .5   vii 11 d7 1   iv 5 m 1.1   ii 2 d 1.3    ii 2 h7 1.2
bVI 8 M 1.6  bVII 10 M 1.2  bII 1 M 1.8   v 7 m 1.6    i 0 m 2
"""
# Rows of numeral, root, quality and cost; a chord of the other mode is borrowed.
_MINOR: Final = """
i 0 m 0      i 0 m7 1       ii 2 d .3     ii 2 h7 .25  III 3 M .4    III 3 M7 1.2
III 3 a .9   iv 5 m .1      iv 5 m7 .5    IV 5 M .6    IV 5 7 .8     V 7 M 0
V 7 7 .05    v 7 m .6       v 7 m7 1.1    VI 8 M .2    VI 8 M7 .7    VII 10 M .45
vii 11 d .25 vii 11 d7 .3   ii 2 m .9     ii 2 m7 1    vi 9 d 1.2    vi 9 h7 1.2
I 0 M .9     bII 1 M 1.4
"""
# Rows of target, its root, chord in the key of the target, cost.
_APPLIED: Final[Mapping[Mode, str]] = {
    "major": """
ii 2 V .8    ii 2 V7 .7   ii 2 vii .9   ii 2 viid7 .9
iii 4 V 1.1  iii 4 V7 1   iii 4 vii 1.1 iii 4 viid7 1.1
IV 5 V7 .6   IV 5 vii 1   IV 5 viih7 1.1
V 7 V .6     V 7 V7 .6    V 7 vii .7    V 7 viih7 .9    V 7 viid7 1
vi 9 V .6    vi 9 V7 .6   vi 9 vii .9   vi 9 viid7 .9
""",
    "minor": """
III 3 V7 .5  III 3 viih7 1.2
iv 5 V .8    iv 5 V7 .7   iv 5 vii .9   iv 5 viid7 .9
V 7 V .8     V 7 V7 .8    V 7 vii .9    V 7 viid7 .9
VI 8 V7 .8   VI 8 vii 1   VII 10 V7 .8  VII 10 vii 1
""",
}
_APPLIED_CHORDS: Final[Mapping[str, tuple[str, int, Quality]]] = {
    "V": ("V", 7, "major"), "V7": ("V", 7, "dominant"), "vii": ("vii", 11, "diminished"),
    "viih7": ("vii", 11, "half-diminished"), "viid7": ("vii", 11, "diminished-seventh"),
}  # fmt: skip


def _chords(mode: Mode) -> tuple[Chord, ...]:
    words = (_MAJOR if mode == "major" else _MINOR).split()
    plain = [
        Chord(numeral, int(root), _QUALITIES[quality], float(cost))
        for numeral, root, quality, cost in zip(*[iter(words)] * 4, strict=True)
    ]
    six_four = plain[0]._replace(cost=0.0, cadential=True)
    applied = []
    for target, above, chord, cost in zip(*[iter(_APPLIED[mode].split())] * 4, strict=True):
        numeral, root, quality = _APPLIED_CHORDS[chord]
        applied.append(Chord(numeral, (int(above) + root) % 12, quality, float(cost), target))
    return (*plain, six_four, *applied)


MODES: Final[tuple[Mode, ...]] = ("major", "minor")
KEYS: Final = 24  # keys are numbered by tonic, the twelve major ones first
CHORDS: Final[Mapping[Mode, tuple[Chord, ...]]] = {mode: _chords(mode) for mode in MODES}
WIDTH: Final = max(len(chords) for chords in CHORDS.values())

Costs = npt.NDArray[np.float64]

_USUAL: Final[Mapping[int, frozenset[int]]] = {
    1: frozenset({2, 3, 4, 5, 6, 7}), 2: frozenset({5, 7}), 3: frozenset({6, 4}),
    4: frozenset({1, 2, 5, 7}), 5: frozenset({1, 6}), 6: frozenset({2, 4, 5}),
    7: frozenset({1, 5}),
}  # fmt: skip
_POSSIBLE: Final = frozenset(
    {(2, 1), (2, 4), (2, 6), (4, 6), (5, 4), (6, 1), (6, 3), (6, 7), (3, 2), (3, 1), (5, 2), (5, 7)}
)
DOMINANT: Final = 5
_LESS_USUAL: Final = 0.25  # a pair of ``_POSSIBLE``
_UNUSUAL: Final = 0.5  # any other pair
# An applied chord that does not lead to its target, or a cadential six-four without dominant.
_UNRESOLVED: Final = 0.9
# An applied chord that leads to another chord in the key of its target, such as vi.
_ROAMING: Final = 0.4
# A triad that becomes a dominant seventh; this makes up for most of a new passage.
_GAINS_SEVENTH: Final = -0.3
_CADENCES: Final = {1: 0.0, 5: 0.2, 6: 0.9}
# Cost of the triad of a fermata by its degree, and of all other chords there.
_NO_CADENCE: Final = 1.0
_NOT_THE_TONIC: Final = 1.0  # cost of any other chord than the tonic at the end of the piece
_MODULATION: Final = 1.6  # a new key, without its distance
_PER_SIGN: Final = 0.25
# The first chord of a key, by its degree.
_ENTRIES: Final[Mapping[int, float]] = {1: 0, 2: 0.1, 3: 0.6, 4: 0.1, 5: 0, 6: 0.2, 7: 0.1}
_APPLIED_ENTRY: Final = 0.6


def _table(cost: Callable[[Chord], float]) -> Costs:
    """Return the cost of each chord of each key, infinite for those that it lacks."""
    rows = np.full((len(MODES), WIDTH), np.inf)
    for row, chords in zip(rows, CHORDS.values(), strict=True):
        row[: len(chords)] = list(map(cost, chords))
    return np.repeat(rows, 12, axis=0)


def _at_fermata(chord: Chord) -> float:
    plain = len(INTERVALS[chord.quality]) == TRIAD and not (chord.target or chord.cadential)
    if not plain or (chord.degree == DOMINANT and chord.quality != "major"):
        return _NO_CADENCE
    return _CADENCES.get(chord.degree, _NO_CADENCE)


# Costs of the chords of each key, float64 (keys, chords): always, as the first and the last of a
# key, at a fermata, and at the end of the piece.
OWN: Final = _table(lambda chord: chord.cost)
FIRST: Final = _table(lambda chord: _APPLIED_ENTRY if chord.target else _ENTRIES[chord.degree])
LAST: Final = _table(lambda chord: _UNRESOLVED if chord.target or chord.cadential else 0.0)
AT_FERMATA: Final = _table(_at_fermata)
AT_THE_END: Final = _table(lambda chord: _NOT_THE_TONIC if chord.degree > 1 else 0.0)


@cache
def between_chords() -> Costs:
    """Return the costs of chords after each other, (modes, from, to)."""
    found = np.full((len(MODES), WIDTH, WIDTH), np.inf)
    for table, chords in zip(found, CHORDS.values(), strict=True):
        costs = [[_step(one, other) for other in chords] for one in chords]
        table[: len(chords), : len(chords)] = costs
    return found


@cache
def between_keys() -> Costs:
    """Return the cost of each key after each other one, float64 (from, to)."""
    signs = np.array([7 * (tonic + up) % 12 for up in (0, 3) for tonic in range(12)])
    apart = np.abs(signs[:, None] - signs[None, :])
    costs = _MODULATION + _PER_SIGN * np.minimum(apart, 12 - apart)
    np.fill_diagonal(costs, np.inf)
    return np.asarray(costs)


def _step(one: Chord, other: Chord) -> float:
    same = (one.root, one.target, one.cadential) == (other.root, other.target, other.cadential)
    if same:
        return _of_one_root(one, other)
    if one.cadential:
        return 0.0 if other.degree == DOMINANT and not other.target else _UNRESOLVED
    if one.target:
        return _after_applied(one, other)
    return 0.0 if other.target else _of_degrees(one.degree, other.degree)


def _of_one_root(one: Chord, other: Chord) -> float:
    if one.quality == other.quality:
        return 0.0
    gains = (one.quality, other.quality) == ("major", "dominant")
    return _GAINS_SEVENTH if gains else _LESS_USUAL


def _of_degrees(one: int, other: int) -> float:
    if other in _USUAL[one]:
        return 0.0
    return _LESS_USUAL if (one, other) in _POSSIBLE else _UNUSUAL


def _after_applied(one: Chord, other: Chord) -> float:
    if other.target:
        return 0.0 if other.target == one.target else _ROAMING
    if other.cadential:
        return 0.0 if one.applied_to == DOMINANT else _UNRESOLVED
    if other.degree == one.applied_to:
        return 0.0
    deceptive = (one.applied_to + 4) % 7 + 1
    return _ROAMING if other.degree == deceptive else _UNRESOLVED


_EIGHTH: Final = 8


def pulse(meter: Meter) -> int:
    """Return the pulse of harmonies in steps: a dotted quarter in 6/8, otherwise 2 to 4 steps.

    Chorales change their harmony with the quarters however they are notated: also in 2/2, 3/2 and
    6/4, where the beat is longer, and never faster than with the eighths.
    """
    if meter.denominator >= _EIGHTH and meter_beats.is_compound(meter):
        return meter_beats.beat(meter)
    return max(min(meter_beats.written_unit(meter), STEPS_PER_QUARTER), 2)


def strengths(piece: Chorale) -> npt.NDArray[np.int64]:
    """Return the strength of each step, int64 (T,).

    3 at a bar line, 2 in the middle of a bar of an even number of pulses, 1 at other pulses, 0 at
    eighths, -1 elsewhere.
    """
    positions, length = piece.bar_positions(), pulse(piece.meter)
    bar = piece.meter.steps
    strength = np.where(positions % 2 == 0, 0, -1)
    strength[positions % length == 0] = 1
    if bar % (2 * length) == 0:
        strength[positions == bar // 2] = 2
    strength[positions == 0] = 3
    return strength.astype(np.int64)


QUALITIES: Final = tuple(INTERVALS)
# Root, quality, and whether the chord is a cadential six-four.
SONORITIES: Final = 12 * len(QUALITIES) * 2

_PASSING: Final = 0.25
_ACCENTED_PASSING: Final = 0.5
_SUSPENSION: Final = 0.35
_ANTICIPATION: Final = 0.35
_APPOGGIATURA: Final = 0.8
_ESCAPE: Final = 0.7
_LEAP: Final = 1.2
_BASS: Final = 1.2  # factor for a foreign note of the bass
_LONG: Final = 1.8  # factor for an ornamental note of a quarter or more
_STEPWISE: Final = 2
# Share, besides its weight, to which an ornamental note makes a tone of the chord sound.
_ORNAMENT_SOUNDS: Final = 0.4
_UNIT: Final = 0.55  # cost of a foreign note that leaps, per step

# Cost of each tone of a chord that does not sound.
_MISSING: Final[Mapping[Quality, tuple[float, ...]]] = {
    "major": (1.0, 0.6, 0.1), "minor": (1.0, 0.6, 0.1),
    "diminished": (0.8, 0.6, 0.5), "augmented": (0.8, 0.8, 0.8),
    "dominant": (0.7, 0.5, 0.05, 0.8), "minor-seventh": (0.8, 0.5, 0.3, 0.9),
    "major-seventh": (0.8, 0.5, 0.3, 0.9), "half-diminished": (0.7, 0.5, 0.4, 0.9),
    "diminished-seventh": (0.6, 0.5, 0.4, 0.9),
}  # fmt: skip
_ENOUGH: Final = (0.75, 0.5)  # shares of a passage in which the root and the other tones must sound
_INVERSIONS: Final[Mapping[Quality, tuple[float, ...]]] = {
    "major": (0, 0.05, 0.6), "minor": (0, 0.05, 0.6),
    "diminished": (0.3, 0, 0.5), "augmented": (0.2, 0, 0.5),
    "dominant": (0, 0.05, 0.15, 0.1), "minor-seventh": (0, 0.05, 0.2, 0.15),
    "major-seventh": (0, 0.05, 0.2, 0.15), "half-diminished": (0.05, 0, 0.15, 0.15),
    "diminished-seventh": (0, 0, 0.1, 0.1),
}  # fmt: skip
# Cost where the bass never has the tone of the inversion; in part, in proportion.
_BASS_ELSEWHERE: Final = 0.5
_CADENTIAL_ELSEWHERE: Final = 2.0  # the same for a cadential six-four
_ABSENT: Final = 9.0  # cost of a tone that a chord does not have


class Fit(NamedTuple):
    costs: Costs
    inversions: npt.NDArray[np.int64]


def sonority(root: int, quality: Quality, *, cadential: bool = False) -> int:
    return (QUALITIES.index(quality) * 12 + root % 12) * 2 + cadential


class Evidence:
    """The notes of a piece, summed so that any passage is compared with all chords at once."""

    def __init__(self, piece: Chorale) -> None:
        weights = foreign_weights(piece)
        sounding = np.zeros((piece.steps, 12))
        foreign = np.zeros((piece.steps, 12))
        bass = np.zeros((piece.steps, 12))
        for voice in Voice:
            steps = np.flatnonzero(piece.pitches[:, voice] != REST)
            classes = piece.pitches[steps, voice] % 12
            np.add.at(foreign, (steps, classes), weights[steps, voice] * _UNIT)
            present = np.minimum(weights[steps, voice] + _ORNAMENT_SOUNDS, 1)
            sounding[steps, classes] = np.maximum(sounding[steps, classes], present)
        lowest = _lowest(piece)
        steps = np.flatnonzero(lowest != REST)
        emphasis = 1 + np.minimum(strengths(piece), 2) / 4
        bass[steps, lowest[steps] % 12] = emphasis[steps]
        self._foreign, self._sounding, self._bass = map(_summed, (foreign, sounding, bass))

    def fits(self, starts: npt.NDArray[np.int64], stop: int) -> Fit:
        """Return the fit of the passages from each of ``starts`` to ``stop``, (N, sonorities)."""
        foreign = (self._foreign[stop] - self._foreign[starts]) @ _OUTSIDE
        share = (self._sounding[stop] - self._sounding[starts]) / (stop - starts)[:, None]
        roots, others = (np.clip(1 - share / enough, 0, None) for enough in _ENOUGH)
        missing = roots @ _WITHOUT_ROOT + others @ _WITHOUT_OTHERS
        bass = self._bass[stop] - self._bass[starts]
        bass = bass / np.maximum(bass.sum(axis=1, keepdims=True), 1e-9)
        by_inversion = _INVERSION_COSTS + _ELSEWHERE * (1 - bass[:, _TONES])
        best = by_inversion.argmin(axis=2)
        lowest = np.take_along_axis(by_inversion, best[..., None], axis=2)[..., 0]
        return Fit(foreign + missing + lowest, best)


def foreign_weights(piece: Chorale) -> Costs:
    """Return how much each cell counts where it is foreign to the chord, float64 (T, 4)."""
    weights = np.zeros(piece.pitches.shape)
    strong = strengths(piece)
    for voice in Voice:
        line = list(_notes(piece, voice))
        around = [None, *line, None]
        for before, note, after in zip(around, line, around[2:], strict=False):
            factor = _BASS if voice is Voice.BASS else 1.0
            start, stop, _ = note
            weights[start:stop, voice] = factor * _weight(before, note, after, strong)
            held = _suspended_from(before, note, after, strong)
            weights[held:stop, voice] = np.minimum(weights[held:stop, voice], factor * _SUSPENSION)
    return weights


_Note = tuple[int, int, int]  # start, stop and pitch


def _weight(
    before: _Note | None, note: _Note, after: _Note | None, strong: npt.NDArray[np.int64]
) -> float:
    start, stop, pitch = note
    into = pitch - before[2] if before and before[1] == start else None
    out = after[2] - pitch if after and after[0] == stop else None
    by_step, to_step = _is_step(into), _is_step(out)
    accented = bool(strong[start] > (strong[after[0]] if after and after[0] == stop else 0))
    if by_step and to_step:
        weight = _ACCENTED_PASSING if accented else _PASSING
    elif by_step and out == 0 and not accented:
        weight = _ANTICIPATION
    elif to_step:
        weight = _APPOGGIATURA
    elif by_step and not accented:
        weight = _ESCAPE
    else:
        weight = _LEAP
    return min(weight * (_LONG if stop - start >= STEPS_PER_QUARTER else 1), _LEAP)


def _suspended_from(
    before: _Note | None, note: _Note, after: _Note | None, strong: npt.NDArray[np.int64]
) -> int:
    """Return the step from which a note may be a suspension; its end if it cannot be one."""
    start, stop, pitch = note
    falls = after is not None and after[0] == stop and -_STEPWISE <= after[2] - pitch < 0
    rises = after is not None and after[0] == stop and after[2] - pitch == 1
    if not (falls or rises):
        return stop
    if before is not None and before[1:] == (start, pitch) and strong[start] >= 1:
        return start
    beats = np.flatnonzero(strong[start + 1 : stop] >= max(strong[start], 1))
    return start + 1 + int(beats[0]) if beats.size else stop


def _is_step(interval: int | None) -> bool:
    return interval is not None and 1 <= abs(interval) <= _STEPWISE


def _notes(piece: Chorale, voice: Voice) -> Iterator[_Note]:
    pitches = piece.pitches[:, voice]
    edges = np.flatnonzero(
        piece.onsets[:, voice] | (np.diff(pitches == REST, prepend=True) != 0)
    ).tolist()
    for start, stop in itertools.pairwise([*edges, piece.steps]):
        if pitches[start] != REST:
            yield start, stop, int(pitches[start])


def _lowest(piece: Chorale) -> npt.NDArray[np.int16]:
    """Return the lowest sounding pitch of each step, REST in silence."""
    pitches = np.where(piece.pitches == REST, 999, piece.pitches).min(axis=1)
    return np.where(pitches == 999, REST, pitches).astype(np.int16)  # noqa: PLR2004


def _summed(values: Costs) -> Costs:
    return np.vstack([np.zeros((1, values.shape[1])), np.cumsum(values, axis=0)])


def _tables() -> tuple[Costs, Costs, Costs, npt.NDArray[np.int64], Costs]:
    outside, missing = np.ones((12, SONORITIES)), np.zeros((2, 12, SONORITIES))
    tones = np.zeros((SONORITIES, 4), dtype=np.int64)
    inversions = np.full((SONORITIES, 4), _ABSENT)
    for index in range(SONORITIES):
        quality, root = QUALITIES[index // 24], index // 2 % 12
        for at, interval in enumerate(INTERVALS[quality]):
            tone = (root + interval) % 12
            outside[tone, index] = 0
            missing[min(at, 1), tone, index] = _MISSING[quality][at]
            tones[index, at] = tone
            cost = (
                _INVERSIONS[quality][at] if index % 2 == 0 else (_ABSENT, _ABSENT, 0.0, _ABSENT)[at]
            )
            inversions[index, at] = cost
    return outside, missing[0], missing[1], tones, inversions


_ELSEWHERE: Final = np.where(np.arange(SONORITIES) % 2 == 0, _BASS_ELSEWHERE, _CADENTIAL_ELSEWHERE)[
    :, None
]
_OUTSIDE, _WITHOUT_ROOT, _WITHOUT_OTHERS, _TONES, _INVERSION_COSTS = _tables()
