"""Repeated notes and the longest stay on one pitch."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.analysis.claims.repetition import longest_pitch, repeated_notes
from musicrel.chorale import REST, Chorale
from tests.helpers.music import random_chorale


def test_a_repeated_note_begins_on_the_pitch_before() -> None:
    """Held notes begin nothing, and a note after a rest repeats nothing."""
    pitches = [[72, 60, 55, 48], [72, 62, REST, 48], [72, 62, 55, 48]]
    onsets = np.array([[1, 1, 1, 1], [1, 1, 0, 0], [0, 1, 1, 1]], dtype=bool)

    found = repeated_notes(Chorale.of(pitches, onsets=onsets))

    none = np.nan
    expected = [[none, none, none, none], [1, 0, none, none], [none, 1, none, 1]]
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("seed", range(5))
def test_rate_is_that_of_successive_notes(seed: int) -> None:
    """Counted note by note."""
    piece = random_chorale(seed, 60)
    repeated, notes = 0, 0
    for voice in range(4):
        for step in range(1, piece.steps):
            before, now = piece.pitches[step - 1, voice], piece.pitches[step, voice]
            if piece.onsets[step, voice] and before != REST:
                notes += 1
                repeated += before == now

    assert np.nanmean(repeated_notes(piece)) == pytest.approx(repeated / notes)


def test_longest_stay_counts_repeated_and_held_notes() -> None:
    """In quarters, of any voice; rests are no pitch."""
    pitches = np.full((16, 4), REST)
    pitches[2:8, 1] = 60
    pitches[8:, 1] = 62
    onsets = np.zeros((16, 4), dtype=bool)
    onsets[[2, 4, 8], 1] = True

    assert longest_pitch(Chorale.of(pitches, onsets=onsets)) == 2
    assert longest_pitch(Chorale.of(np.full((16, 4), REST))) == 0
