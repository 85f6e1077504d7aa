"""Measures of melodic lines; the variant names the voices, which are pooled."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import Final

import numpy as np

from training.examination.reading import Family, Ints, Reading, average, share, voices

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


def _melodies(reading: Reading, letters: str) -> Iterator[Ints]:
    return filter(len, (reading.melodies[voice] for voice in voices(letters)))


def steps_kept(reading: Reading, letters: str) -> Iterator[bool]:
    """Yield for each pair of steps whether the second keeps the direction."""
    for a, b in _pairs(reading, letters):
        if abs(a) <= STEP and abs(b) <= STEP:
            yield a * b > 0


def _longest_run(moves: Ints) -> int:
    return max((len(list(same)) for _, same in groupby(moves > 0)), default=0)


def _arch(line: Ints) -> float:
    """Return how far the mean of the middle third lies above that of the others, in semitones."""
    third = len(line) // 3
    if not third:
        return 0.0
    outer = np.concatenate([line[:third], line[-third:]])
    return float(line[third:-third].mean() - outer.mean())


FAMILIES: Final = (
    Family("second step goes on", lambda r, v: share(steps_kept(r, v)), ("S", "T"), ("A", "B")),
    Family("turns twice", lambda r, v: share(a * b < 0 and b * c < 0 for a, b, c in _triples(r, v)),
           ("A", "B"), ("S", "T")),
    Family("three in one direction",
           lambda r, v: share(a * b > 0 and b * c > 0 for a, b, c in _triples(r, v)),
           ("A", "B"), ("S", "T")),
    Family("longest run", lambda r, v: average(_longest_run(r.moves(one)) for one in voices(v)),
           ("S", "T"), ("A", "B")),
    Family("comes back", lambda r, v: share(a + b == 0 for a, b in _pairs(r, v)),
           ("S", "B"), ("A", "T")),
    Family("thirds", lambda r, v: share(STEP < size < LEAP for size in _sizes(r, v)),
           ("S", "B"), ("A", "T")),
    Family("leaps", lambda r, v: share(size >= LEAP for size in _sizes(r, v)),
           ("A", "T"), ("S", "B")),
    Family("semitones", lambda r, v: share(size == 1 for size in _sizes(r, v)),
           ("A", "B"), ("S", "T")),
    Family("leap turns", lambda r, v: share(a * b < 0 for a, b in _pairs(r, v) if abs(a) >= LEAP),
           ("AT",), ("SB",)),
    Family("mean interval", lambda r, v: average(_sizes(r, v)), ("S", "B"), ("A",)),
    Family("compass", lambda r, v: average(float(np.ptp(line)) for line in _melodies(r, v)),
           ("A", "B"), ("S", "T")),
    Family("height", lambda r, v: average(float(line.mean()) for line in _melodies(r, v)),
           ("S", "A"), ("T", "B")),
    Family("place of the peak",  # 0 for the first note, 1 for the last
           lambda r, v: average(
               float(line.argmax() / max(len(line) - 1, 1)) for line in _melodies(r, v)
           ), ("S",), ("B",)),
    Family("arch", lambda r, v: average(_arch(r.melodies[one]) for one in voices(v)),
           ("B",), ("S",)),
)  # fmt: skip
