"""The claims of 2018 about attention in chorales, examined on models: a job.

Every model reads all pieces of the test split. It writes as many of its own, one for each test
piece and as long in whole bars, with phrases and pickup drawn as in the app, top-p 0.9, draft
quality and seeds from ``first_seed`` on, and reads those, too. The measures are in
``musicrel.analysis.claims``; intervals come from a bootstrap over pieces. The results are shown as
tables: Markdown for documents, columns for a terminal.

Dimensions: R replicates, P pieces; of attention H heads after their mean, L layers, M heads per
layer, R rows, S columns.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np

from musicrel import jobs
from musicrel.analysis.claims import claim_shares, intervals
from musicrel.analysis.claims.claim_shares import (
    CELLS,
    MEASURES,
    OF_PIECES,
    STEPS,
    ClaimShares,
    Measure,
    Places,
    Shares,
    Weights,
)
from musicrel.analysis.claims.intervals import Array, Estimate, Pool
from musicrel.analysis.corpus import bundled
from musicrel.chorale import Chorale, Voice
from musicrel.errors import UsageError
from musicrel.generation.candidates import candidate_job
from musicrel.generation.heads.means import note_numbers
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.generation.request import DEFAULT_TOP_P, GenerationRequest
from musicrel.generation.scoring.teacher_forcing import conditions_of, score_cells
from musicrel.jobs import Job
from musicrel.presentation.words.markdown import table

_THIRDS: Final = 3
_FORMAT: Final = 1
_TASKS: Final = 3
_BOOTSTRAP_SEED: Final = 0
_STEPS_A_BAR: Final = 16
_DASH: Final = "–"


@dataclass(frozen=True, slots=True)
class ShareMeans:
    # sums over the rows, (1 + H,): of the mean of all heads, then of each head
    totals: Mapping[str, Shares]
    even: Mapping[str, float]  # sum of the shares that equal weights would give
    counts: Mapping[str, int]  # number of rows


class Pools(NamedTuple):
    heads: Sequence[Pool]  # of the mean of all heads, then of each head; of pieces only one
    even: Pool | None = None  # of equal weights; None for measures of pieces


def of_shares(pieces: Sequence[ShareMeans]) -> dict[str, Pools]:
    found = {}
    for name in pieces[0].totals:
        counts_P = np.array([piece.counts[name] for piece in pieces], dtype=np.float64)
        totals_PH = np.stack([piece.totals[name] for piece in pieces])
        even_P = np.array([piece.even[name] for piece in pieces])
        heads = [Pool(totals_P, counts_P) for totals_P in totals_PH.T]
        found[name] = Pools(heads, Pool(even_P, counts_P))
    return found


def of_repetition(pieces: Sequence[Chorale], without: Collection[str] = ()) -> dict[str, Pools]:
    repeated = [claim_shares.repeated_notes(piece).ravel() for piece in pieces]
    owners = np.repeat(np.arange(len(pieces)), [len(values) for values in repeated])
    pools = (
        Pool.of(np.concatenate(repeated), owners, len(pieces)),
        Pool.of_units([claim_shares.longest_pitch(piece) for piece in pieces]),
    )
    named = zip(OF_PIECES, pools, strict=True)
    return {name: Pools([pool]) for name, pool in named if name not in without}


def measure_attention(model: LoadedModel, piece: Chorale) -> ShareMeans:
    """Return the shares of a model on a piece; only some rows of weights exist at a time."""
    causal = model.config.is_causal
    shares = ClaimShares.of(piece, CELLS if causal else STEPS)
    parts, cells = [], []
    for weights_HRS, cells_R in _rows(model, piece) if causal else _infill_rows(model, piece):
        parts.append(shares.measure(weights_HRS, cells_R))
        cells.append(cells_R)
    values = {name: np.concatenate([part[name] for part in parts], axis=1) for name in parts[0]}
    even = {name: row[None] for name, row in shares.even(np.concatenate(cells)).items()}
    values, even = _with_growth(values), _with_growth(even)
    return ShareMeans(
        totals={name: np.nansum(values_HR, axis=1) for name, values_HR in values.items()},
        even={name: float(np.nansum(values_1R)) for name, values_1R in even.items()},
        counts={name: int((~np.isnan(values_HR[0])).sum()) for name, values_HR in values.items()},
    )


def _rows(model: LoadedModel, piece: Chorale) -> Iterator[tuple[Weights, Places]]:
    for scores in score_cells(model, piece, conditions_of(piece)):
        if scores.weights is not None:
            yield _with_mean(scores.weights), scores.first + np.arange(scores.weights.shape[2])


def _infill_rows(model: LoadedModel, piece: Chorale) -> Iterator[tuple[Weights, Places]]:
    """Yield rows of an infilling model: those of the cells of one hidden note at a time."""
    from musicrel.interpretability.torch_reader import TorchInfillReader

    reader = TorchInfillReader(model, piece)
    for first in np.unique(note_numbers(piece), return_index=True)[1].tolist():
        cells_R = reader.note(first)
        rows = [reader.weights(cell) for cell in cells_R.tolist()]
        yield _with_mean(np.stack(rows, axis=2)), cells_R


def _with_mean(weights_LMRS: Weights) -> Weights:
    weights_HRS = weights_LMRS.reshape(-1, *weights_LMRS.shape[2:])
    found: Weights = np.concatenate((weights_HRS.mean(axis=0, keepdims=True), weights_HRS))
    return found


def _with_growth(values: Mapping[str, Shares]) -> dict[str, Shares]:
    """Add the growth of the last events' share from the first to the last third of the rows."""
    if "last_events" not in values:
        return dict(values)
    known_HR = values["last_events"][:, len(Voice) :]  # step 0 has no share
    third = known_HR.shape[1] // _THIRDS
    growth_H = np.full(len(known_HR), np.nan)
    if third:
        growth_H = known_HR[:, -third:].mean(axis=1) - known_HR[:, :third].mean(axis=1)
    return {**values, "last_events_growth": growth_H[:, None]}


Source: TypeAlias = Literal["test", "own"]  # pieces: Bach's of the test split, or the model's own
Verdict: TypeAlias = Literal["holds", "open", "opposite"]
Task: TypeAlias = Literal["reading", "writing", "reading its own"]

SOURCES: Final[tuple[Source, ...]] = ("test", "own")


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadShare:
    layer: int
    head: int
    share: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    measure: str
    source: Source
    mean: Estimate  # of all heads together; for measures of pieces, the value
    even: float | None = None  # of equal weights; None for measures of pieces
    # the share of each head by layer; empty for measures of pieces
    heads: tuple[tuple[float, ...], ...] = ()
    # the head with the largest share; None for measures of pieces
    strongest: HeadShare | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelClaims:
    model: str
    sha256: str
    scheme: str
    findings: tuple[Finding, ...]  # those on test pieces first, then those on its own

    def find(self, measure: str, source: Source) -> Finding | None:
        wanted = (measure, source)
        return next((one for one in self.findings if (one.measure, one.source) == wanted), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The second model minus the first, on the same pieces or, for their own, the same requests."""

    first: str  # name of the first model
    second: str  # name of the second
    measure: str
    source: Source
    change: Estimate
    # whether the claim holds; None unless exactly one model has relative attention
    verdict: Verdict | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimResults:
    pieces: int  # number of test pieces, and of pieces that each model wrote
    first_seed: int
    models: tuple[ModelClaims, ...]
    bach: tuple[Finding, ...]  # the measures of pieces for the test pieces
    differences: tuple[Difference, ...]  # of every later model to the first

    def to_json(self) -> dict[str, Any]:
        """Return all values; heads count from 0, intervals are value, low and high."""
        values = asdict(self)  # an Estimate remains a tuple, written as a list
        return {"format": _FORMAT, "interval": "95 % bootstrap over pieces"} | values


def verdict_of(
    measure: str, change: Estimate, values: tuple[Estimate, Estimate], schemes: tuple[str, str]
) -> Verdict | None:
    is_relative = [scheme == "relative" for scheme in schemes]
    if is_relative[0] == is_relative[1]:
        return None
    claim = MEASURES[measure]
    found = values[is_relative.index(True)] if claim.alone else change
    if not (found.above_zero or found.below_zero):
        return "open"
    expected = claim.alone or claim.rises == is_relative[1]
    return "holds" if found.above_zero == expected else "opposite"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimProgress:
    model: str
    task: Task
    done: int  # pieces done in all tasks
    total: int  # pieces of all tasks


def examine_claims(
    names: Sequence[str], *, pieces: int | None = None, device: str = "cpu", first_seed: int = 0
) -> Job[ClaimProgress, ClaimResults]:
    split = _split(pieces)
    if len(set(names)) < len(names):
        raise UsageError(f"the models are {', '.join(names)}: expected each only once")
    models = [load_model(name, device) for name in names]
    observed = []
    for model in models:
        found = yield from _observe(model, split, first_seed)
        observed.append(found)
    draws_RP = intervals.draws(len(split), np.random.default_rng(_BOOTSTRAP_SEED))
    bach: Observed = {(name, "test"): pools for name, pools in of_repetition(split).items()}
    return ClaimResults(
        pieces=len(split),
        first_seed=first_seed,
        models=tuple(
            ModelClaims(
                model=model.name,
                sha256=model.sha256,
                scheme=model.config.scheme,
                findings=tuple(_findings(of_model, model.config.heads, draws_RP)),
            )
            for model, of_model in zip(models, observed, strict=True)
        ),
        bach=tuple(_findings(bach, 1, draws_RP)),
        differences=tuple(_differences(models, observed, draws_RP)),
    )


def _split(number: int | None) -> list[Chorale]:
    split = bundled.load("test")
    if number is not None and not 1 <= number <= len(split):
        raise UsageError(f"pieces is {number}: expected 1 to {len(split)}, those of the test split")
    return split[:number]


Observed: TypeAlias = Mapping[tuple[str, Source], Pools]


def _observe(
    model: LoadedModel, split: Sequence[Chorale], first_seed: int
) -> Job[ClaimProgress, Observed]:
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
    without = () if model.vocabulary.holds else ("repeated_notes",)
    parts: tuple[tuple[Source, Mapping[str, Pools]], ...] = (
        ("test", of_shares(test)),
        ("own", of_shares(of_own)),
        ("own", of_repetition(own, without)),
    )
    return {(name, source): pools for source, part in parts for name, pools in part.items()}


def _written(model: LoadedModel, bars: int, seed: int) -> Chorale:
    request = GenerationRequest(
        bars=bars, phrases=None, pickup=None, seed=seed, top_p=DEFAULT_TOP_P, quality="draft"
    ).resolved(model.conditions)
    return jobs.run(candidate_job.generate_piece(model, request)).chorale


def _findings(observed: Observed, per_layer: int, draws_RP: Array) -> Iterator[Finding]:
    for (measure, source), ((of_mean, *of_heads), even) in observed.items():
        mean = intervals.mean(of_mean, draws_RP)
        if mean is None:
            continue
        if even is None:
            yield Finding(measure=measure, source=source, mean=mean)
            continue
        values = [pool.value for pool in of_heads]
        best = int(np.argmax(values))
        share = intervals.mean(of_heads[best], draws_RP) or mean
        yield Finding(
            measure=measure,
            source=source,
            mean=mean,
            even=even.value,
            heads=tuple(
                tuple(values[first : first + per_layer])
                for first in range(0, len(values), per_layer)
            ),
            strongest=HeadShare(layer=best // per_layer, head=best % per_layer, share=share),
        )


def _differences(
    models: Sequence[LoadedModel], observed: Sequence[Observed], draws_RP: Array
) -> Iterator[Difference]:
    for (model, of_model), measure, source in product(
        zip(models[1:], observed[1:], strict=True), MEASURES, SOURCES
    ):
        first, second = (one.get((measure, source)) for one in (observed[0], of_model))
        if first is None or second is None:
            continue
        change = intervals.difference(second.heads[0], first.heads[0], draws_RP)
        values = [intervals.mean(pools.heads[0], draws_RP) for pools in (first, second)]
        if change is not None and values[0] is not None and values[1] is not None:
            schemes = models[0].config.scheme, model.config.scheme
            yield Difference(
                first=models[0].name,
                second=model.name,
                measure=measure,
                source=source,
                change=change,
                verdict=verdict_of(measure, change, (values[0], values[1]), schemes),
            )


Row = tuple[str, ...]

_SOURCES: Final[dict[Source, str]] = {"test": "Bach's", "own": "its own"}
_VERDICTS: Final = {"holds": "holds", "open": "open", "opposite": "the opposite", None: _DASH}


def head(results: ClaimResults) -> Row:
    models = [model.model for model in results.models]
    changes = [
        column for name in models[1:] for column in (f"{name} − {models[0]}", "claim")
    ]  # fmt: skip
    return ("measure", "pieces", *models, "Bach, or equal weights", *changes)


def rows(results: ClaimResults) -> Iterator[Row]:
    for measure in MEASURES.values():
        for source, pieces in _SOURCES.items():
            found = [model.find(measure.name, source) for model in results.models]
            if any(found):
                title = f"{measure.title}, {measure.unit}"
                values = (_value(measure, finding) for finding in found)
                reference = _reference(results, measure, found)
                yield (title, pieces, *values, reference, *_changes(results, measure, source))


def strongest(results: ClaimResults) -> Iterator[Row]:
    for measure in MEASURES.values():
        found = [model.find(measure.name, "test") for model in results.models]
        if measure.name not in OF_PIECES and any(found):
            best = [one and one.strongest for one in found]
            heads = (
                f"{one.layer + 1}.{one.head + 1}: {interval(measure, one.share)}" if one else _DASH
                for one in best
            )
            yield (f"{measure.title}, {measure.unit}", *heads)


def markdown(results: ClaimResults, command: str) -> str:
    last = results.first_seed + results.pieces - 1
    means = (
        f"Values with 95 % intervals (bootstrap over pieces). {results.pieces} test "
        "pieces by Bach, read with what follows from the grid alone, and "
        f"{results.pieces} pieces that each model wrote (seeds {results.first_seed} to "
        f"{last}, top-p 0.9, draft quality, phrases and pickup drawn). Shares: mean of "
        "all heads. Claim: whether the interval of the difference is on the side that "
        "the source describes, for these models: each is one training run, and another "
        "seed may differ. The claim about the phrase beginning above its second quarter is "
        "about relative attention alone: whether the interval of its value is above 0."
    )
    heads_head = ("strongest head, Bach's pieces", *(model.model for model in results.models))
    tables = (table(head(results), rows(results)), table(heads_head, strongest(results)))
    return "\n\n".join([f"`{command}`. {means}", *map("\n".join, tables)]) + "\n"


def interval(measure: Measure, estimate: Estimate) -> str:
    value, low, high = (_figure(measure, part) for part in estimate)
    return f"{value} ({low} to {high})"


def _figure(measure: Measure, value: float) -> str:
    """Return a value in the unit of its measure, with a minus sign and without a negative 0."""
    shown = 100 * value if measure.unit == "%" else value
    return f"{round(shown, 1) + 0.0:.1f}".replace("-", "−")


def _value(measure: Measure, finding: Finding | None) -> str:
    return _DASH if finding is None else interval(measure, finding.mean)


def _reference(results: ClaimResults, measure: Measure, found: list[Finding | None]) -> str:
    if measure.name in OF_PIECES:
        of_bach = (finding for finding in results.bach if finding.measure == measure.name)
        return _value(measure, next(of_bach, None))
    even = next(finding.even for finding in found if finding is not None)
    return _DASH if even is None else _figure(measure, even)


def _changes(results: ClaimResults, measure: Measure, source: Source) -> Iterator[str]:
    for model in results.models[1:]:
        wanted = (model.model, measure.name, source)
        change = next(
            (one for one in results.differences if (one.second, one.measure, one.source) == wanted),
            None,
        )
        yield _DASH if change is None else interval(measure, change.change)
        yield _DASH if change is None else _VERDICTS[change.verdict]
