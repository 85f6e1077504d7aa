"""Several proposals for one request, written, measured and ranked, as a job.

A model that writes in order has not heard what it will write next, and a causal one does not know
what is locked ahead either: it writes towards that blind. So the likelihood it gives to the region
together with all that follows is the first of the terms by which its proposals are ranked: of
several, the one that leads into the locked notes best.

This file knows the job; ``measures`` says what is measured, ``ranking`` what counts how much.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, TypeAlias

import numpy as np

from musicrel import jobs
from musicrel.analysis import keys
from musicrel.chorale import Chorale, Flags, Voice
from musicrel.errors import UsageError
from musicrel.generation.candidates import judging, ranking
from musicrel.generation.candidates.measures import Judge, Measures
from musicrel.generation.causal.batch import Batch, Nats, Progress, nats_of
from musicrel.generation.events import NoLegalNoteError
from musicrel.generation.infill import infill_generator
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.generation.sampled_key import settled
from musicrel.jobs import Job
from musicrel.tokens import codec

MOST: Final = 256
"""Proposals for one request, at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A finished proposal.

    Attributes:
        number: 0 is the original, the others count from 1 in the order of their seeds.
        chorale: the piece; a proposal carries its provenance.
        seed: of its chance; None for the original.
        measures: what is said of it.
        score: the lower, the better.
        terms: what each measure added to the score.
    """

    number: int
    chorale: Chorale
    seed: int | None
    measures: Measures
    score: float
    terms: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stuck:
    """A proposal that came to a cell for which locks and rules left no note.

    Attributes:
        number: as in ``Candidate``.
        seed: of its chance.
        sentence: where and why.
        written: what was written until then, whole steps only; None where there is none.
    """

    number: int
    seed: int
    sentence: str
    written: Chorale | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposals:
    """What a job of proposals returns.

    Attributes:
        original: the piece they might replace, measured like them; None where there is none.
        ranked: the proposals, the best first.
        stuck: those that came to no end.
        tokens: notes chosen, and locked ones between them.
        seconds: time that took, measuring not counted.
    """

    original: Candidate | None
    ranked: tuple[Candidate, ...]
    stuck: tuple[Stuck, ...]
    tokens: int
    seconds: float


Event: TypeAlias = Progress | Candidate | Stuck


def propose(
    model: LoadedModel,
    request: GenerationRequest,
    count: int,
    *,
    original: Chorale | None = None,
    weights: Mapping[str, float] | None = None,
    judge: Judge | None = None,
) -> Job[Event, Proposals]:
    """Write ``count`` proposals with seeds from that of ``request`` on; yields each when measured.

    Args:
        model: one that writes in order (family causal or encoder_decoder) or settles (infill).
        request: what to write; its locks say what is given.
        count: how many.
        original: the piece they might replace; becomes number 0.
        weights: of the ranking's terms, where others than its own are wanted.
        judge: measures them; None: the shipped one.

    Raises:
        UsageError: count, weights or the original do not fit.
        NoLegalNoteError: locks and rules left none of them a way on.
        GenerationError: the model gives no distribution to choose from.
    """
    _check(request, count, original)
    judge = judge or judging.shipped(weights)
    desk = _Desk(model, request, ranking.weights(weights), judge, original)
    first = None
    if original:
        nats = (infill_generator.nats_of if _settles(model) else nats_of)(model, original, request)
        first = desk.candidate(0, None, original, nats)
        yield first
    done = yield from _write(desk, model, request, count)
    if not done.made:
        raise NoLegalNoteError(done.stuck[0].sentence, written=done.stuck[0].written)
    ranked = tuple(sorted(done.made, key=lambda one: ranking.place(one.measures, weights)))
    return Proposals(
        original=first,
        ranked=ranked,
        stuck=tuple(done.stuck),
        tokens=done.tokens,
        seconds=done.seconds,
    )


@dataclass(slots=True)
class _Done:
    """What has been written so far."""

    made: list[Candidate] = field(default_factory=list)
    stuck: list[Stuck] = field(default_factory=list)
    tokens: int = 0
    seconds: float = 0.0


def _write(
    desk: _Desk, model: LoadedModel, request: GenerationRequest, count: int
) -> Job[Event, _Done]:
    """Write ``count`` proposals, those side by side that gain by it; yields each when measured."""
    done = _Done()
    groups = _groups(model, range(request.seed, request.seed + count))
    for index, seeds in enumerate(groups):
        began = time.perf_counter()
        writing = (infill_generator.Filling if _settles(model) else Batch)(model, request, seeds)
        as_part = partial(_as_part, index=index, parts=len(groups))
        rows = yield from jobs.mapped(writing.run(), as_part)
        done.seconds += time.perf_counter() - began
        done.tokens += writing.done
        for seed, ids, nats in zip(seeds, *rows, strict=True):
            number = seed - request.seed + 1
            if seed in writing.stuck:
                done.stuck.append(_stuck(number, seed, ids, writing))
                yield done.stuck[-1]
            else:
                piece = writing.constraints.piece(ids)
                done.made.append(desk.candidate(number, seed, piece, nats))
                yield done.made[-1]
    return done


def _settles(model: LoadedModel) -> bool:
    return model.network.config.family == "infill"


def _groups(model: LoadedModel, seeds: Sequence[int]) -> list[Sequence[int]]:
    """Which are written side by side.

    A model that settles reads each by itself on a CPU: written one after the other, the first can
    be heard while the others are on their way.
    """
    alone = _settles(model) and model.device.type == "cpu"
    return [[seed] for seed in seeds] if alone else [seeds]


def _as_part(event: Progress, index: int, parts: int) -> Progress:
    """The progress of part ``index`` of so many of its size, as that of all."""
    done = index * event.total + event.done
    return replace(event, done=done, total=parts * event.total)


def _stuck(
    number: int, seed: int, ids: codec.Ids, writing: Batch | infill_generator.Filling
) -> Stuck:
    """What is told of a proposal that came to no end."""
    end = writing.stuck[seed]
    written = writing.constraints.piece(ids[: codec.index_of(end.step, 0)])
    return Stuck(number=number, seed=seed, sentence=str(end), written=written)


class _Desk:
    """Where proposals are measured, each in the same way."""

    def __init__(
        self,
        model: LoadedModel,
        request: GenerationRequest,
        weights: Mapping[str, float],
        judge: Judge,
        original: Chorale | None,
    ) -> None:
        self._model, self._request, self._weights = model, request, weights
        self._judge, self._original = judge, original
        self._free = _free(request)

    def candidate(
        self, number: int, seed: int | None, piece: Chorale | None, nats: Nats
    ) -> Candidate:
        """The proposal that ``piece`` is, its cells having -log p ``nats``, (T, 4)."""
        chorale = piece or self._request.plan()
        if seed is not None:
            chorale = self._signed(chorale, number, seed)
        measures = self._judge.measure(
            chorale, nats, self._free, self._original, self._request.cadence
        )
        return Candidate(
            number=number,
            chorale=chorale,
            seed=seed,
            measures=measures,
            score=ranking.score(measures, self._weights),
            terms=ranking.terms(measures, self._weights),
        )

    def _signed(self, chorale: Chorale, number: int, seed: int) -> Chorale:
        asked = settled(replace(self._request, seed=seed), self._model)
        before = f"{self._original.title}, " if self._original and self._original.title else ""
        return replace(
            keys.with_key(replace(chorale, key=asked.key)),
            title=f"{before}proposal {number}" if self._original else f"Chorale {seed}",
            provenance=self._model.provenance(seed, asked.to_json()),
        )


def _free(request: GenerationRequest) -> Flags:
    """The cells that are to be written, bool (T, 4)."""
    if request.locks is None:
        return np.ones((request.steps, len(Voice)), dtype=np.bool_)
    return ~request.locks.mask


def _check(request: GenerationRequest, count: int, original: Chorale | None) -> None:
    if not 1 <= count <= MOST:
        raise UsageError(f"candidates is {count}: expected 1 to {MOST}")
    if count > 1 and request.temperature == 0:
        raise UsageError(
            f"candidates is {count}, but at temperature 0 every seed writes the same notes: "
            "expected 1 candidate, or a temperature above 0"
        )
    replace(request, seed=request.seed + count - 1)  # all seeds are within bounds
    if original and original.steps != request.steps:
        raise UsageError(
            f"the original has {original.steps} steps and the piece to be written {request.steps}: "
            "expected the same length"
        )
