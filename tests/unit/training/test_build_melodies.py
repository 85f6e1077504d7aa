"""The script that builds the bundled melodies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from musicrel import paths
from musicrel.chorale import Meter, Voice
from musicrel.errors import DataError
from musicrel.score.notes import Note, notes
from training import build_melodies

TUNE: dict[str, Any] = {
    "title": "Air", "key": "G major", "meter": "3/4", "tempo": 90,
    "notes": "D4q | G4h. | F#4e. G4s A4q^",
}  # fmt: skip


def test_a_tune_is_read_as_written() -> None:
    """Pickup, dots, accidentals and fermatas."""
    piece = build_melodies.piece(TUNE)

    assert (piece.pickup, piece.meter, piece.tempo, piece.title) == (4, Meter(3, 4), 90, "Air")
    assert notes(piece, Voice.SOPRANO) == [
        Note(0, 4, 62), Note(4, 12, 67), Note(16, 3, 66), Note(19, 1, 67), Note(20, 4, 69),
    ]  # fmt: skip
    assert piece.fermatas.nonzero()[0].tolist() == [20, 21, 22, 23]


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ("D4q | G4h | A4h", "Air: bar 1 has 8 sixteenths, expected 12"),
        ("D4q | G4h. | A4h.", "Air: bar 2 has 12 sixteenths, expected 8"),
        ("D4x", "'D4x' is no note"),
        ("D3h.", "'D3h.' is outside the soprano's range"),
    ],
)
def test_a_slip_of_the_pen_is_refused(written: str, sentence: str) -> None:
    """The message names the error."""
    with pytest.raises(DataError, match=sentence):
        build_melodies.piece({**TUNE, "notes": written})


def test_the_shipped_files_are_what_the_script_makes(tmp_path: Path) -> None:
    """They are reproduced byte for byte, and there are no others."""
    build_melodies.build(tmp_path)

    shipped = paths.assets() / "melodies"
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert made == {path.name: path.read_bytes() for path in shipped.iterdir()}
