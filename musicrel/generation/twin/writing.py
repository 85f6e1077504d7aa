"""Writing and rewriting with two models in lockstep.

Give both jobs the same request: the two pieces are exactly those that the models write alone. The
models take turns at every quarter: a turn at every note would read the weights from memory each
time, where the processor's cache holds those of one model only.
"""

from __future__ import annotations

from typing import Final, TypeVar

from musicrel.chorale import STEPS_PER_QUARTER, Voice
from musicrel.generation.causal.batch import Progress
from musicrel.generation.events import GenerationStep
from musicrel.generation.twin.lockstep import Ends, SideEnd, SideEvent, lockstep
from musicrel.jobs import Job

_TURN: Final = STEPS_PER_QUARTER * len(Voice)
"""Notes of a turn."""

Event = TypeVar("Event")
Result = TypeVar("Result")


def in_lockstep(
    jobs: tuple[Job[Event, Result], Job[Event, Result]],
) -> Job[SideEvent[Event] | SideEnd[Result], Ends[Result]]:
    """Write with two models: a quarter, or a pass over candidates, of A, then one of B.

    A model that fails, as where no legal note is left, does not stop the other one.

    Args:
        jobs: of A and B, from ``causal_generator.generate`` or
            ``candidate_job.generate_candidates``, or jobs with other events between theirs.
    """
    return lockstep(jobs, _ends_turn)


def _ends_turn(event: object) -> bool:
    if isinstance(event, GenerationStep):
        return event.index % _TURN == 0
    return isinstance(event, Progress)
