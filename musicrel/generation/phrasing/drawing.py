"""Draws from weighted values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import numpy as np

Value = TypeVar("Value")


def pick(weights: Mapping[Value, float], generator: np.random.Generator) -> Value:
    """Draw a key of ``weights`` with a probability in proportion to its value."""
    values = list(weights)
    cumulative = np.cumsum(list(weights.values()))
    place = np.searchsorted(cumulative / cumulative[-1], generator.random(), side="right")
    return values[min(int(place), len(values) - 1)]
