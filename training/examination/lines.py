"""Measures of melodic lines; the variant names the voices, which are pooled."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import Final

import numpy as np

from training.examination.reading import Reading, average, share, voices

STEP: Final = 2
"""The largest step, in semitones."""
LEAP: Final = 5
"""The smallest leap; between both are skips of a third."""


def _triples(reading: Reading, letters: str) -> Iterator[tuple[int, int, int]]:
    for voice in voices(letters):
        moves = reading.moves(voice).tolist()
        yield from zip(moves, moves[1:], moves[2:], strict=False)


def _pairs(reading: Reading, letters: str) -> Iterator[tuple[int, int]]:
    for voice in voices(letters):
        yield from pairwise(reading.moves(voice).tolist())


def _sizes(reading: Reading, letters: str) -> list[int]:
    return [abs(move) for voice in voices(letters) for move in reading.moves(voice).tolist()]


def step_goes_on(reading: Reading, letters: str) -> float:
    """Return the share of pairs of steps in which the second keeps the direction."""
    return share(steps_kept(reading, letters))


def steps_kept(reading: Reading, letters: str) -> Iterator[bool]:
    """Yield for each pair of steps whether the second keeps the direction."""
    for a, b in _pairs(reading, letters):
        if abs(a) <= STEP and abs(b) <= STEP:
            yield a * b > 0


def zigzag(reading: Reading, letters: str) -> float:
    """Return the share of three successive intervals that turn twice."""
    return share(a * b < 0 and b * c < 0 for a, b, c in _triples(reading, letters))


def runs(reading: Reading, letters: str) -> float:
    """Return the share of three successive intervals in one direction."""
    return share(a * b > 0 and b * c > 0 for a, b, c in _triples(reading, letters))


def longest_run(reading: Reading, letters: str) -> float:
    """Return the largest number of intervals in one direction, the mean of the voices."""
    return average(
        max((len(list(same)) for _, same in groupby(reading.moves(voice) > 0)), default=0)
        for voice in voices(letters)
    )


def neighbours(reading: Reading, letters: str) -> float:
    """Return the share of pairs of intervals that come back to the first pitch."""
    return share(a + b == 0 for a, b in _pairs(reading, letters))


def thirds(reading: Reading, letters: str) -> float:
    """Return the share of intervals that are thirds."""
    return share(STEP < size < LEAP for size in _sizes(reading, letters))


def leaps(reading: Reading, letters: str) -> float:
    """Return the share of intervals of a fourth or more."""
    return share(size >= LEAP for size in _sizes(reading, letters))


def semitones(reading: Reading, letters: str) -> float:
    """Return the share of intervals of one semitone."""
    return share(size == 1 for size in _sizes(reading, letters))


def leap_turns(reading: Reading, letters: str) -> float:
    """Return the share of leaps after which the line turns."""
    return share(a * b < 0 for a, b in _pairs(reading, letters) if abs(a) >= LEAP)


def interval(reading: Reading, letters: str) -> float:
    """Return the mean interval in semitones."""
    return average(_sizes(reading, letters))


def compass(reading: Reading, letters: str) -> float:
    """Return the distance from the lowest to the highest note in semitones, mean of the voices."""
    return average(float(np.ptp(line)) for line in _melodies(reading, letters))


def height(reading: Reading, letters: str) -> float:
    """Return the mean MIDI number of the melody."""
    return average(float(line.mean()) for line in _melodies(reading, letters))


def peak(reading: Reading, letters: str) -> float:
    """Return the place of the highest note of the melody, 0 for its first note, 1 for its last."""
    return average(
        float(line.argmax() / max(len(line) - 1, 1)) for line in _melodies(reading, letters)
    )


def _melodies(
    reading: Reading, letters: str
) -> Iterator[np.ndarray[tuple[int], np.dtype[np.int64]]]:
    for voice in voices(letters):
        if len(line := reading.melodies[voice]):
            yield line
