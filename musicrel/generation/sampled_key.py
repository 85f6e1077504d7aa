"""Sampling of the key of a piece without a requested key.

Without a key condition a model modulates freely and seldom ends on the tonic. The key is therefore
sampled first, with the frequencies of the training chorales, and then given as a condition:
p(key) p(notes | key). It depends on the seed alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

import numpy as np

from musicrel.chorale import Key
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest

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


def with_sampled_key(request: GenerationRequest, model: LoadedModel) -> GenerationRequest:
    """Return the request with a sampled key where the model uses keys and none is requested.

    Locked notes have a key already, known or not: then the request is unchanged.
    """
    is_open = request.key is None and not (request.locks and request.locks.cells)
    if not is_open or "key" not in model.conditions:
        return request
    return replace(request, key=sample_key(request.seed))
