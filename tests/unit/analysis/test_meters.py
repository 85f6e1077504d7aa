"""Meter estimation."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.analysis import meters
from musicrel.chorale import REST, Chorale, Meter

FOUR, THREE = Meter(4, 4), Meter(3, 4)


def with_long_notes(steps: int, every: int, pickup: int) -> Chorale:
    """Build quarters in four voices, with a half note at every bar line."""
    pitch = np.zeros(steps, dtype=np.int16)
    for step in range(steps):
        since = (step - pickup) % every
        pitch[step] = 60 + (0 if since < 8 else since // 4)
    return Chorale.of(np.stack([pitch + 12, pitch + 7, pitch, pitch - 12], axis=1), pickup=pickup)


@pytest.mark.parametrize(("every", "meter"), [(16, FOUR), (12, THREE)])
@pytest.mark.parametrize("pickup", [0, 4])
def test_bars_begin_where_long_notes_do(every: int, meter: Meter, pickup: int) -> None:
    """With a pickup and without."""
    piece = with_long_notes(96, every, pickup)
    assert meters.estimate(piece, (FOUR, THREE)) == meter
    assert meters.fit(piece, meter) > 1.3


def test_even_notes_and_silence_determine_no_meter() -> None:
    """Bar lines have the weight of beats."""
    even = np.tile(np.repeat(np.arange(60, 84, dtype=np.int16), 4)[:, None], 4)
    assert meters.fit(Chorale.of(even), FOUR) == pytest.approx(1.0)
    assert meters.fit(Chorale.of(np.full((32, 4), REST)), THREE) == 1.0
