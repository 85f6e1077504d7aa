"""Bars that are taken from another piece."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel.chorale import Chorale, Meter
from musicrel.editing.bars import bar_at, take_bars
from musicrel.errors import UsageError
from tests.helpers.music import random_chorale


def held(pitch: int, steps: int = 48) -> Chorale:
    """Return a piece of one held note in all voices."""
    return Chorale.of(np.full((steps, 4), pitch))


def test_the_notes_of_the_bar_are_those_of_the_other_piece() -> None:
    """All others stay as they are."""
    first, second = (replace(random_chorale(seed, 48), pickup=0) for seed in (1, 2))
    taken = take_bars(first, second, 16, 32).piece

    assert np.array_equal(taken.pitches[16:32], second.pitches[16:32])
    assert np.array_equal(taken.pitches[:16], first.pitches[:16])
    assert np.array_equal(taken.pitches[32:], first.pitches[32:])
    assert np.array_equal(taken.onsets[17:32], second.onsets[17:32])
    assert np.array_equal(taken.onsets[:16], first.onsets[:16])
    assert np.array_equal(taken.onsets[33:], first.onsets[33:])


def test_held_notes_are_cut_at_the_bar_lines() -> None:
    """A note of another pitch begins at each."""
    taken = take_bars(held(60), held(64), 16, 32).piece

    assert np.flatnonzero(taken.onsets[:, 0]).tolist() == [0, 16, 32]
    assert taken.pitches[:, 0].tolist() == [60] * 16 + [64] * 16 + [60] * 16


def test_a_held_note_of_the_same_pitch_goes_on() -> None:
    """Taking the same notes changes nothing."""
    taken = take_bars(held(60), held(60), 16, 32).piece

    assert taken == held(60)


def test_locks_stay_on_their_cells() -> None:
    """No step moves."""
    edit = take_bars(held(60), held(64), 16, 32)
    cells = np.zeros((48, 4), dtype=np.bool_)
    cells[20, 2] = True

    assert np.array_equal(edit.moved(cells), cells)


@pytest.mark.parametrize(
    ("step", "expected"),
    [(0, (0, 4)), (3.9, (0, 4)), (4, (4, 16)), (15.5, (4, 16)), (39, (28, 40)), (99, (28, 40))],
)
def test_the_bar_at_a_step_begins_at_its_bar_line(step: float, expected: tuple[int, int]) -> None:
    """A pickup is a bar of its own; after the end it is the last bar."""
    piece = replace(held(60, 40), meter=Meter(3, 4), pickup=4)
    assert bar_at(piece, step) == expected


@pytest.mark.parametrize(
    "other", [held(64, 20), replace(held(64), pickup=4), replace(held(64), meter=Meter(3, 4))]
)
def test_a_piece_of_another_form_is_refused(other: Chorale) -> None:
    """The sentence has the length that is needed."""
    with pytest.raises(UsageError, match="expected the same meter and pickup, and at least 32"):
        take_bars(held(60), other, 16, 32)
