"""Ranking of candidates by a weighted sum of measures.

    score = sum over the terms of weight x measure; the lowest comes first

The weights bring the terms to one scale: by default 0.1 nats/note weigh as much as ten points of
the grade, ten parallels in 1,000 notes, or a fifth of the bars being copied. They are a choice, not
a finding; ``terms`` returns each contribution. A candidate equal to the original comes after all
others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from musicrel import bounds
from musicrel.errors import UsageError
from musicrel.generation.candidates.measures import Measures

_SILENT: Final = 100.0
"""Grade of a piece without a note: after all others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """One term of the score.

    Attributes:
        weight: default weight.
        meaning: description and unit, for users.
        value: function of the measures; lower is better where the weight is above 0.
    """

    weight: float
    meaning: str
    value: Callable[[Measures], float]


TERMS: Final[Mapping[str, Term]] = MappingProxyType(
    {
        "nats": Term(
            weight=1.0,
            meaning="surprisal of the region and everything after it, nats per note of the region",
            value=lambda measures: measures.region_to_end_nats,
        ),
        "grade": Term(
            weight=0.01,
            meaning="distance from Bach of the whole piece",
            value=lambda measures: _SILENT if measures.grade is None else measures.grade,
        ),
        "parallels": Term(
            weight=0.01,
            meaning="parallel fifths, octaves and unisons per 1,000 notes",
            value=lambda measures: measures.rates.parallels,
        ),
        "crossing": Term(
            weight=0.01,
            meaning="% of steps at which voices cross",
            value=lambda measures: measures.rates.crossing,
        ),
        "spacing": Term(
            weight=0.01,
            meaning="% of steps at which upper voices are over an octave apart",
            value=lambda measures: measures.rates.spacing,
        ),
        "memorised": Term(
            weight=0.5,
            meaning="share of the region's two-bar chunks that the training chorales contain",
            value=lambda measures: measures.memorised,
        ),
        "cadence": Term(
            weight=0.5,
            meaning="share of the phrase ends without the requested cadence, if one is requested",
            value=lambda measures: measures.missed_cadence_share,
        ),
        "critic": Term(
            weight=0.0,
            meaning="log-odds, in nats, that a trained critic takes the region for music that is "
            "not by Bach; not counted by default because it did not improve the choice",
            value=lambda measures: 0.0 if measures.critic is None else measures.critic,
        ),
        "changed": Term(
            weight=0.0,
            meaning="share of the free notes that differ from the original; a weight above 0 "
            "prefers similar candidates, below 0 different ones",
            value=lambda measures: measures.distance.changed if measures.distance else 0.0,
        ),
    }
)
"""Terms by name, in the order of lists."""


def weights(overrides: Mapping[str, float] | None = None) -> Mapping[str, float]:
    """Return the weight of every term: that in ``overrides``, else the default.

    Raises:
        UsageError: there is no term of a name, or a weight is not a finite number.
    """
    for name, weight in (overrides or {}).items():
        if name not in TERMS:
            raise UsageError(f"there is no weight {name!r}: expected some of {', '.join(TERMS)}")
        bounds.check("weight", weight, f"the weight of {name!r}")
    return {name: (overrides or {}).get(name, term.weight) for name, term in TERMS.items()}


def terms(measures: Measures, overrides: Mapping[str, float] | None = None) -> dict[str, float]:
    """Return the contribution of each term to the score."""
    return {
        name: weight * TERMS[name].value(measures) for name, weight in weights(overrides).items()
    }


def score(measures: Measures, overrides: Mapping[str, float] | None = None) -> float:
    """Return the score of a candidate; lower is better."""
    return sum(terms(measures, overrides).values())


def sort_key(
    measures: Measures, overrides: Mapping[str, float] | None = None
) -> tuple[bool, float]:
    """Return the sort key of a candidate: not equal to the original first, then by score."""
    return measures.distance is not None and measures.distance.is_none, score(measures, overrides)
