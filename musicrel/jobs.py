"""Long-running work as generators that yield small frozen events and return a result.

The command line iterates a job and prints, the app iterates it in a thread and emits signals, a
child process iterates it and writes JSON lines, a test calls ``run``. A job is cancelled by closing
it between two events, in the thread that runs it; its clean-up belongs in ``finally``. ``Control``
requests a pause, or a stop that saves the work.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Literal, TypeAlias, TypeVar

Event = TypeVar("Event")
Mapped = TypeVar("Mapped")
Result = TypeVar("Result")

Job: TypeAlias = Generator[Event, None, Result]  # A running job: yields events, returns a result

RunCommand = Literal["run", "pause", "stop"]
"""The request to a job: continue, pause, or save and end early."""


Control: TypeAlias = Callable[[], RunCommand]
"""Returns the current request; called by a job between two steps, it must not block."""


def keep_running() -> RunCommand:
    """Return "run": the control of a job that nobody interrupts."""
    return "run"


def run(job: Job[Event, Result], on_event: Callable[[Event], object] | None = None) -> Result:
    """Run ``job`` to its end in this thread."""
    handled = map_events(job, on_event or (lambda _: None))
    try:
        while True:
            next(handled)
    except StopIteration as end:
        result: Result = end.value
        return result


def map_events(job: Job[Event, Result], change: Callable[[Event], Mapped]) -> Job[Mapped, Result]:
    """Map each event of ``job`` through ``change``; closing this closes the job."""
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
