"""The texts of Roman numerals."""

from __future__ import annotations

import pytest

from musicrel.chorale import Key
from musicrel.harmony import numeral
from musicrel.harmony.numeral import Quality
from musicrel.harmony.vocabulary import CHORDS


@pytest.mark.parametrize(
    ("name", "quality", "inversion", "target", "text"),
    [
        ("I", "major", 0, "", "I"),
        ("I", "major", 2, "", "I64"),
        ("V", "dominant", 0, "", "V7"),
        ("V", "dominant", 3, "ii", "V42/ii"),
        ("vii", "diminished", 1, "", "viio6"),
        ("vii", "half-diminished", 1, "", "viiø65"),
        ("vii", "diminished-seventh", 2, "V", "viio43/V"),
        ("III", "augmented", 1, "", "III+6"),
        ("ii", "minor-seventh", 1, "", "ii65"),
    ],
)
def test_figure_has_quality_inversion_and_target(
    name: str, quality: Quality, inversion: int, target: str, text: str
) -> None:
    assert numeral.figure(name, quality, inversion, target) == text


def test_minor_keys_are_lower_case() -> None:
    assert numeral.key_label(Key("F#", "minor")) == "f#:"
    assert numeral.key_label(Key("Bb", "major")) == "Bb:"


@pytest.mark.parametrize("mode", ["major", "minor"])
def test_no_chord_of_a_key_is_listed_twice(mode: str) -> None:
    """Two rows with one figure would be two costs of one chord."""
    chords = CHORDS["major" if mode == "major" else "minor"]
    figures = [
        (numeral.figure(c.numeral, c.quality, 0, c.target), c.root, c.cadential) for c in chords
    ]

    assert len({*figures}) == len(figures)
    assert all(1 <= chord.degree <= 7 for chord in chords)
