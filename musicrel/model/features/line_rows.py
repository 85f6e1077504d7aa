"""Row and column numbers of the biases by line; see ``lines`` for their meaning.

Dimensions: P pitches and one more for none, V vocabulary, A ages from 0.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from musicrel.model.config import FIRST_PITCH_TOKEN
from musicrel.model.features import interval_tables as tables
from musicrel.model.features.bias_columns import BEATS
from musicrel.model.features.interval_tables import VOICES

LOOK_BACK: Final = 32
"""Steps in which the last move is looked for, two bars of 4/4: in the training chorales 0.06 % of
all notes have stood longer."""
MOVES: Final = 7
"""Last moves: unknown; a step, a third or a leap up; the same down."""
AGES: Final = 6
"""Ages of a note: 1, 2, 3, 4, 5 to 7, and 8 or more steps."""
OLDEST: Final = 8
"""Steps from which on all notes are equally old."""
LINE_ROWS: Final = (1 + VOICES) * BEATS * MOVES * AGES
CONTINUATIONS: Final = 2 + MOVES - 1
"""Held, struck again, and the moves."""
_HELD, _STRUCK = 0, 1
_STEP, _THIRD = 2, 4
"""Largest step and largest third in semitones."""


def line_tables(tokens: int, pitches: int) -> dict[str, npt.NDArray[Any]]:
    """Return the lookup tables that follow from the vocabulary alone, by name.

    Args:
        tokens: vocabulary size, with every pitch as an onset and as a hold.
        pitches: number of pitches.

    Returns:
        ``move_PP``, the move from one pitch to another, 0 if they are the same or one is none;
        ``next_move_PV``, the column of each token after a pitch, ``CONTINUATIONS`` if it has none;
        ``is_hold_V``; ``age_A``, the row of an age. int64, except ``is_hold_V``, which is bool.
    """
    move_PP = _moves(pitches)
    pitch_V = tables.pitch_of_token(tokens, pitches)
    is_hold_V = np.arange(tokens) >= FIRST_PITCH_TOKEN + pitches
    next_move_PV = np.where(is_hold_V, _HELD, _STRUCK + move_PP[:, pitch_V])
    next_move_PV[pitches], next_move_PV[:, pitch_V == pitches] = CONTINUATIONS, CONTINUATIONS
    age_A = np.array([0, 0, 1, 2, 3, *[4] * (OLDEST - 5), 5])
    return {
        "move_PP": move_PP,
        "next_move_PV": next_move_PV,
        "is_hold_V": is_hold_V,
        "age_A": age_A,
    }


def _moves(pitches: int) -> tables.Table:
    """Return the move from one pitch to another, (P, P)."""
    pitch_P = np.arange(pitches + 1)
    semitones_PP = pitch_P - pitch_P[:, None]
    size_PP = np.abs(semitones_PP)
    kind_PP = (size_PP > 0).astype(np.int64) + (size_PP > _STEP) + (size_PP > _THIRD)
    move_PP: tables.Table = np.where(semitones_PP < 0, kind_PP + MOVES // 2, kind_PP)
    move_PP[pitches], move_PP[:, pitches] = 0, 0
    return move_PP
