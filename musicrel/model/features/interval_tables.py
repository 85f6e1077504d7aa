"""What follows from the order of tokens alone: pitches, distances, degrees and what holds rule out.

Dimensions: V vocabulary, P pitches and one more for none, R distances and one more for none, K rows
of the condition ``key``.

This file knows the order of pitches and keys; it knows nothing of networks.
"""

from __future__ import annotations

from typing import Final

import torch
from torch import Tensor

FIRST_PITCH: Final = 5
"""The token of the lowest pitch's onset; all onsets follow in semitones, then all holds."""
REST: Final = 4
OCTAVE: Final = 12
DEGREES: Final = 2 * OCTAVE + 1
"""Twelve of major, twelve of minor, and none."""
IMPOSSIBLE: Final = -30.0
"""Added to a logit to rule it out."""

_KEY_ROWS: Final = 1 + 2 * OCTAVE
_STEP: Final = 2
"""Semitones of a step at most."""
_LEAPS: Final = 2 * OCTAVE + 2
SIMPLE: Final = 2 * OCTAVE + 1
"""Intervals within the octave, up and down, and none."""
WAYS: Final = 6
MOTIONS: Final = SIMPLE * _LEAPS
"""An interval up or down within the octave, or none, times a motion up to an octave, or none."""


def pitch_of_token(tokens: int, pitches: int) -> Tensor:
    """The pitch of each token, counted from the lowest; ``pitches`` where it has none: (V,)."""
    token_V = torch.arange(tokens)
    return torch.where(token_V < FIRST_PITCH, pitches, (token_V - FIRST_PITCH) % pitches)


def distances(pitches: int) -> Tensor:
    """Row of the distance from one pitch (first) to another, (P, P); the last where one is none."""
    pitch_P = torch.arange(pitches + 1)
    distance_PP = pitch_P - pitch_P[:, None] + pitches - 1
    distance_PP[pitches], distance_PP[:, pitches] = 2 * pitches - 1, 2 * pitches - 1
    return distance_PP


def degrees(pitches: int) -> Tensor:
    """Row of the degree of a pitch in a key, (K, P); the last one where either is unknown."""
    pitch_P, key_K1 = torch.arange(pitches + 1), torch.arange(_KEY_ROWS)[:, None]
    degree_KP = (pitch_P - (key_K1 - 1)) % OCTAVE + torch.where(key_K1 > OCTAVE, OCTAVE, 0)
    degree_KP[0], degree_KP[:, pitches] = DEGREES - 1, DEGREES - 1
    return degree_KP


def motions(pitches: int) -> Tensor:
    """Row of how another voice stands and moves, by two rows of ``distances``: (R, R).

    The first is that from one's own pitch to the other voice's, the second that voice's motion;
    motions beyond an octave count as one.
    """
    row_R = torch.arange(2 * pitches)
    is_none_R = row_R == 2 * pitches - 1
    semitones_R = row_R - (pitches - 1)
    motion_R = torch.where(is_none_R, _LEAPS - 1, semitones_R.clamp(-OCTAVE, OCTAVE) + OCTAVE)
    return simple_intervals(pitches)[:, None] * _LEAPS + motion_R


def simple_intervals(pitches: int) -> Tensor:
    """Each row of ``distances`` within the octave, 0 to 11 up, 12 to 23 down, 24 for none: (R,).

    A fifth above and a fourth below are told apart: they are the same note, but only one may be
    moved in parallel.
    """
    row_R = torch.arange(2 * pitches)
    semitones_R = row_R - (pitches - 1)
    simple_R = semitones_R.abs() % OCTAVE + torch.where(semitones_R < 0, OCTAVE, 0)
    return torch.where(row_R == 2 * pitches - 1, SIMPLE - 1, simple_R)


def ways(pitches: int) -> Tensor:
    """How a voice that moves by a row of ``distances`` goes, one of ``WAYS``: (R,).

    0 it stays, 1 and 2 a step up or down, 3 and 4 a leap up or down, 5 there is no motion to speak
    of.
    """
    row_R = torch.arange(2 * pitches)
    semitones_R = row_R - (pitches - 1)
    is_leap_R, is_down_R = semitones_R.abs() > _STEP, semitones_R < 0
    way_R = torch.where(semitones_R == 0, 0, 1 + 2 * is_leap_R.long() + is_down_R.long())
    return torch.where(row_R == 2 * pitches - 1, WAYS - 1, way_R)


def ruled_out(tokens: int, pitches: int) -> tuple[Tensor, Tensor]:
    """What a token rules out after it and before it in its voice, each (V, V): 0 or ``IMPOSSIBLE``.

    A hold goes on with the pitch before it: after a note all other holds are impossible, after a
    rest all; before a hold all but its own pitch are.
    """
    pitch_V, token_V = pitch_of_token(tokens, pitches), torch.arange(tokens)
    is_hold_V = token_V >= FIRST_PITCH + pitches
    another_VV = pitch_V[:, None] != pitch_V
    after_VV = (token_V >= REST)[:, None] & is_hold_V & another_VV
    before_VV = is_hold_V[:, None] & another_VV
    return after_VV * IMPOSSIBLE, before_VV * IMPOSSIBLE
