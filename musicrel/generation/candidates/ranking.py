"""Which proposal comes first: a sum of measures, each times a weight that anyone may change.

    score = sum over the terms of weight x measure, the lowest first

The weights bring the terms to one scale: with them 0.1 nats/note weigh as much as ten points of
the grade, ten parallels in 1,000 notes, or a fifth of the bars being copied. They are a choice, not
a finding; ``terms`` gives what each adds, so that anyone sees what decided. A proposal that is the
original once more comes after all others, whatever its score: nobody asked for that.

This file knows measures and weights; it knows nothing of how pieces are written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from musicrel.errors import UsageError
from musicrel.generation.candidates.measures import Measures

_SILENT: Final = 100.0
"""The grade of a piece without a note: after all others."""
_HEAVIEST: Final = 1_000_000.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """One measure that counts.

    Attributes:
        weight: unless another is asked for.
        says: what it is and its unit.
        value: of a proposal; lower is better where the weight is above 0.
    """

    weight: float
    says: str
    value: Callable[[Measures], float]


TERMS: Final[Mapping[str, Term]] = MappingProxyType(
    {
        "nats": Term(
            weight=1.0,
            says="how surprising the region and all after it are to the model, nats by the notes "
            "of the region",
            value=lambda measures: measures.onward_nats,
        ),
        "grade": Term(
            weight=0.01,
            says="distance from Bach of the whole piece",
            value=lambda measures: _SILENT if measures.grade is None else measures.grade,
        ),
        "parallels": Term(
            weight=0.01,
            says="parallel fifths, octaves and unisons per 1,000 notes",
            value=lambda measures: measures.rates.parallels,
        ),
        "crossing": Term(
            weight=0.01,
            says="% of steps at which voices cross",
            value=lambda measures: measures.rates.crossing,
        ),
        "spacing": Term(
            weight=0.01,
            says="% of steps at which upper voices are over an octave apart",
            value=lambda measures: measures.rates.spacing,
        ),
        "memorised": Term(
            weight=0.5,
            says="share of the region's two-bar chunks that the training chorales have",
            value=lambda measures: measures.memorised,
        ),
        "cadence": Term(
            weight=0.5,
            says="share of the phrase ends that close otherwise than wished for, where a cadence "
            "is wished for",
            value=lambda measures: measures.astray,
        ),
        "critic": Term(
            weight=0.0,
            says="log-odds, in nats, that a trained critic hears the region as not by Bach; "
            "shown only, unless it is given a weight: none was found to gain anything",
            value=lambda measures: 0.0 if measures.critic is None else measures.critic,
        ),
        "changed": Term(
            weight=0.0,
            says="share of the free notes that differ from the original; above 0 prefers the "
            "similar, below 0 the different",
            value=lambda measures: measures.distance.changed if measures.distance else 0.0,
        ),
    }
)
"""Name -> term, in the order they are printed."""


def weights(asked: Mapping[str, float] | None = None) -> Mapping[str, float]:
    """The weight of every term: that in ``asked``, else its own.

    Raises:
        UsageError: there is no term of a name, or a weight is no number.
    """
    for name, weight in (asked or {}).items():
        if name not in TERMS:
            raise UsageError(f"there is no weight {name!r}: expected some of {', '.join(TERMS)}")
        if not abs(weight) <= _HEAVIEST:  # NaN is not either
            raise UsageError(f"the weight of {name!r} is {weight}: expected a number")
    return {name: (asked or {}).get(name, term.weight) for name, term in TERMS.items()}


def terms(measures: Measures, asked: Mapping[str, float] | None = None) -> dict[str, float]:
    """What each term adds to the score of a proposal."""
    return {name: weight * TERMS[name].value(measures) for name, weight in weights(asked).items()}


def score(measures: Measures, asked: Mapping[str, float] | None = None) -> float:
    """The score of a proposal: the lower, the better."""
    return sum(terms(measures, asked).values())


def place(measures: Measures, asked: Mapping[str, float] | None = None) -> tuple[bool, float]:
    """What proposals are sorted by: the original once more comes last, else the score decides."""
    return measures.distance is not None and measures.distance.is_none, score(measures, asked)
