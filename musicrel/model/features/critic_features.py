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

import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor

from musicrel.model.config import FIRST_PITCH_TOKEN
from musicrel.model.features.critic_rows import (
    BASS,
    CLASSES,
    DIRECTIONS,
    MAX_GAP,
    MIN_GAP,
    NONE,
    PAIRS,
    ROWS,
    SUMMED,
    first_rows,
)
from musicrel.model.features.interval_tables import OCTAVE

__all__ = ["ROWS", "SUMMED", "rows"]


def rows(ids_BT4: Tensor, pitches: int) -> Tensor:
    """Return the rows of each step: int64 (B, T, S).

    Args:
        ids_BT4: token ids of a vocabulary with every pitch as an onset and as a hold.
        pitches: number of its pitches.
    """
    now_BT4 = torch.where(
        ids_BT4 < FIRST_PITCH_TOKEN, NONE, (ids_BT4 - FIRST_PITCH_TOKEN) % pitches
    )
    before_BT4 = F.pad(now_BT4[:, :-1], (0, 0, 1, 0), value=NONE)
    after_BT4 = F.pad(now_BT4[:, 1:], (0, 0, 0, 1), value=NONE)
    near_BT12 = torch.cat([before_BT4, now_BT4, after_BT4], dim=-1)
    own_BTS = torch.cat(
        [
            _class(near_BT12, now_BT4[..., BASS, None]),
            _apart(now_BT4, before_BT4, -OCTAVE, OCTAVE),
            _apart(now_BT4[..., :-1], now_BT4[..., 1:], MIN_GAP, MAX_GAP),
        ],
        dim=-1,
    )
    first_S = torch.as_tensor(first_rows(), device=ids_BT4.device)
    return torch.cat([own_BTS + first_S[:-1], _pairs(before_BT4, now_BT4) + first_S[-1]], dim=-1)


def _pairs(before_BT4: Tensor, now_BT4: Tensor) -> Tensor:
    """Return the rows of pairs: intervals before and now, direction of the upper voice."""
    upper, lower = map(list, PAIRS)
    was_BT6 = _class(before_BT4[..., upper], before_BT4[..., lower])
    is_BT6 = _class(now_BT4[..., upper], now_BT4[..., lower])
    direction_BT6 = _apart(now_BT4[..., upper], before_BT4[..., upper], -1, 1)
    return (was_BT6 * CLASSES + is_BT6) * DIRECTIONS + direction_BT6


def _class(pitch: Tensor, above: Tensor) -> Tensor:
    """Return the semitones within the octave from one pitch up to another, 0 to 11; 12: none."""
    return torch.where((pitch < 0) | (above < 0), OCTAVE, (pitch - above) % OCTAVE)


def _apart(pitch: Tensor, above: Tensor, least: int, most: int) -> Tensor:
    """Return the clipped distance of two pitches as a row from 0; the last if one is none."""
    none = most - least + 1
    return torch.where((pitch < 0) | (above < 0), none, (pitch - above).clamp(least, most) - least)
