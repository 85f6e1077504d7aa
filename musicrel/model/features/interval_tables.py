"""Lookup tables that follow from the vocabulary alone: pitches, distances, degrees, invalid holds.

They are NumPy arrays, int64 unless noted: the modules of torch and the compiled step share them.

Dimensions: V vocabulary, P pitches and one more for none, R distances and one more for none, K rows
of the condition ``key``.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from musicrel.model.config import FIRST_PITCH_TOKEN, REST_TOKEN

Table = npt.NDArray[np.int64]

VOICES: Final = 4
OCTAVE: Final = 12
DEGREES: Final = 2 * OCTAVE + 1
"""Twelve degrees of major, twelve of minor, and none."""
IMPOSSIBLE: Final = -30.0
"""Added to a logit to rule it out."""

KEY_ROWS: Final = 1 + 2 * OCTAVE
"""Rows of the condition ``key``."""
_STEP: Final = 2
"""Largest melodic step in semitones; anything larger is a leap."""
LEAPS: Final = 2 * OCTAVE + 2
"""Rows of a motion: up to an octave down or up in semitones, and none."""
SIMPLE_INTERVALS: Final = 2 * OCTAVE + 1
"""Intervals within the octave, up and down, and none."""
MOTION_KINDS: Final = 6
MOTIONS: Final = SIMPLE_INTERVALS * LEAPS
"""An interval up or down within the octave, or none, times a motion up to an octave, or none."""


def pitch_of_token(tokens: int, pitches: int) -> Table:
    """Return the pitch of each token from 0 for the lowest, ``pitches`` if it has none: (V,)."""
    token_V = np.arange(tokens)
    return np.where(token_V < FIRST_PITCH_TOKEN, pitches, (token_V - FIRST_PITCH_TOKEN) % pitches)


def distances(pitches: int) -> Table:
    """Return the row of the distance from one pitch to another, (P, P); the last if one is none."""
    pitch_P = np.arange(pitches + 1)
    distance_PP = pitch_P - pitch_P[:, None] + pitches - 1
    distance_PP[pitches], distance_PP[:, pitches] = 2 * pitches - 1, 2 * pitches - 1
    return distance_PP


def degrees(pitches: int) -> Table:
    """Return the row of a pitch's degree in a key, (K, P); the last row if either is unknown."""
    pitch_P, key_K1 = np.arange(pitches + 1), np.arange(KEY_ROWS)[:, None]
    degree_KP = (pitch_P - (key_K1 - 1)) % OCTAVE + np.where(key_K1 > OCTAVE, OCTAVE, 0)
    degree_KP[0], degree_KP[:, pitches] = DEGREES - 1, DEGREES - 1
    return degree_KP


def motions(pitches: int) -> Table:
    """Return the row of another voice's interval and motion, by two rows of ``distances``: (R, R).

    The first is the distance from the own pitch to the other voice's, the second that voice's
    motion, clipped to an octave.
    """
    row_R = np.arange(2 * pitches)
    is_none_R = row_R == 2 * pitches - 1
    semitones_R = row_R - (pitches - 1)
    motion_R = np.where(is_none_R, LEAPS - 1, semitones_R.clip(-OCTAVE, OCTAVE) + OCTAVE)
    return simple_intervals(pitches)[:, None] * LEAPS + motion_R


def simple_intervals(pitches: int) -> Table:
    """Reduce each row of ``distances`` to the octave, 0 to 11 up, 12 to 23 down, 24 none: (R,).

    A fifth above and a fourth below are distinct: they are the same pitch class, but only one may
    move in parallel.
    """
    row_R = np.arange(2 * pitches)
    semitones_R = row_R - (pitches - 1)
    simple_R = np.abs(semitones_R) % OCTAVE + np.where(semitones_R < 0, OCTAVE, 0)
    return np.where(row_R == 2 * pitches - 1, SIMPLE_INTERVALS - 1, simple_R)


def motion_kinds(pitches: int) -> Table:
    """Classify the motion by each row of ``distances`` as one of ``MOTION_KINDS``: (R,).

    0 none (the pitch stays), 1 and 2 a step up or down, 3 and 4 a leap up or down, 5 undefined.
    """
    row_R = np.arange(2 * pitches)
    semitones_R = row_R - (pitches - 1)
    is_leap_R, is_down_R = np.abs(semitones_R) > _STEP, semitones_R < 0
    kind_R = np.where(semitones_R == 0, 0, 1 + 2 * is_leap_R + is_down_R)
    return np.where(row_R == 2 * pitches - 1, MOTION_KINDS - 1, kind_R)


def ruled_out(tokens: int, pitches: int) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Return the biases of the token after and before each token of a voice, each (V, V).

    A hold continues the pitch before it: after a note all holds of other pitches are impossible,
    after a rest all holds; before a hold every other pitch is. Values are 0 or ``IMPOSSIBLE``,
    float32.
    """
    pitch_V, token_V = pitch_of_token(tokens, pitches), np.arange(tokens)
    is_hold_V = token_V >= FIRST_PITCH_TOKEN + pitches
    another_VV = pitch_V[:, None] != pitch_V
    after_VV = (token_V >= REST_TOKEN)[:, None] & is_hold_V & another_VV
    before_VV = is_hold_V[:, None] & another_VV
    impossible = np.float32(IMPOSSIBLE)
    return after_VV * impossible, before_VV * impossible


Flags = npt.NDArray[np.bool_]

NEIGHBOURS: Final = 2 * VOICES
"""Number N of recent tokens, the newest included: the four voices now and one step earlier."""

OWN: Final = VOICES - 1
"""Index of the neighbour in the voice of the next token."""


def interval_rows(tokens: int, pitches: int) -> dict[str, Table]:
    """Return the tables of row numbers that follow from the vocabulary alone, by name."""
    far = 2 * pitches - 1
    pitch_V = pitch_of_token(tokens, pitches)
    is_hold_V = np.arange(tokens) >= FIRST_PITCH_TOKEN + pitches
    pitch_P = np.arange(pitches + 1)
    distance_PP = distances(pitches)
    class_R = (np.arange(2 * pitches) - (pitches - 1)) % OCTAVE
    class_R[far] = OCTAVE
    motion_PP = (pitch_P[:, None] - pitch_P).clip(-OCTAVE, OCTAVE) + OCTAVE
    motion_PP[-1], motion_PP[:, -1] = LEAPS - 1, LEAPS - 1  # either pitch is none
    degree_KP = degrees(pitches)
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
    silent_PV = (distance_PV == far) | (is_hold_V & (distance_PV != far // 2))
    return np.where(silent_PV, far + 1 + OCTAVE, np.where(is_hold_V, far, distance_PV))


def _by_degree(degree_KV: Table, is_hold_V: Flags, far: int) -> Table:
    silent_KV = (degree_KV == 2 * OCTAVE) | is_hold_V
    return np.where(silent_KV, far + 1 + OCTAVE, far + 1 + degree_KV % OCTAVE)


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
_REPEATED, _HELD_ON = 1, 2


def bias_columns(tokens: int, pitches: int) -> dict[str, npt.NDArray[Any]]:
    """Return the lookup tables that follow from the vocabulary alone, by name.

    They are int64, except ``invalid_hold_PV``, which is bool.
    """
    apart_PP, simple_R = distances(pitches), simple_intervals(pitches)
    pitch_V = pitch_of_token(tokens, pitches)
    is_hold_V = np.arange(tokens) >= FIRST_PITCH_TOKEN + pitches
    degree_KV = degrees(pitches)[:, pitch_V]
    is_same_PV = np.arange(pitches + 1)[:, None] == pitch_V
    continuation_PV = np.where(is_hold_V, _HELD_ON, is_same_PV * _REPEATED)
    return {
        "interval_PP": simple_R[apart_PP] * MOTION_KINDS,
        "motion_PP": motion_kinds(pitches)[apart_PP],
        "next_interval_PV": simple_R[apart_PP][:, pitch_V],
        "invalid_hold_PV": is_hold_V & ~is_same_PV,
        "degree_KV": np.where(degree_KV == DEGREES - 1, OCTAVE, degree_KV % OCTAVE),
        "continuation_PV": np.where(pitch_V == pitches, CONTINUATIONS, continuation_PV),
    }


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
LINE_CONTINUATIONS: Final = 2 + MOVES - 1
"""Held, struck again, and the moves."""
_HELD, _STRUCK = 0, 1
_THIRD: Final = 4
"""Largest third in semitones."""


def line_tables(tokens: int, pitches: int) -> dict[str, npt.NDArray[Any]]:
    """Return the lookup tables that follow from the vocabulary alone, by name."""
    move_PP = _moves(pitches)
    pitch_V = pitch_of_token(tokens, pitches)
    is_hold_V = np.arange(tokens) >= FIRST_PITCH_TOKEN + pitches
    next_move_PV = np.where(is_hold_V, _HELD, _STRUCK + move_PP[:, pitch_V])
    next_move_PV[pitches], next_move_PV[:, pitch_V == pitches] = (
        LINE_CONTINUATIONS,
        LINE_CONTINUATIONS,
    )
    age_A = np.array([0, 0, 1, 2, 3, *[4] * (OLDEST - 5), 5])
    return {
        "move_PP": move_PP,
        "next_move_PV": next_move_PV,
        "is_hold_V": is_hold_V,
        "age_A": age_A,
    }


def _moves(pitches: int) -> Table:
    pitch_P = np.arange(pitches + 1)
    semitones_PP = pitch_P - pitch_P[:, None]
    size_PP = np.abs(semitones_PP)
    kind_PP = (size_PP > 0).astype(np.int64) + (size_PP > _STEP) + (size_PP > _THIRD)
    move_PP: Table = np.where(semitones_PP < 0, kind_PP + MOVES // 2, kind_PP)
    move_PP[pitches], move_PP[:, pitches] = 0, 0
    return move_PP
