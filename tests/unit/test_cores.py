"""Work divided among threads."""

from __future__ import annotations

import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from types import ModuleType

import pytest

from musicrel import cores, jobs
from musicrel.jobs import Job

PATIENCE = 60.0  # seconds after which a test that waits for a thread fails


@pytest.fixture(autouse=True)
def _cores_as_before() -> Iterator[None]:
    cores.use(8)
    yield
    cores.use(None)


def of_events(result: int, *events: str) -> Job[str, int]:
    yield from events
    return result


class Endless:
    """Jobs that yield events until they are closed; where they began and ended is noted."""

    def __init__(self) -> None:
        self.began, self.ended = dict[int, str](), dict[int, str]()

    def job(self, number: int) -> Job[str, int]:
        self.began[number] = threading.current_thread().name
        try:
            while True:
                yield "more"
        finally:
            self.ended[number] = threading.current_thread().name


class Held:
    """Work that counts how often it is done."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self) -> None:
        self.count += 1


def test_results_and_events_are_in_the_order_of_the_jobs() -> None:
    """The first job ends after the second; the events of each keep their order."""
    is_done = threading.Event()

    def first() -> Job[str, int]:
        assert is_done.wait(PATIENCE)
        return (yield from of_events(1, "a", "b"))

    def second() -> Job[str, int]:
        result = yield from of_events(2, "c", "d")
        is_done.set()
        return result

    events: list[tuple[int, str]] = []
    assert jobs.run(cores.side_by_side([first(), second()]), events.append) == [1, 2]
    assert [event for number, event in events if number == 0] == ["a", "b"]
    assert [event for number, event in events if number == 1] == ["c", "d"]


def test_a_single_job_runs_in_this_thread() -> None:
    def alone() -> Job[str, str]:
        yield "an event"
        return threading.current_thread().name

    events: list[tuple[int, str]] = []
    here = threading.current_thread().name
    assert jobs.run(cores.side_by_side([alone()]), events.append) == [here]
    assert events == [(0, "an event")]


def test_the_error_of_a_job_ends_the_others_and_is_raised() -> None:
    endless, has_begun = Endless(), threading.Event()

    def broken() -> Job[str, int]:
        assert has_begun.wait(PATIENCE)
        yield from of_events(0)
        raise ValueError("broken")

    def begin(_: object) -> None:
        has_begun.set()

    with pytest.raises(ValueError, match="broken"):
        jobs.run(cores.side_by_side([endless.job(0), endless.job(1), broken()]), begin)
    assert endless.began == endless.ended


def test_closing_closes_all_jobs_in_their_threads() -> None:
    endless = Endless()
    job = cores.side_by_side([endless.job(number) for number in range(3)])
    seen = set[int]()
    while len(seen) < 3:
        seen.add(next(job)[0])

    job.close()

    assert endless.ended == endless.began
    assert len({*endless.ended.values(), threading.current_thread().name}) == 4


def test_a_job_that_waits_for_a_thread_does_not_begin_after_closing() -> None:
    cores.use(1)
    endless = Endless()
    job = cores.side_by_side([endless.job(0), endless.job(1)])
    assert next(job) == (0, "more")

    job.close()

    assert [*endless.began] == [*endless.ended] == [0]


def test_jobs_side_by_side_share_the_threads_and_have_the_context() -> None:
    """One alone has all of them; the functions that a job divides see its share, too."""
    shade = ContextVar("shade", default="white")

    def counted() -> Job[str, list[int]]:
        yield shade.get()
        shares: list[int] = []
        cores.run_all([lambda: shares.append(cores.count())] * 3)
        return shares

    token, seen = shade.set("black"), list[tuple[int, str]]()
    try:
        assert (
            jobs.run(cores.side_by_side([counted(), counted(), counted()]), seen.append)
            == [[2, 2, 2]] * 3
        )
    finally:
        shade.reset(token)
    assert sorted(seen) == [(0, "black"), (1, "black"), (2, "black")]
    assert jobs.run(cores.side_by_side([counted()])) == [[8, 8, 8]]
    assert cores.count() == 8


def test_what_no_thread_has_begun_is_run_here() -> None:
    """All threads of the pool are busy until all functions have ended."""
    pool, is_done, ran = cores._pool(), threading.Event(), list[str]()
    busy = [pool.submit(is_done.wait, PATIENCE) for _ in range(pool._max_workers)]

    cores.run_all([lambda: ran.append(threading.current_thread().name)] * 5)
    is_done.set()

    assert ran == [threading.current_thread().name] * 5
    assert all(one.result() for one in busy)


def test_functions_that_divide_their_own_work_do_not_wait_for_each_other() -> None:
    ran: list[int] = []

    def nested(depth: int) -> Callable[[], None]:
        return lambda: cores.run_all([nested(depth - 1)] * 3) if depth else ran.append(1)

    nested(4)()

    assert len(ran) == 3**4


@pytest.mark.parametrize("is_here", [True, False])
def test_an_error_is_raised_after_all_functions_that_have_begun_have_ended(
    *, is_here: bool
) -> None:
    """It happens in this thread or in the other one."""
    has_begun, is_broken, ended = threading.Event(), threading.Event(), list[str]()

    def broken() -> None:
        assert has_begun.wait(PATIENCE)
        is_broken.set()
        raise ValueError("broken")

    def running() -> None:
        has_begun.set()
        assert is_broken.wait(PATIENCE)
        ended.append("running")

    with pytest.raises(ValueError, match="broken"):
        cores.run_all([broken, running] if is_here else [running, broken])
    assert ended == ["running"]


@pytest.mark.parametrize("total", [1, 2, 7, 8, 30])
@pytest.mark.parametrize("number", [1, 2, 8])
def test_parts_are_of_equal_size_and_none_is_empty(total: int, number: int) -> None:
    cores.use(number)
    parts = cores.parts(total)

    assert [index for part in parts for index in part] == [*range(total)]
    assert len(parts) == min(number, total)
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


def test_threads_begin_while_another_one_imports_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    """A module is known before it is finished; its functions come later."""
    monkeypatch.setitem(sys.modules, "torch", ModuleType("torch"))

    assert jobs.run(cores.side_by_side([of_events(1), of_events(2)])) == [1, 2]


def test_jobs_of_one_thread_run_one_after_the_other() -> None:
    events: list[tuple[int, str]] = []
    some = [of_events(1, "a", "b"), of_events(2, "c", "d")]

    assert jobs.run(cores.side_by_side(some, 1), events.append) == [1, 2]
    assert events == [(0, "a"), (0, "b"), (1, "c"), (1, "d")]


def test_work_that_a_busy_pool_has_not_begun_is_not_kept() -> None:
    """The caches of a cancelled piece, for example, are freed once all works have ended."""
    go_on, pool = threading.Event(), cores._pool()
    for _ in range(pool._max_workers):
        pool.submit(go_on.wait, PATIENCE)
    works = [Held() for _ in range(3)]
    alive = weakref.WeakSet(works)
    try:
        cores.run_all(works)
        assert [work.count for work in works] == [1, 1, 1]
        works.clear()
        assert not alive
    finally:
        go_on.set()
