"""The sources of references."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import median

import pytest

from musicrel import paths
from musicrel.analysis import grade_reference
from musicrel.analysis.grade import grade
from musicrel.corpus import bundled
from musicrel.errors import DataError, FileError, UsageError
from tests.helpers import published
from tests.helpers.music import jsb_file, random_chorale


def test_the_shipped_reference_is_jsb16() -> None:
    """It has 229 pieces, and Bach's own scores."""
    shipped = grade_reference.load()
    assert (shipped.reference.pieces, shipped.reference.notes) == (229, 49_300)
    bach = shipped.bach
    figures = [bach.grade, bach.parallels, bach.crossing, bach.spacing]
    assert figures == pytest.approx([4.12, 1.20, 1.99, 1.59], abs=0.0051)
    assert bach.pieces == 77


def test_a_reference_survives_json() -> None:
    """Ranks included: every grade stays the same."""
    made = grade_reference.load("chorales")
    again = grade_reference.from_json(json.loads(json.dumps(grade_reference.to_json(made))))
    assert again.bach == made.bach
    for piece in bundled.load("valid")[:10]:
        assert grade(piece, again.reference) == grade(piece, made.reference)


def test_the_bundled_chorales_are_nearly_the_same_reference() -> None:
    """The medians of the bundled test split under both references differ by a hundredth or so."""
    shipped = grade_reference.load().reference
    found = median(grade(piece, shipped).total for piece in bundled.load("test"))
    assert found == pytest.approx(4.03, abs=0.01)
    assert grade_reference.load("chorales").bach.grade == pytest.approx(4.01, abs=0.01)


@published.needs_jsb16
def test_the_published_file_gives_the_shipped_reference() -> None:
    """The asset equals the result of the published file."""
    assert grade_reference.to_json(
        grade_reference.load(f"jsb:{published.JSB16}")
    ) == grade_reference.to_json(grade_reference.load())


def test_an_unknown_source_is_named() -> None:
    """The message lists the known ones."""
    with pytest.raises(UsageError, match="unknown reference 'Bach': expected 'jsb16', 'chorales'"):
        grade_reference.load("Bach")


def test_a_file_with_too_little_music_is_refused(tmp_path: Path) -> None:
    """The error is one sentence."""
    few = {"train": [], "valid": [], "test": [random_chorale(1)]}
    with pytest.raises(DataError, match="with 0 pieces, has no note in major"):
        grade_reference.load(f"jsb:{jsb_file(tmp_path / 'few.json', few)}")
    few["test"] = []
    with pytest.raises(DataError, match="the test split of JSB16 is empty"):
        grade_reference.load(f"jsb:{jsb_file(tmp_path / 'none.json', few)}")


@pytest.mark.parametrize("content", ["[]", "{}", "no JSON", '{"reference": {"counts": 1}}'])
def test_a_damaged_asset_is_named(
    content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message advises to install again."""
    target = tmp_path / grade_reference.FILE_NAME
    target.parent.mkdir()
    target.write_text(content, encoding="utf-8")
    monkeypatch.setattr(paths, "assets", lambda: tmp_path)
    with pytest.raises(FileError, match=r"grade_reference\.json holds no reference for the grade"):
        grade_reference.load()
