"""Bar lines of JSB16 from the bundled chorales, and shared tunes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel.chorale import Chorale, Meter
from training.melodies import bar_lines


def chords(seed: int) -> Chorale:
    """Return forty random chords in quarters."""
    pitches = np.random.default_rng(seed).integers(48, 80, (40, 4))
    return Chorale.of(np.repeat(pitches, 4, axis=0))


CHORALE = replace(chords(3), meter=Meter(3, 4), pickup=4)
OTHERS = [chords(4), chords(5)]


@pytest.mark.parametrize(("start", "pickup"), [(0, 4), (4, 0), (30, 10)])
def test_a_piece_takes_the_bar_lines_of_the_chorale_it_is_in(start: int, pickup: int) -> None:
    """In any key, also from a later place."""
    piece = Chorale.of(CHORALE.pitches[start:] - 2)
    (found,) = bar_lines.with_bar_lines([piece], [*OTHERS, CHORALE])
    assert (str(found.meter), found.pickup) == ("3/4", pickup)


def test_a_piece_that_is_not_found_keeps_its_bar_lines() -> None:
    """Nothing is guessed."""
    piece = chords(9)
    assert bar_lines.with_bar_lines([piece], OTHERS) == [piece]


def test_the_longest_stretch_is_found_at_its_place() -> None:
    """Rests are no part of it."""
    line = np.array([60, 60, 62, 64, -1, 65, 67], dtype=np.int16)
    other = np.array([70, 71, 55, 55, 57, 59, 59, 60, 62], dtype=np.int16)
    assert bar_lines.longest_stretch(line, other) == bar_lines.Stretch(steps=4, offset=2)


def test_the_share_of_a_tune_is_that_of_its_runs() -> None:
    """All of them for the same tune, none for another one."""
    same, other = bar_lines.shares([CHORALE.transposed(3), chords(9)], [CHORALE])
    assert (same, other) == (1.0, 0.0)
