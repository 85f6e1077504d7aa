"""Two jobs in lockstep in one thread, those of the models A and B: each in turn writes a beat."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar, get_args

from musicrel.chorale import STEPS_PER_QUARTER, Voice
from musicrel.errors import MusicrelError
from musicrel.generation.causal.batch import Progress
from musicrel.generation.events import GenerationStep
from musicrel.jobs import Job

Side: TypeAlias = Literal["A", "B"]
"""One of two models, and of their pieces."""
SIDES: Final[tuple[Side, ...]] = get_args(Side)
_TURN: Final = STEPS_PER_QUARTER * len(Voice)
"""Notes of a turn."""

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class EventOfB:
    """An event of the job of B."""

    event: object


@dataclass(frozen=True, slots=True, kw_only=True)
class End(Generic[Result]):
    """The end of a job: its result, or the reason why it failed."""

    result: Result | None = None
    error: MusicrelError | None = None


def in_lockstep(first: Job[Any, Result], second: Job[Any, Result]) -> Job[Any, Result]:
    """Write with two models: a quarter, or a pass over candidates, of A, then one of B.

    Events and result are those of A. The events of B come between them as ``EventOfB``, its end as
    ``End``. A model that fails, as where no legal note is left, does not stop the other one.

    Args:
        first: job of A, from ``causal_generator.generate`` or
            ``candidate_job.generate_candidates``, or a job with other events between theirs.
        second: job of B, as ``first``.

    Raises:
        MusicrelError: A has failed; B has ended, too.
    """
    end: End[Result] | None = None
    end_of_b: End[Result] | None = None
    with closing(first), closing(second):
        while end is None or end_of_b is None:
            if end is None:
                end = yield from _turn(first, lambda event: event)
            if end_of_b is None:
                end_of_b = yield from _turn(second, EventOfB)
                if end_of_b is not None:
                    yield end_of_b
    if end.error is not None:
        raise end.error
    assert end.result is not None  # noqa: S101  # a job has an error or a result
    return end.result


def _turn(
    job: Job[Any, Result], wrapped: Callable[[object], object]
) -> Job[Any, End[Result] | None]:
    """Run a job to the end of its turn; return its end if that comes first."""
    while True:
        try:
            event = next(job)
        except StopIteration as end:
            return End(result=end.value)
        except MusicrelError as error:
            return End(error=error)
        yield wrapped(event)
        if isinstance(event, Progress):
            return None
        if isinstance(event, GenerationStep) and event.index % _TURN == 0:
            return None
