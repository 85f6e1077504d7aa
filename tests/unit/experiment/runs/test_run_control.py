"""Tests of requests to a run through its folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from musicrel import gate
from musicrel.errors import FileError, UsageError
from musicrel.experiment.runs import run_control
from musicrel.experiment.runs.run_control import RunControl


def test_without_requests_a_run_continues(tmp_path: Path) -> None:
    """The file need not exist."""
    control = RunControl(tmp_path)

    assert (control.requested(), control.command()) == ("run", "run")


def test_the_newest_request_is_valid(tmp_path: Path) -> None:
    """Resume returns to run; ``command`` returns cancel as stop."""
    control = RunControl(tmp_path)
    found = []
    for request in ("pause", "resume", "stop", "cancel"):
        run_control.send_request(tmp_path, request)
        found.append((control.requested(), control.command()))

    assert found == [("pause", "pause"), ("run", "run"), ("stop", "stop"), ("cancel", "stop")]


def test_requests_to_an_earlier_session_are_ignored(tmp_path: Path) -> None:
    """A stopped run continues when it is started again."""
    run_control.send_request(tmp_path, "stop")

    assert RunControl(tmp_path).requested() == "run"


def test_a_request_during_the_start_of_a_run_is_followed(tmp_path: Path) -> None:
    """The starting process takes the offset first."""
    run_control.send_request(tmp_path, "pause")
    since = run_control.end_offset(tmp_path)
    run_control.send_request(tmp_path, "stop")

    assert RunControl(tmp_path, since).requested() == "stop"


def test_the_file_is_read_only_when_it_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control is polled before every step."""
    control = RunControl(tmp_path)
    run_control.send_request(tmp_path, "pause")
    opened: list[str] = []
    really = gate.without_waiting

    def count(path: str, flags: int) -> int:
        opened.append(path)
        return really(path, flags)

    monkeypatch.setattr(gate, "without_waiting", count)

    assert [control.requested() for _ in range(100)] == ["pause"] * 100
    assert len(opened) == 1


def test_lines_that_are_no_requests_are_skipped(tmp_path: Path) -> None:
    """An incomplete line is read once it is complete."""
    control = RunControl(tmp_path)
    with (tmp_path / "control.jsonl").open("w") as file:
        file.write('{"wish": "pause"}\n{"wish": "dance"}\n{"wish": 3}\nhello\n{"wish": "st')
        file.flush()
        assert control.requested() == "pause"
        file.write('op"}\n')
        file.flush()
        assert control.requested() == "stop"


def test_an_unknown_request_is_refused(tmp_path: Path) -> None:
    """The message lists the known ones."""
    with pytest.raises(UsageError, match="unknown request 'dance' to a run: expected pause"):
        run_control.send_request(tmp_path, "dance")  # type: ignore[arg-type]
    with pytest.raises(FileError, match=r"cannot write .*control.jsonl"):
        run_control.send_request(tmp_path / "nowhere", "stop")
