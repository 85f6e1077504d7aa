"""The fermatas of a requested piece, from those given or from the lengths of its phrases."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from typing import Final

import numpy as np

from musicrel.chorale import STEPS_PER_QUARTER, Flags, Meter
from musicrel.meter_beats import written_unit

_MAX_FERMATA_STEPS: Final = 3 * STEPS_PER_QUARTER


def planned(
    steps: int,
    meter: Meter,
    pickup: int,
    fermatas: Iterable[tuple[int, int]],
    phrases: Iterable[int],
) -> Flags:
    """Return the steps under a fermata, bool (T,).

    Args:
        steps: length of the piece.
        meter: time signature.
        pickup: sixteenths before the first bar line.
        fermatas: first step and the step after the last of each.
        phrases: bars of each phrase; a fermata ends each.
    """
    flags = np.zeros(steps, dtype=np.bool_)
    for first, stop in fermatas:
        flags[first:stop] = True
    start = 0
    for bars in accumulate(phrases):
        end = min(bars * meter.steps, steps)
        flags[max(_last_strong_step(end, meter, pickup), start) : end] = True
        start = end
    return flags


def _last_strong_step(end: int, meter: Meter, pickup: int) -> int:
    """Return the onset of a phrase's last note: the last strong beat a quarter before its end.

    Nine of ten fermatas of the bundled chorales begin there: on the third quarter or the first of a
    bar of 4/4.
    """
    halves = meter.steps // (2 if meter.numerator % 2 == 0 else 1)
    if halves > _MAX_FERMATA_STEPS:
        halves = written_unit(meter)
    latest = end - STEPS_PER_QUARTER
    return latest - (latest - pickup) % halves
