"""Kinds of cadences drawn for phrase ends, after the counts of the training chorales."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np

from musicrel.chorale import Mode
from musicrel.generation.phrasing.corpus_phrases import pick


class Close(NamedTuple):
    """The close of a phrase.

    Attributes:
        kind: kind of its cadence, see ``musicrel.analysis.cadences``; "": none.
        degree: semitones from the tonic of the piece up to the last note of the bass; None: any.
        prepared: steps from the chord that prepares the cadence to its first step; 0: any.
    """

    kind: str
    degree: int | None = None
    prepared: int = 0


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
    return found | {Close(kind): count for kind, count in others.items()}


WITHIN: Final = {"authentic": 782, "half": 197, "": 149, "plagal": 50, "deceptive": 14}
"""Number of phrase ends of each kind within the bundled training chorales."""
AT_THE_END: Final = {"authentic": 197, "": 21, "half": 6, "plagal": 5, "deceptive": 1}
"""The same of the ends of these chorales."""

BEFORE_THE_LAST: Final[Mapping[Mode, Mapping[Close, int]]] = {
    "major": _closes(
        {0: 5, 2: 9, 4: 2, 5: 7, 7: 35, 9: 13, 10: 1},
        {1: 1, 2: 1, 4: 6, 5: 1, 7: 1, 9: 9},
        half=27, plagal=2, deceptive=3,
    ),
    "minor": _closes(
        {0: 3, 3: 18, 5: 5, 7: 9, 8: 3, 10: 20},
        {0: 4, 3: 4, 5: 3, 8: 2, 10: 3},
        half=19, plagal=5, deceptive=4,
    ),
}  # fmt: skip
"""The closes of the phrase before the last, of three or more, by the mode of the chorale, with the
degrees of authentic cadences and of ends without one. Bach is seldom on the tonic there."""
PREPARED: Final = {kind: {4: 571, 2: 189} for kind in ("authentic", "deceptive", "plagal")}
"""Steps from the chord that prepares a cadence, by its kind, to the last one: a quarter, or an
eighth, often after a suspension. The numbers are those of the authentic ones within the bundled
training chorales."""

FINAL: Final = ("authentic", "plagal")
"""Cadences on the tonic. A piece ends with one of these where none is requested: a user takes
another end for a fault."""
# Separate these random numbers from those of the notes and from each other.
_KINDS, _PREPARATIONS = 5, 6


def as_in_bach(number: int, generator: np.random.Generator) -> tuple[str, ...]:
    """Draw the kinds of ``number`` phrase ends as in Bach, "" for none, the piece's end last."""
    counts = [WITHIN] * (number - 1) + [AT_THE_END] if number else []
    return tuple(pick(of_end, generator) for of_end in counts)


def draw_within(seed: int, step: int, left_open: float) -> str:
    """Draw the cadence that is preferred at the end of an inner phrase, "": the model's choice.

    ``left_open`` is chosen so that, with the closes that a model makes by itself, as many phrases
    close as in Bach's chorales.

    Args:
        step: first step of the phrase end; each has its own random number.
        left_open: number of ends that are left to the model for each that Bach leaves without a
            cadence.
    """
    total, open_ = sum(WITHIN.values()), left_open * WITHIN[""]
    closed = (total - open_) / (total - WITHIN[""])
    weights = {kind: closed * count if kind else open_ for kind, count in WITHIN.items()}
    return pick(weights, _generator(seed, step))


def draw_before_the_last(seed: int, step: int, mode: Mode) -> Close:
    """Draw the close that is preferred before the last phrase of a piece."""
    return _prepared(pick(BEFORE_THE_LAST[mode], _generator(seed, step)), seed, step)


def draw_last(seed: int, step: int) -> Close:
    """Draw the close of a piece where none is requested; see ``draw_before_the_last``."""
    kind = pick({kind: AT_THE_END[kind] for kind in FINAL}, _generator(seed, step))
    return _prepared(Close(kind, degree=0), seed, step)


def _prepared(close: Close, seed: int, step: int) -> Close:
    counts = PREPARED.get(close.kind, {0: 1})
    return close._replace(prepared=pick(counts, _generator(seed, step, _PREPARATIONS)))


def _generator(seed: int, step: int, stream: int = _KINDS) -> np.random.Generator:
    return np.random.default_rng([seed, stream, step])
