"""``musicrel ablate study``: files, resuming, and errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from musicrel.chorale import Chorale
from musicrel.cli.main import main
from musicrel.corpus import bundled
from tests.helpers.models import tiny_model_directory

PIECES = bundled.load("test")[:3]


@pytest.fixture
def words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the arguments of a study of one tiny model on three short pieces."""
    pieces: list[Chorale] = [piece.cropped(0, 32) for piece in PIECES]
    monkeypatch.setattr(bundled, "load", lambda _: list(pieces))
    model, out = tiny_model_directory(tmp_path / "tiny"), tmp_path / "out"
    return ["ablate", "study", "--models", str(model), "--by", "zero", "--notes", "12",
            "--out", str(out), "--device", "cpu"]  # fmt: skip


def test_the_study_writes_its_report_and_prints_the_correlations(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("parts")
    assert lines[-1] == str(tmp_path / "out" / "report.md")
    values = json.loads((tmp_path / "out" / "results.json").read_text("utf-8"))
    model = tmp_path / "tiny"
    assert values["command"] == (
        f"musicrel ablate study --models {model} --notes 12 --seed 0 --by zero --out FOLDER"
    )
    assert {"results.csv", "notes.csv", "correlations.svg"} <= {
        path.name for path in (tmp_path / "out").iterdir()
    }


def test_a_finished_study_is_reported_again_with_resume(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 0
    (tmp_path / "out" / "report.md").unlink()
    capsys.readouterr()
    assert main([*words, "--resume", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["notes"] == 12
    assert str(tmp_path / "out" / "report.md") in found["files"]
    assert (tmp_path / "out" / "report.md").exists()


def test_a_second_study_in_the_folder_is_wrong_usage(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 0
    assert main(words) == 2
    assert "already holds a study of ablations: resume it with --resume" in capsys.readouterr().err


def test_more_notes_than_there_are_is_wrong_usage(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "--notes", "100000"]) == 2
    assert "notes is 100000: expected 3, one for each piece, to " in capsys.readouterr().err
