"""Metrical strength: where harmonies usually change."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel import meter_beats
from musicrel.chorale import STEPS_PER_QUARTER, Chorale, Meter

_EIGHTH: Final = 8


def pulse(meter: Meter) -> int:
    """Return the pulse of harmonies in steps: a dotted quarter in 6/8, otherwise 2 to 4 steps.

    Chorales change their harmony with the quarters however they are notated: also in 2/2, 3/2 and
    6/4, where the beat is longer, and never faster than with the eighths.
    """
    if meter.denominator >= _EIGHTH and meter_beats.is_compound(meter):
        return meter_beats.beat(meter)
    return max(min(meter_beats.written_unit(meter), STEPS_PER_QUARTER), 2)


def strengths(piece: Chorale) -> npt.NDArray[np.int64]:
    """Return the strength of each step, int64 (T,).

    3 at a bar line, 2 in the middle of a bar of an even number of pulses, 1 at other pulses, 0 at
    eighths, -1 elsewhere.
    """
    positions, length = piece.bar_positions(), pulse(piece.meter)
    bar = piece.meter.steps
    strength = np.where(positions % 2 == 0, 0, -1)
    strength[positions % length == 0] = 1
    if bar % (2 * length) == 0:
        strength[positions == bar // 2] = 2
    strength[positions == 0] = 3
    return strength.astype(np.int64)
