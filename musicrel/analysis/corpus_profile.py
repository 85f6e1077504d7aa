"""A body of music in figures: how good it is, and how it is made beside other music.

The figures are of all its pieces together, so that models can stand beside Bach in one table. This
file puts the measures together; it knows nothing of where the pieces come from.
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
OTHERWISE: Final = "otherwise"
"""How a piece closes that has none of the known cadences."""
COPIED_STEPS: Final = 32
_BAR: Final = 16
_PER_CENT: Final = 100.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Portrait:
    """The figures of some pieces.

    Attributes:
        pieces: how many.
        notes: of all voices, repeats merged.
        grade: median of their grades; lower is nearer to the reference.
        parallels: parallel fifths, octaves and unisons per 1,000 notes.
        clean: % of the pieces without any.
        crossing: % of steps.
        spacing: % of steps.
        copied: % of two-bar chunks that are in the known music, in any key.
        repeated: % of bars of 16 steps that are an earlier bar of the same piece once more.
        cadence: % of pieces that end on a triad whose root is in the bass and is the tonic of the
            key that fits the piece best.
        lengths: % of the notes, by ``NOTE_LENGTHS``.
        closes: % of the pieces that close with each of ``cadences.KINDS``, or ``OTHERWISE``.
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


def portrait(
    chorales: Sequence[Chorale], reference: Reference, known: frozenset[Chunk]
) -> Portrait:
    """The figures of ``chorales``.

    Args:
        chorales: at least one, each with a note.
        reference: what the grade compares with.
        known: two-bar chunks of the music they might have been copied from.

    Raises:
        DataError: a piece has no note.
    """
    rates = voice_leading.rates(*chorales)
    each = [voice_leading.rates(chorale).parallels for chorale in chorales]
    return Portrait(
        pieces=len(chorales),
        notes=rates.notes,
        grade=median(grade(chorale, reference).total for chorale in chorales),
        parallels=rates.parallels,
        clean=_percentage(count == 0 for count in each),
        crossing=rates.crossing,
        spacing=rates.spacing,
        copied=_PER_CENT * memorisation.count_found(chorales, known, COPIED_STEPS).share,
        repeated=repeated_bars(chorales),
        cadence=_percentage(ends_at_home(chorale) for chorale in chorales),
        lengths=note_lengths(chorales),
        closes=last_closes(chorales),
    )


def repeated_bars(chorales: Iterable[Chorale]) -> float:
    """% of the bars (16 steps from the first bar line on) that came before in the same piece."""
    again: list[bool] = []
    for chorale in chorales:
        seen: set[bytes] = set()
        for start in range(chorale.pickup, chorale.steps - _BAR + 1, _BAR):
            bar = chorale.pitches[start : start + _BAR].tobytes()
            again.append(bar in seen)
            seen.add(bar)
    return _percentage(again)


def ends_at_home(chorale: Chorale) -> bool:
    """Whether the last chord is a triad on the tonic, its root in the bass."""
    last = chorale.pitches[-1]
    root = int(last[Voice.BASS])
    tonic = keys.analysed(chorale.pitches).pitch_class
    if root == REST or root % 12 != tonic:
        return False
    above = {(int(pitch) - root) % 12 for pitch in last if pitch != REST}
    return above in ({0, 4}, {0, 3}, {0, 7}, {0, 4, 7}, {0, 3, 7})


def last_closes(chorales: Iterable[Chorale]) -> dict[str, float]:
    """% of the pieces that close with each kind of cadence, or otherwise."""
    ends = [cadences.closes(chorale)[-1:] for chorale in chorales]  # a silent piece has none
    kinds = [end[0].kind or OTHERWISE if end else OTHERWISE for end in ends]
    return {
        name: _percentage(kind == name for kind in kinds) for name in (*cadences.KINDS, OTHERWISE)
    }


def note_lengths(chorales: Iterable[Chorale]) -> dict[str, float]:
    """% of the notes of each length; a pitch struck again counts as held on, as in JSB16."""
    found = [
        int(length)
        for chorale in chorales
        for voice in Voice
        for pitch, length in zip(*events.merged(chorale.pitches[:, voice]), strict=True)
        if pitch != REST
    ]
    return {
        name: _percentage(length in lengths for length in found)
        for name, lengths in NOTE_LENGTHS.items()
    }


def _percentage(flags: Iterable[bool]) -> float:
    values = list(flags)
    return _PER_CENT * sum(values) / len(values) if values else 0.0
