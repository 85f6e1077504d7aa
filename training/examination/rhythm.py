"""Measures of rhythm.

The variant names the voices, which are pooled, or a beat of the bar, or a kind: see each.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import numpy as np

from musicrel.chorale import REST
from training.examination.reading import BEAT, Note, Reading, average, share, voices

_HALF: Final = 8
_DOTTED: Final = (3, 6)


def _notes(reading: Reading, letters: str) -> Iterator[Note]:
    for voice in voices(letters):
        yield from reading.notes[voice]


def _is_repeated(reading: Reading, letters: str) -> Iterator[tuple[Note, bool]]:
    """Yield each note, and True where the same pitch sounded right before it."""
    for voice in voices(letters):
        line = reading.piece.pitches[:, voice]
        for note in reading.notes[voice]:
            yield note, bool(note.start > 0 and line[note.start - 1] == note.pitch)


def eighths(reading: Reading, letters: str) -> float:
    """Return the share of notes that begin in the middle of a beat."""
    places = [reading.positions[note.start] % BEAT for note in _notes(reading, letters)]
    return share(bool(place == BEAT // 2) for place in places)


def sixteenths(reading: Reading, letters: str) -> float:
    """Return the share of notes that begin a sixteenth before or after an eighth."""
    return share(bool(reading.positions[note.start] % 2) for note in _notes(reading, letters))


def long_notes(reading: Reading, letters: str) -> float:
    """Return the share of notes of a half or longer."""
    return share(note.length >= _HALF for note in _notes(reading, letters))


def dotted(reading: Reading, letters: str) -> float:
    """Return the share of dotted notes."""
    return share(note.length in _DOTTED for note in _notes(reading, letters))


def struck_off_beat(reading: Reading, letters: str) -> float:
    """Return the share of notes that strike the same pitch again off the beat."""
    return share(off_beat_repeats(reading, letters))


def off_beat_repeats(reading: Reading, letters: str) -> Iterator[bool]:
    """Yield for each note whether it strikes the same pitch again off the beat."""
    for note, again in _is_repeated(reading, letters):
        yield again and not reading.is_on_beat(note.start)


def struck_on_beat(reading: Reading, letters: str) -> float:
    """Return the share of notes that strike the same pitch again on a beat."""
    return share(
        again and reading.is_on_beat(note.start) for note, again in _is_repeated(reading, letters)
    )


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


def entropy(reading: Reading, letters: str) -> float:
    """Return the entropy of pairs of note lengths, in bits, the mean of the voices."""
    return average(
        _bits(Counter(pairwise(note.length for note in reading.notes[voice])))
        for voice in voices(letters)
    )


def _bits(counts: Counter[tuple[int, int]]) -> float:
    total = counts.total()
    return -sum(count / total * math.log2(count / total) for count in counts.values())


def moving(reading: Reading, beat: str) -> float:
    """Return the share of the beats numbered ``beat`` in the bar in which a note begins later."""
    found = _beats(reading, beat)
    return share(bool(reading.piece.onsets[step + 1 : step + BEAT].any()) for step in found)


def struck(reading: Reading, beat: str) -> float:
    """Return the mean number of voices that begin a note on the beat numbered ``beat``."""
    return average(float(reading.piece.onsets[step].sum()) for step in _beats(reading, beat))


def _beats(reading: Reading, beat: str) -> list[int]:
    steps: list[int] = reading.beats.tolist()
    return [step for step in steps if reading.positions[step] // BEAT == int(beat) - 1]


def together(reading: Reading, number: str) -> float:
    """Return the share of the steps off the beat with an onset in which ``number`` voices begin."""
    onsets = reading.piece.onsets[reading.positions % BEAT != 0].sum(axis=1)
    return share((onsets[onsets > 0] == int(number)).tolist())


def motion(reading: Reading, kind: str) -> float:
    """Return the share of pairs of beats that both move inside ("both"), or neither ("neither")."""
    inside = [
        bool(reading.piece.onsets[step + 1 : step + BEAT].any()) for step in reading.beats.tolist()
    ]
    wanted = kind == "both"
    return share(a is wanted and b is wanted for a, b in pairwise(inside))


def rests(reading: Reading, letters: str) -> float:
    """Return the share of steps at which voices rest."""
    lines = reading.piece.pitches[:, list(voices(letters))]
    return float(np.mean(lines == REST))
