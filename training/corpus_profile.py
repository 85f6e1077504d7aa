"""Figures of a body of music, all pieces pooled, so that models and Bach can be compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from musicrel.analysis import cadences, keys, memorisation, voice_leading
from musicrel.analysis.grade import Reference, grade
from musicrel.analysis.memorisation import Chunk
from musicrel.chorale import REST, Chorale, Voice

COPIED_STEPS: Final = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusProfile:
    pieces: int
    notes: int  # of all voices, repeats merged
    grade: float  # median of their grades; lower is nearer to the reference
    parallels: float  # parallel fifths, octaves and unisons per 1,000 notes
    clean: float  # % of the pieces without any
    crossing: float  # % of steps
    spacing: float  # % of steps
    copied: float  # % of two-bar chunks that occur in the known music, in any key
    cadence: float  # % that end on a root-position triad of the tonic of their estimated key
    authentic: float  # % whose last cadence is authentic


def profile(
    chorales: Sequence[Chorale], reference: Reference, known: frozenset[Chunk]
) -> CorpusProfile:
    rates = voice_leading.rates(*chorales)
    found, chunks = memorisation.count_found(chorales, known, COPIED_STEPS)
    return CorpusProfile(
        pieces=len(chorales),
        notes=rates.notes,
        grade=median(grade(chorale, reference).total for chorale in chorales),
        parallels=rates.parallels,
        clean=_percentage(voice_leading.rates(one).parallels == 0 for one in chorales),
        crossing=rates.crossing,
        spacing=rates.spacing,
        copied=100.0 * found / max(chunks, 1),
        cadence=_percentage(ends_on_tonic(chorale) for chorale in chorales),
        authentic=_percentage(_ends_authentically(chorale) for chorale in chorales),
    )


def ends_on_tonic(chorale: Chorale) -> bool:
    """Return True if the last chord is a root-position triad on the tonic."""
    last = chorale.pitches[-1]
    root = int(last[Voice.BASS])
    tonic = keys.estimate(chorale.pitches).pitch_class
    if root == REST or root % 12 != tonic:
        return False
    above = {(int(pitch) - root) % 12 for pitch in last if pitch != REST}
    return above in ({0, 4}, {0, 3}, {0, 7}, {0, 4, 7}, {0, 3, 7})


def _ends_authentically(chorale: Chorale) -> bool:
    ends = cadences.phrase_ends(chorale)  # a silent piece has none
    return bool(ends) and ends[-1].kind == "authentic"


def _percentage(flags: Iterable[bool]) -> float:
    values = list(flags)
    return 100.0 * sum(values) / len(values)
