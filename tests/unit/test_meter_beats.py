"""The lengths that are called a beat, in every kind of meter."""

from __future__ import annotations

import pytest

from musicrel import meter_beats
from musicrel.chorale import Meter
from musicrel.harmony.beats import pulse


@pytest.mark.parametrize(
    ("meter", "unit", "beat", "harmonic_pulse"),
    [
        ("4/4", 4, 4, 4),
        ("3/4", 4, 4, 4),
        ("2/2", 8, 8, 4),
        ("3/2", 8, 8, 4),
        ("4/2", 8, 8, 4),
        ("3/8", 2, 2, 2),
        ("6/8", 2, 6, 6),
        ("12/8", 2, 6, 6),
        ("6/4", 4, 12, 4),
        ("5/8", 2, 2, 2),
        ("4/16", 1, 1, 2),
        ("6/16", 1, 3, 3),
        ("1/1", 16, 16, 4),
    ],
)
def test_unit_beat_and_pulse(meter: str, unit: int, beat: int, harmonic_pulse: int) -> None:
    """Positions count the unit, the metronome clicks the beat, harmonies follow the pulse."""
    parsed = Meter.parse(meter)
    found = (meter_beats.written_unit(parsed), meter_beats.beat(parsed), pulse(parsed))
    assert found == (unit, beat, harmonic_pulse)
