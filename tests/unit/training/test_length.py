"""The comparison of the ends of long pieces with their beginnings."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.chorale import Chorale
from training import length
from training.length import Ends

BAR = 16


def piece(*bars: int) -> Chorale:
    """Build a bar of one chord for each number of semitones."""
    chord = np.array([72, 67, 60, 48])
    return Chorale.of(np.concatenate([np.tile(chord + up, (BAR, 1)) for up in bars]))


def test_a_quarter_is_a_fourth_of_the_steps() -> None:
    """Counted from 0."""
    assert length.quarter(piece(0, 1, 2, 3), 3).pitches[0, 0] == 75


def test_bars_repeated_at_the_end_are_counted_and_not_at_the_beginning() -> None:
    """A quarter of four bars has three that may come again."""
    song = piece(*range(12), 0, 0, 0, 0)
    found = length.measure_ends([song, song], length.RATES["repeated bars, %"])

    assert (found.first, found.last) == (0, 75)
    assert (found.low, found.high) == (75, 75)
    assert not found.is_stable


@pytest.mark.parametrize(
    ("first", "last", "is_stable"), [(2.0, 2.6, True), (2.0, 2.7, False), (0.0, 0.0, True)]
)
def test_a_rate_holds_up_to_a_factor(first: float, last: float, *, is_stable: bool) -> None:
    """Zero at both ends is stable, too."""
    assert Ends(first=first, last=last, low=0, high=0).is_stable is is_stable


def test_report_is_a_row_for_each_rate() -> None:
    """With the interval of the difference."""
    ends = Ends(first=2.0, last=4.0, low=-1.0, high=5.0)
    text = length.report({"relative": {"parallels": ends}}, 16, 20, "command")

    assert "| relative | parallels | 2.0 | 4.0 | +2.0 (-1.0 to +5.0) | no |" in text
