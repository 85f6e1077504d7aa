"""``musicrel bench`` with parts that take no time."""

from __future__ import annotations

import json
import subprocess
from subprocess import CompletedProcess

import pytest

from musicrel.bench import bare_loop, parts, peers
from musicrel.bench.timing import Row, row
from musicrel.cli.main import main


@pytest.fixture(autouse=True)
def quick_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the parts by one row each."""

    def rows_of(name: str) -> list[Row]:
        return [row(f"{name}, cpu", 2.0, "s", "another", 0.5)]

    quick = {name: lambda _device, _threads, name=name: rows_of(name) for name in parts.PARTS}
    monkeypatch.setattr(parts, "PARTS", quick)
    monkeypatch.setattr(peers, "find_spec", lambda _: None)
    monkeypatch.setattr(bare_loop, "missing", lambda: "there is no compiler")


def test_all_parts_but_the_window_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    """One message names the missing libraries; their part is measured all the same."""
    assert main(["bench", "--window-seconds", "0", "--json"]) == 0

    answer = capsys.readouterr()
    names = [
        "writing", "rewriting", "lockstep", "ablation", "decoder", "limit", "training", "overhead",
        "sound", "projects",
    ]  # fmt: skip
    assert [one["name"] for one in json.loads(answer.out)["rows"]] == [
        f"{name}, cpu" for name in names
    ]
    assert answer.err.count("pip install 'musicrel[bench]'") == 1
    assert answer.err.splitlines()[-1] == "there is no compiler"


def test_rows_are_printed_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    """With their ratios; parts that need no other library do not name it."""
    assert main(["bench", "--only", "sound"]) == 0

    answer = capsys.readouterr()
    assert answer.out.splitlines()[1].split() == [
        "sound,",
        "cpu",
        "2.0",
        "s",
        "0.50",
        "x",
        "another",
    ]
    assert answer.err == ""


def test_the_parts_of_the_window_run_in_a_process_of_their_own(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Gaps are measured on their own, or with everything else."""
    commands: list[list[str]] = []

    def run(command: list[str], **_: object) -> CompletedProcess[str]:
        commands.append(command[3:])
        return CompletedProcess(command, 0, json.dumps(row("longest gap", 9.0, "ms")) + "\n", "")

    monkeypatch.setattr(subprocess, "run", run)
    assert main(["bench", "--only", "gaps", "window", "--window-seconds", "5", "--json"]) == 0

    assert commands == [
        ["--only", "gaps", "--seconds", "5.0"],
        ["--only", "roll", "study", "start", "--seconds", "5.0"],
    ]
    assert [one["name"] for one in json.loads(capsys.readouterr().out)["rows"]] == [
        "longest gap"
    ] * 2
