"""Tests of what a run takes of a machine."""

from __future__ import annotations

from dataclasses import replace

import psutil
import pytest

from musicrel.experiment.recipe import recipe
from musicrel.experiment.runners import resources

GIGABYTE = 1_000_000_000


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
    """The largest runs count; there is always one slot."""
    assert resources.local_slots(memory, threads, device) == slots


def test_the_memory_of_a_run_grows_with_its_recipe() -> None:
    """By the six numbers a parameter takes, and with the sequences of a batch."""
    small = recipe.load("tiny")
    large = replace(small, training=replace(small.training, batch=2 * small.training.batch))
    taken = resources.memory_bytes(small, 1_000_000)

    assert resources.memory_bytes(small, 2_000_000) - taken == 24_000_000
    assert resources.memory_bytes(large, 1_000_000) > taken
    assert 0.5 * GIGABYTE < taken < 4 * GIGABYTE


def test_cores_are_those_this_process_may_use() -> None:
    """At least the one it runs on."""
    assert resources.cores() >= 1
