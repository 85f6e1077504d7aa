"""The tables of the study of ablations: rows of the report and of CSV files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Final

from musicrel.analysis.claims.intervals import Estimate
from musicrel.presentation.ablation import study_words
from musicrel.presentation.ablation.study_words import interval, number

if TYPE_CHECKING:
    from musicrel.experiment.ablation.study_results import (
        Carrier,
        HeadResult,
        ModelResults,
        RankEffect,
        Removal,
        StudyResults,
    )

Row = tuple[str, ...]
CsvRow = tuple[object, ...]

_DIGITS: Final = 6
_SHARE: Final = 100
_RANDOM: Final = "random others"


def correlations(results: StudyResults) -> Iterator[Row]:
    """Yield the rank correlations, the titles of the columns first."""
    first, *others = (model.model for model in results.models)
    changes = (f"{name} − {first}" for name in others)
    yield ("parts", "rank correlation of", first, *others, *changes)
    for name, label in study_words.CORRELATIONS.items():
        found = [study_words.correlation(model, name) for model in results.models]
        if any(found):
            yield (name.split()[0], label, *map(interval, found), *_changes(results, name))


def removals(results: StudyResults) -> Iterator[Row]:
    """Yield the effects of sources removed together, the titles of the columns first."""
    yield (
        "model", "sources", "of largest weight", "nearest in time", "random others",
        "largest weight − random", "hurts more than random, %", "notes",
    )  # fmt: skip
    for model in results.models:
        for one in model.removals:
            share = Estimate(*(_SHARE * part for part in one.hurts_more))
            effects = map(interval, (one.strongest, one.nearest, one.random, one.difference))
            figures = interval(share, 1), f"{one.notes:,}"
            yield (model.model, str(one.number), *effects, *figures)


def ranks(results: StudyResults) -> Iterator[Row]:
    """Yield the effects of single sources by rank, the titles of the columns first."""
    yield ("model", "rank", "weight", "effect", "size of effect")
    for model in results.models:
        for one in model.ranks:
            span = str(one.first) if one.first == one.last else f"{one.first} to {one.last}"
            figures = (interval(value, 4) for value in (one.weight, one.effect, one.size))
            yield (model.model, span if one.first else _RANDOM, *figures)


def heads(model: ModelResults) -> Iterator[Row]:
    """Yield the means of each head of a model, the titles of the columns first."""
    yield (
        "head", "weight on the strongest source", "concentration", "effect",
        "rank correlation over sources",
    )  # fmt: skip
    for one in model.by_head:
        weights = (interval(weight) for weight in one.weights.values())
        yield (one.head.code, *weights, interval(one.effect, 4), interval(one.correlation))


def carriers(results: StudyResults) -> Iterator[Row]:
    """Yield the sets of heads against random ones, the titles of the columns first."""
    yield (
        "model", "pattern", "chosen", "heads", "effect with pattern", "effect without",
        "difference", "above random sets", "rank, %", "p",
    )  # fmt: skip
    for model in results.models:
        for one in model.carriers:
            effects = (one.with_pattern, one.without, one.contrast, one.excess)
            rank = number(_SHARE * one.comparison.rank, 0), number(one.comparison.p, 3)
            words = study_words.PATTERNS[one.pattern], study_words.CHOICES[one.by]
            yield (model.model, *words, codes(one), *map(interval, effects), *rank)


def codes(carrier: Carrier) -> str:
    return ", ".join(head.code for head in sorted(carrier.heads))


def results_csv(results: StudyResults) -> Iterator[CsvRow]:
    """Yield all means with the ends of their intervals, the names of the columns first."""
    yield ("model", "quantity", "value", "low", "high")
    for model in results.models:
        for name, estimate in _estimates(model):
            yield (model.model, name, *(round(part, _DIGITS) for part in estimate))
    for change in results.differences:
        name = f"{change.second} minus {change.first}"
        yield (name, change.measure, *(round(part, _DIGITS) for part in change.change))


def notes_csv(results: StudyResults) -> Iterator[CsvRow]:
    """Yield the figures of all notes, the names of the columns first; empty where unknown."""
    columns = tuple(results.rows[0].figures)
    yield ("model", "piece", "note", *columns)
    for row in results.rows:
        figures = (row.figures[name] for name in columns)
        rounded = ("" if figure is None else round(figure, _DIGITS) for figure in figures)
        yield (row.model, row.piece, row.note, *rounded)


def _estimates(model: ModelResults) -> Iterator[tuple[str, Estimate]]:
    """Yield all means of a model with their names."""
    yield "nats", model.nats
    for correlation in model.correlations:
        yield f"{correlation.parts} {correlation.measure}", correlation.mean
    for head in model.by_head:
        yield from _named(f"head {head.head.code}", {**head.weights, **_means(head)})
    for removal in model.removals:
        yield from _named(f"{removal.number} sources", _means(removal))
    for rank in model.ranks:
        span = f"ranks {rank.first} to {rank.last}" if rank.first else _RANDOM
        yield from _named(span, _means(rank))
    for carrier in model.carriers:
        yield from _named(f"{carrier.pattern} {carrier.by}", _means(carrier))


def _named(prefix: str, values: Mapping[str, Estimate]) -> Iterator[tuple[str, Estimate]]:
    return ((f"{prefix} {name}", value) for name, value in values.items())


def _means(result: HeadResult | Removal | RankEffect | Carrier) -> dict[str, Estimate]:
    values = {field.name: getattr(result, field.name) for field in fields(result)}
    return {name: value for name, value in values.items() if isinstance(value, Estimate)}


def _changes(results: StudyResults, measure: str) -> Iterator[str]:
    """Yield the differences of the later models to the first."""
    for model in results.models[1:]:
        wanted = (model.model, measure)
        found = (one.change for one in results.differences if (one.second, one.measure) == wanted)
        yield interval(next(found, None))
