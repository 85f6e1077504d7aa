"""Tests of the runner that the folder of a study keeps."""

from __future__ import annotations

from pathlib import Path

import pytest

from musicrel.experiment.runners import runner_choice
from musicrel.experiment.runners.runner_choice import AUTO, RAY, RunnerChoice

CLUSTER = RunnerChoice(runner=RAY, jobs=AUTO, address="head:6379", fetch=True, gpus=0.25)


@pytest.mark.parametrize("chosen", [RunnerChoice(), RunnerChoice(jobs=3), CLUSTER])
def test_a_choice_is_read_back(chosen: RunnerChoice, tmp_path: Path) -> None:
    """From the file in the folder."""
    runner_choice.write(tmp_path, chosen)
    assert runner_choice.read(tmp_path) == chosen


@pytest.mark.parametrize("content", [None, "", "[]", '{"jobs": "3"}', '{"colour": "red"}'])
def test_without_a_valid_file_the_choice_is_the_default(
    content: str | None, tmp_path: Path
) -> None:
    """One run at a time on this machine, as of studies before there was a choice."""
    if content is not None:
        (tmp_path / runner_choice.FILE).write_text(content)
    assert runner_choice.read(tmp_path) == RunnerChoice()


@pytest.mark.parametrize(
    ("chosen", "options"),
    [
        (RunnerChoice(), "--jobs 1"),
        (RunnerChoice(jobs=AUTO), "--jobs auto"),
        (RunnerChoice(runner=RAY, jobs=AUTO), "--runner ray --address auto --jobs auto"),
        (RunnerChoice(runner=RAY, jobs=9), "--runner ray --address auto --jobs 9"),
        (CLUSTER, "--runner ray --address head:6379 --jobs auto --fetch --gpus 0.25"),
    ],
)
def test_a_choice_is_asked_for_by_options(chosen: RunnerChoice, options: str) -> None:
    """Those of ``musicrel compare``."""
    assert " ".join(chosen.options) == options
