"""Music in words."""

from __future__ import annotations

import pytest

from musicrel.chorale import Key, Meter
from musicrel.presentation.words import names


@pytest.mark.parametrize(
    ("midi", "key", "expected"),
    [
        (60, None, "C4"),
        (66, None, "F♯4"),
        (66, Key("G", "major"), "F♯4"),
        (70, Key("F", "major"), "B♭4"),
        (36, None, "C2"),
        (-1 + 12, None, "B-1"),
    ],
)
def test_pitch_is_spelled_as_the_key_does(midi: int, key: Key | None, expected: str) -> None:
    """Flats in keys with flats, sharps elsewhere; 60 is C4."""
    assert names.pitch(midi, key) == expected


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (Key("F#", "minor"), "F♯ minor"),
        (Key("Bb", "major"), "B♭ major"),
        (Key("B", "minor"), "B minor"),
    ],
)
def test_key_has_real_accidentals(key: Key, expected: str) -> None:
    """The b of a flat is distinguished from the note B."""
    assert names.key(key) == expected


@pytest.mark.parametrize(
    ("steps", "expected"), [(1, "sixteenth"), (6, "dotted quarter"), (10, "10 sixteenths")]
)
def test_length_is_called_as_musicians_do(steps: int, expected: str) -> None:
    """Lengths without a name are counted."""
    assert names.length(steps) == expected


@pytest.mark.parametrize(
    ("step", "meter", "pickup", "expected"),
    [
        (0, Meter(4, 4), 0, "bar 1, beat 1"),
        (6, Meter(4, 4), 0, "bar 1, beat 2½"),
        (0, Meter(4, 4), 4, "pickup, beat 4"),
        (4, Meter(4, 4), 4, "bar 1, beat 1"),
        (12, Meter(3, 4), 0, "bar 2, beat 1"),
        (3, Meter(6, 8), 0, "bar 1, beat 2½"),
        (7, Meter(4, 4), 0, "bar 1, beat 2¾"),
    ],
)
def test_place_counts_bars_and_beats_from_one(
    step: int, meter: Meter, pickup: int, expected: str
) -> None:
    """A pickup ends on the last beat before bar 1."""
    assert names.position(step, meter, pickup) == expected


def test_counts_know_one_from_many() -> None:
    """One bar, several bars, thousands with a comma."""
    assert [names.count(n, "bar") for n in (1, 2, 1024)] == ["1 bar", "2 bars", "1,024 bars"]
