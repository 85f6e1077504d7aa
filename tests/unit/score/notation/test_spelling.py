"""Pitch spelling in a key."""

from __future__ import annotations

import re

import numpy as np
import pytest

from musicrel.chorale import Key
from musicrel.score.notation.spelling import (
    SpelledPitch,
    estimate_key,
    signature,
    spell,
    spell_melody,
)

PRINTED = {
    "F major": "F3 E3 F3 D3 A2 Bb2 C3 D3 E3 F3 F3 Bb3 A3 G3",
    "G minor": "G3 A3 Bb3 A3 G3 F#3 G3 A3 Bb3 G3 Eb3 C3 F3 Bb2",
    "D minor": "F#3 G#3 A3 E3 A2 B2 C3 D3 E3 F3 Bb2 C3 F2 F#2",
    "C minor": "Ab3 Eb3 F3 G3 G2 C3 C4 G3 Ab3 Bb3 D3 Eb3 Ab3 Ab2",
    "B minor": "E4 A#3 B3 C#4 D4 E4 F#4 A3 A3 B3 A3 A3 A3 G#3",
    "A major": "E4 E4 D4 C#4 D4 E4 E4 F#4 G#4 F#4 E4 D4 F#4 E#4",
    "D major": "C#4 B3 C#4 B3 A#3 B3 F#3 B3 A3 G3 F#3 E3 A3 G#3",
    "A minor": "F4 G4 G4 G4 G4 G4 G4 F4 E4 D4 E4 E4 F#4 G#4",
    "G major": "G#2 A2 E3 D3 C3 B2 E3 F#3 G3 F#3 E3 D#3 E3 C#3",
    "Bb major": "Bb4 A4 A4 Bb4 Ab4 G4 F4 E4 D4 C4 D4 C4 C4 Bb3",
    "E major": "G#3 F#3 E3 D#3 B2 C#3 D#3 E3 G#3 F#3 E#3 C#3 F#3 C#4",
    "E minor": "E4 F#4 F#4 E4 D4 B3 C#4 D4 G4 C#4 D4 E4 D#4 A#3",
    "C major": "Bb4 A4 G4 G4 F#4 G#4 A4 A4 A4 G4 G4 F4 F4 Eb4 D4",
    "Eb major": "Ab3 G3 F3 Eb3 Eb4 D4 C4 Bb3 A3 Bb3 F3 Bb2 Eb3 Db3",
    "F# minor": "C#4 C#4 D#4 E#4 F#4 E#4 F#4 G#4 E#4 E4 E4 F#4 G#4 A4",
    "Ab major": "Db4 C4 Bb3 Ab3 G3 F3 G3 Ab3 F3 C3 Bb2 C3 Db3 Eb3",
    "Bb minor": "Db3 Ab3 Gb3 F3 Eb3 Db3 C3 Db3 A2 Bb2 F3 Db4 C4 Bb3",
    "F minor": "F4 F4 Gb4 F4 Eb4 Db4 C4 C4 Bb3 C4 Db4 C4 Bb3 Ab3",
}
"""From the Bach corpus of music21: the most chromatic bars of the first chorale in each key."""

_SEMITONES = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}
_ALTERS = {"bb": -2, "b": -1, "": 0, "#": 1, "##": 2}


def name(spelled: SpelledPitch) -> str:
    """Format a pitch as in F#4."""
    signs = {alter: sign for sign, alter in _ALTERS.items()}
    return f"{spelled.step}{signs[spelled.alter]}{spelled.octave}"


def midi(text: str) -> int:
    """Return the MIDI number of a name such as F#4."""
    match = re.fullmatch(r"([A-G])([b#]*)(-?\d)", text)
    assert match
    return _SEMITONES[match[1]] + _ALTERS[match[2]] + 12 * (int(match[3]) + 1)


@pytest.mark.parametrize(
    ("pitch", "key", "expected"),
    [
        (65, "F# minor", "E#4"),
        (61, "D minor", "C#4"),
        (71, "D minor", "B4"),
        (70, "D minor", "Bb4"),
        (68, "A minor", "G#4"),
        (66, "A minor", "F#4"),
        (60, "C# minor", "B#3"),
        (67, "G# minor", "F##4"),
        (59, "Bb major", "B3"),
        (59, "Gb major", "Cb4"),
        (54, "G minor", "F#3"),
        (66, "Db major", "Gb4"),
        (63, "E minor", "D#4"),
        (63, "Eb major", "Eb4"),
        (0, "C major", "C-1"),
        (127, "C major", "G9"),
    ],
)
def test_the_key_names_the_pitch(pitch: int, key: str, expected: str) -> None:
    """Raised sixths and sevenths of minor are sharps or naturals, never flats."""
    assert name(spell(pitch, Key.parse(key))) == expected


def test_without_a_key_c_major_names_the_pitch() -> None:
    """Black keys are sharps except B flat."""
    names = [name(spell(pitch, None)) for pitch in range(60, 72)]

    assert " ".join(names) == "C4 C#4 D4 D#4 E4 F4 F#4 G4 G#4 A4 Bb4 B4"


def test_the_outermost_sharp_is_a_flat_if_the_melody_falls_from_it() -> None:
    """D sharp rises to E, E flat falls to D; repeated notes keep their spelling."""
    melody = [63, 63, 64, 63, 63, 62, 63]

    names = [name(spelled) for spelled in spell_melody(melody, Key("C", "major"))]

    assert names == ["D#4", "D#4", "E4", "Eb4", "Eb4", "D4", "D#4"]


@pytest.mark.parametrize("key", PRINTED)
def test_bachs_melodies_are_spelled_as_printed(key: str) -> None:
    """Chromatic bars of all keys in the corpus."""
    printed = PRINTED[key].split()

    spelled = spell_melody([midi(text) for text in printed], Key.parse(key))

    assert [name(one) for one in spelled] == printed


@pytest.mark.parametrize("mode", ["major", "minor"])
@pytest.mark.parametrize("pitch_class", range(12))
def test_every_spelling_has_the_pitch(pitch_class: int, mode: str) -> None:
    """Letter, accidental and octave add up to the MIDI number in every key."""
    key = Key.of(pitch_class, "minor" if mode == "minor" else "major")

    for pitch in range(128):
        for following in (None, pitch - 1, pitch + 1):
            assert midi(name(spell(pitch, key, following))) == pitch


def test_a_signature_has_at_most_seven_signs() -> None:
    """A key that would need more uses that of its common spelling."""
    assert signature(Key("F#", "minor")) == 3
    assert signature(Key("Cb", "major")) == -7
    assert signature(Key("D#", "major")) == signature(Key("Eb", "major")) == -3
    assert signature(Key("Cb", "minor")) == signature(Key("B", "minor")) == 2


def test_the_estimated_key_is_the_scale_with_the_most_notes() -> None:
    """Of equals the one with the fewest signs; rests do not count."""
    in_a_major = np.array([[69, 61, 56, -1], [71, 62, 54, -1]], dtype=np.int16)
    white = np.array([[60, 64, 67, 60]], dtype=np.int16)
    silent = np.full((3, 4), -1, dtype=np.int16)

    assert estimate_key(in_a_major) == Key("A", "major")
    assert estimate_key(white) == Key("C", "major")
    assert estimate_key(silent) == Key("C", "major")
