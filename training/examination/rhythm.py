"""Measures of rhythm.

The variant names the voices, which are pooled, or a beat of the bar, or a kind.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import numpy as np

from musicrel.chorale import REST, Voice
from training.examination.reading import BEAT, Family, Note, Reading, average, share, voices

_HALF: Final = 8
_DOTTED: Final = (3, 6)


def _notes(reading: Reading, letters: str) -> Iterator[Note]:
    for voice in voices(letters):
        yield from reading.notes[voice]


def _begin(reading: Reading, letters: str) -> list[int]:
    return [int(reading.positions[note.start]) for note in _notes(reading, letters)]


def _repeats(reading: Reading, letters: str, *, on_beat: bool) -> Iterator[bool]:
    """Yield for each note whether it strikes the same pitch again on a beat, or off it."""
    for voice in voices(letters):
        line = reading.piece.pitches[:, voice]
        for note in reading.notes[voice]:
            again = note.start > 0 and line[note.start - 1] == note.pitch
            yield bool(again) and reading.is_on_beat(note.start) == on_beat


def off_beat_repeats(reading: Reading, letters: str) -> Iterator[bool]:
    return _repeats(reading, letters, on_beat=False)


def held_over(reading: Reading, letters: str) -> float:
    """Return the notes that begin off the beat and are held over one or more, per beat and voice.

    A note that is held over two beats counts once.
    """
    held = sum(
        bool((reading.positions[note.start + 1 : note.stop] % BEAT == 0).any())
        for note in _notes(reading, letters)
        if not reading.is_on_beat(note.start)
    )
    return held / max(len(reading.beats) * len(letters), 1)


def _bits(reading: Reading, voice: Voice) -> float:
    """Return the entropy of pairs of note lengths."""
    counts = Counter(pairwise(note.length for note in reading.notes[voice]))
    total = counts.total()
    return -sum(count / total * math.log2(count / total) for count in counts.values())


def _beats(reading: Reading, beat: str) -> list[int]:
    steps: list[int] = reading.beats.tolist()
    return [step for step in steps if reading.positions[step] // BEAT == int(beat) - 1]


def _moves_inside(reading: Reading, step: int) -> bool:
    return bool(reading.piece.onsets[step + 1 : step + BEAT].any())


def _together(reading: Reading, number: str) -> float:
    """Return the share of the steps off the beat with an onset in which ``number`` voices begin."""
    onsets = reading.piece.onsets[reading.positions % BEAT != 0].sum(axis=1)
    return share((onsets[onsets > 0] == int(number)).tolist())


def _motion(reading: Reading, kind: str) -> float:
    """Return the share of pairs of beats that both move inside ("both"), or neither ("neither")."""
    inside = [_moves_inside(reading, step) for step in reading.beats.tolist()]
    wanted = kind == "both"
    return share(a is wanted and b is wanted for a, b in pairwise(inside))


FAMILIES: Final = (
    Family("eighths", lambda r, v: share(at % BEAT == BEAT // 2 for at in _begin(r, v)),
           ("S", "T"), ("A", "B")),
    Family("sixteenths", lambda r, v: share(bool(at % 2) for at in _begin(r, v)), ("AB",), ("ST",)),
    Family("halves and longer", lambda r, v: share(note.length >= _HALF for note in _notes(r, v)),
           ("A", "B")),
    Family("dotted", lambda r, v: share(note.length in _DOTTED for note in _notes(r, v)),
           ("SA",), ("TB",)),
    Family("struck again off the beat", lambda r, v: share(_repeats(r, v, on_beat=False)),
           ("SB",), ("AT",)),
    Family("struck again on a beat", lambda r, v: share(_repeats(r, v, on_beat=True)),
           ("S", "T"), ("A", "B")),
    Family("held over a beat", held_over, ("A", "B"), ("S", "T")),
    Family("entropy of lengths", lambda r, v: average(_bits(r, voice) for voice in voices(v)),
           ("S", "B"), ("A", "T")),
    Family("moves inside beat", lambda r, v: share(_moves_inside(r, step) for step in _beats(r, v)),
           ("1", "3"), ("2", "4")),
    Family("voices struck on beat",
           lambda r, v: average(float(r.piece.onsets[step].sum()) for step in _beats(r, v)),
           ("2", "4"), ("1", "3")),
    Family("voices together off the beat", _together, ("2",), ("1", "3")),
    Family("two beats move", _motion, ("both",), ("neither",)),
    Family("rests", lambda r, v: float(np.mean(r.piece.pitches[:, list(voices(v))] == REST)),
           ("SAT",)),
)  # fmt: skip
