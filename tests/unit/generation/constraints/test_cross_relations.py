"""Simultaneous cross relations."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from musicrel.chorale import REST, Key
from musicrel.generation.constraints import cross_relations
from tests.helpers.music import random_chorale

C_MAJOR, A_MINOR = Key("C", "major"), Key("A", "minor")


def steps(key: Key, *chords: Sequence[int]) -> int:
    """Return on how many of these steps a cross relation sounds."""
    return int(cross_relations.steps(np.array([chords]), key)[0])


@pytest.mark.parametrize(
    ("key", "chord", "is_one"),
    [
        (C_MAJOR, (77, 66, 62, 50), True),
        (C_MAJOR, (65, 64, 60, 48), False),
        (C_MAJOR, (72, 71, 67, 55), False),
        (C_MAJOR, (70, 69, 65, 53), False),
        (C_MAJOR, (71, 70, 65, 55), True),
        (A_MINOR, (68, 67, 64, 52), True),
        (A_MINOR, (66, 65, 62, 50), True),
        (A_MINOR, (69, 68, 64, 52), False),
        (A_MINOR, (70, 69, 62, 50), False),
        (Key("D", "major"), (79, 68, 64, 52), True),
        (C_MAJOR, (77, REST, REST, 50), False),
    ],
    ids=[
        *("F and F#", "E and F", "B and C", "Bb and A", "Bb and B"),
        *("G and G#", "F and F# in minor", "G# and A", "Bb and A in minor"),
        *("G and G# in D major", "rests"),
    ],
)
def test_degrees_against_their_alterations(key: Key, chord: Sequence[int], *, is_one: bool) -> None:
    """Diatonic semitones of the key and of its neighbours are none."""
    assert steps(key, chord) == is_one


def test_one_after_the_other_is_none() -> None:
    """They have to sound together."""
    assert steps(C_MAJOR, (77, 69, 62, 50), (78, 69, 62, 50)) == 0


def test_each_step_counts() -> None:
    assert steps(C_MAJOR, *[(77, 66, 62, 50)] * 3, (77, 67, 62, 50)) == 3


@pytest.mark.parametrize("key", [C_MAJOR, A_MINOR, Key("Eb", "major"), Key("F#", "minor")])
def test_steps_are_those_of_a_search_by_pairs(key: Key) -> None:
    pieces = [random_chorale(seed, 64).pitches for seed in range(5)]
    expected = []
    for pitches in pieces:
        found = 0
        for chord in pitches.tolist():
            tones = {(pitch - key.pitch_class) % 12 for pitch in chord if pitch != REST}
            found += any({low, low + 1} <= tones for low in cross_relations._LOWER[key.mode])
        expected.append(found)
    assert sum(expected) > 10
    assert cross_relations.steps(np.stack(pieces), key).tolist() == expected
