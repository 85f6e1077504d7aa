"""The one shape of long work: a generator that yields small frozen events and returns its result.

The command line iterates a job and prints, the app iterates it in a thread and emits signals,
a child process iterates it and writes JSON lines, a test calls ``run``. A job is cancelled by
closing it between two events, in the thread that runs it; its clean-up stands in ``finally``.
Pausing and stopping with the work saved are asked for through a ``Control``.

This file knows nothing of what any job does, of threads, or of Qt.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Literal, Protocol, TypeAlias, TypeVar

Event = TypeVar("Event")
Told = TypeVar("Told")
Result = TypeVar("Result")

Job: TypeAlias = Generator[Event, None, Result]
"""A running piece of work: yields events, returns a result."""

Wish = Literal["run", "pause", "stop"]
"""What the user wants of a job: go on, hold, or save and end early."""


class Control(Protocol):
    """Asked by a job between two steps; answers at once."""

    def wish(self) -> Wish:
        """What the user wants now."""
        ...


class KeepRunning:
    """The control of a job nobody steers."""

    def wish(self) -> Wish:
        """Always go on."""
        return "run"


def run(job: Job[Event, Result], on_event: Callable[[Event], object] | None = None) -> Result:
    """Run ``job`` to its end in this thread.

    Args:
        job: the job, not yet finished.
        on_event: called with each event as it comes; None drops the events.

    Returns:
        What the job returns.
    """
    try:
        while True:
            try:
                event = next(job)
            except StopIteration as end:
                result: Result = end.value
                return result
            if on_event is not None:
                on_event(event)
    finally:
        job.close()


def mapped(job: Job[Event, Result], change: Callable[[Event], Told]) -> Job[Told, Result]:
    """``job``, each of its events told as ``change`` makes it; closing this closes it.

    Args:
        job: the job, not yet finished.
        change: called with each event as it comes, before it is told.
    """
    try:
        while True:
            try:
                event = next(job)
            except StopIteration as end:
                result: Result = end.value
                return result
            yield change(event)
    finally:
        job.close()
