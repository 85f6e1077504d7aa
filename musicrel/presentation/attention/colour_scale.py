"""The colour scale of all attention maps.

Levels are square roots of weights as integers 0 to 255, as in ``attention_record``.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.presentation.attention.attention_record import MAX_LEVEL, Levels
from musicrel.presentation.words.palette import Theme

Colours = npt.NDArray[np.uint8]

FULL_WEIGHTS: Final = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
"""Possible ends of the scale: few, so that it rarely changes while a piece is written."""
_FULL_AT: Final = 0.995
"""Quantile of the non-zero weights that gets the last colour."""
_ROWS: Final = 200
"""About the number of rows sampled for the quantile."""


def stops(theme: Theme) -> tuple[str, str, str]:
    """Return the first, the middle and the last colour."""
    return theme.lane, theme.accent, theme.text


def colours(theme: Theme) -> Colours:
    """Return the scale from background over accent to text colour: uint8 (256, 3)."""
    channels = zip(*map(rgb, stops(theme)), strict=True)
    places = np.linspace(0, 2, MAX_LEVEL + 1)
    scale = np.stack([np.interp(places, range(3), channel) for channel in channels], axis=1)
    found: Colours = np.rint(scale).astype(np.uint8)
    return found


def rgb(colour: str) -> tuple[int, int, int]:
    """Return red, green and blue of ``#rrggbb``, 0 to 255."""
    red, green, blue = bytes.fromhex(colour[1:])
    return red, green, blue


def full_weight(levels: Levels) -> float:
    """Return the weight of the last colour: the least of ``FULL_WEIGHTS`` with few above it."""
    return float(full_weights(levels[None, :: max(len(levels) // _ROWS, 1)])[0])


def full_weights(levels: Levels) -> npt.NDArray[np.float64]:
    """Return the weight of the last colour for each map: uint8 (maps, rows, columns) -> (maps,)."""
    shape = len(levels), MAX_LEVEL + 1
    numbered = levels.reshape(len(levels), -1) + shape[1] * np.arange(len(levels))[:, None]
    counts = np.bincount(numbered.ravel(), minlength=math.prod(shape)).reshape(shape)
    counts[:, -1] += ~counts[:, 1:].any(axis=1)  # without weights, the scale ends at 1
    below = counts[:, 1:].cumsum(axis=1)
    last = 1 + (below < _FULL_AT * below[:, -1:]).sum(axis=1)
    ends = np.array(FULL_WEIGHTS)
    full: npt.NDArray[np.float64] = ends[np.searchsorted(ends, (last / MAX_LEVEL) ** 2)]
    return full
