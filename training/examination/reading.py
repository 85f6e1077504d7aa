"""A piece as the measures read it: notes with their repeats, melodies without, chords on beats."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from musicrel.analysis import events, keys
from musicrel.analysis.numeral import CHORDS
from musicrel.chorale import REST, STEPS_PER_QUARTER, Chorale, Key, Voice

BEAT: Final = STEPS_PER_QUARTER
"""A beat is a quarter in every meter."""
OTHER: Final = "other"
"""The kind of a chord that is none of those with a name."""

Ints = npt.NDArray[np.int64]


class Note(NamedTuple):
    """A note: its first step, its length in steps, and its MIDI number."""

    start: int
    length: int
    pitch: int

    @property
    def stop(self) -> int:
        return self.start + self.length


class Chord(NamedTuple):
    step: int
    sounding: int  # its pitch classes; bit n is the pitch class n
    bass: int  # pitch class of the lowest voice, REST if it rests
    kind: str  # a quality of ``harmony.numeral.INTERVALS``, or ``OTHER``
    root: int  # pitch class of the root, REST for ``OTHER``


_CHORDS: Final = {sum(1 << tone for tone in tones): found for tones, found in CHORDS.items()}
"""Kind and root by the bits of the pitch classes."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Reading:
    piece: Chorale  # the piece; it has at least one note

    @cached_property
    def key(self) -> Key:
        return keys.estimate(self.piece.pitches)

    @cached_property
    def positions(self) -> Ints:
        """Return the sixteenths since the last bar line for every step, int64 (T,)."""
        return self.piece.bar_positions()

    @cached_property
    def beats(self) -> Ints:
        return np.flatnonzero(self.positions % BEAT == 0)

    @cached_property
    def notes(self) -> tuple[tuple[Note, ...], ...]:
        return tuple(tuple(_notes(self.piece, voice)) for voice in Voice)

    @cached_property
    def merged(self) -> tuple[tuple[Note, ...], ...]:
        return Reading(piece=Chorale.of(self.piece.pitches)).notes

    @cached_property
    def melodies(self) -> tuple[Ints, ...]:
        """Return the different pitches of each voice in a row: repeats merged, rests left out."""
        found = []
        for voice in Voice:
            line = self.piece.pitches[:, voice]
            pitches, _ = (
                events.merge_repeats(line[line != REST]) if (line != REST).any() else ([], 0)
            )
            found.append(np.asarray(pitches, dtype=np.int64))
        return tuple(found)

    @cached_property
    def chords(self) -> tuple[Chord, ...]:
        sets = events.pitch_class_sets(self.piece.pitches)
        bass = self.piece.pitches[:, Voice.BASS]
        return tuple(
            Chord(
                step,
                int(sets[step]),
                int(bass[step]) % 12 if bass[step] != REST else REST,
                *_CHORDS.get(int(sets[step]), (OTHER, REST)),
            )
            for step in self.beats.tolist()
        )

    def moves(self, voice: Voice) -> Ints:
        return np.diff(self.melodies[voice])

    def is_on_beat(self, step: int) -> bool:
        return bool(self.positions[step] % BEAT == 0)


def share(flags: Iterable[bool]) -> float:
    values = list(flags)
    return sum(values) / len(values) if values else float("nan")


def average(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found) if found else float("nan")


def voices(letters: str) -> tuple[Voice, ...]:
    return tuple(voice for voice in Voice if voice.letter in letters)


def _notes(piece: Chorale, voice: Voice) -> Iterable[Note]:
    line = piece.pitches[:, voice]
    ends = piece.onsets[:, voice] | (line == REST)
    for start, stop in pairwise([*np.flatnonzero(ends).tolist(), piece.steps]):
        if line[start] != REST:
            yield Note(start, stop - start, int(line[start]))


class Family(NamedTuple):
    """A measure, its title, and its variants in each set; see ``features``."""

    title: str
    measure: Callable[[Reading, str], float]
    guiding: tuple[str, ...] = ()
    reporting: tuple[str, ...] = ()
