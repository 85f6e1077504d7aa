"""Kinds of cadences drawn for phrase ends, after the counts of the training chorales."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import numpy as np

from musicrel.generation.phrasing.drawing import pick

WITHIN: Final[Mapping[str, int]] = MappingProxyType(
    {"authentic": 782, "half": 197, "": 149, "plagal": 50, "deceptive": 14}
)
"""Number of phrase ends of each kind within the bundled training chorales."""
AT_THE_END: Final[Mapping[str, int]] = MappingProxyType(
    {"authentic": 197, "": 21, "half": 6, "plagal": 5, "deceptive": 1}
)
"""The same of the ends of these chorales."""

FINAL: Final = ("authentic", "plagal")
"""Cadences on the tonic. A piece ends with one of these where none is requested: a user takes
another end for a fault."""
_STREAM: Final = 5
"""Separates these random numbers from those of the notes."""


def as_in_bach(number: int, generator: np.random.Generator) -> tuple[str, ...]:
    """Draw the kinds of ``number`` phrase ends as in Bach, "" for none, the piece's end last."""
    counts = [WITHIN] * (number - 1) + [AT_THE_END] if number else []
    return tuple(pick(of_end, generator) for of_end in counts)


def draw_within(seed: int, step: int, left_open: float) -> str:
    """Draw the cadence that is preferred at the end of an inner phrase, "": the model's choice.

    ``left_open`` is chosen so that, with the closes that a model makes by itself, as many phrases
    close as in Bach's chorales.

    Args:
        seed: seed of the notes.
        step: first step of the phrase end; each has its own random number.
        left_open: number of ends that are left to the model for each that Bach leaves without a
            cadence.
    """
    total, open_ = sum(WITHIN.values()), left_open * WITHIN[""]
    closed = (total - open_) / (total - WITHIN[""])
    weights = {kind: closed * count if kind else open_ for kind, count in WITHIN.items()}
    return pick(weights, _generator(seed, step))


def draw_last(seed: int, step: int) -> str:
    """Draw the cadence that ends a piece where none is requested; see ``draw_within``."""
    return pick({kind: AT_THE_END[kind] for kind in FINAL}, _generator(seed, step))


def _generator(seed: int, step: int) -> np.random.Generator:
    return np.random.default_rng([seed, _STREAM, step])
