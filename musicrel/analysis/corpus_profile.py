"""Figures of a body of music: its quality, and its style beside other music.

The figures pool all pieces, so that models and Bach can be compared in one table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from musicrel.analysis import cadences, events, keys, memorisation, voice_leading
from musicrel.analysis.grade import Reference, grade
from musicrel.analysis.memorisation import Chunk
from musicrel.chorale import REST, Chorale, Voice

NOTE_LENGTHS: Final[Mapping[str, range]] = {
    "sixteenth": range(1, 2),
    "eighth": range(2, 4),
    "quarter": range(4, 8),
    "half": range(8, 16),
    "longer": range(16, 10**6),
}
"""Names of lengths -> sixteenths; a dotted note counts with the plain one."""
OTHER: Final = "otherwise"
"""The class of final cadences that are none of the known kinds."""
COPIED_STEPS: Final = 32
_BAR: Final = 16
_PER_CENT: Final = 100.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusProfile:
    """The figures of a set of pieces.

    Attributes:
        pieces: number of pieces.
        notes: notes of all voices, repeats merged.
        grade: median of their grades; lower is nearer to the reference.
        parallels: parallel fifths, octaves and unisons per 1,000 notes.
        clean: % of the pieces without any.
        crossing: % of steps.
        spacing: % of steps.
        copied: % of two-bar chunks that occur in the known music, in any key.
        repeated: % of bars of 16 steps that repeat an earlier bar of the same piece.
        cadence: % of pieces that end on a root-position triad of the tonic of their estimated key.
        lengths: % of the notes, by ``NOTE_LENGTHS``.
        closes: % of the pieces by final cadence: ``cadences.KINDS`` or ``OTHER``.
    """

    pieces: int
    notes: int
    grade: float
    parallels: float
    clean: float
    crossing: float
    spacing: float
    copied: float
    repeated: float
    cadence: float
    lengths: Mapping[str, float]
    closes: Mapping[str, float]


def profile(
    chorales: Sequence[Chorale], reference: Reference, known: frozenset[Chunk]
) -> CorpusProfile:
    """Compute the figures of ``chorales``.

    Args:
        chorales: at least one, each with a note.
        reference: the music the grade compares with.
        known: two-bar chunks of the music they could have been copied from.

    Raises:
        DataError: a piece has no note.
    """
    rates = voice_leading.rates(*chorales)
    each = [voice_leading.rates(chorale).parallels for chorale in chorales]
    return CorpusProfile(
        pieces=len(chorales),
        notes=rates.notes,
        grade=median(grade(chorale, reference).total for chorale in chorales),
        parallels=rates.parallels,
        clean=_percentage(count == 0 for count in each),
        crossing=rates.crossing,
        spacing=rates.spacing,
        copied=_PER_CENT * memorisation.count_found(chorales, known, COPIED_STEPS).share,
        repeated=repeated_bars(chorales),
        cadence=_percentage(ends_on_tonic(chorale) for chorale in chorales),
        lengths=note_lengths(chorales),
        closes=final_cadences(chorales),
    )


def repeated_bars(chorales: Iterable[Chorale]) -> float:
    """Return the % of bars (16 steps from the first bar line) that repeat one of the same piece."""
    again: list[bool] = []
    for chorale in chorales:
        seen: set[bytes] = set()
        for start in range(chorale.pickup, chorale.steps - _BAR + 1, _BAR):
            bar = chorale.pitches[start : start + _BAR].tobytes()
            again.append(bar in seen)
            seen.add(bar)
    return _percentage(again)


def ends_on_tonic(chorale: Chorale) -> bool:
    """Return True if the last chord is a root-position triad on the tonic."""
    last = chorale.pitches[-1]
    root = int(last[Voice.BASS])
    tonic = keys.estimate(chorale.pitches).pitch_class
    if root == REST or root % 12 != tonic:
        return False
    above = {(int(pitch) - root) % 12 for pitch in last if pitch != REST}
    return above in ({0, 4}, {0, 3}, {0, 7}, {0, 4, 7}, {0, 3, 7})


def final_cadences(chorales: Iterable[Chorale]) -> dict[str, float]:
    """Return the % of the pieces that end with each kind of cadence, or ``OTHER``."""
    ends = [cadences.phrase_ends(chorale)[-1:] for chorale in chorales]  # a silent piece has none
    kinds = [end[0].kind or OTHER if end else OTHER for end in ends]
    return {name: _percentage(kind == name for kind in kinds) for name in (*cadences.KINDS, OTHER)}


def note_lengths(chorales: Iterable[Chorale]) -> dict[str, float]:
    """Return the % of the notes of each length; repeated pitches count as held, as in JSB16."""
    found = [
        int(length)
        for chorale in chorales
        for voice in Voice
        for pitch, length in zip(*events.merge_repeats(chorale.pitches[:, voice]), strict=True)
        if pitch != REST
    ]
    return {
        name: _percentage(length in lengths for length in found)
        for name, lengths in NOTE_LENGTHS.items()
    }


def _percentage(flags: Iterable[bool]) -> float:
    values = list(flags)
    return _PER_CENT * sum(values) / len(values) if values else 0.0
