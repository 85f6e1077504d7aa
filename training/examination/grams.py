"""The n-grams of the two sets, as words of a text.

G: intervals with the length of their first note and its place in the beat, of single voices.
R: chords on beats above the tonic, with the bass, and the moves of pairs of voices with the
interval that they reach.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Final

import numpy as np

from musicrel.analysis import events
from musicrel.chorale import REST, Voice
from training.examination.features import FeatureSet
from training.examination.reading import BEAT, Reading, voices

_LARGEST: Final = 7
_LONGEST: Final = 12
_PAIRS: Final = ("SB", "SA", "AT", "TB")


def words(reading: Reading, which: FeatureSet) -> list[str]:
    return [gram for tokens, longest in _TEXTS[which](reading) for gram in _grams(tokens, longest)]


def _grams(tokens: Sequence[str], longest: int) -> Iterator[str]:
    for size in range(1, longest + 1):
        for first in range(len(tokens) - size + 1):
            yield " ".join(tokens[first : first + size])


def _of_voices(reading: Reading) -> Iterator[tuple[list[str], int]]:
    for voice in Voice:
        yield [_word(reading, voice, at) for at in range(len(reading.notes[voice]) - 1)], 3


def _word(reading: Reading, voice: Voice, at: int) -> str:
    note, after = reading.notes[voice][at : at + 2]
    up = max(-_LARGEST, min(_LARGEST, after.pitch - note.pitch))
    place = reading.positions[note.start] % BEAT
    return f"{voice.letter}{up:+d}/{min(note.length, _LONGEST)}@{place}"


def _of_chords_and_pairs(reading: Reading) -> Iterator[tuple[list[str], int]]:
    """Yield chords for n-grams of up to two, then pairs of voices for n-grams of up to three."""
    tonic = reading.key.pitch_class
    sets = events.pitch_class_sets(reading.piece.pitches, tonic)
    chords = [f"{sets[c.step]:x}/{(c.bass - tonic) % 12}" for c in reading.chords]
    yield chords, 2
    for pair in _PAIRS:
        yield list(_moves(reading, pair)), 3


def _moves(reading: Reading, pair: str) -> Iterator[str]:
    both = reading.piece.pitches[:, list(voices(pair))].astype(int)
    starts = reading.piece.onsets[:, list(voices(pair))].any(axis=1)
    for a, b in pairwise(np.flatnonzero(starts).tolist()):
        if (both[a] != REST).all() and (both[b] != REST).all():
            up, low = (both[b] - both[a]).clip(-_LARGEST, _LARGEST).tolist()
            yield f"{pair}{up:+d}{low:+d}={(both[b][0] - both[b][1]) % 12}@{_place(reading, b)}"


def _place(reading: Reading, step: int) -> str:
    return "on" if reading.is_on_beat(step) else "off"


_TEXTS: Final[Mapping[FeatureSet, Callable[[Reading], Iterator[tuple[list[str], int]]]]] = (
    MappingProxyType({"G": _of_voices, "R": _of_chords_and_pairs})
)
