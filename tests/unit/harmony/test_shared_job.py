"""A job that several ask for."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from musicrel import jobs
from musicrel.harmony.shared_job import SharedJob
from musicrel.jobs import Job


def counting(steps: list[int]) -> Callable[[], Job[int, str]]:
    """Return a job of three steps, which are appended to a list."""

    def begin() -> Job[int, str]:
        for step in range(3):
            steps.append(step)
            yield step
        return "done"

    return begin


def test_each_step_is_done_once() -> None:
    """Also if one of two is cancelled in the middle."""
    steps: list[int] = []
    shared = SharedJob(counting(steps))
    cancelled = shared.run()
    assert next(cancelled) == 0
    cancelled.close()

    assert [jobs.run(shared.run()) for _ in range(3)] == ["done"] * 3
    assert steps == [0, 1, 2]


def test_threads_share_the_work() -> None:
    steps: list[int] = []
    shared = SharedJob(counting(steps))

    with ThreadPoolExecutor() as pool:
        results = list(pool.map(lambda _: jobs.run(shared.run()), range(8)))

    assert results == ["done"] * 8
    assert steps == [0, 1, 2]


def test_a_job_that_failed_begins_again() -> None:
    """The error reaches the one who met it."""
    failures = [ValueError("no memory")]

    def begin() -> Job[int, str]:
        yield 0
        if failures:
            raise failures.pop()
        return "done"

    shared = SharedJob(begin)

    with pytest.raises(ValueError, match="no memory"):
        jobs.run(shared.run())
    assert jobs.run(shared.run()) == "done"
