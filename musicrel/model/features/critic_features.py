"""What a critic hears of each step: chords, motions, gaps and pairs, as rows of one table.

What is good and bad counterpoint is a matter of intervals, mostly within the octave. Pitches are
not heard at all, nor which octave a chord's notes are in: a step is the same in every key, and few
pieces give no more to be learned by heart than need be. A step is heard as

- how far each note of it, of the step before and of the one after lies above the bass, within the
  octave: the chord, where it comes from and where it goes;
- how each voice moves, up to an octave;
- how far apart neighbouring voices are: crossings, unisons and wide gaps;
- for each two voices, how far apart they were and are within the octave, and the way the upper one
  went: octaves and fifths are parallel where these say so.

Rows are numbers, looked up and summed by whoever embeds them; nothing here is learned.

Dimensions: B batch, T steps, 4 voices, 12 cells (4 before, 4 now, 4 after), 6 pairs, S rows summed.

This file knows the order of tokens and voices; it knows nothing of networks.
"""

from __future__ import annotations

from itertools import combinations
from typing import Final

import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor

from musicrel.model.features.interval_tables import FIRST_PITCH, OCTAVE

VOICES: Final = 4
_BASS: Final = 3
_PAIRS: Final = tuple(zip(*combinations(range(VOICES), 2), strict=True))
"""The upper voices of all pairs, and their lower ones."""

_CLASSES: Final = OCTAVE + 1
_MOTIONS: Final = 2 * OCTAVE + 2
_DEEPEST, _WIDEST = -3, 2 * OCTAVE
_GAPS: Final = _WIDEST - _DEEPEST + 2
_WAYS: Final = 4
_SIZES: Final = (
    [_CLASSES] * 3 * VOICES + [_MOTIONS] * VOICES + [_GAPS] * (VOICES - 1)
)  # the pairs follow, all with the same rows
ROWS: Final = sum(_SIZES) + _CLASSES * _CLASSES * _WAYS
"""Rows of the table."""
SUMMED: Final = len(_SIZES) + len(_PAIRS[0])
"""S."""


def rows(ids_BT4: Tensor, pitches: int) -> Tensor:
    """The rows of each step: int64 (B, T, S).

    Args:
        ids_BT4: tokens of a vocabulary with every pitch as an onset and as a hold.
        pitches: how many pitches it has.
    """
    now_BT4 = torch.where(ids_BT4 < FIRST_PITCH, _NONE, (ids_BT4 - FIRST_PITCH) % pitches)
    before_BT4 = F.pad(now_BT4[:, :-1], (0, 0, 1, 0), value=_NONE)
    after_BT4 = F.pad(now_BT4[:, 1:], (0, 0, 0, 1), value=_NONE)
    near_BT12 = torch.cat([before_BT4, now_BT4, after_BT4], dim=-1)
    own_BTS = torch.cat(
        [
            _class(near_BT12, now_BT4[..., _BASS, None]),
            _apart(now_BT4, before_BT4, -OCTAVE, OCTAVE),
            _apart(now_BT4[..., :-1], now_BT4[..., 1:], _DEEPEST, _WIDEST),
        ],
        dim=-1,
    )
    first_S = torch.tensor([0, *_SIZES], device=ids_BT4.device).cumsum(0)
    return torch.cat([own_BTS + first_S[:-1], _pairs(before_BT4, now_BT4) + first_S[-1]], dim=-1)


_NONE: Final = -1
"""Stands for the pitch of a cell that has none."""


def _pairs(before_BT4: Tensor, now_BT4: Tensor) -> Tensor:
    """How each two voices stood and stand, and the way the upper one went: (B, T, 6)."""
    upper, lower = map(list, _PAIRS)
    was_BT6 = _class(before_BT4[..., upper], before_BT4[..., lower])
    is_BT6 = _class(now_BT4[..., upper], now_BT4[..., lower])
    way_BT6 = _apart(now_BT4[..., upper], before_BT4[..., upper], -1, 1)
    return (was_BT6 * _CLASSES + is_BT6) * _WAYS + way_BT6


def _class(pitch: Tensor, above: Tensor) -> Tensor:
    """Semitones from one pitch up to another within the octave, 0 to 11; 12 where one is none."""
    return torch.where((pitch < 0) | (above < 0), OCTAVE, (pitch - above) % OCTAVE)


def _apart(pitch: Tensor, above: Tensor, least: int, most: int) -> Tensor:
    """Semitones between two pitches, within bounds, from 0 on; the last where one is none."""
    none = most - least + 1
    return torch.where((pitch < 0) | (above < 0), none, (pitch - above).clamp(least, most) - least)
