"""Row numbers of the features of a grid's notes; see ``context_features`` for their meaning.

Dimensions: S slots of a step or of a voice, P pitches and one more for none, R distances, K rows of
the condition ``key``, V vocabulary.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from musicrel.model.config import FIRST_PITCH_TOKEN
from musicrel.model.features.interval_tables import (
    DEGREES,
    VOICES,
    Table,
    degrees,
    distances,
    motions,
    pitch_of_token,
    ruled_out,
)

REFERENCES: Final = 5
"""Pitches that a pitch is scored relative to: the voice's own before and after, the others now."""
CONTEXT_SLOTS: Final = 6 * VOICES + 2
"""Slots of a voice: distances from its own pitch before and after to the twelve cells around, and
the numbers of steps to its own pitches."""
AWAY: Final = 32
"""Rows for numbers of steps: 0 if there is no own note, clipped to 31."""
PAIRS: Final = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
OTHERS: Final = ((1, 2, 3), (0, 2, 3), (0, 1, 3), (0, 1, 2))
"""The three other voices of each voice."""
LEADERS: Final = (0, 3, 1, 2)
"""The first known voice in this order is the reference of a step's distances."""
MOTION_GAIN: Final = 8.0
"""Factor of the tables of motions and chords: rare rows that act on the logits directly."""


def number_of_pitches(tokens: int) -> int:
    """Return the number of pitches of a vocabulary with every pitch as an onset and as a hold."""
    return (tokens - FIRST_PITCH_TOKEN) // 2


def input_sizes(tokens: int, *, has_key: bool) -> list[int]:
    """Return the number of rows of each slot of a step."""
    distances = 2 * number_of_pitches(tokens)
    sizes = [tokens] * 3 * VOICES + [distances] * (len(PAIRS) + VOICES + 3 * VOICES)
    return sizes + [DEGREES] * (VOICES if has_key else 0)


def context_sizes(tokens: int) -> list[int]:
    """Return the number of rows of each slot of the four voices."""
    distances = 2 * number_of_pitches(tokens)
    return ([distances] * (CONTEXT_SLOTS - 2) + [AWAY] * 2) * VOICES


def context_rows(tokens: int, *, has_key: bool) -> dict[str, npt.NDArray[Any]]:
    """Return the tables that follow from the vocabulary alone, by name.

    They are int64, except ``after_VV`` and ``before_VV``, which are float32.
    """
    pitches = number_of_pitches(tokens)
    after_VV, before_VV = ruled_out(tokens, pitches)
    first_4S = _first_rows(context_sizes(tokens)).reshape(VOICES, CONTEXT_SLOTS)
    return {
        "pitch_V": pitch_of_token(tokens, pitches),
        "distance_PP": distances(pitches),
        "degree_KP": degrees(pitches),
        "motion_RR": motions(pitches),
        "after_VV": after_VV,
        "before_VV": before_VV,
        "first_S": _first_rows(input_sizes(tokens, has_key=has_key)),
        "first_4S": first_4S,
        "pair_2": np.array(PAIRS).T.copy(),
    }


def _first_rows(sizes: list[int]) -> Table:
    return np.cumsum([0, *sizes[:-1]])
