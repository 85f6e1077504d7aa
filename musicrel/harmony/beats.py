"""Metrical strength: where harmonies usually change."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.chorale import STEPS_PER_QUARTER, Chorale, Meter

_COMPOUND: Final = 3
_EIGHTH: Final = 8


def beat(meter: Meter) -> int:
    """Return the length of a beat in steps: a dotted quarter in 6/8, a quarter at most in 4/2."""
    unit = 4 * STEPS_PER_QUARTER // meter.denominator
    grouped = meter.denominator >= _EIGHTH and meter.numerator % _COMPOUND == 0
    if grouped and meter.numerator > _COMPOUND:
        return unit * _COMPOUND
    return max(min(unit, STEPS_PER_QUARTER), 2)


def strengths(piece: Chorale) -> npt.NDArray[np.int64]:
    """Return the strength of each step, int64 (T,).

    3 at a bar line, 2 in the middle of a bar of an even number of beats, 1 at other beats, 0 at
    eighths, -1 elsewhere.
    """
    positions, length = piece.bar_positions(), beat(piece.meter)
    bar = piece.meter.steps
    strength = np.where(positions % 2 == 0, 0, -1)
    strength[positions % length == 0] = 1
    if bar % (2 * length) == 0:
        strength[positions == bar // 2] = 2
    strength[positions == 0] = 3
    return strength.astype(np.int64)
