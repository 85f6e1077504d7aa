"""Kinds of cadences drawn for phrase ends, after the counts of the training chorales."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

import numpy as np

from musicrel.chorale import Mode
from musicrel.generation.phrasing.drawing import pick

Place = Literal["opening", "inner", "penultimate"]
"""Place of a phrase before the last: one of the first two, the one before the last, or between."""


class Close(NamedTuple):
    """The close of a phrase.

    Attributes:
        kind: kind of its cadence, see ``musicrel.analysis.cadences``; "": none.
        degree: semitones from the tonic of the piece up to the last note of the bass; None: any.
    """

    kind: str
    degree: int | None = None


def _closes(
    authentic: Mapping[int, int], open_: Mapping[int, int], **others: int
) -> Mapping[Close, int]:
    """Return the number of each close, from those of two kinds by degree and of the others."""
    by_degree = {"authentic": authentic, "": open_}
    found = {
        Close(kind, degree): count
        for kind, counts in by_degree.items()
        for degree, count in counts.items()
    }
    return MappingProxyType(found | {Close(kind): count for kind, count in others.items()})


WITHIN: Final[Mapping[str, int]] = MappingProxyType(
    {"authentic": 782, "half": 197, "": 149, "plagal": 50, "deceptive": 14}
)
"""Number of phrase ends of each kind within the bundled training chorales."""
AT_THE_END: Final[Mapping[str, int]] = MappingProxyType(
    {"authentic": 197, "": 21, "half": 6, "plagal": 5, "deceptive": 1}
)
"""The same of the ends of these chorales."""

CLOSES: Final[Mapping[tuple[Mode, Place], Mapping[Close, int]]] = MappingProxyType(
    {
        ("major", "opening"): _closes(
            {0: 109, 2: 3, 4: 1, 5: 15, 7: 59, 9: 9, 10: 1},
            {0: 4, 2: 4, 4: 5, 5: 2, 7: 1, 8: 2, 9: 4},
            half=19, plagal=8,
        ),
        ("major", "inner"): _closes(
            {0: 68, 2: 19, 4: 2, 5: 21, 7: 60, 9: 15, 10: 3},
            {0: 6, 2: 3, 3: 1, 4: 12, 5: 2, 9: 23},
            half=41, plagal=5, deceptive=3,
        ),
        ("major", "penultimate"): _closes(
            {0: 5, 2: 9, 4: 2, 5: 7, 7: 35, 9: 13, 10: 1},
            {1: 1, 2: 1, 4: 6, 5: 1, 7: 1, 9: 9},
            half=27, plagal=2, deceptive=3,
        ),
        ("minor", "opening"): _closes(
            {0: 64, 2: 1, 3: 34, 5: 8, 7: 16, 8: 2, 10: 4},
            {0: 6, 2: 1, 3: 3, 10: 1},
            half=54, plagal=8, deceptive=2,
        ),
        ("minor", "inner"): _closes(
            {0: 39, 1: 1, 3: 40, 5: 9, 7: 20, 8: 5, 10: 23},
            {0: 11, 3: 7, 5: 6, 6: 1, 8: 2, 10: 7},
            half=37, plagal=22, deceptive=2,
        ),
        ("minor", "penultimate"): _closes(
            {0: 3, 3: 18, 5: 5, 7: 9, 8: 3, 10: 20},
            {0: 4, 3: 4, 5: 3, 8: 2, 10: 3},
            half=19, plagal=5, deceptive=4,
        ),
    }
)  # fmt: skip
"""The same by the place of the phrase and the mode of the chorale, with the degrees of authentic
cadences and of ends without a cadence where the bass does not rest: Bach leaves the tonic before
he ends on it."""
_KEYLESS: Final[Mapping[Close, int]] = MappingProxyType(
    {Close(kind): count for kind, count in WITHIN.items()}
)

PREPARED: Final[Mapping[str, Mapping[int, int]]] = MappingProxyType(
    dict.fromkeys(("authentic", "deceptive", "plagal"), MappingProxyType({4: 571, 2: 189}))
)
"""Steps from the chord that prepares a cadence, by its kind, to the last one: a quarter, or an
eighth, often after a suspension. The numbers are those of the authentic ones within the bundled
training chorales."""

FINAL: Final = ("authentic", "plagal")
"""Cadences on the tonic. A piece ends with one of these where none is requested: a user takes
another end for a fault."""
_CLOSES, _PREPARATIONS = 5, 6
"""Separate these random numbers from those of the notes and from each other."""


def as_in_bach(number: int, generator: np.random.Generator) -> tuple[str, ...]:
    """Draw the kinds of ``number`` phrase ends as in Bach, "" for none, the piece's end last."""
    counts = [WITHIN] * (number - 1) + [AT_THE_END] if number else []
    return tuple(pick(of_end, generator) for of_end in counts)


def draw_within(
    seed: int, step: int, place: Place, mode: Mode | None, left_open: float = 1.0
) -> Close:
    """Draw the close that is preferred at the end of an inner phrase, as in Bach.

    Args:
        seed: seed of the notes.
        step: first step of the phrase end; each has its own random number.
        place: place of the phrase in the piece.
        mode: mode of the piece; None: its key is unknown, and no degree is drawn.
        left_open: number of ends without a cadence for each that Bach leaves without one.
    """
    counts = _KEYLESS if mode is None else CLOSES[mode, place]
    total = sum(counts.values())
    bach = sum(count for close, count in counts.items() if not close.kind)
    closed = (total - left_open * bach) / (total - bach)
    weights = {
        close: count * (closed if close.kind else left_open) for close, count in counts.items()
    }
    return pick(weights, _generator(seed, step))


def draw_last(seed: int, step: int) -> str:
    """Draw the cadence that ends a piece where none is requested; see ``draw_within``."""
    return pick({kind: AT_THE_END[kind] for kind in FINAL}, _generator(seed, step))


def draw_prepared(seed: int, step: int, kind: str) -> int:
    """Draw the number of steps from the chord that prepares a cadence; 0: none is needed."""
    counts = PREPARED.get(kind, {0: 1})
    return pick(counts, _generator(seed, step, _PREPARATIONS))


def _generator(seed: int, step: int, stream: int = _CLOSES) -> np.random.Generator:
    return np.random.default_rng([seed, stream, step])
