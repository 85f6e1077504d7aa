"""The processor's cores: work divided among threads, which compute without the interpreter's lock.

One thread computes a sequence from its beginning to its end, in a fixed order: results do not
depend on the number of threads, nor on which of them is the first to end.
"""

from __future__ import annotations

import functools
import itertools
import os
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextvars import Context, ContextVar, copy_context
from queue import SimpleQueue
from typing import Final, Generic, TypeVar

from musicrel import jobs
from musicrel.jobs import Job

Event = TypeVar("Event")
Result = TypeVar("Result")


class _Chosen:
    threads: int | None = None


_own: Final[ContextVar[int]] = ContextVar("own")  # number of threads of a job beside others


def use(threads: int | None) -> None:
    """Set the number of threads of this process; None: one for each physical core."""
    _Chosen.threads = threads


def count() -> int:
    """Return the number of threads, for a job beside others its share of them."""
    return _own.get(_Chosen.threads or physical())


@functools.cache
def physical() -> int:
    """Return the number of physical cores that this process may use."""
    import psutil  # noqa: PLC0415  # it takes a moment

    has_affinity = hasattr(os, "sched_getaffinity")
    usable = len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count() or 1
    return min(psutil.cpu_count(logical=False) or usable, usable)


def parts(total: int, number: int | None = None) -> list[range]:
    """Return the numbers below ``total`` in parts; None: one for each thread.

    No part is empty unless ``total`` is 0.
    """
    number = max(1, min(number or count(), total))
    stops = [total * part // number for part in range(number + 1)]
    return [range(first, stop) for first, stop in itertools.pairwise(stops)]


def run_all(works: Sequence[Callable[[], None]]) -> None:
    """Run functions side by side, the first in this thread; return when all have ended.

    Those that no thread has begun by then are run in this one, after an error not at all.
    """
    first, *others = ([work] for work in works)
    begun = [_submit(_pool(), other) for other in others]
    try:
        first.pop()()
        for other, future in zip(others, begun, strict=True):
            if future.cancel():
                other.pop()()
    finally:
        running = [future for future in begun if not future.cancel()]
        wait(running)
        for other in others:
            other.clear()
    for future in running:
        future.result()


class ClosedError(Exception):
    """The job is not wanted any more."""


def side_by_side(
    some: Sequence[Job[Event, Result]], number: int | None = None
) -> Job[tuple[int, Event], list[Result]]:
    """Run jobs side by side, one in each thread; yield their events with the job's number.

    With a number of threads no more than these are used: 1 runs one after the other.
    Closing this closes all of them, and returns when they have ended. If one fails, so does this.
    """
    if len(some) == 1:
        return [(yield from jobs.map_events(some[0], lambda event: (0, event)))]
    number = number or count()
    share, events = max(1, count() // min(number, len(some))), _Events[Event]()
    with ThreadPoolExecutor(number, "side by side", _set_torch_threads) as threads:
        running = [
            _submit(threads, [functools.partial(_run, place, job, share, events)])
            for place, job in enumerate(some)
        ]
        for one in running:
            one.add_done_callback(lambda _: events.queue.put(None))
        try:
            for _ in some:
                yield from iter(events.queue.get, None)
        finally:
            events.is_closed.set()
    failures = [failure for one in running if (failure := one.exception()) is not None]
    for failure in sorted(failures, key=lambda one: isinstance(one, ClosedError)):
        raise failure
    return [one.result() for one in running]


class _Events(Generic[Event]):
    """The events of jobs side by side, each with the number of its job; None: one has ended."""

    def __init__(self) -> None:
        self.queue: SimpleQueue[tuple[int, Event] | None] = SimpleQueue()
        self.is_closed = threading.Event()

    def check(self) -> None:
        if self.is_closed.is_set():
            raise ClosedError

    def put(self, number: int, event: Event) -> None:
        self.check()
        self.queue.put((number, event))


def _run(number: int, job: Job[Event, Result], share: int, events: _Events[Event]) -> Result:
    _own.set(share)
    try:
        events.check()
        return jobs.run(job, functools.partial(events.put, number))
    except BaseException:
        events.is_closed.set()
        raise


def _submit(threads: ThreadPoolExecutor, works: list[Callable[[], Result]]) -> Future[Result]:
    """Run the only function in a thread; keep it no longer, not even in the thread's queue."""
    return threads.submit(_run_only, copy_context(), works)


def _run_only(context: Context, works: list[Callable[[], Result]]) -> Result:
    return context.run(works.pop())


@functools.cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max(1, physical() - 1), "cores", _set_torch_threads)


def _set_torch_threads() -> None:
    """Let torch compute in the calling thread alone; it has a number for each thread."""
    set_threads = getattr(sys.modules.get("torch"), "set_num_threads", None)  # None: half imported
    if set_threads is not None:
        set_threads(1)
