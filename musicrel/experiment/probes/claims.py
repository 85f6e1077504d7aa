"""The claims of 2018 about attention in chorales, examined on models: a job.

Every model reads all pieces of the test split. It writes as many of its own, one for each test
piece and as long in whole bars, with phrases and pickup drawn as in the app, top-p 0.9, draft
quality and seeds from ``first_seed`` on, and reads those, too. The measures are in
``musicrel.analysis.claims``; intervals come from a bootstrap over pieces.

Dimensions: R replicates, P pieces.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final, Literal, TypeAlias

import numpy as np

from musicrel import jobs
from musicrel.analysis.claims import intervals
from musicrel.analysis.claims.intervals import Array
from musicrel.analysis.claims.measures import MEASURES, OF_PIECES
from musicrel.chorale import Chorale
from musicrel.corpus import bundled
from musicrel.errors import UsageError
from musicrel.experiment.probes import claim_results
from musicrel.experiment.probes.claim_pools import PiecePools, ShareMeans, measure_attention
from musicrel.experiment.probes.claim_results import (
    ClaimResults,
    Difference,
    Finding,
    HeadShare,
    ModelClaims,
    Source,
)
from musicrel.generation.candidates import candidate_job
from musicrel.generation.drawn_phrases import DrawnPhrases
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.generation.request import DEFAULT_TOP_P, GenerationRequest
from musicrel.jobs import Job

Task: TypeAlias = Literal["reading", "writing", "reading its own"]

SOURCES: Final[tuple[Source, ...]] = ("test", "own")
_TASKS: Final = 3
_BOOTSTRAP_SEED: Final = 0
_STEPS_A_BAR: Final = 16
_REPEATED: Final = "repeated_notes"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimProgress:
    model: str
    task: Task
    done: int  # pieces done in all tasks
    total: int  # pieces of all tasks


def examine_claims(
    names: Sequence[str], *, pieces: int | None = None, device: str = "cpu", first_seed: int = 0
) -> Job[ClaimProgress, ClaimResults]:
    """Examine the claims on models; yields an event after each piece.

    Args:
        pieces: number of test pieces, the first of the split; None: all.
    """
    split = _split(pieces)
    if len(set(names)) < len(names):
        raise UsageError(f"the models are {', '.join(names)}: expected each only once")
    models = [load_model(name, device) for name in names]
    observed = []
    for model in models:
        found = yield from _observe(model, split, first_seed)
        observed.append(found)
    draws_RP = intervals.draws(len(split), np.random.default_rng(_BOOTSTRAP_SEED))
    return ClaimResults(
        pieces=len(split),
        first_seed=first_seed,
        models=tuple(
            _model_claims(model, of_model, draws_RP)
            for model, of_model in zip(models, observed, strict=True)
        ),
        bach=tuple(_repetition(PiecePools.of_repetition(split), "test", draws_RP)),
        differences=tuple(_differences(models, observed, draws_RP)),
    )


def _split(number: int | None) -> list[Chorale]:
    split = bundled.load("test")
    if number is not None and not 1 <= number <= len(split):
        raise UsageError(f"pieces is {number}: expected 1 to {len(split)}, those of the test split")
    return split[:number]


@dataclass(frozen=True, slots=True)
class _Observed:
    """The observations of a model."""

    shares: dict[Source, PiecePools]
    own: PiecePools

    def pools(self, measure: str, source: Source) -> PiecePools:
        return self.own if measure in OF_PIECES else self.shares[source]


def _observe(
    model: LoadedModel, split: Sequence[Chorale], first_seed: int
) -> Job[ClaimProgress, _Observed]:
    """Read the test pieces, write as many, and read those; yields an event after each piece."""
    test: list[ShareMeans] = []
    own: list[Chorale] = []
    of_own: list[ShareMeans] = []
    total = _TASKS * len(split)

    def progress(task: Task) -> ClaimProgress:
        done = len(test) + len(own) + len(of_own)
        return ClaimProgress(model=model.name, task=task, done=done, total=total)

    for piece in split:
        test.append(measure_attention(model, piece))
        yield progress("reading")
    for seed, piece in enumerate(split, first_seed):
        own.append(_written(model, -(-piece.steps // _STEPS_A_BAR), seed))
        yield progress("writing")
    for piece in own:
        of_own.append(measure_attention(model, piece))
        yield progress("reading its own")
    shares: dict[Source, PiecePools] = {
        "test": PiecePools.of_shares(test), "own": PiecePools.of_shares(of_own)
    }  # fmt: skip
    without = () if model.vocabulary.holds else (_REPEATED,)
    return _Observed(shares, PiecePools.of_repetition(own, without))


def _written(model: LoadedModel, bars: int, seed: int) -> Chorale:
    """Return a piece by the model; see the module's docstring."""
    plain = GenerationRequest(bars=bars, seed=seed, top_p=DEFAULT_TOP_P, quality="draft")
    request = DrawnPhrases(phrases=True, pickup=True).applied(plain, model.conditions)
    return jobs.run(candidate_job.generate_piece(model, request)).chorale


def _model_claims(model: LoadedModel, observed: _Observed, draws_RP: Array) -> ModelClaims:
    findings = [
        finding for source in SOURCES
        for finding in _shares(model, observed.shares[source], source, draws_RP)
    ]  # fmt: skip
    return ModelClaims(
        model=model.name,
        sha256=model.sha256,
        scheme=model.config.scheme,
        findings=(*findings, *_repetition(observed.own, "own", draws_RP)),
    )


def _shares(
    model: LoadedModel, pools: PiecePools, source: Source, draws_RP: Array
) -> Iterator[Finding]:
    per_layer = model.config.heads
    for measure, (of_mean, *of_heads) in pools.heads.items():
        mean = intervals.mean(of_mean, draws_RP)
        if mean is not None:
            values = [pool.value for pool in of_heads]
            best = int(np.argmax(values))
            share = intervals.mean(of_heads[best], draws_RP) or mean
            yield Finding(
                measure=measure,
                source=source,
                mean=mean,
                even=pools.even[measure].value,
                heads=tuple(
                    tuple(values[first : first + per_layer])
                    for first in range(0, len(values), per_layer)
                ),
                strongest=HeadShare(layer=best // per_layer, head=best % per_layer, share=share),
            )


def _repetition(pools: PiecePools, source: Source, draws_RP: Array) -> Iterator[Finding]:
    for measure, (pool,) in pools.heads.items():
        mean = intervals.mean(pool, draws_RP)
        if mean is not None:
            yield Finding(measure=measure, source=source, mean=mean)


def _differences(
    models: Sequence[LoadedModel], observed: Sequence[_Observed], draws_RP: Array
) -> Iterator[Difference]:
    """Yield the differences of every later model to the first."""
    for (model, of_model), measure, source in product(
        zip(models[1:], observed[1:], strict=True), MEASURES, SOURCES
    ):
        pair = [one.pools(measure, source).heads.get(measure) for one in (observed[0], of_model)]
        if pair[0] is None or pair[1] is None or (measure in OF_PIECES and source == "test"):
            continue
        change = intervals.difference(pair[1][0], pair[0][0], draws_RP)
        values = [intervals.mean(pools[0], draws_RP) for pools in (pair[0], pair[1])]
        if change is not None and values[0] is not None and values[1] is not None:
            schemes = models[0].config.scheme, model.config.scheme
            yield Difference(
                first=models[0].name,
                second=model.name,
                measure=measure,
                source=source,
                change=change,
                verdict=claim_results.verdict(measure, change, (values[0], values[1]), schemes),
            )
