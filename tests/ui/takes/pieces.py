"""Pieces and rows of takes for the tests of the strip."""

from __future__ import annotations

import numpy as np

from musicrel.chorale import Chorale
from musicrel.project.take_table import TakeRow

_CHORDS = np.full((64, 4), [72, 67, 64, 48])
_OTHER = _CHORDS.copy()
_OTHER[20:36, 1] = 69

FIRST = Chorale.of(_CHORDS, title="Air")
REWRITTEN = Chorale.of(_OTHER, title="Air, rewritten")
"""Differs in the alto from step 20 to step 36, which cuts a note of 64 steps into three."""


def rows(count: int, piece: Chorale = FIRST) -> list[TakeRow]:
    """Return ``count`` rows, the highest number first."""
    return [
        TakeRow(
            number=number,
            name=f"Take {number}",
            rating=number % 4,
            current=number == count,
            origin="generated",
            source="",
            piece=piece,
            before=None,
        )
        for number in range(count, 0, -1)
    ]
