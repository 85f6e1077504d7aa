"""The script that builds the corpus asset."""

from __future__ import annotations

from pathlib import Path

import pytest

from musicrel import paths
from musicrel.corpus import bundled, jsb
from musicrel.errors import DataError

pytest.importorskip("music21")

from training import build_corpus

PUBLISHED = paths.shared_data() / "jsb" / jsb.FILE_NAME


def test_without_jsb16_it_says_so_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The assets are unchanged."""
    monkeypatch.setenv("MUSICREL_SHARED", str(tmp_path))
    assert build_corpus.main() == 1
    assert "Jsb16thSeparated.json is missing" in capsys.readouterr().err


def test_every_published_piece_has_a_row() -> None:
    """229 + 76 + 77 rows, 8 of them without a work."""
    matches = build_corpus.read_matches(build_corpus.WORKS)
    assert len(matches) == 382
    assert sum(not match.work for match in matches) == 8


def test_a_broken_table_is_named(tmp_path: Path) -> None:
    """The message contains the path."""
    table = tmp_path / "works.csv"
    table.write_text("split,index,music21_work,overlap\ndev,0,bwv1,1\n")
    with pytest.raises(DataError, match=r"works\.csv has a row that cannot be read"):
        build_corpus.read_matches(table)


@pytest.mark.slow
@pytest.mark.skipif(not PUBLISHED.exists(), reason="no shared data: the published JSB16 file")
def test_building_again_gives_the_shipped_bytes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Corpus and note are reproduced byte for byte."""
    shipped = paths.assets() / bundled.FILE_NAME
    expected = [shipped.read_bytes(), shipped.with_name("SOURCE.md").read_bytes()]
    monkeypatch.setattr(paths, "assets", lambda: tmp_path)
    assert build_corpus.main() == 0
    built = tmp_path / bundled.FILE_NAME
    assert [built.read_bytes(), built.with_name("SOURCE.md").read_bytes()] == expected
