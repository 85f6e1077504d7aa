"""Order of samples and length of windows, as functions of seed and step.

Samples are counted from 0 through all epochs. A resumed run needs no stored state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from musicrel.experiment.recipe.recipe_parts import DataPart

_STREAM: Final = 2
"""Random stream of batches, distinct from those of epochs (0) and samples (1)."""
_GRID: Final = 4


def samples_at(
    step: int, batch: int, buckets: int, seed: int, length_of: Callable[[int], int]
) -> list[int]:
    """Return the samples of the batch of ``step``.

    With buckets, the samples of that many batches are sorted by length, cut into batches and
    shuffled batch by batch; each sample still occurs once.

    Args:
        buckets: batches that are drawn together; 1: no sorting.
    """
    group, place = divmod(step, buckets)
    first = group * buckets * batch
    if buckets == 1:
        return list(range(first, first + batch))
    by_length = sorted(range(first, first + buckets * batch), key=length_of)
    order = np.random.default_rng([seed, _STREAM, group]).permutation(buckets)
    begin = int(order[place]) * batch
    return by_length[begin : begin + batch]


def window_at(data: DataPart, step: int) -> int:
    """Return the window of ``step`` in tokens, which grows where the recipe has a curriculum."""
    if step >= data.curriculum_steps:
        return data.window
    grown = (data.window - data.first_window) * step // data.curriculum_steps
    return data.first_window + grown // _GRID * _GRID
