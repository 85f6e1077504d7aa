"""The window's thread goes before those of jobs."""

from __future__ import annotations

import os
import platform
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from musicrel.ui.jobs import priority

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="threads have no priority here")


def niceness() -> int:
    """Return the niceness of the calling thread."""
    return os.getpriority(os.PRIO_PROCESS, 0)


def niceness_of_a_job() -> int:
    """Give way, and return the niceness after it."""
    priority.give_way()
    return niceness()


def went_first() -> tuple[bool, int]:
    """Go first; return what the system answers, and the niceness after it."""
    return priority.go_first(), niceness()


def test_a_job_gives_way_and_the_window_stays_as_it_is() -> None:
    """Only the thread that calls gets another niceness."""
    before = niceness()

    with ThreadPoolExecutor(1) as threads:
        of_job = threads.submit(niceness_of_a_job).result()

    assert of_job == min(before + 5, 19)
    assert niceness() == before


def test_the_window_goes_first_at_its_niceness() -> None:
    """A shorter slice is not a higher priority: the share of the processor stays."""
    with ThreadPoolExecutor(1) as threads:
        _, after = threads.submit(went_first).result()

    assert after == niceness()


def test_a_processor_without_the_call_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of a system call means another one there."""
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")

    assert not priority.go_first()
