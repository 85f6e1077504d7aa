"""Generation of several candidates for one request, measured and ranked, as a job.

A causal model has no lookahead: locked cells ahead do not influence what it generates. The first
term of the ranking is therefore the log-probability of the region together with everything after
it: of several candidates, the one that leads into the locked notes best comes first.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Final, TypeAlias

import numpy as np

from musicrel import jobs
from musicrel.analysis import grade_reference, keys
from musicrel.chorale import Chorale, Flags, Voice
from musicrel.corpus import bundled
from musicrel.errors import UsageError
from musicrel.generation.candidates import critic, ranking
from musicrel.generation.candidates.measures import CandidateEvaluator, Measures
from musicrel.generation.causal import causal_generator
from musicrel.generation.causal.batch import CausalBatch, Nats, Progress, cell_nats
from musicrel.generation.events import Generated, GenerationStep, NoLegalNoteError, PhraseEndTrial
from musicrel.generation.infill import infill_generator
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.generation.sampled_key import with_sampled_key
from musicrel.jobs import Job
from musicrel.tokens import codec

MAX_CANDIDATES: Final = 256
"""Largest number of candidates for one request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A finished candidate, or the original.

    Attributes:
        number: 0 for the original; candidates count from 1 in the order of their seeds.
        chorale: the piece; a candidate has provenance.
        seed: seed of its random numbers; None for the original.
        measures: its measures.
        score: weighted sum of the measures; lower is better.
        terms: contribution of each measure to the score.
    """

    number: int
    chorale: Chorale
    seed: int | None
    measures: Measures
    score: float
    terms: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stuck:
    """A candidate that reached a cell without a legal note.

    Attributes:
        number: as in ``Candidate``.
        seed: seed of its random numbers.
        sentence: the cell and the reason, for the user.
        written: the whole steps written before; None where there are none.
    """

    number: int
    seed: int
    sentence: str
    written: Chorale | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateSet:
    """The result of a job of candidates.

    Attributes:
        original: the piece they can replace, with its measures; None where there is none.
        ranked: the candidates, the best first.
        stuck: candidates without an end.
        tokens: number of tokens chosen, and locked ones between them.
        seconds: duration without the measures.
    """

    original: Candidate | None
    ranked: tuple[Candidate, ...]
    stuck: tuple[Stuck, ...]
    tokens: int
    seconds: float


CandidateEvent: TypeAlias = Progress | Candidate | Stuck


def generate_piece(
    model: LoadedModel, request: GenerationRequest
) -> Job[GenerationStep | PhraseEndTrial | CandidateEvent, Generated]:
    """Generate one piece with a model of any family.

    Causal models yield every step, infill models their progress.

    Args:
        model: a model of notes.
        request: the request.

    Raises:
        GenerationError: a logit is not finite.
        NoLegalNoteError: locks and rules leave no legal note.
    """
    if not _is_infill(model):
        return (yield from causal_generator.generate(model, request))
    generated = yield from generate_candidates(model, request, 1)
    (only,) = generated.ranked
    return Generated(
        chorale=only.chorale,
        tokens=generated.tokens,
        seconds=generated.seconds,
        nats_per_note=only.measures.nats,
    )


def generate_candidates(
    model: LoadedModel,
    request: GenerationRequest,
    count: int,
    *,
    original: Chorale | None = None,
    weights: Mapping[str, float] | None = None,
    evaluator: CandidateEvaluator | None = None,
) -> Job[CandidateEvent, CandidateSet]:
    """Generate ``count`` candidates with consecutive seeds; yields each when it is measured.

    Args:
        model: a model of notes, causal or infill.
        request: the request; its seed is that of the first candidate.
        count: number of candidates.
        original: the piece they can replace; it becomes number 0.
        weights: weights of the ranking that differ from the default.
        evaluator: evaluator of the candidates; None: the bundled one.

    Raises:
        UsageError: count, weights or the original do not fit.
        NoLegalNoteError: no candidate could be finished.
        GenerationError: a logit is not finite.
    """
    _check(request, count, original)
    evaluator = evaluator or bundled_evaluator(weights)
    factory = _CandidateFactory(model, request, ranking.weights(weights), evaluator, original)
    first = None
    if original:
        nats = (infill_generator.cell_nats if _is_infill(model) else cell_nats)(
            model, original, request
        )
        first = factory.candidate(0, None, original, nats)
        yield first
    done = yield from _generate(factory, model, request, count)
    if not done.generated:
        raise NoLegalNoteError(done.stuck[0].sentence, written=done.stuck[0].written)
    ranked = tuple(sorted(done.generated, key=lambda one: ranking.sort_key(one.measures, weights)))
    return CandidateSet(
        original=first,
        ranked=ranked,
        stuck=tuple(done.stuck),
        tokens=done.tokens,
        seconds=done.seconds,
    )


@dataclass(slots=True)
class _Done:
    """Results so far."""

    generated: list[Candidate] = field(default_factory=list)
    stuck: list[Stuck] = field(default_factory=list)
    tokens: int = 0
    seconds: float = 0.0


def _generate(
    factory: _CandidateFactory, model: LoadedModel, request: GenerationRequest, count: int
) -> Job[CandidateEvent, _Done]:
    """Generate all candidates in batches; yields each when it is measured."""
    done = _Done()
    groups = _groups(model, range(request.seed, request.seed + count))
    for index, seeds in enumerate(groups):
        began = time.perf_counter()
        writing = (infill_generator.InfillBatch if _is_infill(model) else CausalBatch)(
            model, request, seeds
        )
        scaled = partial(_scaled, index=index, parts=len(groups))
        rows = yield from jobs.map_events(writing.run(), scaled)
        done.seconds += time.perf_counter() - began
        done.tokens += writing.done
        for seed, ids, nats in zip(seeds, *rows, strict=True):
            number = seed - request.seed + 1
            if seed in writing.stuck:
                done.stuck.append(_stuck(number, seed, ids, writing))
                yield done.stuck[-1]
            else:
                piece = writing.constraints.piece(ids)
                done.generated.append(factory.candidate(number, seed, piece, nats))
                yield done.generated[-1]
    return done


def _is_infill(model: LoadedModel) -> bool:
    return model.network.config.family == "infill"


def _groups(model: LoadedModel, seeds: Sequence[int]) -> list[Sequence[int]]:
    """Return the seeds of each batch.

    On a CPU an infill model reads each candidate by itself anyway: one after the other, the first
    can be played while the others are being generated.
    """
    one_by_one = _is_infill(model) and model.device.type == "cpu"
    return [[seed] for seed in seeds] if one_by_one else [seeds]


def _scaled(event: Progress, index: int, parts: int) -> Progress:
    """Return the progress of batch ``index`` as that of ``parts`` batches of its size."""
    done = index * event.total + event.done
    return replace(event, done=done, total=parts * event.total)


def _stuck(
    number: int, seed: int, ids: codec.Ids, writing: CausalBatch | infill_generator.InfillBatch
) -> Stuck:
    """Return the event of a candidate at a dead end."""
    end = writing.stuck[seed]
    written = writing.constraints.piece(ids[: codec.index_of(end.step, 0)])
    return Stuck(number=number, seed=seed, sentence=str(end), written=written)


class _CandidateFactory:
    """A factory of measured candidates of one request."""

    def __init__(
        self,
        model: LoadedModel,
        request: GenerationRequest,
        weights: Mapping[str, float],
        evaluator: CandidateEvaluator,
        original: Chorale | None,
    ) -> None:
        self._model, self._request, self._weights = model, request, weights
        self._evaluator, self._original = evaluator, original
        self._free = _free(request)

    def candidate(
        self, number: int, seed: int | None, piece: Chorale | None, nats: Nats
    ) -> Candidate:
        """Return the candidate of a piece whose cells have -log p ``nats``, (T, 4)."""
        chorale = piece or self._request.plan()
        if seed is not None:
            chorale = self._with_provenance(chorale, number, seed)
        measures = self._evaluator.measure(
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

    def _with_provenance(self, chorale: Chorale, number: int, seed: int) -> Chorale:
        request = with_sampled_key(replace(self._request, seed=seed), self._model)
        before = f"{self._original.title}, " if self._original and self._original.title else ""
        return replace(
            keys.with_key(replace(chorale, key=request.key)),
            title=f"{before}candidate {number}" if self._original else f"Chorale {seed}",
            provenance=self._model.provenance(seed, request.to_json()),
        )


def _free(request: GenerationRequest) -> Flags:
    """Return the free cells, bool (T, 4)."""
    if request.locks is None:
        return np.ones((request.steps, len(Voice)), dtype=np.bool_)
    return ~request.locks.mask


def _check(request: GenerationRequest, count: int, original: Chorale | None) -> None:
    if not 1 <= count <= MAX_CANDIDATES:
        raise UsageError(f"candidates is {count}: expected 1 to {MAX_CANDIDATES}")
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


def bundled_evaluator(weights: Mapping[str, float] | None = None) -> CandidateEvaluator:
    """Return the evaluator with the bundled reference, corpus and, if there is one, critic.

    Args:
        weights: weights of the ranking.

    Raises:
        UsageError: the critic has a weight and there is none.
        ModelError: the bundled critic is damaged.
    """
    evaluator, weight = _bundled_evaluator(), (weights or {}).get("critic", 0.0)
    if evaluator.critic is None and weight:
        raise UsageError(
            f"the weight of 'critic' is {weight:g}, but there is no model of that name: expected "
            "0, or install musicrel again"
        )
    return evaluator


@cache
def _bundled_evaluator() -> CandidateEvaluator:
    found = critic.bundled_critic()
    return CandidateEvaluator(
        grade_reference.load().reference,
        bundled.load("train"),
        (lambda piece: found.log_odds([piece])[0]) if found else None,
    )
