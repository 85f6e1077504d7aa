"""What is asked of a run through its folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from musicrel.errors import FileError, UsageError
from musicrel.experiment.runs import run_control
from musicrel.experiment.runs.run_control import FolderControl


def test_without_wishes_a_run_goes_on(tmp_path: Path) -> None:
    """The file need not exist."""
    control = FolderControl(tmp_path)

    assert (control.asked(), control.wish()) == ("run", "run")


def test_the_newest_wish_holds(tmp_path: Path) -> None:
    """To resume is to go on; to cancel is to stop for those who know no difference."""
    control = FolderControl(tmp_path)
    found = []
    for request in ("pause", "resume", "stop", "cancel"):
        run_control.ask(tmp_path, request)
        found.append((control.asked(), control.wish()))

    assert found == [("pause", "pause"), ("run", "run"), ("stop", "stop"), ("cancel", "stop")]


def test_wishes_of_an_earlier_sitting_do_not_count(tmp_path: Path) -> None:
    """A run that was stopped goes on when it is started again."""
    run_control.ask(tmp_path, "stop")

    assert FolderControl(tmp_path).asked() == "run"


def test_what_is_asked_while_a_run_starts_counts(tmp_path: Path) -> None:
    """Whoever starts it notes the length before."""
    run_control.ask(tmp_path, "pause")
    since = run_control.length(tmp_path)
    run_control.ask(tmp_path, "stop")

    assert FolderControl(tmp_path, since).asked() == "stop"


def test_the_file_is_read_only_when_it_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is asked for before every step."""
    control = FolderControl(tmp_path)
    run_control.ask(tmp_path, "pause")
    opened: list[Path] = []
    really = Path.open

    def count(path: Path, *how: Any, **more: Any) -> Any:
        opened.append(path)
        return really(path, *how, **more)

    monkeypatch.setattr(Path, "open", count)

    assert [control.asked() for _ in range(100)] == ["pause"] * 100
    assert len(opened) == 1


def test_lines_that_are_no_wishes_are_passed_over(tmp_path: Path) -> None:
    """And a line without end is waited for."""
    control = FolderControl(tmp_path)
    with (tmp_path / "control.jsonl").open("w") as file:
        file.write('{"wish": "pause"}\n{"wish": "dance"}\n{"wish": 3}\nhello\n{"wish": "st')
        file.flush()
        assert control.asked() == "pause"
        file.write('op"}\n')
        file.flush()
        assert control.asked() == "stop"


def test_a_wish_nobody_knows_is_refused(tmp_path: Path) -> None:
    """With those there are."""
    with pytest.raises(UsageError, match="cannot ask 'dance' of a run: expected pause, resume"):
        run_control.ask(tmp_path, "dance")  # type: ignore[arg-type]
    with pytest.raises(FileError, match=r"cannot write .*control.jsonl"):
        run_control.ask(tmp_path / "nowhere", "stop")
