"""Positions, loops, tempo and levels as text."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.chorale import Chorale, Meter
from musicrel.presentation.compose import position_text

FOUR = Meter(4, 4)
PIECE = Chorale.of(np.full((64, 4), 60))


@pytest.mark.parametrize(
    ("step", "meter", "pickup", "expected"),
    [
        (0, FOUR, 0, "1.1"),
        (39.9, FOUR, 0, "3.2"),
        (40 - 1e-9, FOUR, 0, "3.3"),
        (0, FOUR, 4, "0.4"),
        (4, FOUR, 4, "1.1"),
        (13, Meter(3, 4), 0, "2.1"),
        (6, Meter(6, 8), 0, "1.4"),
    ],
)
def test_place_is_bar_and_beat(step: float, meter: Meter, pickup: int, expected: str) -> None:
    """Bars and beats count from 1; a pickup is bar 0."""
    assert position_text.bar_and_beat(step, meter, pickup) == expected


@pytest.mark.parametrize(("seconds", "expected"), [(0, "0:00"), (59.99, "0:59"), (61, "1:01")])
def test_times_are_rounded_down(seconds: float, expected: str) -> None:
    """No second is counted before it is over."""
    assert position_text.time(seconds) == expected


@pytest.mark.parametrize(
    ("step", "meter", "pickup", "expected"),
    [
        (7.99, FOUR, 0, 4.0),
        (8 - 1e-9, FOUR, 0, 8.0),
        (1.5, FOUR, 2, 0.0),
        (2.5, FOUR, 2, 2.0),
        (5, Meter(6, 8), 0, 4.0),
        (-3.0, FOUR, 0, 0.0),
    ],
)
def test_beat_below_is_where_the_beat_began(
    step: float, meter: Meter, pickup: int, expected: float
) -> None:
    """The first beat of a piece may be cut by a pickup; a count-in is before it."""
    assert position_text.beat_below(step, meter, pickup) == expected


@pytest.mark.parametrize(
    ("step", "pickup", "expected"),
    [(5.9, 0, 4), (6.1, 0, 8), (0.4, 2, 0), (1.5, 2, 2), (99, 0, 64)],
)
def test_grid_is_the_nearest_beat(step: float, pickup: int, expected: int) -> None:
    """Counted from the bar line; the ends of the piece count too."""
    assert position_text.grid(step, FOUR, pickup, 64) == expected


def test_region_is_the_same_dragged_either_way() -> None:
    """From the left or from the right; on whole beats, and nothing where that is no beat long."""
    assert position_text.region(33, 95, PIECE) == position_text.region(95, 33, PIECE) == (32, 64)
    assert position_text.region(15, 17, PIECE) is None


@pytest.mark.parametrize(
    ("loop", "expected"), [(None, None), ((8, 16), (8, 16)), ((8, 80), (8, 64)), ((64, 80), None)]
)
def test_loop_is_cut_to_the_piece(
    loop: tuple[int, int] | None, expected: tuple[int, int] | None
) -> None:
    """A shorter piece repeats what it has of it."""
    assert position_text.fitting(loop, 64) == expected


def test_tempo_stays_within_what_can_be_played() -> None:
    """A quarter of the written tempo to four times as fast, in whole numbers."""
    assert position_text.tempo_bounds(81) == (21, 324)
    assert position_text.tempo_factor(120, 80) == 1.5
    assert position_text.tempo_factor(999, 80) == 4


def test_levels_are_described() -> None:
    """Volume as a share, place as a side."""
    assert [position_text.volume(0.8), position_text.pan(0)] == ["80 %", "centre"]
    assert [position_text.pan(-0.45), position_text.pan(1)] == ["45 % left", "100 % right"]
