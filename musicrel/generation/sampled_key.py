"""The key of a piece whose key was left open.

A model that is told no key modulates as it pleases and comes home by chance. Bach had one in mind.
So it is drawn first, as often as the chorales that were learned from have it, and then told: p(key)
p(notes given the key). It is drawn from the seed, so a piece stays the seed's.

This file knows how often keys occur; it knows nothing of what a model makes of one.
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
"""How many of the bundled training chorales are in each key."""

_STREAM: Final = 1
"""Sets this chance apart from that of the notes, which begins with the seed alone."""


def drawn(seed: int) -> Key:
    """The key that belongs to ``seed``."""
    counts = np.array(list(OCCURRENCES.values()))
    chance = np.random.default_rng([seed, _STREAM]).random()
    place = np.searchsorted(counts.cumsum() / counts.sum(), chance, side="right")
    return Key.parse(list(OCCURRENCES)[place])


def settled(request: GenerationRequest, model: LoadedModel) -> GenerationRequest:
    """The request with its key drawn, where it is open, nothing is given and the model hears keys.

    Notes that are given have a key already, known or not.
    """
    is_open = request.key is None and not (request.locks and request.locks.cells)
    if not is_open or "key" not in model.conditions:
        return request
    return replace(request, key=drawn(request.seed))
