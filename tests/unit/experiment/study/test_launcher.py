"""Tests of the options with which the process of a study is started."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import pytest

from musicrel.errors import FileError
from musicrel.experiment.runners import runner_choice
from musicrel.experiment.runners.runner_choice import RunnerChoice
from musicrel.experiment.runs import child_process
from musicrel.experiment.study import definition, launcher, study


def test_a_study_is_started_with_its_runner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run alone has none."""
    asked: list[list[str]] = []

    def start(_: Path, options: tuple[str, ...], __: object) -> NoReturn:
        asked.append([*options])
        raise OSError

    monkeypatch.setattr(child_process, "start", start)
    definition.create(tmp_path, study.load("smoke"))
    runner_choice.write(tmp_path, RunnerChoice(jobs=3))
    for one in (tmp_path, tmp_path / "runs" / "vanilla-seed0"):
        with pytest.raises(FileError, match="cannot resume"):
            launcher.launch(one, "cpu")
    assert asked == [["--jobs", "3", "--device", "cpu"], ["--device", "cpu"]]
