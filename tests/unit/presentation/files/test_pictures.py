"""Pictures: the suffix decides."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from musicrel.chorale import Chorale
from musicrel.errors import FileError, UsageError
from musicrel.presentation.attention import attention_drawing
from musicrel.presentation.files import pictures
from musicrel.presentation.roll import roll_drawing
from musicrel.presentation.words.palette import DARK

PIECE = Chorale.of([[72, 67, 64, 48]] * 4)
MAP = np.tri(18, dtype=np.float32)


@pytest.mark.parametrize(("name", "prefix"), [("a.svg", b"<svg"), ("b/A.PNG", b"\x89PNG")])
def test_the_suffix_decides_the_format(tmp_path: Path, name: str, prefix: bytes) -> None:
    """Whatever its case; folders are made."""
    path = tmp_path / name

    pictures.write(roll_drawing.draw(PIECE, DARK), path)
    roll = path.read_bytes()
    drawing = attention_drawing.draw(MAP, PIECE, layer=1, head=None, theme=DARK)
    pictures.write(drawing, path)

    assert roll.startswith(prefix)
    assert path.read_bytes().startswith(prefix)
    assert path.read_bytes() != roll


@pytest.mark.parametrize("name", ["a.jpg", "a", ".svg"])
def test_another_suffix_is_a_usage_error(tmp_path: Path, name: str) -> None:
    """The message lists the suffixes, and nothing is written."""
    with pytest.raises(UsageError, match=r"cannot draw .*: expected .* \.svg or \.png"):
        pictures.write_roll(PIECE, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_a_file_error(tmp_path: Path) -> None:
    """This holds for all files."""
    (tmp_path / "file").write_text("")

    with pytest.raises(FileError, match="cannot write"):
        pictures.write_roll(PIECE, tmp_path / "file" / "a.svg")
