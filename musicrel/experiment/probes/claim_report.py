"""The results of the claims of 2018 as tables: Markdown for documents, columns for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from musicrel.analysis.claims.intervals import Estimate
from musicrel.analysis.claims.measures import MEASURES, OF_PIECES, Measure, Unit
from musicrel.experiment.probes.claim_results import ClaimResults, Finding, Source

Row = tuple[str, ...]

_SOURCES: Final[dict[Source, str]] = {"test": "Bach's", "own": "its own"}
_UNITS: Final[dict[Unit, tuple[float, str]]] = {
    "share": (100, "%"),
    "rate": (100, "%"),
    "quarters": (1, "quarters"),
}
"""Factor and unit of the figures."""
_DASH: Final = "–"
_VERDICTS: Final = {"holds": "holds", "open": "open", "opposite": "the opposite", None: _DASH}
_MEANS: Final = (
    "Values with 95 % intervals (bootstrap over pieces). {pieces} test pieces by Bach, read with "
    "what follows from the grid alone, and {pieces} pieces that each model wrote (seeds {first} to "
    "{last}, top-p 0.9, draft quality, phrases and pickup drawn). Shares: mean of all heads. "
    "Claim: whether the interval of the difference is on the side that the source describes, for "
    "these models: each is one training run, and another seed may differ."
)


def head(results: ClaimResults) -> Row:
    """Return the titles of the columns."""
    models = [model.model for model in results.models]
    changes = [
        column for name in models[1:] for column in (f"{name} − {models[0]}", "claim")
    ]  # fmt: skip
    return ("measure", "pieces", *models, "Bach, or equal weights", *changes)


def rows(results: ClaimResults) -> Iterator[Row]:
    """Yield a row for each measure and source that has a value."""
    for measure in MEASURES.values():
        for source, pieces in _SOURCES.items():
            found = [model.find(measure.name, source) for model in results.models]
            if any(found):
                title = f"{measure.title}, {_UNITS[measure.unit][1]}"
                values = (_value(measure, finding) for finding in found)
                reference = _reference(results, measure, found)
                yield (title, pieces, *values, reference, *_changes(results, measure, source))


def strongest(results: ClaimResults) -> Iterator[Row]:
    """Yield the head with the largest share of each measure of attention, for each model."""
    for measure in MEASURES.values():
        found = [model.find(measure.name, "test") for model in results.models]
        if measure.name not in OF_PIECES and any(found):
            heads = [
                f"{one.strongest.code}: {interval(measure, one.strongest.share)}"
                if one and one.strongest else _DASH
                for one in found
            ]  # fmt: skip
            yield (f"{measure.title}, {_UNITS[measure.unit][1]}", *heads)


def markdown(results: ClaimResults, command: str) -> str:
    """Return both tables with their explanation."""
    last = results.first_seed + results.pieces - 1
    means = _MEANS.format(pieces=results.pieces, first=results.first_seed, last=last)
    heads_head = ("strongest head, Bach's pieces", *(model.model for model in results.models))
    parts = (
        f"`{command}`. {means}",
        _table(head(results), rows(results)),
        _table(heads_head, strongest(results)),
    )
    return "\n\n".join(parts) + "\n"


def interval(measure: Measure, estimate: Estimate) -> str:
    value, low, high = (_figure(measure, part) for part in estimate)
    return f"{value} ({low} to {high})"


def _figure(measure: Measure, value: float) -> str:
    """Return a value in the unit of its measure, with a minus sign and without a negative 0."""
    return f"{round(_UNITS[measure.unit][0] * value, 1) + 0.0:.1f}".replace("-", "−")


def _value(measure: Measure, finding: Finding | None) -> str:
    return _DASH if finding is None else interval(measure, finding.mean)


def _reference(results: ClaimResults, measure: Measure, found: list[Finding | None]) -> str:
    """Return Bach's value, or for shares that of equal weights."""
    if measure.name in OF_PIECES:
        return _value(measure, results.of_bach(measure.name))
    even = next(finding.even for finding in found if finding is not None)
    return _DASH if even is None else _figure(measure, even)


def _changes(results: ClaimResults, measure: Measure, source: Source) -> Iterator[str]:
    """Yield difference and verdict for every later model."""
    for model in results.models[1:]:
        wanted = (model.model, measure.name, source)
        change = next(
            (one for one in results.differences if (one.second, one.measure, one.source) == wanted),
            None,
        )
        yield _DASH if change is None else interval(measure, change.change)
        yield _DASH if change is None else _VERDICTS[change.verdict]


def _table(titles: Row, lines: Iterator[Row]) -> str:
    rule = "|" + "---|" * len(titles)
    return "\n".join(
        (f"| {' | '.join(titles)} |", rule, *(f"| {' | '.join(line)} |" for line in lines))
    )
