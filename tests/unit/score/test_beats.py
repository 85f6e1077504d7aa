"""The beats of a piece in every meter, and the count-in."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.chorale import REST, Chorale, Meter
from musicrel.score import beats


def _stressed(meter: Meter, pickup: int, stop: int, tempo: float = 80) -> list[tuple[int, int]]:
    return [(beat.step, beat.stress) for beat in beats.beats(meter, pickup, 0, stop, tempo)]


@pytest.mark.parametrize(
    ("meter", "tempo", "expected"),
    [
        (Meter(4, 4), 80, [(0, 0), (4, 1), (8, 1), (12, 1)]),
        (Meter(3, 4), 80, [(0, 0), (4, 1), (8, 1)]),
        (Meter(3, 2), 80, [(0, 0), (8, 1), (16, 1)]),
        (Meter(2, 2), 80, [(0, 0), (8, 1)]),
        (Meter(3, 8), 80, [(0, 0), (2, 1), (4, 1)]),
        (Meter(6, 8), 80, [(0, 0), (2, 2), (4, 2), (6, 1), (8, 2), (10, 2)]),
        (Meter(6, 8), 90, [(0, 0), (6, 1)]),
        (Meter(12, 8), 120, [(0, 0), (6, 1), (12, 1), (18, 1)]),
        (Meter(6, 4), 180, [(0, 0), (12, 1)]),
        (Meter(5, 8), 80, [(0, 0), (2, 1), (4, 1), (6, 1), (8, 1)]),
        (Meter(3, 16), 80, [(0, 0), (1, 1), (2, 1)]),
        (Meter(1, 1), 80, [(0, 0)]),
    ],
)
def test_a_bar_of_every_meter(meter: Meter, tempo: float, expected: list[tuple[int, int]]) -> None:
    """Compound beats are dotted; while they come slowly, the notes between them click, too."""
    assert _stressed(meter, 0, meter.steps, tempo) == expected


def test_a_pickup_comes_before_the_first_bar_line() -> None:
    """The first accent is the bar line; half a beat of pickup has no click of its own."""
    assert _stressed(Meter(4, 4), 4, 12) == [(0, 1), (4, 0), (8, 1)]
    assert _stressed(Meter(4, 4), 2, 12) == [(2, 0), (6, 1), (10, 1)]
    assert _stressed(Meter(6, 8), 2, 10, 120) == [(2, 0), (8, 1)]


@pytest.mark.parametrize(
    ("pickup", "step", "first"),
    [
        (0, 0, -16), (4, 0, -28), (2, 0, -30), (4, 4, -12), (0, 16, 0), (0, 20, 0), (0, 3.5, -16),
        (12, 0, -20),
    ],
)  # fmt: skip
def test_a_bar_is_counted_in_and_what_is_missing_before_the_pickup(
    pickup: int, step: float, first: int
) -> None:
    """From a bar line on, also for playback from the middle of a bar."""
    piece = Chorale.of(np.full((32, 4), REST), pickup=pickup)

    assert beats.count_in_start(piece, step) == first
