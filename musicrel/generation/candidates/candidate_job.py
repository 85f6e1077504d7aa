"""Generation of several candidates for one request, measured and ranked, as a job.

A causal model has no lookahead: locked cells ahead do not influence what it generates. The first
term of the ranking is therefore the log-probability of the region together with everything after
it: of several candidates, the one that leads into the locked notes best comes first.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple, TypeAlias

from musicrel import bounds, cores
from musicrel.analysis import grade_reference, keys, rules
from musicrel.analysis.corpus import bundled
from musicrel.chorale import Chorale
from musicrel.errors import UsageError
from musicrel.generation.candidates import ranking
from musicrel.generation.candidates.ranking import CandidateEvaluator, Measures
from musicrel.generation.causal import causal_generator
from musicrel.generation.causal.batch import CausalBatch, Nats, Progress
from musicrel.generation.cell_constraints import Constraints, DeadEnd
from musicrel.generation.events import (
    Generated,
    GenerationStep,
    MeansProgress,
    NoLegalNoteError,
    PhraseEndTrial,
)
from musicrel.generation.heads import means
from musicrel.generation.heads.mutes import Mutes
from musicrel.generation.infill.infill_generator import InfillBatch, InfillProgress
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.generation.sampling import Sampler
from musicrel.generation.transposition import Transposition
from musicrel.jobs import Job
from musicrel.language import tr
from musicrel.model.tokens import codec


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
        seconds: duration until the last one is written, without its measures.
    """

    original: Candidate | None
    ranked: tuple[Candidate, ...]
    stuck: tuple[Stuck, ...]
    tokens: int
    seconds: float


CandidateEvent: TypeAlias = MeansProgress | Progress | Candidate | Stuck


def generate_piece(
    model: LoadedModel, request: GenerationRequest
) -> Job[GenerationStep | PhraseEndTrial | CandidateEvent, Generated]:
    """Generate one piece with a model of any family.

    Causal models yield every step, infill models their progress; both that of the means that
    replace muted heads, where these are not known.

    Raises:
        GenerationError: a logit is not finite.
        NoLegalNoteError: locks and rules leave no legal note.
    """
    if model.config.is_causal:
        yield from means.prepare_for(model, request.mutes)
        return (yield from causal_generator.generate(model, request))
    generated = yield from generate_candidates(model, request, 1)
    (only,) = generated.ranked
    return Generated(
        chorale=only.chorale,
        tokens=generated.tokens,
        seconds=generated.seconds,
        nats_per_note=only.measures.nats,
    )


def generate_pieces(
    model: LoadedModel, requests: Sequence[GenerationRequest]
) -> Iterator[Job[GenerationStep | PhraseEndTrial | CandidateEvent, Generated]]:
    """Yield a job for each of some pieces, to be run in order; errors as in ``generate_piece``.

    A causal model on a GPU writes many pieces side by side in the first job if they differ in form,
    locks, key and seed alone; the following jobs return them.
    """
    alike = {(one.rules, one.mutes, one.quality, Sampler.of(one)) for one in requests}
    # an encoder reads the whole piece, and scaled positions depend on its length
    scaled = {one.steps for one in requests if "scaling" in model.config.options}
    is_causal = model.device.type == "cuda" and model.config.family == "causal"
    if is_causal and len(requests) > 1 and len(alike) == 1 and len(scaled) < 2:  # noqa: PLR2004
        from musicrel.generation.causal import device_pieces  # noqa: PLC0415  # it imports torch

        yield from device_pieces.generate(model, requests)
    else:
        yield from (generate_piece(model, request) for request in requests)


def generate_candidates(
    model: LoadedModel,
    request: GenerationRequest,
    count: int,
    *,
    original: Chorale | None = None,
    source: Chorale | None = None,
    transposition: Transposition | None = None,
    weights: Mapping[str, float] | None = None,
    evaluator: CandidateEvaluator | None = None,
    is_pair: bool = False,
) -> Job[CandidateEvent, CandidateSet]:
    """Generate ``count`` candidates with consecutive seeds, side by side.

    Each is yielded when it and all before it are measured.

    Args:
        model: a model of notes, causal or infill.
        request: the request; its seed is that of the first candidate.
        original: the piece they can replace; it becomes number 0.
        source: the piece whose names and words they get; None: ``original``.
        transposition: of the original and the locked notes; all pieces are transposed back.
        weights: weights of the ranking that differ from the default.
        evaluator: evaluator of the candidates; None: the bundled one.
        is_pair: instead generate two of the same seed, 1 with all heads and 2 with the muted ones.

    Raises:
        UsageError: count, weights or the original do not fit, or the model lacks a muted head.
        NoLegalNoteError: no candidate could be finished, or one of a pair could not.
        GenerationError: a logit is not finite.
    """
    _check(request, 1 if is_pair else count, original)
    yield from means.prepare_for(model, request.mutes)
    factory = _CandidateFactory(
        model=model,
        request=request,
        constraints=Constraints.of(request, model.vocabulary),
        weights=ranking.weights(weights),
        evaluator=evaluator or bundled_evaluator(),
        original=original,
        source=source or original,
        transposition=transposition or Transposition(),
    )
    groups = _groups(model, request, count, is_pair=is_pair)
    batches = [new_batch(model, asked, factory.constraints, seeds) for asked, seeds in groups]
    first = factory.measured(None, original, batches[0].nats(original)) if original else None
    if first:
        yield first
    made, seconds = yield from _made(factory, groups, batches)
    candidates = [one for one in made if isinstance(one, Candidate)]
    stuck = tuple(one for one in made if isinstance(one, Stuck))
    if not candidates or (is_pair and stuck):
        raise NoLegalNoteError(stuck[0].sentence, written=stuck[0].written)
    best_first = sorted(candidates, key=lambda one: ranking.sort_key(one.measures, weights))
    return CandidateSet(
        original=first,
        ranked=tuple(candidates if is_pair else best_first),
        stuck=stuck,
        tokens=sum(batch.done for batch in batches),
        seconds=seconds,
    )


class _Written(NamedTuple):
    """A batch that is written, and when it was."""

    ids: list[codec.Ids]
    nats: Nats
    at: float


def _written(batch: CausalBatch | InfillBatch) -> Job[Progress | _Written, None]:
    ids, nats = yield from batch.run()
    yield _Written(ids, nats, time.perf_counter())


def _made(
    factory: _CandidateFactory,
    groups: Sequence[tuple[GenerationRequest, Sequence[int]]],
    batches: Sequence[CausalBatch | InfillBatch],
) -> Job[CandidateEvent, tuple[list[Candidate | Stuck], float]]:
    """Write batches side by side; return their candidates, and the seconds that writing took."""
    began, made, written = time.perf_counter(), list[Candidate | Stuck](), dict[int, _Written]()
    done, measured = [0] * len(batches), 0
    threads = None if factory.model.device.type == "cpu" else 1  # a GPU computes one at a time
    written_by = [_written(batch) for batch in batches]
    with closing(cores.side_by_side(written_by, threads)) as running:
        for number, event in running:
            if isinstance(event, Progress):
                done[number] = event.done
                total = event.total * sum(len(seeds) for _, seeds in groups)
                each = total // len(groups[number][1])
                yield factory.progress(event, sum(done), each, is_first=number == 0)
                continue
            written[number] = event
            while measured in written:
                (asked, seeds), batch, rows = groups[measured], batches[measured], written[measured]
                for seed, ids, nats in zip(seeds, rows.ids, rows.nats, strict=True):
                    one = replace(factory, request=asked, number=len(made) + 1)
                    made.append(one.outcome(seed, ids, nats, batch.stuck.get(seed)))
                    yield made[-1]
                measured += 1
    return made, max(one.at for one in written.values()) - began


def new_batch(
    model: LoadedModel, request: GenerationRequest, constraints: Constraints, seeds: Sequence[int]
) -> CausalBatch | InfillBatch:
    """Return the candidates of ``request``, to be written by a model of any family."""
    kind = CausalBatch if model.config.is_causal else InfillBatch
    return kind(model, request, constraints, seeds)


def _groups(
    model: LoadedModel, request: GenerationRequest, count: int, *, is_pair: bool
) -> list[tuple[GenerationRequest, Sequence[int]]]:
    """Return the request and the seeds of each batch.

    On a CPU there is one for each thread, and of an infill model, which reads each candidate by
    itself anyway, for each candidate: the first can be played while the others are being written.
    """
    if is_pair:
        return [(asked, [request.seed]) for asked in (replace(request, mutes=Mutes()), request)]
    batches = 1
    if model.device.type == "cpu":
        batches = cores.count() if model.config.is_causal else count
    seeds = range(request.seed, request.seed + count)
    return [(request, seeds[part.start : part.stop]) for part in cores.parts(count, batches)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _CandidateFactory:
    """A factory of measured candidates of one request; see ``generate_candidates``."""

    model: LoadedModel
    request: GenerationRequest
    constraints: Constraints
    weights: Mapping[str, float]
    evaluator: CandidateEvaluator
    original: Chorale | None
    source: Chorale | None
    transposition: Transposition
    number: int = 0

    def outcome(
        self, seed: int, ids: codec.Ids, nats: Nats, end: DeadEnd | None
    ) -> Candidate | Stuck:
        """Return the candidate of tokens whose cells have -log p ``nats``, (T, 4)."""
        if end is not None:
            return self._stuck(seed, ids, end)
        piece = self.constraints.piece(ids) or self.constraints.plan
        return self.measured(seed, self._with_provenance(piece, seed), nats)

    def measured(self, seed: int | None, chorale: Chorale, nats: Nats) -> Candidate:
        """Return a piece with its measures; without a seed it is the original."""
        free = ~self.constraints.locks.mask
        back = self.transposition.back(chorale)
        ranges = self.request.ranges if "range" in self.request.rules else None
        measures = self.evaluator.measure(
            chorale,
            nats,
            free,
            self.original,
            self.request.cadence,
            shown=rules.with_requested_ranges(back, ranges),
        )
        return Candidate(
            number=self.number,
            chorale=back,
            seed=seed,
            measures=measures,
            score=ranking.score(measures, self.weights),
            terms=ranking.terms(measures, self.weights),
        )

    def _stuck(self, seed: int, ids: codec.Ids, end: DeadEnd) -> Stuck:
        written = self.constraints.piece(ids[: codec.index_of(end.step, 0)])
        return Stuck(
            number=self.number,
            seed=seed,
            sentence=end.sentence,
            written=written and self.transposition.back(written),
        )

    def progress(self, event: Progress, done: int, total: int, *, is_first: bool) -> Progress:
        """Return the progress of all batches; only that of the first holds what is written."""
        if not isinstance(event, InfillProgress):
            return replace(event, done=done, total=total)
        if not is_first:
            return Progress(done=done, total=total, notice=event.notice)
        pitches = tuple(map(self.transposition.pitches_back, event.pitches))
        return replace(event, done=done, total=total, pitches=pitches)

    def _with_provenance(self, chorale: Chorale, seed: int) -> Chorale:
        request = replace(self.request, seed=seed).with_sampled_key(self.model.conditions)
        before = f"{self.original.title}, " if self.original and self.original.title else ""
        written = keys.with_key(replace(chorale, key=request.key, lyrics=request.lyrics))
        return replace(
            written.with_texts_of(self.source) if self.source else written,
            title=f"{before}candidate {self.number}" if self.original else request.title,
            provenance=self.model.provenance(
                seed, request.to_json(), "single" if request.mutes else None
            ),
        )


def _check(request: GenerationRequest, count: int, original: Chorale | None) -> None:
    bounds.check("candidates", count)
    if count > 1 and request.temperature == 0:
        raise UsageError(
            tr(
                "candidates is {count}, but at temperature 0 every seed writes the same notes: "
                "expected 1 candidate, or a temperature above 0",
                count=count,
            )
        )
    replace(request, seed=request.seed + count - 1)  # all seeds are within bounds
    if original and original.steps != request.steps:
        raise UsageError(
            f"the original has {original.steps} steps and the piece to be written {request.steps}: "
            "expected the same length"
        )


@cache
def bundled_evaluator() -> CandidateEvaluator:
    """Return the evaluator with the bundled reference and corpus."""
    return CandidateEvaluator(grade_reference.load().reference, bundled.load("train"))
