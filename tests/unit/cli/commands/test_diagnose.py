"""``musicrel diagnose``: probes, and the claims of 2018."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from musicrel.cli.main import main
from musicrel.corpus import bundled
from tests.helpers.models import tiny_model_directory


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    pieces = [piece.cropped(0, 32) for piece in bundled.load("test")[:2]]
    monkeypatch.setattr(bundled, "load", lambda _: list(pieces))
    return [
        str(tiny_model_directory(tmp_path / name, scheme))
        for name, scheme in (("plain", "sinusoidal"), ("rel", "relative"))
    ]


def claims(models: list[str], *more: str) -> list[str]:
    named = [part for name in models for part in ("--model", name)]
    return ["diagnose", "--claims", *named, "--device", "cpu", *more]


def test_claims_are_printed_as_a_table(
    models: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(claims(models)) == 0

    head, *lines = capsys.readouterr().out.splitlines()
    assert head.split()[:4] == ["measure", "pieces", "plain", "rel"]
    assert "rel − plain" in head
    assert any(line.startswith("All voices of the step before, %") for line in lines)


def test_claims_are_written_with_their_command(
    models: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "claims.json"

    assert main(claims(models, "--pieces", "1", "--seed", "7", "--out", str(out), "--json")) == 0

    printed, written = json.loads(capsys.readouterr().out), json.loads(out.read_text("utf-8"))
    command = written.pop("command")
    assert written == printed
    assert command == (
        f"musicrel diagnose --claims --model {models[0]} --model {models[1]} --pieces 1 --seed 7"
    )
    assert (written["pieces"], written["first_seed"]) == (1, 7)
    assert out.with_suffix(".md").read_text("utf-8").startswith(f"`{command}`.")


def test_a_folder_that_cannot_be_written_is_found_at_once(
    models: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    monkeypatch.setattr(bundled, "load", read.append)
    (tmp_path / "file").write_text("")

    assert main(claims(models, "--out", str(tmp_path / "file" / "claims.json"))) == 1

    assert read == []
