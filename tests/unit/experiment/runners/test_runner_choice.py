"""The runner that the folder of a study keeps, and what a run takes of a machine."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from musicrel.experiment.recipe import recipe
from musicrel.experiment.recipe.recipe import ResourcesPart
from musicrel.experiment.runners import resources, runner_choice
from musicrel.experiment.runners.resources import Resources
from musicrel.experiment.runners.runner_choice import AUTO, RAY, RunnerChoice

CLUSTER = RunnerChoice(runner=RAY, jobs=AUTO, address="head:6379", fetch=True, gpus=0.25)
GIGABYTE = 1_000_000_000


@pytest.mark.parametrize("chosen", [RunnerChoice(), RunnerChoice(jobs=3), CLUSTER])
def test_a_choice_is_read_back(chosen: RunnerChoice, tmp_path: Path) -> None:
    runner_choice.write(tmp_path, chosen)
    assert runner_choice.read(tmp_path) == chosen


@pytest.mark.parametrize("content", [None, "", "[]", '{"jobs": "3"}', '{"colour": "red"}'])
def test_without_a_valid_file_the_choice_is_the_default(
    content: str | None, tmp_path: Path
) -> None:
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
    assert " ".join(chosen.options) == options


@pytest.fixture
def plenty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give this machine eight cores and 10 GB."""
    monkeypatch.setattr(resources, "cores", lambda: 8)
    memory = type("Memory", (), {"available": 10 * GIGABYTE})()
    monkeypatch.setattr(psutil, "virtual_memory", lambda: memory)


@pytest.mark.parametrize(
    ("memory", "threads", "device", "slots"),
    [
        ([GIGABYTE] * 20, 1, "cpu", 8),
        ([GIGABYTE] * 20, 3, "cpu", 2),
        ([GIGABYTE] * 3, 1, "cpu", 3),
        ([3 * GIGABYTE] * 20, 1, "cpu", 3),
        ([4 * GIGABYTE, GIGABYTE, GIGABYTE, 5 * GIGABYTE], 1, "cpu", 3),
        ([20 * GIGABYTE], 1, "cpu", 1),
        ([GIGABYTE], 16, "cpu", 1),
        ([GIGABYTE] * 20, 1, "cuda", 1),
    ],
)
@pytest.mark.usefixtures("plenty")
def test_slots_follow_from_threads_and_memory(
    memory: list[int], threads: int, device: str, slots: int
) -> None:
    assert resources.local_slots(memory, threads, device) == slots


def test_the_memory_of_a_run_grows_with_its_recipe() -> None:
    small = recipe.load("tiny")
    large = small.changed(training={"batch": 2 * small.training.batch})
    taken = resources.memory_bytes(small, 1_000_000)

    assert resources.memory_bytes(small, 2_000_000) - taken == 24_000_000
    assert resources.memory_bytes(large, 1_000_000) > taken
    assert 0.5 * GIGABYTE < taken < 4 * GIGABYTE


def test_a_recipe_can_set_what_its_run_reserves() -> None:
    tiny = recipe.load("tiny")
    own = replace(tiny, resources=ResourcesPart(cpus=3, gpus=0.25, memory=1.5))

    assert resources.needs(own, 1_000_000, threads=2, gpus=0.25) == Resources(
        cpus=3, gpus=0.25, memory=1_500_000_000
    )
    assert resources.needs(own, 1_000_000, threads=4, gpus=0.0).cpus == 4
    assert resources.needs(tiny, 1_000_000, threads=2, gpus=0.0) == Resources(
        cpus=2, gpus=0.0, memory=resources.memory_bytes(tiny, 1_000_000)
    )
