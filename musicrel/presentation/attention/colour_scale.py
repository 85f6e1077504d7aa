"""The colour scale of all attention maps.

Levels are square roots of weights as integers 0 to 255, as in ``attention_record``.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.presentation.attention.attention_record import Levels
from musicrel.presentation.words.palette import Theme

Colours = npt.NDArray[np.uint8]

FULL_WEIGHTS: Final = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
"""Possible ends of the scale: few, so that it rarely changes while a piece is written."""
_FULL_AT: Final = 0.995
"""Quantile of the non-zero weights that gets the last colour."""
_LEVELS: Final = 256
_ROWS: Final = 200
"""About the number of rows sampled for the quantile."""


def colours(theme: Theme) -> Colours:
    """Return the scale from background over accent to text colour: uint8 (256, 3)."""
    stops = [rgb(colour) for colour in (theme.lane, theme.accent, theme.text)]
    places = np.linspace(0, len(stops) - 1, _LEVELS)
    channels = [
        np.interp(places, range(len(stops)), channel) for channel in zip(*stops, strict=True)
    ]
    scale: Colours = np.rint(np.stack(channels, axis=1)).astype(np.uint8)
    return scale


def rgb(colour: str) -> tuple[int, int, int]:
    """Return red, green and blue of ``#rrggbb``, 0 to 255."""
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return red, green, blue


def full_weight(levels: Levels) -> float:
    """Return the weight of the last colour: the least of ``FULL_WEIGHTS`` with few above it."""
    some = levels[:: max(len(levels) // _ROWS, 1)]
    counts = np.bincount(some.ravel(), minlength=_LEVELS)
    counts[0] = 0
    below = counts.cumsum()
    if not below[-1]:
        return FULL_WEIGHTS[-1]
    level = int(np.searchsorted(below, _FULL_AT * below[-1]))
    strong = (level / (_LEVELS - 1)) ** 2
    return next((full for full in FULL_WEIGHTS if strong <= full), FULL_WEIGHTS[-1])


def stretched(theme: Theme, full: float) -> Colours:
    """Return the colour of each level if weight ``full`` has the last colour: uint8 (256, 3)."""
    weights = (np.arange(_LEVELS) / (_LEVELS - 1)) ** 2
    places = np.rint(np.sqrt(weights / full).clip(0, 1) * (_LEVELS - 1)).astype(np.int64)
    scale: Colours = colours(theme)[places]
    return scale
