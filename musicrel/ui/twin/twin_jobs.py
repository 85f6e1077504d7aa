"""Jobs of two models at once, made of the jobs of one model each."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from musicrel.generation.events import Generated
from musicrel.generation.heads.mutes import Mutes
from musicrel.generation.request import GenerationRequest
from musicrel.generation.twin.lockstep import Ends, SideEvent
from musicrel.jobs import Job
from musicrel.presentation.compose.form import RequestBuilder
from musicrel.ui.compose.candidate_run import GenerateCandidates
from musicrel.ui.jobs.generation_run import Compose

if TYPE_CHECKING:
    from musicrel.generation.candidates.candidate_job import CandidateSet

Result = TypeVar("Result")


class TwinJobs:
    """Factories of jobs that also run model B, where there is one for the task.

    Events and result are those of A; those of B are ``SideEvent`` and ``SideEnd``.

    Attributes:
        partner: returns the name of model B for the model of a task; "": none.
    """

    def __init__(self, compose: Compose, generate_candidates: GenerateCandidates) -> None:
        self._compose, self._generate_candidates = compose, generate_candidates
        self.partner: Callable[[str], str] = lambda _model: ""
        self.mutes: Callable[[str], Mutes] = lambda _model: Mutes()

    def compose(self, name: str, device: str, request: GenerationRequest) -> Job[Any, Generated]:
        """Return the job that generates a piece with ``name``, and the same request with B."""
        other, job = self.partner(name), self._compose(name, device, request)
        if not other:
            return job
        same = replace(request, mutes=self.mutes(other))
        return _together(job, self._compose(other, device, same))

    def generate_candidates(
        self, name: str, device: str, builder: RequestBuilder
    ) -> Job[Any, CandidateSet]:
        other, job = self.partner(name), self._generate_candidates(name, device, builder)
        if not other:
            return job
        same = replace(builder, form=replace(builder.form, model=other))
        return _together(job, self._generate_candidates(other, device, same))


def _together(first: Job[Any, Result], second: Job[Any, Result]) -> Job[Any, Result]:
    """Run both in lockstep; yields the events of A, and those of B as events of a side."""
    from musicrel.generation.twin.writing import in_lockstep

    with closing(in_lockstep((first, second))) as job:
        while True:
            try:
                event = next(job)
            except StopIteration as end:
                ends: Ends[Result] = end.value
                return _result(ends)
            if event.side == "B":
                yield event
            elif isinstance(event, SideEvent):
                yield event.event


def _result(ends: Ends[Result]) -> Result:
    """Return the result of A, or raise its error."""
    end = ends[0]
    if end.error is not None:
        raise end.error
    assert end.result is not None  # noqa: S101  # a job has an error or a result
    return end.result
