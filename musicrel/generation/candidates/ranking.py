"""Ranking of candidates by a weighted sum of measures.

    score = sum over the terms of weight x measure; the lowest comes first

The weights bring the terms to one scale: by default 0.1 nats/note weigh as much as ten points of
the grade, ten parallels in 1,000 notes, or a fifth of the bars being copied. They are a choice, not
a finding; ``terms`` returns each contribution. A candidate equal to the original comes after all
others.

Measures of one candidate: probability, likeness to Bach, distance from the original, copying.

The region is the part that was generated: the steps from the first to the last with a free cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel import bounds
from musicrel.analysis import cadences, events, memorisation, voice_leading
from musicrel.analysis.grade import Reference, grade
from musicrel.analysis.memorisation import Chunk, Passages
from musicrel.analysis.voice_leading import Rates
from musicrel.chorale import REST, Chorale, Flags
from musicrel.errors import UsageError
from musicrel.generation.phrasing import planned_phrase
from musicrel.language import tr

CHUNK_STEPS: Final = 32
"""Length of the chunks that are looked up in known music: two bars of 4/4."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Distance:
    """Distance of a candidate from the original, over the free cells.

    Attributes:
        changed: share, 0 to 1, of cells with another pitch.
        interval: mean difference in semitones of cells that sound in both; 0.0 for none.
    """

    changed: float
    interval: float

    @property
    def is_none(self) -> bool:
        """Return True where every free cell has the pitch of the original."""
        return self.changed == 0

    @classmethod
    def between(cls, piece: Chorale, original: Chorale, free: Flags) -> Distance:
        """Return the distance of ``piece`` from ``original`` over ``free``, bool (T, 4)."""
        new_pitches, original_pitches = (
            one.pitches[free].astype(np.int64) for one in (piece, original)
        )
        differs = new_pitches != original_pitches
        sounding = differs & (new_pitches != REST) & (original_pitches != REST)
        semitones = np.abs(new_pitches - original_pitches)[sounding]
        return cls(
            changed=float(differs.mean()) if differs.size else 0.0,
            interval=float(semitones.mean()) if semitones.size else 0.0,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """The measures of one candidate.

    Attributes:
        nats: nats/note of the whole piece.
        region_nats: nats/note of the region, locked cells in it included.
        region_to_end_nats: nats of all cells from the first step of the region to the end of the
            piece, divided by the cells of the region: it includes the locked notes after the
            region. Without those it equals ``region_nats``.
        grade: distance from Bach of the whole piece; None where it has no note.
        rates: rates of rule violations in the whole piece.
        distance: distance from the original; None where there is none.
        memorised: share, 0 to 1, of the region's chunks of two bars that are in known music.
        longest: steps of the longest passage of the region that is in known music.
        cadences: kind of every phrase end of the whole piece, "" where it has none.
        missed_cadence_share: share, 0 to 1, of the phrase ends without their requested cadence; 0
            where none is requested.
    """

    nats: float
    region_nats: float
    region_to_end_nats: float
    grade: float | None
    rates: Rates
    distance: Distance | None
    memorised: float
    longest: int
    cadences: tuple[str, ...] = ()
    missed_cadence_share: float = 0.0


class CandidateEvaluator:
    """An evaluator of candidates: one reference and one body of known music."""

    def __init__(self, reference: Reference, known: Iterable[Chorale]) -> None:
        pieces = list(known)
        self._reference = reference
        self._chunks: frozenset[Chunk] = memorisation.chunk_set(pieces, CHUNK_STEPS)
        self._passages = Passages.of(pieces)

    def measure(
        self,
        piece: Chorale,
        nats: npt.NDArray[np.floating],
        free: Flags,
        original: Chorale | None = None,
        cadence: str = "",
        *,
        shown: Chorale | None = None,
    ) -> Measures:
        """Return the measures of ``piece``.

        Args:
            nats: -log p of its cells, (T, 4).
            free: cells to generate, bool (T, 4); at least one.
            cadence: requested cadence of phrases, "": any; "half,,authentic": one for each.
            shown: the piece whose rules are checked, in its own key and ranges; None: ``piece``.
        """
        steps = np.flatnonzero(free.any(axis=1))
        start, stop = int(steps[0]), int(steps[-1]) + 1
        region = piece.cropped(start, stop)
        is_silent = not events.count_notes(piece.pitches)
        phrase_ends = tuple(close.kind for close in cadences.phrase_ends(piece))
        return Measures(
            nats=float(nats.mean()),
            region_nats=float(nats[start:stop].mean()),
            region_to_end_nats=float(nats[start:].sum() / nats[start:stop].size),
            grade=None if is_silent else grade(piece, self._reference).total,
            rates=voice_leading.rates(shown or piece),
            distance=Distance.between(piece, original, free) if original else None,
            memorised=memorisation.share_found(region, self._chunks, CHUNK_STEPS),
            longest=self._passages.longest(region),
            cadences=phrase_ends,
            missed_cadence_share=_missed_share(phrase_ends, planned_phrase.parse_cadences(cadence)),
        )


def _missed_share(phrase_ends: tuple[str, ...], requested: tuple[str, ...]) -> float:
    """Return the share of the phrase ends with a requested cadence that have another."""
    wanted = requested * len(phrase_ends) if len(requested) == 1 else requested
    pairs = zip(phrase_ends, wanted, strict=False)  # a piece may end after its last fermata
    judged = [kind != one for kind, one in pairs if one]
    return sum(judged) / max(len(judged), 1)


_SILENT: Final = 100.0  # grade of a piece without a note: after all others


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """One term of the score.

    Attributes:
        title: name, for users.
        weight: default weight.
        meaning: description and unit, for users.
        value: function of the measures; lower is better where the weight is above 0.
    """

    title: str
    weight: float
    meaning: str
    value: Callable[[Measures], float]


TERMS: Final[Mapping[str, Term]] = {
    "nats": Term(
        title=tr("Surprisal"),
        weight=1.0,
        meaning=tr("surprisal of the region and everything after it, nats per note of the region"),
        value=lambda measures: measures.region_to_end_nats,
    ),
    "grade": Term(
        title=tr("Grade"),
        weight=0.01,
        meaning=tr("distance from Bach of the whole piece"),
        value=lambda measures: _SILENT if measures.grade is None else measures.grade,
    ),
    "parallels": Term(
        title=tr("Parallels"),
        weight=0.01,
        meaning=tr("parallel fifths, octaves and unisons per 1,000 notes"),
        value=lambda measures: measures.rates.parallels,
    ),
    "crossing": Term(
        title=tr("Crossings"),
        weight=0.01,
        meaning=tr("% of steps at which voices cross"),
        value=lambda measures: measures.rates.crossing,
    ),
    "spacing": Term(
        title=tr("Spacing"),
        weight=0.01,
        meaning=tr("% of steps at which upper voices are over an octave apart"),
        value=lambda measures: measures.rates.spacing,
    ),
    "memorised": Term(
        title=tr("Copied from Bach"),
        weight=0.5,
        meaning=tr("share of the region's two-bar chunks that the training chorales contain"),
        value=lambda measures: measures.memorised,
    ),
    "cadence": Term(
        title=tr("Cadences"),
        weight=0.5,
        meaning=tr("share of the phrase ends without the requested cadence, if one is requested"),
        value=lambda measures: measures.missed_cadence_share,
    ),
    "changed": Term(
        title=tr("Changed"),
        weight=0.0,
        meaning=tr(
            "share of the free notes that differ from the original; a weight above 0 "
            "prefers similar candidates, below 0 different ones"
        ),
        value=lambda measures: measures.distance.changed if measures.distance else 0.0,
    ),
}
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
