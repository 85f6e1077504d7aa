"""The fit of a passage to a chord.

A chord costs its foreign notes, by duration, and its missing tones. A foreign note costs less where
it is a passing note, a neighbour, a suspension or an anticipation. Segments are scored by matching
and missing notes after B. Pardo and W. P. Birmingham, "Algorithms for chordal analysis", *Computer
Music Journal* 26, 2002; the preference for ornamental notes that move by step is that of
D. Temperley, *The Cognition of Basic Musical Structures*, 2001, chapter 6.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from musicrel.chorale import REST, STEPS_PER_QUARTER, Chorale, Voice
from musicrel.harmony.beats import strengths
from musicrel.harmony.numeral import INTERVALS, Quality

Costs = npt.NDArray[np.float64]

QUALITIES: Final = tuple(INTERVALS)
SONORITIES: Final = 12 * len(QUALITIES) * 2
"""Root, quality, and whether the chord is a cadential six-four."""

_PASSING: Final = 0.25
_ACCENTED_PASSING: Final = 0.5
_SUSPENSION: Final = 0.35
_ANTICIPATION: Final = 0.35
_APPOGGIATURA: Final = 0.8
_ESCAPE: Final = 0.7
_LEAP: Final = 1.2
_BASS: Final = 1.2
"""Factor for a foreign note of the bass."""
_LONG: Final = 1.8
"""Factor for an ornamental note of a quarter or more."""
_STEPWISE: Final = 2
_ORNAMENT_SOUNDS: Final = 0.4
"""Share, besides its weight, to which an ornamental note makes a tone of the chord sound."""
_UNIT: Final = 0.55
"""Cost of a foreign note that leaps, per step."""

_MISSING: Final[Mapping[Quality, tuple[float, ...]]] = {
    "major": (1.0, 0.6, 0.1), "minor": (1.0, 0.6, 0.1),
    "diminished": (0.8, 0.6, 0.5), "augmented": (0.8, 0.8, 0.8),
    "dominant": (0.7, 0.5, 0.05, 0.8), "minor-seventh": (0.8, 0.5, 0.3, 0.9),
    "major-seventh": (0.8, 0.5, 0.3, 0.9), "half-diminished": (0.7, 0.5, 0.4, 0.9),
    "diminished-seventh": (0.6, 0.5, 0.4, 0.9),
}  # fmt: skip
"""Cost of each tone of a chord that does not sound."""
_ENOUGH: Final = (0.75, 0.5)
"""Shares of a passage in which the root and the other tones must sound."""
_INVERSIONS: Final[Mapping[Quality, tuple[float, ...]]] = {
    "major": (0, 0.05, 0.6), "minor": (0, 0.05, 0.6),
    "diminished": (0.3, 0, 0.5), "augmented": (0.2, 0, 0.5),
    "dominant": (0, 0.05, 0.15, 0.1), "minor-seventh": (0, 0.05, 0.2, 0.15),
    "major-seventh": (0, 0.05, 0.2, 0.15), "half-diminished": (0.05, 0, 0.15, 0.15),
    "diminished-seventh": (0, 0, 0.1, 0.1),
}  # fmt: skip
_BASS_ELSEWHERE: Final = 0.5
"""Cost where the bass never has the tone of the inversion; in part, in proportion."""
_CADENTIAL_ELSEWHERE: Final = 2.0
"""The same for a cadential six-four."""
_ABSENT: Final = 9.0
"""Cost of a tone that a chord does not have."""


class Fit(NamedTuple):
    """Costs and inversions of all sonorities for passages that end at the same step."""

    costs: Costs
    inversions: npt.NDArray[np.int64]


def sonority(root: int, quality: Quality, *, cadential: bool = False) -> int:
    """Return the index of a sonority."""
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
        """Return the fit of the passages from each of ``starts`` to ``stop``.

        Args:
            starts: int64 (N,).
            stop: the step after the last.

        Returns:
            Tables (N, sonorities).
        """
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


_Note = tuple[int, int, int]
"""Start, stop and pitch."""


def _weight(
    before: _Note | None, note: _Note, after: _Note | None, strong: npt.NDArray[np.int64]
) -> float:
    """Return how much a foreign note counts, from how it is approached and left."""
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
