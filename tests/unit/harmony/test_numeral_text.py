"""Roman numerals as they are printed."""

from __future__ import annotations

import pytest

from musicrel.harmony import numeral_text
from musicrel.harmony.numeral_text import Piece


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("IV", [Piece("IV")]),
        ("I64", [Piece("I"), Piece("", "6", "4")]),
        ("V7/V", [Piece("V"), Piece("", "7"), Piece("/V")]),
        ("viiø65", [Piece("vii"), Piece("", "ø"), Piece("", "6", "5")]),
        ("viio6", [Piece("vii"), Piece("", "o"), Piece("", "6")]),
        ("Bb: bVI", [Piece("B♭: ♭VI")]),
        ("f#: i", [Piece("f♯: i")]),
    ],
)
def test_figures_are_stacked_and_signs_are_raised(text: str, pieces: list[Piece]) -> None:
    assert list(numeral_text.pieces(text)) == pieces
