"""Networks of the discriminator with random weights."""

from __future__ import annotations

import numpy as np

from musicrel.generation.discriminator.beat_notes import BEATS, CELLS, DEGREES, INTERVALS
from musicrel.generation.discriminator.network import CONTEXT_BEATS, Network

HIDDEN = 5


def random_network(seed: int, scale: float = 1.0) -> Network:
    """Return a small network whose log-odds are multiplied by ``scale``."""
    random = np.random.default_rng(seed)
    inputs = CELLS * (2 + 3 + 2 + 1) + 3 + 1 + 2
    shapes = [
        *[(DEGREES, 2), (INTERVALS, 3), (2, 2), (BEATS, 3), (2, 1), (2, 2)],
        *[(HIDDEN, inputs), (HIDDEN,), (HIDDEN, HIDDEN * CONTEXT_BEATS), (HIDDEN,)],
        *[(1, HIDDEN), (1,)],
    ]
    tensors = [(random.standard_normal(shape) / 4).astype(np.float32) for shape in shapes]
    return Network(*tensors).multiplied(scale)
