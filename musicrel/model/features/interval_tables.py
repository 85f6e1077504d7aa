"""Lookup tables that follow from the vocabulary alone: pitches, distances, degrees, invalid holds.

They are NumPy arrays, int64 unless noted: the modules of torch and the compiled step share them.

Dimensions: V vocabulary, P pitches and one more for none, R distances and one more for none, K rows
of the condition ``key``.
"""

from __future__ import annotations

from typing import Final

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
