"""Row numbers of a critic's features; see ``critic_features`` for their meaning."""

from __future__ import annotations

from itertools import combinations
from typing import Final

import numpy as np

from musicrel.model.features.interval_tables import LEAPS, OCTAVE, VOICES, Table

BASS: Final = 3
PAIRS: Final = tuple(zip(*combinations(range(VOICES), 2), strict=True))
"""The upper voice of each pair, and the lower voice of each pair."""
CLASSES: Final = OCTAVE + 1
"""Intervals within the octave, and none."""
MIN_GAP: Final = -3
MAX_GAP: Final = 2 * OCTAVE
_GAPS: Final = MAX_GAP - MIN_GAP + 2
DIRECTIONS: Final = 4
"""Down, none, up, and undefined."""
NONE: Final = -1
"""Pitch of a cell without one."""
_SIZES: Final = (
    [CLASSES] * 3 * VOICES + [LEAPS] * VOICES + [_GAPS] * (VOICES - 1)
)  # the pairs follow, all with the same rows
ROWS: Final = sum(_SIZES) + CLASSES * CLASSES * DIRECTIONS
"""Number of rows of the table."""
SUMMED: Final = len(_SIZES) + len(PAIRS[0])
"""Number S of rows per step."""


def first_rows() -> Table:
    """Return the first row of each slot but the pairs, then that of all pairs."""
    return np.cumsum([0, *_SIZES])
