"""The same request and seed without and with muted heads, as two candidates."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Final

from musicrel.chorale import Chorale
from musicrel.generation.candidates import candidate_job
from musicrel.generation.candidates.candidate_job import (
    Candidate,
    CandidateEvent,
    CandidateSet,
    Stuck,
)
from musicrel.generation.causal.batch import Progress
from musicrel.generation.heads.mutes import Mutes
from musicrel.generation.infill.infill_generator import InfillProgress
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.generation.transposition import Transposition
from musicrel.jobs import Job

PAIR: Final = 2


def generate_pair(
    model: LoadedModel,
    request: GenerationRequest,
    *,
    original: Chorale | None = None,
    transposition: Transposition | None = None,
) -> Job[CandidateEvent, CandidateSet]:
    """Generate candidate 1 with all heads and candidate 2 with the muted heads of ``request``.

    Args:
        model: a model of notes.
        request: the request.
        original: the piece that both can replace.
        transposition: see ``candidate_job.generate_candidates``.

    Raises:
        UsageError: a head is muted that the model does not have.
        NoLegalNoteError: one of them could not be finished.
        GenerationError: a logit is not finite.
    """
    made: list[CandidateSet] = []
    for number, mutes in enumerate((Mutes(), request.mutes), start=1):
        job = candidate_job.generate_candidates(
            model,
            replace(request, mutes=mutes),
            1,
            original=original,
            transposition=transposition,
        )
        with closing(job):
            made.append((yield from _numbered(job, number)))
    first, second = made
    return CandidateSet(
        original=first.original,
        ranked=(*first.ranked, *(replace(one, number=PAIR) for one in second.ranked)),
        stuck=(),
        tokens=first.tokens + second.tokens,
        seconds=first.seconds + second.seconds,
    )


def _numbered(
    job: Job[CandidateEvent, CandidateSet], number: int
) -> Job[CandidateEvent, CandidateSet]:
    """Run the job of one of both; its events get its number, its share and no second original."""
    while True:
        try:
            event = next(job)
        except StopIteration as end:
            result: CandidateSet = end.value
            return result
        yield from _renumbered(event, number)


def _renumbered(event: CandidateEvent, number: int) -> Iterator[CandidateEvent]:
    match event:
        case Candidate():
            is_original = event.seed is None
            if not is_original or number == 1:
                yield event if is_original else replace(event, number=number)
        case Stuck():
            yield replace(event, number=number)
        case Progress():
            done = (number - 1) * event.total + event.done
            if number == 1 or not isinstance(event, InfillProgress):
                yield replace(event, done=done, total=PAIR * event.total)
            else:
                yield Progress(done=done, total=PAIR * event.total, notice=event.notice)
        case _:
            yield event
