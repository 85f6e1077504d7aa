"""Figures of a body of music."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.analysis import corpus_profile
from musicrel.analysis.grade import Reference
from musicrel.chorale import REST, Chorale
from tests.helpers.music import random_chorale

C_MAJOR = [72, 67, 64, 48]
G_MAJOR = [71, 67, 62, 43]
F_MAJOR = [72, 69, 65, 41]


def chords(*pitches: list[int], steps: int = 4) -> Chorale:
    """Build a piece of chords that last ``steps`` steps each."""
    return Chorale.of(np.repeat(np.array(pitches), steps, axis=0))


def test_figures_are_of_all_pieces_together() -> None:
    """The grade is the median; parallels are counted over all notes."""
    clean, dirty = chords(C_MAJOR, G_MAJOR, C_MAJOR), chords(C_MAJOR, [74, 69, 66, 50])
    minor = chords([69, 64, 60, 45], [69, 65, 62, 50], [68, 64, 59, 40], [69, 64, 60, 45])
    reference = Reference.of([clean, dirty, minor], "all")
    found = corpus_profile.profile([clean, dirty], reference, frozenset())

    assert found.pieces == 2
    assert found.notes == (3 + 1 + 3 + 3) + 8
    assert found.clean == 50
    assert found.parallels > 0
    assert found.copied == 0


def test_bar_that_came_before_is_a_repeat() -> None:
    """Bars count from the first bar line on, and within their own piece only."""
    bar = chords(C_MAJOR, F_MAJOR, G_MAJOR, C_MAJOR)
    thrice = Chorale.of(np.concatenate([bar.pitches] * 3))

    assert corpus_profile.repeated_bars([thrice]) == pytest.approx(200 / 3)
    assert corpus_profile.repeated_bars([bar, bar]) == 0
    assert corpus_profile.repeated_bars([]) == 0


@pytest.mark.parametrize(
    ("last", "expected"),
    [
        (C_MAJOR, True),
        ([72, 72, 60, 48], False),
        ([72, 67, 60, 48], True),
        ([72, 67, 64, 52], False),
        ([72, 67, 65, 48], False),
        (G_MAJOR, False),
        ([REST, REST, REST, REST], False),
    ],
)
def test_a_piece_ends_on_its_tonic_triad(last: list[int], expected: bool) -> None:
    """The root is in the bass; third or fifth may be missing, other notes may not be added."""
    piece = chords(C_MAJOR, F_MAJOR, C_MAJOR, G_MAJOR, C_MAJOR, C_MAJOR, last)

    assert corpus_profile.ends_on_tonic(piece) == expected


def test_lengths_of_notes_add_up() -> None:
    """Repeats are merged, rests left out."""
    piece = Chorale.of(np.array([[72, 60, 55, REST]] + [[72, 62, 57, REST]] * 3 + [C_MAJOR] * 4))
    shares = corpus_profile.note_lengths([piece])

    assert shares["half"] == pytest.approx(100 * 1 / 8)
    assert shares["sixteenth"] == pytest.approx(100 * 2 / 8)
    assert sum(corpus_profile.note_lengths([random_chorale(0, 9)]).values()) == pytest.approx(100)


def test_final_cadences_are_shares_of_the_pieces() -> None:
    """An authentic cadence, a half cadence, and none."""
    authentic = chords(C_MAJOR, F_MAJOR, G_MAJOR, C_MAJOR)
    half = chords(C_MAJOR, F_MAJOR, C_MAJOR, G_MAJOR)
    other = chords(C_MAJOR, G_MAJOR, C_MAJOR, [72, 66, 61, 49])
    found = corpus_profile.final_cadences([authentic, half, other, authentic])
    assert found == {
        "authentic": 50, "half": 25, "plagal": 0, "deceptive": 0, corpus_profile.OTHER: 25,
    }  # fmt: skip
