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
_LEAPS: Final = 2 * OCTAVE + 2
MOTIONS: Final = (2 * OCTAVE + 1) * _LEAPS
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
    motions beyond an octave count as one. A fifth above and a fourth below are told apart: they are
    the same note, but only one may be moved in parallel.
    """
    row_R = torch.arange(2 * pitches)
    is_none_R = row_R == 2 * pitches - 1
    semitones_R = row_R - (pitches - 1)
    simple_R = semitones_R.abs() % OCTAVE + torch.where(semitones_R < 0, OCTAVE, 0)
    interval_R = torch.where(is_none_R, 2 * OCTAVE, simple_R)
    motion_R = torch.where(is_none_R, _LEAPS - 1, semitones_R.clamp(-OCTAVE, OCTAVE) + OCTAVE)
    return interval_R[:, None] * _LEAPS + motion_R


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
