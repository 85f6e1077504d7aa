"""The script that builds the reference of the grade."""

from __future__ import annotations

from pathlib import Path

import pytest

from musicrel import paths
from musicrel.analysis import grade_reference
from tests.helpers import published
from training import build_grade_reference


def test_without_the_file_it_says_so_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The assets are unchanged."""
    assert build_grade_reference.main([str(tmp_path / "missing.json")]) == 1
    assert "missing.json: No such file" in capsys.readouterr().err


@published.needs_jsb16
def test_building_again_gives_the_shipped_bytes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The asset is reproduced byte for byte."""
    shipped = (paths.assets() / grade_reference.FILE_NAME).read_bytes()
    monkeypatch.setattr(paths, "assets", lambda: tmp_path)
    assert build_grade_reference.main([str(published.JSB16)]) == 0
    assert (tmp_path / grade_reference.FILE_NAME).read_bytes() == shipped
