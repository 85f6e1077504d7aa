"""Two jobs in lockstep."""

from __future__ import annotations

import pytest

from musicrel import jobs
from musicrel.errors import DataError
from musicrel.generation.twin.lockstep import SideEnd, SideEvent, lockstep
from musicrel.jobs import Job


def counting(last: int, *, between: int = 0, error: Exception | None = None) -> Job[int, str]:
    """Yield 1 to ``last``, each after some zeros; fail with ``error`` or return a text."""
    for number in range(1, last + 1):
        for _ in range(between):
            yield 0
        yield number
    if error is not None:
        raise error
    return f"counted to {last}"


def is_number(event: int) -> bool:
    return event > 0


def test_each_job_runs_to_its_next_beat_in_turn() -> None:
    """Events that are no beats come before the beat of their side."""
    events: list[object] = []
    jobs.run(lockstep((counting(2), counting(2, between=1)), is_number), events.append)

    assert [(e.side, e.event) for e in events if isinstance(e, SideEvent)] == [
        ("A", 1), ("B", 0), ("B", 1), ("A", 2), ("B", 0), ("B", 2)
    ]  # fmt: skip


def test_both_results_are_returned_and_each_end_is_an_event() -> None:
    """The shorter job ends first; the other one runs on."""
    events: list[object] = []
    ends = jobs.run(lockstep((counting(1), counting(3)), is_number), events.append)

    assert [end.result for end in ends] == ["counted to 1", "counted to 3"]
    assert [e.side for e in events if isinstance(e, SideEnd)] == ["A", "B"]
    assert isinstance(events[-1], SideEnd)


def test_a_job_that_fails_does_not_end_the_other_one() -> None:
    """Its end has the error in place of a result."""
    reason = DataError("no note is left")
    first, second = jobs.run(lockstep((counting(1, error=reason), counting(3)), is_number))

    assert (first.result, first.error) == (None, reason)
    assert (second.result, second.error) == ("counted to 3", None)


def test_an_error_of_the_program_ends_both() -> None:
    """Only errors with a sentence for the user belong to one side."""
    with pytest.raises(ZeroDivisionError):
        jobs.run(lockstep((counting(1, error=ZeroDivisionError()), counting(3)), is_number))


def test_closing_it_closes_both_jobs() -> None:
    """The clean-up of both runs when the user stops."""
    closed: list[str] = []

    def endless(name: str) -> Job[int, None]:
        try:
            while True:
                yield 1
        finally:
            closed.append(name)

    both = lockstep((endless("A"), endless("B")), is_number)
    for _ in range(3):
        next(both)
    both.close()

    assert closed == ["A", "B"]
