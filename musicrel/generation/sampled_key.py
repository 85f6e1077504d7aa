"""Sampling of the key of a piece without a requested key.

Without a key condition a model modulates freely and seldom ends on the tonic. The key is therefore
sampled first, with the frequencies of the training chorales, and then given as a condition:
p(key) p(notes | key). It depends on the seed alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import numpy as np

from musicrel.chorale import Key

OCCURRENCES: Final[Mapping[str, int]] = MappingProxyType(
    {
        "G major": 33, "A minor": 30, "G minor": 23, "D minor": 20, "F major": 18, "A major": 17,
        "D major": 17, "E minor": 15, "Bb major": 14, "C major": 12, "B minor": 10, "E major": 7,
        "Eb major": 6, "C minor": 4, "F# minor": 3, "Ab major": 1,
    }
)  # fmt: skip
"""Number of bundled training chorales in each key."""

_STREAM: Final = 1
"""Separates these random numbers from those of the notes, which begin with the seed alone."""


def sample_key(seed: int) -> Key:
    """Return the key of ``seed``."""
    counts = np.array(list(OCCURRENCES.values()))
    uniform = np.random.default_rng([seed, _STREAM]).random()
    place = np.searchsorted(counts.cumsum() / counts.sum(), uniform, side="right")
    return Key.parse(list(OCCURRENCES)[place])
