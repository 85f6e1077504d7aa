"""Files with Roman numerals, by suffix."""

from __future__ import annotations

from pathlib import Path

import pytest

from musicrel.corpus import bundled
from musicrel.errors import UsageError
from musicrel.harmony.analysis import numerals
from musicrel.presentation.files import exports
from musicrel.score import files
from musicrel.score.musicxml import musicxml_writer

PIECE = bundled.load("valid")[1]


def test_scores_have_numerals(tmp_path: Path) -> None:
    """The compressed file holds the same piece."""
    plain, packed = tmp_path / "a.musicxml", tmp_path / "a.mxl"

    exports.write_with_numerals(PIECE, plain)
    exports.write_with_numerals(PIECE, packed)

    expected = musicxml_writer.to_xml(PIECE, numerals=numerals(PIECE))
    assert plain.read_text(encoding="utf-8") == expected
    assert files.read(packed) == files.read(plain)


@pytest.mark.parametrize("name", ["a.mid", "a.json", "a.wav", "a"])
def test_other_formats_refuse_numerals(tmp_path: Path, name: str) -> None:
    assert not exports.is_score(tmp_path / name)
    with pytest.raises(UsageError, match=r"no place for Roman numerals: .* \.musicxml or \.mxl"):
        exports.write_with_numerals(PIECE, tmp_path / name)
    assert not (tmp_path / name).exists()


def test_a_score_with_numerals_can_be_cancelled(tmp_path: Path) -> None:
    """No file is written then."""
    job = exports.write_score_job(PIECE, tmp_path / "a.musicxml", numerals=True)
    assert 0 < next(job) <= 1
    job.close()

    assert not (tmp_path / "a.musicxml").exists()
