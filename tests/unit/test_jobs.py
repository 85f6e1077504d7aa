"""Jobs."""

from __future__ import annotations

import pytest

from musicrel import jobs
from musicrel.errors import (
    NO_TORCH,
    DataError,
    MissingTorchError,
    UsageError,
    readable,
    torch_may_be_missing,
)
from musicrel.jobs import Job


def counting(log: list[str], stop: int = 3) -> Job[int, str]:
    """Yield 0, 1, 2, ... and return a word; record the clean-up."""
    try:
        yield from range(stop)
    finally:
        log.append("cleaned up")
    return "done"


def test_a_job_is_run_to_its_end() -> None:
    log: list[str] = []
    seen: list[int] = []

    assert jobs.run(counting(log), seen.append) == "done"
    assert seen == [0, 1, 2]
    assert log == ["cleaned up"]


def test_a_job_is_closed_when_its_listener_fails() -> None:
    log: list[str] = []

    def fail(event: int) -> None:
        raise ValueError(f"event {event}")

    with pytest.raises(ValueError, match="event 0"):
        jobs.run(counting(log), fail)
    assert log == ["cleaned up"]


def test_a_jobs_own_error_comes_through() -> None:
    def broken() -> Job[int, None]:
        yield 1
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="the disk is full"):
        jobs.run(broken())


def test_events_can_be_mapped() -> None:
    """All of them, in order; the result is unchanged."""
    log: list[str] = []
    seen: list[str] = []

    assert jobs.run(jobs.map_events(counting(log), str), seen.append) == "done"
    assert seen == ["0", "1", "2"]
    assert log == ["cleaned up"]


def test_closing_a_mapped_job_closes_the_job() -> None:
    log: list[str] = []
    job = jobs.map_events(counting(log), str)
    assert next(job) == "0"
    job.close()
    assert log == ["cleaned up"]


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("bars is 9", "bars is 9"),
        ("a name of B♭, é and 日本", "a name of B♭, é and 日本"),
        ("bars is " + "9" * 5000 + ": expected 8", "bars is 999999999999... (5,000 digits): exp"),
        ("a\nb\x00c\x1b[31m\u2028", "a\\nb\\x00c\\x1b[31m\\u2028"),
    ],
)
def test_long_numbers_and_control_characters_are_replaced(message: str, shown: str) -> None:
    assert readable(message).startswith(shown)
    assert str(UsageError(message)) == readable(message)


def test_the_middle_of_a_long_message_is_left_out() -> None:
    shown = str(DataError("cannot read " + "x" * 100_000 + ": copy it again"))
    assert len(shown) < 1_100
    assert shown.startswith("cannot read x")
    assert shown.endswith("x: copy it again")


@pytest.mark.parametrize("name", ["torch", "torch.nn.functional"])
def test_a_missing_torch_is_an_error_for_users(name: str) -> None:
    with pytest.raises(MissingTorchError) as reason, torch_may_be_missing():
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    assert str(reason.value) == NO_TORCH


def test_another_missing_module_is_a_fault_of_ours() -> None:
    with pytest.raises(ModuleNotFoundError, match="torchvision"), torch_may_be_missing():
        raise ModuleNotFoundError("No module named 'torchvision'", name="torchvision")
