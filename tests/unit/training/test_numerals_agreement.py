"""The comparison of our Roman numerals with others."""

from __future__ import annotations

from pathlib import Path

import pytest

from musicrel.chorale import Chorale, Key

pytest.importorskip("music21", reason="music21 is not installed: pip install '.[train]'")

from training.numerals_agreement import Tally, compare, compare_music21

CHORDS = [(67, 64, 60, 48), (65, 62, 59, 43), (67, 64, 60, 48), (67, 64, 60, 48)]
PIECE = Chorale.of(
    [chord for chord in CHORDS for _ in range(4)], key=Key("C", "major"), title="BWV 1 Air"
)
TEXT = "BWV: 1\nTime Signature: 4/4\nm1 C: I b2 V7 b3 I\nm1var1 ii\n"


@pytest.fixture
def expert(tmp_path: Path) -> Path:
    path = tmp_path / "riemenschneider.rntxt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def compared(piece: Chorale, expert: Path) -> Tally:
    tally = Tally()
    compare(tally, piece, expert)
    return tally


def test_same_analysis_agrees_everywhere(expert: Path) -> None:
    tally = compared(PIECE, expert)

    assert tally.places == 8
    assert set(tally.agreed.values()) == {8}


def test_edition_in_another_key_is_transposed(expert: Path) -> None:
    tally = compared(PIECE.transposed(3), expert)

    assert tally.agreed["key"] == tally.agreed["root"] == 8


def test_other_degrees_and_inversions_are_counted(expert: Path) -> None:
    expert.write_text(TEXT.replace("V7", "V6/5"), encoding="utf-8")

    tally = compared(PIECE, expert)

    assert (tally.agreed["degree"], tally.agreed["inversion"]) == (8, 6)


def test_analysis_of_another_length_is_not_compared(expert: Path) -> None:
    assert compared(PIECE.padded(16), expert).places == 0


def test_music21_has_the_same_chords(expert: Path) -> None:
    tally = Tally()
    compare_music21(tally, PIECE, expert)

    assert (tally.places, set(tally.agreed.values())) == (4, {4})
    assert "root 100.0" in str(tally)
