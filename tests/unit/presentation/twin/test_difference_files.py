"""The differences of two pieces as pictures and as a table."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from musicrel.chorale import Chorale, Key
from musicrel.errors import UsageError
from musicrel.presentation.drawing.drawing import Rectangle, Text
from musicrel.presentation.twin import difference_files, difference_table, twin_drawing
from musicrel.presentation.twin.agreement import Agreement, compare
from musicrel.presentation.words.palette import DARK, LIGHT

MODELS = ("relative", "vanilla")


@pytest.fixture
def agreement() -> Agreement:
    """Compare two bars in which the alto of one quarter differs."""
    pitches = np.tile([72, 67, 64, 48], (32, 1))
    first = Chorale.of(pitches, key=Key("F", "major"), title="Chorale 3")
    pitches[16:20, 1] = 70
    found = compare(first, Chorale.of(pitches, key=Key("F", "major")))
    assert found is not None
    return found


def test_the_table_has_each_note_that_only_one_piece_has(agreement: Agreement) -> None:
    """By step, A before B, with the names that the screen has."""
    rows = list(difference_table.rows(agreement, MODELS))

    assert rows[0] == difference_table.HEADER
    assert rows[1:] == [
        ("A", "relative", "Alto", "bar 1, beat 1", 0, 32, "G4", 67),
        ("B", "vanilla", "Alto", "bar 1, beat 1", 0, 16, "G4", 67),
        ("B", "vanilla", "Alto", "bar 2, beat 1", 16, 4, "B♭4", 70),
        ("B", "vanilla", "Alto", "bar 2, beat 2", 20, 12, "G4", 67),
    ]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_the_drawing_has_both_pieces_and_only_differing_notes_in_colour(
    agreement: Agreement, theme: object
) -> None:
    """Common notes have the colours of the paper's lines."""
    palette = LIGHT if theme is LIGHT else DARK
    drawing = twin_drawing.draw(agreement, MODELS, palette)

    fills = [item.fill for item in drawing.items if isinstance(item, Rectangle) and item.edge]
    assert fills.count(palette.voices[1]) == 4
    assert fills.count(palette.edge) == 6  # three voices of both pieces
    texts = [item.text for item in drawing.items if isinstance(item, Text)]
    assert texts.count("A: relative") == 1
    assert texts.count("B: vanilla") == 1
    assert "first difference bar 2, beat 1" in drawing.title


def test_both_rolls_have_the_range_of_both_pieces() -> None:
    """A pitch is in the same row of each."""
    low, high = (Chorale.of(np.full((16, 4), pitch)) for pitch in (60, 72))
    found = compare(low, high)
    assert found is not None
    drawing = twin_drawing.draw(found, MODELS, LIGHT)
    names = [item for item in drawing.items if isinstance(item, Text) and item.text in ("C4", "C5")]
    assert [item.text for item in names].count("C5") == 2
    rows = {name: [item.y for item in names if item.text == name] for name in ("C4", "C5")}
    assert rows["C4"][0] - rows["C5"][0] == rows["C4"][1] - rows["C5"][1] > 0


@pytest.mark.parametrize("suffix", difference_files.SUFFIXES)
def test_every_format_is_written(agreement: Agreement, tmp_path: Path, suffix: str) -> None:
    """Pictures begin as their format does, the table can be read back."""
    path = tmp_path / f"differences{suffix}"
    difference_files.write(agreement, MODELS, path)

    content = path.read_bytes()
    if suffix == ".csv":
        read = list(csv.reader(content.decode("utf-8").splitlines()))
        assert [row[0] for row in read] == ["piece", "A", "B", "B", "B"]
    else:
        assert content.startswith(b"\x89PNG" if suffix == ".png" else b"<svg")


def test_another_format_is_refused(agreement: Agreement, tmp_path: Path) -> None:
    """The sentence has the formats of pictures."""
    with pytest.raises(UsageError, match=r"expected a name that ends in \.svg or \.png"):
        difference_files.write(agreement, MODELS, tmp_path / "differences.gif")
