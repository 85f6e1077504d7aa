"""``musicrel generate --mute``."""

from __future__ import annotations

from pathlib import Path

import pytest

from musicrel.cli.main import main
from musicrel.score import files
from tests.helpers.models import tiny_model_directory

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Save a model with random weights."""
    return tiny_model_directory(tmp_path_factory.mktemp("models") / "tiny")


def generate(model: Path, *words: object) -> int:
    """Run ``musicrel generate``; return the exit code."""
    return main(["generate", "--model", str(model), "--device", "cpu", *map(str, words)])


def test_muted_heads_are_in_the_settings_of_the_piece(model: Path, tmp_path: Path) -> None:
    """With the same seed, other notes are written."""
    plain, muted = tmp_path / "plain.json", tmp_path / "muted.json"
    form = ("--bars", 1, "--seed", 3, "--phrases", "none", "--quality", "draft")

    assert generate(model, *form, "--out", plain) == 0
    assert generate(model, *form, "--mute", "2.1,1", "--mute-by", "zero", "--out", muted) == 0

    one, other = files.read(plain), files.read(muted)
    assert (one.pitches != other.pitches).any()
    assert other.provenance is not None
    assert other.provenance.settings["mute"] == "1,2.1"
    assert other.provenance.settings["mute_by"] == "zero"


@pytest.mark.parametrize(
    ("heads", "reason"),
    [
        ("2-1", "cannot read the head '2-1': expected layer and head as in 2.3"),
        ("1.3", "no head 1.3: expected layers 1 to 2 and heads 1 to 2"),
    ],
)
def test_heads_that_cannot_be_muted_are_refused(
    heads: str, reason: str, model: Path, tmp_path: Path, capsys: Capture
) -> None:
    """The sentence names what was expected; no file is written."""
    out = tmp_path / "piece.mid"

    options = ("--bars", 1, "--mute", heads, "--mute-by", "zero", "--out", out)

    assert generate(model, *options) == 2
    assert reason in capsys.readouterr().err
    assert not out.exists()
