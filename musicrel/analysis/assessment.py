"""All measures of a finished chorale: grade, voice leading, and overlap with known music."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from musicrel.analysis import memorisation, voice_leading
from musicrel.analysis.grade import Grade, Reference, grade
from musicrel.analysis.memorisation import CHUNK_STEPS, Chunk
from musicrel.analysis.voice_leading import Rates
from musicrel.chorale import Chorale

_STEPS_PER_BAR: Final = 16

# Chunks of known music, by their length in steps.
KnownChunks: TypeAlias = Mapping[int, frozenset[Chunk]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Assessment:
    """The measures of one piece.

    Attributes:
        grade: its distance from Bach.
        rates: rule violations.
        memorisation: bars of 4/4 (1, 2, 4) -> share, 0 to 1, of the piece's chunks of that length
            that are known.
    """

    grade: Grade
    rates: Rates
    memorisation: Mapping[int, float]


def known_chunks(chorales: Iterable[Chorale]) -> KnownChunks:
    pieces = list(chorales)
    return {steps: memorisation.chunk_set(pieces, steps) for steps in CHUNK_STEPS}


def assess(chorale: Chorale, reference: Reference, known: KnownChunks) -> Assessment:
    return Assessment(
        grade=grade(chorale, reference),
        rates=voice_leading.rates(chorale),
        memorisation={
            steps // _STEPS_PER_BAR: memorisation.share_found(chorale, chunks, steps)
            for steps, chunks in known.items()
        },
    )
