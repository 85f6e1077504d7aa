"""Untreated 6-4 chords: neither cadential nor passing nor neighbours.

A cadential one is followed by another chord over its bass. The bass of a passing or neighbour one
comes and goes by step. After Aldwell and Schachter, *Harmony and Voice Leading*, chapter 19.

Dimensions: T steps, 4 voices.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.chorale import REST, STEPS_PER_QUARTER, Voice

_SIX_FOURS: Final = ({0, 5, 8}, {0, 5, 9})
"""Semitones above the bass in minor and major."""
_WHOLE_TONE: Final = 2

_Pitches = npt.NDArray[np.integer]


def is_untreated(pitches_T4: _Pitches, step: int) -> bool:
    """Return whether an untreated 6-4 chord sounds at a step.

    Args:
        pitches_T4: int (T, 4), at least a quarter more than up to ``step``.
        step: the step.
    """
    now_4, next_4 = pitches_T4[step], pitches_T4[step + STEPS_PER_QUARTER]
    if (now_4 == REST).any() or {*((now_4 - now_4[Voice.BASS]) % 12).tolist()} not in _SIX_FOURS:
        return False
    stays = now_4[Voice.BASS] == next_4[Voice.BASS]
    return not stays and _leaps(pitches_T4[:, Voice.BASS], step)


def _leaps(pitches_T: _Pitches, step: int) -> bool:
    """Return True if a voice comes to its pitch at ``step`` by leap, or leaves it so."""
    own = pitches_T[step]
    before, later = pitches_T[:step], pitches_T[step:]
    sides = [*before[before != own][-1:], *later[later != own][:1]]
    return any(abs(int(side) - int(own)) > _WHOLE_TONE for side in sides)
