"""The table of candidates: in which order, what stands in each column, and what that means.

This file knows candidates and words; it knows nothing of widgets, nor of how pieces are written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from musicrel.analysis import bach_rates
from musicrel.analysis.rules import RULES
from musicrel.chorale import STEPS_PER_QUARTER
from musicrel.generation.candidates import ranking
from musicrel.generation.candidates.measures import Measures
from musicrel.model import catalogue
from musicrel.presentation.words import names

if TYPE_CHECKING:
    from musicrel.generation.candidates.candidate_job import Candidate, Stuck

_NONE: Final = "–"


class Column(NamedTuple):
    """A column: its heading, what it means, and its value for a candidate."""

    title: str
    says: str
    value: Callable[[Candidate], str]


class Weight(NamedTuple):
    """A weight of the ranking: the term, its name for people, and what it is."""

    term: str
    title: str
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A line of the table.

    Attributes:
        number: of the candidate; 0 is the original.
        cells: one for each of ``COLUMNS``.
        says: all that is known of it, line by line.
    """

    number: int
    cells: tuple[str, ...]
    says: str


COLUMNS: Final = (
    Column(
        "#", "0 is the original, the others are numbered by their seeds", lambda c: str(c.number)
    ),
    Column(
        "nats",
        "How surprising the passage and all kept notes after it are to the model, in nats by the "
        "notes of the passage; lower is likelier",
        lambda c: f"{c.measures.onward_nats:.2f}",
    ),
    Column(
        "rules",
        "How often the whole piece breaks the rules of four-part writing; of crossings and wide "
        "spacing every sixteenth counts",
        lambda c: str(violations(c.measures)),
    ),
    Column(
        "grade",
        "Distance of the whole piece from Bach on eight distributions; lower is nearer",
        lambda c: _NONE if c.measures.grade is None else f"{c.measures.grade:.1f}",
    ),
    Column(
        "diff",
        "Share of the rewritten notes that differ from the original; one that is the original once "
        "more comes last",
        lambda c: f"{c.measures.distance.changed:.0%}" if c.measures.distance else _NONE,
    ),
    Column(
        "copy",
        "Share of the passage's chunks of two bars that occur in the training chorales, in any key",
        lambda c: f"{c.measures.memorised:.0%}",
    ),
    Column(
        "seed",
        "The same seed and settings give the same notes",
        lambda c: _NONE if c.seed is None else str(c.seed),
    ),
)

_TITLES: Final = {
    "nats": "Likelihood",
    "grade": "Grade",
    "parallels": "Parallels",
    "crossing": "Crossing",
    "spacing": "Spacing",
    "memorised": "Copied",
    "critic": "Critic",
    "cadence": "Cadence",
    "changed": "Differs",
}
WEIGHTS: Final = tuple(
    Weight(name, _TITLES[name], f"{term.says[:1].upper()}{term.says[1:]} (usual: {term.weight:g})")
    for name, term in ranking.TERMS.items()
)
"""In the order in which they are shown."""


def lacking(term: str) -> str:
    """Why a term can have no weight here; "" where it can."""
    if term == catalogue.CRITIC and catalogue.critic() is None:
        return f"There is no model {catalogue.CRITIC!r}: install musicrel anew to have its opinion"
    return ""


def ranked(candidates: Iterable[Candidate], weights: Mapping[str, float]) -> tuple[Candidate, ...]:
    """The original, then all others, the best by these weights first."""

    def place(candidate: Candidate) -> tuple[bool, tuple[bool, float]]:
        return candidate.seed is not None, ranking.place(candidate.measures, weights)

    return tuple(sorted(candidates, key=place))


def row(candidate: Candidate, weights: Mapping[str, float]) -> Row:
    """The line of one candidate."""
    return Row(
        number=candidate.number,
        cells=tuple(column.value(candidate) for column in COLUMNS),
        says="\n".join(_lines(candidate, weights)),
    )


def violations(measures: Measures) -> int:
    """How often all rules that are usual are broken."""
    return sum(measures.rates.counts.values())


def stuck(versions: Sequence[Stuck]) -> str:
    """What is told of candidates that came to no end; "" where there is none."""
    if not versions:
        return ""
    return f"{names.count(len(versions), 'version')} came to no end: {versions[0].sentence}"


def _lines(candidate: Candidate, weights: Mapping[str, float]) -> Iterable[str]:
    """What is known of a candidate."""
    measures = candidate.measures
    of = f"Candidate {candidate.number}, seed {candidate.seed}"
    of = "The original" if candidate.seed is None else of
    yield f"{of}: score {ranking.score(measures, weights):.3f}, the lower the better"
    yield (
        f"{measures.onward_nats:.3f} nats/note with all that follows, "
        f"{measures.region_nats:.3f} in the passage, {measures.nats:.3f} in the whole piece"
    )
    if measures.grade is not None:
        yield f"Grade {measures.grade:.2f}"
    if measures.critic is not None:
        yield f"The critic: {measures.critic:+.2f} nats that it is not by Bach"
    if measures.distance is not None and candidate.seed is not None:
        apart = measures.distance
        yield f"{apart.changed:.0%} of the notes differ, by {apart.interval:.1f} semitones"
    beats = measures.longest / STEPS_PER_QUARTER
    run = "1 quarter" if beats == 1 else f"{beats:g} quarters"
    yield f"{measures.memorised:.0%} of two-bar chunks copied, {run} in a row"
    if measures.cadences:
        yield f"Phrases close: {', '.join(kind or 'none' for kind in measures.cadences)}"
    for name, count in measures.rates.counts.items():
        if count:
            yield (
                f"{RULES[name].title}: {count}, {measures.rates.of(name):.2f} "
                f"{RULES[name].unit.value} ({bach_rates.in_words(name)})"
            )
