"""The first chord of a piece: on the tonic, on the dominant, or the model's choice.

It is drawn after the counts of the training chorales. The models alone open on the tonic triad of
their key in a third of their pieces, Bach in four of five.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np

from musicrel.chorale import Mode
from musicrel.generation.phrasing.phrase_plan import pick

TONIC: Final = "tonic"
DOMINANT: Final = "dominant"
ANY: Final = ""  # the model's choice
CHORDS: Final = (TONIC, DOMINANT, ANY)

_COUNTS: Final = {TONIC: 192, DOMINANT: 9, ANY: 29}
"""Number of bundled training chorales that open on each."""
_LEFT_OPEN: Final = 1.3
"""Openings left to a model for each of Bach's that is on another chord."""
_STREAM: Final = 2, 8  # separates these random numbers from those of phrases and notes


class Opening(NamedTuple):
    """A chord, in semitones above the tonic."""

    needed: tuple[int, ...]  # tones that have to sound
    others: tuple[int, ...]
    bass: tuple[int, ...]


_OF_BOTH_MODES: Final = Opening((7, 11), (2, 5), (7, 11))
OPENINGS: Final[Mapping[tuple[str, Mode], Opening]] = {
    (TONIC, "major"): Opening((0, 4), (7,), (0,)),
    (TONIC, "minor"): Opening((0, 3), (7,), (0,)),
    (DOMINANT, "major"): _OF_BOTH_MODES,
    (DOMINANT, "minor"): _OF_BOTH_MODES,
}
"""The chord of each beginning and mode; in Bach 186 of 192 tonic triads have the root below."""


def draw(seed: int) -> str:
    """Draw the chord that a piece begins on."""
    open_ = _LEFT_OPEN * _COUNTS[ANY]
    closed = (sum(_COUNTS.values()) - open_) / (_COUNTS[TONIC] + _COUNTS[DOMINANT])
    weights = {chord: open_ if chord == ANY else closed * n for chord, n in _COUNTS.items()}
    return pick(weights, np.random.default_rng([seed, *_STREAM]))
