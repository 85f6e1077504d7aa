"""Row numbers of the interval features; see ``intervals`` for their meaning.

Dimensions: N neighbours, P pitches and one more for none, R distances with one for none, K rows of
the condition ``key``, V vocabulary.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.model.config import FIRST_PITCH_TOKEN
from musicrel.model.features import interval_tables as tables
from musicrel.model.features.interval_tables import KEY_ROWS, LEAPS, OCTAVE, VOICES, Table

Flags = npt.NDArray[np.bool_]

NEIGHBOURS: Final = 2 * VOICES
"""Number N of recent tokens, the newest included: the four voices now and one step earlier."""

OWN: Final = VOICES - 1
"""Index of the neighbour in the voice of the next token."""


def interval_rows(tokens: int, pitches: int) -> dict[str, Table]:
    """Return the tables of row numbers that follow from the vocabulary alone, by name."""
    far = 2 * pitches - 1
    pitch_V = tables.pitch_of_token(tokens, pitches)
    is_hold_V = np.arange(tokens) >= FIRST_PITCH_TOKEN + pitches
    pitch_P = np.arange(pitches + 1)
    distance_PP = tables.distances(pitches)
    class_R = (np.arange(2 * pitches) - (pitches - 1)) % OCTAVE
    class_R[far] = OCTAVE
    motion_PP = (pitch_P[:, None] - pitch_P).clip(-OCTAVE, OCTAVE) + OCTAVE
    motion_PP[-1], motion_PP[:, -1] = LEAPS - 1, LEAPS - 1  # either pitch is none
    degree_KP = tables.degrees(pitches)
    slot_N11 = np.arange(NEIGHBOURS)[:, None, None]
    after = NEIGHBOURS * (far + 1)
    before_3PP = (class_R[distance_PP] + slot_N11[:OWN] * (OCTAVE + 1)) * LEAPS + after
    after += OWN * (OCTAVE + 1) * LEAPS
    return {
        "slot_N": slot_N11.flatten(),
        "distance_NPP": distance_PP + slot_N11 * (far + 1),
        "class_NR": class_R + slot_N11[..., 0] * (OCTAVE + 1),
        "before_3PP": before_3PP,
        "motion_PP": motion_PP,
        "degree_KP": degree_KP,
        "degree_NKP": degree_KP + slot_N11 * KEY_ROWS + after,
        "by_distance_PV": _by_distance(distance_PP[:, pitch_V], is_hold_V, far),
        "by_degree_KV": _by_degree(degree_KP[:, pitch_V], is_hold_V, far),
    }


def _by_distance(distance_PV: Table, is_hold_V: Flags, far: int) -> Table:
    """Return the index of the output for each token by distance; ``far`` is that of a hold."""
    silent_PV = (distance_PV == far) | (is_hold_V & (distance_PV != far // 2))
    return np.where(silent_PV, far + 1 + OCTAVE, np.where(is_hold_V, far, distance_PV))


def _by_degree(degree_KV: Table, is_hold_V: Flags, far: int) -> Table:
    """Return the index of the output for each token by degree; holds have none."""
    silent_KV = (degree_KV == 2 * OCTAVE) | is_hold_V
    return np.where(silent_KV, far + 1 + OCTAVE, far + 1 + degree_KV % OCTAVE)
