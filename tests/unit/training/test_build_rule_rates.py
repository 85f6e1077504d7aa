"""The script that builds Bach's rates."""

from __future__ import annotations

from pathlib import Path

import pytest

from musicrel import paths
from musicrel.analysis import bach_rates
from training import build_rule_rates


def test_building_again_gives_the_shipped_bytes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The asset is reproduced byte for byte."""
    shipped = (paths.assets() / bach_rates.FILE_NAME).read_bytes()
    build_rule_rates.build()  # reads the corpus while it is still in its place
    monkeypatch.setattr(paths, "assets", lambda: tmp_path)
    assert build_rule_rates.main() == 0
    assert (tmp_path / bach_rates.FILE_NAME).read_bytes() == shipped


def test_without_a_place_to_write_it_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The error is one sentence."""
    build_rule_rates.build()
    (tmp_path / "corpus").write_text("in the way", encoding="utf-8")
    monkeypatch.setattr(paths, "assets", lambda: tmp_path)
    assert build_rule_rates.main() == 1
    assert "cannot write" in capsys.readouterr().err
