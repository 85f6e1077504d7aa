"""A job whose result several threads want: each step is done once, by the first that asks."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Generic

from musicrel.jobs import Event, Job, Result


class SharedJob(Generic[Event, Result]):
    """A job that any number of threads advance together, and that keeps its result.

    A thread that is cancelled leaves the job as it is: the next one goes on from there.

    Args:
        begin: begins the job; called again after an error.
    """

    def __init__(self, begin: Callable[[], Job[Event, Result]]) -> None:
        self._begin, self._lock = begin, Lock()
        self._job = begin()
        self._ended: tuple[Result] | None = None

    def run(self) -> Job[Event, Result]:
        """Return a job with the same result; it yields the events of the steps it did itself."""
        while True:
            with self._lock:
                if self._ended is not None:
                    return self._ended[0]
                try:
                    event = next(self._job)
                except StopIteration as end:
                    self._ended = (end.value,)
                    return self._ended[0]
                except BaseException:
                    self._job = self._begin()
                    raise
            yield event
