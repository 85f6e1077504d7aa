"""Degrees of the scale."""

from __future__ import annotations

import pytest

from musicrel.chorale import Key
from musicrel.editing import degrees
from musicrel.score.notation.spelling import signature, spell

KEYS = [Key.of(number, mode) for number in range(12) for mode in ("major", "minor")]
SCALE = {"major": (0, 2, 4, 5, 7, 9, 11), "minor": (0, 2, 3, 5, 7, 8, 10)}


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_a_scale_rises_degree_by_degree(key: Key) -> None:
    """Major, or natural minor, through two octaves and back."""
    tonic = 48 + key.pitch_class
    scale = [tonic + 12 * octave + step for octave in (0, 1) for step in SCALE[key.mode]]
    assert [degrees.by_degrees(tonic, key, number) for number in range(14)] == scale
    assert [degrees.by_degrees(pitch, key, -n) for n, pitch in enumerate(scale)] == [tonic] * 14


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_a_letter_has_the_signature_of_the_key(key: Key) -> None:
    """It is spelled as it was typed, and the nearest of its name."""
    for pitch in range(48, 84):
        for letter in degrees.LETTERS:
            found = degrees.nearest(letter, pitch, key)
            assert spell(found, key).step == letter
            assert abs(degrees.degree(found, key) - degrees.degree(pitch, key)) <= 3


def test_keys_with_more_than_seven_signs_use_their_common_spelling() -> None:
    """D sharp major has nine sharps, E flat major three flats."""
    assert signature(Key("D#", "major")) == -3
    assert degrees.by_degrees(63, Key("D#", "major"), 2) == 67


def test_the_degree_counts_letters_from_octave_0() -> None:
    """Seven an octave."""
    assert degrees.degree(60, None) == 28
    assert degrees.pitch_of(28, None) == 60
    assert degrees.pitch_of(29, Key("C", "minor")) == 62
    assert degrees.pitch_of(30, Key("C", "minor")) == 63
