"""Which samples make a batch, and how long their windows are: arithmetic on seed and step.

Samples are counted from 0 through all epochs. Everything here follows from the seed and the step's
number, so that a run that is taken up again needs nothing stored.

This file knows numbers; it knows nothing of pieces or tokens.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from musicrel.experiment.recipe.recipe_parts import DataPart

_STREAM: Final = 2
"""Distinguishes the chance of batches from that of epochs (0), samples (1) and what follows."""
_GRID: Final = 4


def samples_at(
    step: int, batch: int, buckets: int, seed: int, length_of: Callable[[int], int]
) -> list[int]:
    """The samples of the batch of ``step``.

    With buckets, the samples of so many batches are sorted by length and cut into batches, which
    come in an order by chance: every sample is still seen once.

    Args:
        step: counted from 0.
        batch: samples in a batch.
        buckets: how many batches are drawn together; 1: as they come.
        seed: of the order.
        length_of: how long a sample is.
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
    """Longest sequence of ``step`` in tokens: short ones first where the recipe says so."""
    if step >= data.curriculum_steps:
        return data.window
    grown = (data.window - data.first_window) * step // data.curriculum_steps
    return data.first_window + grown // _GRID * _GRID
