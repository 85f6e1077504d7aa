"""Features of a step for the critic: chords, motions, gaps and pairs, as rows of one table.

Good counterpoint is a matter of intervals, mostly within the octave. Absolute pitches and the
octaves of a chord's notes are left out: a step is the same in every key, and a small data set
offers less to memorise. The features of a step are

- the interval within the octave from the bass to each note of the step, of the step before and of
  the one after: the chord, its predecessor and its successor;
- the motion of each voice, clipped to an octave;
- the distance of adjacent voices: crossings, unisons and wide gaps;
- for each pair of voices, the interval within the octave before and now, and the direction of the
  upper voice: parallel octaves and fifths follow from these.

Rows are looked up and summed by the model; nothing here is learned.

Dimensions: B batch, T steps, 4 voices, 12 cells (4 before, 4 now, 4 after), 6 pairs, S rows summed.
"""

from __future__ import annotations

from itertools import combinations
from typing import Final

import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor

from musicrel.model.config import FIRST_PITCH_TOKEN
from musicrel.model.features.interval_tables import LEAPS, OCTAVE, VOICES

_BASS: Final = 3
_PAIRS: Final = tuple(zip(*combinations(range(VOICES), 2), strict=True))
"""The upper voice of each pair, and the lower voice of each pair."""

_CLASSES: Final = OCTAVE + 1
_MIN_GAP, _MAX_GAP = -3, 2 * OCTAVE
_GAPS: Final = _MAX_GAP - _MIN_GAP + 2
_DIRECTIONS: Final = 4
_SIZES: Final = (
    [_CLASSES] * 3 * VOICES + [LEAPS] * VOICES + [_GAPS] * (VOICES - 1)
)  # the pairs follow, all with the same rows
ROWS: Final = sum(_SIZES) + _CLASSES * _CLASSES * _DIRECTIONS
"""Number of rows of the table."""
SUMMED: Final = len(_SIZES) + len(_PAIRS[0])
"""Number S of rows per step."""


def rows(ids_BT4: Tensor, pitches: int) -> Tensor:
    """Return the rows of each step: int64 (B, T, S).

    Args:
        ids_BT4: token ids of a vocabulary with every pitch as an onset and as a hold.
        pitches: number of its pitches.
    """
    now_BT4 = torch.where(
        ids_BT4 < FIRST_PITCH_TOKEN, _NONE, (ids_BT4 - FIRST_PITCH_TOKEN) % pitches
    )
    before_BT4 = F.pad(now_BT4[:, :-1], (0, 0, 1, 0), value=_NONE)
    after_BT4 = F.pad(now_BT4[:, 1:], (0, 0, 0, 1), value=_NONE)
    near_BT12 = torch.cat([before_BT4, now_BT4, after_BT4], dim=-1)
    own_BTS = torch.cat(
        [
            _class(near_BT12, now_BT4[..., _BASS, None]),
            _apart(now_BT4, before_BT4, -OCTAVE, OCTAVE),
            _apart(now_BT4[..., :-1], now_BT4[..., 1:], _MIN_GAP, _MAX_GAP),
        ],
        dim=-1,
    )
    first_S = torch.tensor([0, *_SIZES], device=ids_BT4.device).cumsum(0)
    return torch.cat([own_BTS + first_S[:-1], _pairs(before_BT4, now_BT4) + first_S[-1]], dim=-1)


_NONE: Final = -1
"""Pitch of a cell without one."""


def _pairs(before_BT4: Tensor, now_BT4: Tensor) -> Tensor:
    """Return the rows of pairs: intervals before and now, direction of the upper voice."""
    upper, lower = map(list, _PAIRS)
    was_BT6 = _class(before_BT4[..., upper], before_BT4[..., lower])
    is_BT6 = _class(now_BT4[..., upper], now_BT4[..., lower])
    direction_BT6 = _apart(now_BT4[..., upper], before_BT4[..., upper], -1, 1)
    return (was_BT6 * _CLASSES + is_BT6) * _DIRECTIONS + direction_BT6


def _class(pitch: Tensor, above: Tensor) -> Tensor:
    """Return the semitones within the octave from one pitch up to another, 0 to 11; 12: none."""
    return torch.where((pitch < 0) | (above < 0), OCTAVE, (pitch - above) % OCTAVE)


def _apart(pitch: Tensor, above: Tensor, least: int, most: int) -> Tensor:
    """Return the clipped distance of two pitches as a row from 0; the last if one is none."""
    none = most - least + 1
    return torch.where((pitch < 0) | (above < 0), none, (pitch - above).clamp(least, most) - least)
