"""``musicrel convert --numerals``."""

from __future__ import annotations

from pathlib import Path

import pytest

from musicrel.chorale import Chorale
from musicrel.cli.main import main

PIECE = Chorale.of([[72, 67, 64, 48]] * 8 + [[71, 67, 62, 43]] * 8 + [[72, 67, 64, 48]] * 8)


@pytest.fixture
def file(tmp_path: Path) -> str:
    """Write three chords; return their file."""
    PIECE.write(tmp_path / "chords.mid")
    return str(tmp_path / "chords.mid")


def test_numerals_are_written(file: str, tmp_path: Path) -> None:
    out = tmp_path / "chords.musicxml"

    assert main(["convert", file, str(out), "--numerals"]) == 0

    text = out.read_text(encoding="utf-8")
    assert text.count("<harmony ") == 3
    assert '<kind text="C: I">' in text


def test_without_the_option_there_are_none(file: str, tmp_path: Path) -> None:
    out = tmp_path / "chords.musicxml"

    assert main(["convert", file, str(out)]) == 0

    assert "harmony" not in out.read_text(encoding="utf-8")


def test_midi_refuses_them(file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", file, str(tmp_path / "out.mid"), "--numerals"]) == 2

    assert "no place for Roman numerals" in capsys.readouterr().err
    assert not (tmp_path / "out.mid").exists()
