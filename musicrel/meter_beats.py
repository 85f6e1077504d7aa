"""Beats of a meter, in steps of one sixteenth.

Musicians use the word for two lengths:

- The *written unit* is a note of the denominator. Positions count it (in 6/8 a bar has the beats 1
  to 6), pickups are given in it, and the playhead moves and snaps by it.
- The *beat* is what is felt, clicked and conducted: three written units in a compound meter (6/8,
  9/8, 12/8, 6/4 ...), otherwise one. Tempo marks, beams and the metronome follow it.

The *pulse* of harmonies differs from both: see ``analysis.progression``.
"""

from __future__ import annotations

from typing import Final

from musicrel.chorale import STEPS_PER_QUARTER, Meter

COMPOUND: Final = 3  # written units in one beat of a compound meter


def written_unit(meter: Meter) -> int:
    """Return the length of a note of the denominator."""
    return 4 * STEPS_PER_QUARTER // meter.denominator


def is_compound(meter: Meter) -> bool:
    """Return True if each beat has three written units, as in 6/8; 3/8 is not compound."""
    return meter.numerator > COMPOUND and meter.numerator % COMPOUND == 0


def beat(meter: Meter) -> int:
    """Return the length of a beat: a dotted quarter in 6/8, a dotted half in 6/4."""
    return written_unit(meter) * (COMPOUND if is_compound(meter) else 1)
