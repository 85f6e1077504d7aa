"""Jobs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from musicrel import jobs
from musicrel.jobs import Job, KeepRunning


def counting(log: list[str], stop: int = 3) -> Job[int, str]:
    """Yield 0, 1, 2, ... and return a word; record the clean-up."""
    try:
        yield from range(stop)
    finally:
        log.append("cleaned up")
    return "done"


def test_a_job_is_run_to_its_end() -> None:
    """Every event is delivered, in order, and the result returned."""
    log: list[str] = []
    seen: list[int] = []

    assert jobs.run(counting(log), seen.append) == "done"
    assert seen == [0, 1, 2]
    assert log == ["cleaned up"]


def test_events_may_be_dropped() -> None:
    """The result alone may be used."""
    assert jobs.run(counting([])) == "done"


def test_a_job_without_events_has_a_result_all_the_same() -> None:
    """The job yields nothing."""
    assert jobs.run(counting([], stop=0)) == "done"


def test_a_job_is_closed_when_its_listener_fails() -> None:
    """Its clean-up runs before the error propagates."""
    log: list[str] = []

    def fail(event: int) -> None:
        raise ValueError(f"event {event}")

    with pytest.raises(ValueError, match="event 0"):
        jobs.run(counting(log), fail)
    assert log == ["cleaned up"]


def test_a_jobs_own_error_comes_through() -> None:
    """The error is unchanged."""

    def broken() -> Job[int, None]:
        yield 1
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="the disk is full"):
        jobs.run(broken())


def test_nobodys_control_lets_a_job_go_on() -> None:
    """The command is always "run"."""
    commands: Iterator[str] = (KeepRunning().command() for _ in range(3))

    assert list(commands) == ["run"] * 3


def test_events_can_be_mapped() -> None:
    """All of them, in order; the result is unchanged."""
    log: list[str] = []
    seen: list[str] = []

    assert jobs.run(jobs.map_events(counting(log), str), seen.append) == "done"
    assert seen == ["0", "1", "2"]
    assert log == ["cleaned up"]


def test_closing_a_mapped_job_closes_the_job() -> None:
    """Between two events, and before the first."""
    log: list[str] = []
    job = jobs.map_events(counting(log), str)
    assert next(job) == "0"
    job.close()
    assert log == ["cleaned up"]
