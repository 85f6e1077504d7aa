"""Lookup tables of the logit biases by rule; see ``logit_biases`` for their meaning.

Dimensions: P pitches and one more for none, V vocabulary, K rows of the condition ``key``.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from musicrel.model.config import FIRST_PITCH_TOKEN
from musicrel.model.features import interval_tables as tables
from musicrel.model.features.interval_tables import OCTAVE

GAIN: Final = 8.0
"""Factor of the tables: small tables may learn much faster than layers."""
QUARTERS_LEFT: Final = 1 + 8
"""Rows for quarters left: more than eight or unknown, then 0 to 7."""
BEATS: Final = 1 + 4
"""Rows for the sixteenth within the beat: unknown, then the four."""
CONTINUATIONS: Final = 3
"""A new pitch, a repeated one, a held one; in vocabularies without holds, every continued pitch
counts as repeated."""
MOTION_STATES: Final = 3
"""States of the voices before in a step: none is known, none of them has moved, or one has."""
_REPEATED, _HELD = 1, 2


def bias_columns(tokens: int, pitches: int) -> dict[str, npt.NDArray[Any]]:
    """Return the lookup tables that follow from the vocabulary alone, by name.

    They are int64, except ``invalid_hold_PV``, which is bool.
    """
    apart_PP, simple_R = tables.distances(pitches), tables.simple_intervals(pitches)
    pitch_V = tables.pitch_of_token(tokens, pitches)
    is_hold_V = np.arange(tokens) >= FIRST_PITCH_TOKEN + pitches
    degree_KV = tables.degrees(pitches)[:, pitch_V]
    is_same_PV = np.arange(pitches + 1)[:, None] == pitch_V
    continuation_PV = np.where(is_hold_V, _HELD, is_same_PV * _REPEATED)
    return {
        "interval_PP": simple_R[apart_PP] * tables.MOTION_KINDS,
        "motion_PP": tables.motion_kinds(pitches)[apart_PP],
        "next_interval_PV": simple_R[apart_PP][:, pitch_V],
        "invalid_hold_PV": is_hold_V & ~is_same_PV,
        "degree_KV": np.where(degree_KV == tables.DEGREES - 1, OCTAVE, degree_KV % OCTAVE),
        "continuation_PV": np.where(pitch_V == pitches, CONTINUATIONS, continuation_PV),
    }
