"""Kinds of phrase ends drawn in Bach's proportions, those of the training chorales.

The end of a piece has proportions of its own.
"""

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

_FINAL: Final = ("authentic", "plagal")
"""Kinds that are drawn for the end of a piece: to a user who asked for none others are faults."""
_STREAM: Final = 5
"""Separates these random numbers from those of the notes."""
_LEFT_OPEN: Final = 4.0
"""Ends within a piece that are left to a model for each that Bach leaves without a cadence: on its
own a model closes three of four."""


def as_in_bach(number: int, generator: np.random.Generator) -> tuple[str, ...]:
    """Draw the kinds of ``number`` phrase ends as in Bach, "" for none, the piece's end last."""
    return tuple(pick(_counts(is_last=end == number - 1), generator) for end in range(number))


def draw_kind(seed: int, step: int, *, is_last: bool) -> str:
    """Draw the cadence that is preferred at a phrase end, "" to leave it to the model.

    Args:
        seed: seed of the notes.
        step: first step of the phrase end; each has its own random number.
        is_last: True at the end of the piece.
    """
    generator = np.random.default_rng([seed, _STREAM, step])
    return pick(_weights(is_last=is_last), generator)


def _weights(*, is_last: bool) -> Mapping[str, float]:
    """Return the weight of each kind, so that with a model's own closes the shares are Bach's."""
    counts = _counts(is_last=is_last)
    if is_last:
        return {kind: counts[kind] for kind in _FINAL}
    total, open_ = sum(counts.values()), _LEFT_OPEN * counts[""]
    closed = (total - open_) / (total - counts[""])
    return {kind: closed * count if kind else open_ for kind, count in counts.items()}


def _counts(*, is_last: bool) -> Mapping[str, int]:
    return AT_THE_END if is_last else WITHIN
