"""Dissonances: sevenths that do not resolve, 6-4 chords, simultaneous cross relations.

A seventh of a chord on a beat resolves if the voice moves on a step down. A 6-4 chord is cadential
if another chord over its bass follows, passing (or a neighbour) if its bass comes and goes by step,
untreated otherwise. After Aldwell and Schachter, *Harmony and Voice Leading*, chapters 8, 12 and
19.

A cross relation is a degree of the scale together with its alteration: F against F sharp in
C major; not E against F or B against C, nor B flat against A, which a neighbouring key has. The
table has the semitones that sound less than 0.3 times in 1,000 eighths of Bach's chorales (training
and validation). Models wrote them three to fifteen times as often.

Dimensions: K pieces, T steps, 4 voices, D degrees in semitones above the tonic.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from musicrel.analysis.numeral import INTERVALS, Quality
from musicrel.analysis.rules import FIFTH
from musicrel.chorale import REST, STEPS_PER_QUARTER, Key, Mode, Voice

Steps = npt.NDArray[np.int64]
SixFour = Literal["cadential", "passing", "untreated"]

# The lower tone of each semitone, in semitones above the tonic.
_LOWER: Final[Mapping[Mode, tuple[int, ...]]] = {
    "major": (0, 2, 3, 5, 7, 8, 10),
    "minor": (1, 3, 5, 8, 10),
}


def cross_relation_steps(pitches_KT4: npt.NDArray[np.int64], key: Key) -> npt.NDArray[np.int64]:
    """Return on how many steps a cross relation sounds, int64 (K,)."""
    degrees_KT4 = np.where(pitches_KT4 == REST, REST, (pitches_KT4 - key.pitch_class) % 12)
    sounds_KTD = (degrees_KT4[..., None] == np.arange(12)).any(axis=2)
    above_KTD = np.roll(sounds_KTD, -1, axis=-1)
    both_KTD = (sounds_KTD & above_KTD)[..., _LOWER[key.mode]]
    return np.asarray(both_KTD.any(axis=-1).sum(axis=1))


_SIX_FOURS: Final = ({0, 5, 8}, {0, 5, 9})  # semitones above the bass in minor and major
_WHOLE_TONE: Final = 2

_Pitches = npt.NDArray[np.integer]


def six_four(pitches_T4: _Pitches, step: int) -> SixFour | None:
    """Return the kind of the 6-4 chord, if any, at a step that is a quarter before the end."""
    now_4, next_4 = pitches_T4[step], pitches_T4[step + STEPS_PER_QUARTER]
    if (now_4 == REST).any() or {*((now_4 - now_4[Voice.BASS]) % 12).tolist()} not in _SIX_FOURS:
        return None
    if now_4[Voice.BASS] == next_4[Voice.BASS]:
        return "cadential"
    return "untreated" if _leaps(pitches_T4[:, Voice.BASS], step) else "passing"


def _leaps(pitches_T: _Pitches, step: int) -> bool:
    """Return True if a voice comes to its pitch at ``step`` by leap, or leaves it so."""
    own = pitches_T[step]
    before, later = pitches_T[:step], pitches_T[step:]
    sides = [*before[before != own][-1:], *later[later != own][:1]]
    return any(abs(int(side) - int(own)) > _WHOLE_TONE for side in sides)


_KINDS: Final[tuple[Quality, ...]] = (
    "dominant", "minor-seventh", "major-seventh", "half-diminished"
)  # fmt: skip
_STEPS_DOWN: Final = (1, 2)


def _sevenths() -> npt.NDArray[np.int64]:
    """Return the seventh of each set of pitch classes, -1 if it has none, int64 (4096,)."""
    found_S = np.full(1 << 12, -1)
    shapes = [INTERVALS[kind] for kind in _KINDS]
    bare = [(0, third, seventh) for _, third, fifth, seventh in shapes if fifth == FIFTH]
    for tones, root in itertools.product((*bare, *shapes), range(12)):
        classes = [(root + tone) % 12 for tone in tones]
        found_S[sum(1 << tone for tone in classes)] = classes[-1]
    return found_S


_SEVENTH_S: Final = _sevenths()


def seventh(pitches_KT4: Steps) -> npt.NDArray[np.int64]:
    """Return the pitch class of the seventh of each chord, -1 if it has none, int64 (K, T)."""
    bits_KT4 = np.where(pitches_KT4 == REST, 0, 1 << pitches_KT4 % 12)
    return _SEVENTH_S[np.bitwise_or.reduce(bits_KT4, axis=-1)]


def sevenths_left(pitches_KT4: Steps) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return how many sevenths the voices leave in the last beat, and how many a step down, (K,).

    The first step of the beat is included. A note is a seventh if it is one of a chord on a beat.
    """
    pieces, steps, _ = pitches_KT4.shape
    seventh_KT1 = seventh(pitches_KT4)[..., None]
    on_beat_T1 = ((steps - np.arange(steps)) % STEPS_PER_QUARTER == 0)[:, None]
    is_seventh_KT4 = (pitches_KT4 % 12 == seventh_KT1) & on_beat_T1 & (pitches_KT4 != REST)
    left_K, fell_K = np.zeros((2, pieces), dtype=np.int64)
    for step in range(max(steps - STEPS_PER_QUARTER, 1), steps):
        before_K4, after_K4 = pitches_KT4[:, step - 1], pitches_KT4[:, step]
        differs_KT4 = pitches_KT4[:, step - 1 :: -1] != before_K4[:, None]
        held_KT4 = ~np.logical_or.accumulate(differs_KT4, axis=1)
        was_seventh_K4 = (held_KT4 & is_seventh_KT4[:, step - 1 :: -1]).any(axis=1)
        leaves_K4 = (before_K4 != after_K4) & (after_K4 != REST) & was_seventh_K4
        left_K += leaves_K4.sum(axis=1)
        fell_K += (leaves_K4 & np.isin(before_K4 - after_K4, _STEPS_DOWN)).sum(axis=1)
    return left_K, fell_K
