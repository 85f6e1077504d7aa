"""Two jobs in lockstep in one thread: each in turn runs up to its next beat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Generic, Literal, TypeAlias, TypeVar, get_args

from musicrel.errors import MusicrelError
from musicrel.jobs import Job

Side: TypeAlias = Literal["A", "B"]
"""One of two models, and of their pieces."""
SIDES: Final[tuple[Side, ...]] = get_args(Side)

Event = TypeVar("Event")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class SideEvent(Generic[Event]):
    """An event of one of two jobs.

    Attributes:
        side: the job.
        event: its event.
    """

    side: Side
    event: Event


@dataclass(frozen=True, slots=True, kw_only=True)
class SideEnd(Generic[Result]):
    """The end of one of two jobs, the other one may run on.

    Attributes:
        side: the job.
        result: its result; None if it failed.
        error: the reason why it failed; None if it did not.
    """

    side: Side
    result: Result | None = None
    error: MusicrelError | None = None


Ends: TypeAlias = tuple[SideEnd[Result], SideEnd[Result]]
"""The ends of both jobs, A first."""


def lockstep(
    jobs: tuple[Job[Event, Result], Job[Event, Result]], is_beat: Callable[[Event], bool]
) -> Job[SideEvent[Event] | SideEnd[Result], Ends[Result]]:
    """Run two jobs in turn, each up to its next beat; yields the events of both, and their ends.

    A job that fails does not end the other one. Closing this closes both.

    Args:
        jobs: A and B, not yet finished.
        is_beat: whether the other job is next after an event.
    """
    running = {side: _Runner(side, job, is_beat) for side, job in zip(SIDES, jobs, strict=True)}
    ends: dict[Side, SideEnd[Result]] = {}
    try:
        while len(ends) < len(SIDES):
            for side in SIDES:
                end = None if side in ends else (yield from running[side].to_next_beat())
                if end is not None:
                    ends[side] = end
                    yield end
    finally:
        for job in jobs:
            job.close()
    return ends["A"], ends["B"]


@dataclass(frozen=True, slots=True)
class _Runner(Generic[Event, Result]):
    """One of two jobs; see ``lockstep``."""

    side: Side
    job: Job[Event, Result]
    is_beat: Callable[[Event], bool]

    def to_next_beat(self) -> Job[SideEvent[Event], SideEnd[Result] | None]:
        """Run the job to its next beat; return its end if there is none."""
        while True:
            try:
                event = next(self.job)
            except StopIteration as end:
                return SideEnd(side=self.side, result=end.value)
            except MusicrelError as error:
                return SideEnd(side=self.side, error=error)
            yield SideEvent(side=self.side, event=event)
            if self.is_beat(event):
                return None
