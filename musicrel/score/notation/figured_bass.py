"""Figured bass of a piece: the intervals above the bass, as a continuo player reads them.

Figures stand where a beat begins and a voice moves, and where a suspension resolves between beats.
They are shortened as usual: a triad has none, 6 is 6/3, 6 5 is 6/5/3, 4 3 is 6/4/3, 4 2 is 6/4/2.
An accidental alone belongs to the third. The usual abbreviations: F. T. Arnold, *The Art of
Accompaniment from a Thorough-Bass*, 1931.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from musicrel.chorale import REST, STEPS_PER_QUARTER, Chorale, Key, Voice
from musicrel.score.notation import spelling
from musicrel.score.notation.notation import spelled_notes
from musicrel.score.notation.spelling import SpelledPitch

_LETTERS: Final = "CDEFGAB"
_SIGNS: Final[Mapping[int, str]] = {
    -2: "flat-flat", -1: "flat", 0: "natural", 1: "sharp", 2: "double-sharp",
}  # fmt: skip
# Intervals above the bass, without octaves -> the figures that are written.
_SHORT: Final[Mapping[frozenset[int], tuple[int, ...]]] = {
    frozenset(intervals): figures
    for intervals, figures in (
        ((), ()), ((3,), ()), ((5,), ()), ((3, 5), ()), ((6,), (6,)), ((3, 6), (6,)),
        ((4,), (4,)), ((4, 5), (4,)), ((4, 6), (6, 4)), ((7,), (7,)), ((3, 7), (7,)),
        ((5, 7), (7,)), ((3, 5, 7), (7,)), ((5, 6), (6, 5)), ((3, 5, 6), (6, 5)),
        ((3, 4, 6), (4, 3)), ((3, 4), (4, 3)), ((2, 4, 6), (4, 2)), ((2, 4), (4, 2)),
        ((2, 3, 5), (9,)), ((2, 3), (9,)), ((2, 5), (9,)),
    )
}  # fmt: skip
# A figure, and the one that it resolves to over the same bass note.
_RESOLVED: Final[Mapping[int, int]] = {4: 3, 6: 5, 9: 8}
_DISSONANT: Final = frozenset({4, 7, 9})
_SECOND, _THIRD, _OCTAVE, _NINTH = 2, 3, 8, 9


class Figure(NamedTuple):
    """A number, an accidental, or both."""

    number: int  # 0: an accidental alone, of the third
    sign: str  # "sharp", "flat", "natural", "double-sharp", "flat-flat" or ""


class Figures(NamedTuple):
    """The figures of a place, from the highest to the lowest number."""

    step: int
    figures: tuple[Figure, ...]


def figured_bass(chorale: Chorale) -> tuple[Figures, ...]:
    """Return the figures of a piece, in order; a place without any has no entry."""
    return tuple(_figures(chorale))


def _figures(chorale: Chorale) -> Iterator[Figures]:
    beats = chorale.bar_positions() % STEPS_PER_QUARTER == 0
    before: tuple[Figure, ...] = ()
    keys, names = chorale.keys(), [_names(chorale, voice) for voice in Voice]
    for step in range(chorale.steps):
        if chorale.pitches[step, Voice.BASS] == REST:
            before = ()
            continue
        is_new = bool(chorale.onsets[step, Voice.BASS])
        suspended = any(figure.number in _DISSONANT for figure in before)
        if not chorale.onsets[step].any() or not (beats[step] or (suspended and not is_new)):
            continue
        signs = _intervals([of_voice[step] for of_voice in names], keys[step])
        found = _shortened(signs)
        written = found if is_new else _over_held_bass(before, found, signs)
        if written:
            yield Figures(step, written)
        before = found


def _names(chorale: Chorale, voice: Voice) -> list[SpelledPitch | None]:
    """Return the spelling of what a voice has at each step; None: a rest."""
    found: list[SpelledPitch | None] = [None] * chorale.steps
    for note, name in spelled_notes(chorale, voice):
        found[note.start : note.stop] = [name] * (note.stop - note.start)
    return found


def _intervals(names: Sequence[SpelledPitch | None], key: Key | None) -> dict[int, str]:
    """Return the intervals of the voices above the bass, 1 to 7, and their accidentals."""
    signed = spelling.altered_letters(spelling.signature(key)) if key else {}
    *others, bass = names
    signs: dict[int, str] = {}
    for above in others:
        if above is None or bass is None:
            continue
        interval = (_LETTERS.index(above.step) - _LETTERS.index(bass.step)) % len(_LETTERS) + 1
        sign = "" if above.alter == signed.get(above.step, 0) else _SIGNS[above.alter]
        signs[interval] = signs.get(interval) or sign
    return signs


def _shortened(signs: Mapping[int, str]) -> tuple[Figure, ...]:
    """Return the figures that are written for intervals and their accidentals."""
    intervals = frozenset(signs) - {1}
    written = _SHORT.get(intervals, tuple(intervals))
    altered = {interval for interval in intervals if signs[interval]}
    found = {
        Figure(_number(interval, written), signs.get(interval, ""))
        for interval in altered | {_SECOND if number == _NINTH else number for number in written}
    }
    return tuple(sorted(found, reverse=True))


def _number(interval: int, written: Collection[int]) -> int:
    """Return the number that is written for an interval, 0 for a third with its sign alone."""
    if interval == _SECOND and _NINTH in written:
        return _NINTH
    return 0 if interval == _THIRD and _THIRD not in written else interval


def _over_held_bass(
    before: Collection[Figure], now: tuple[Figure, ...], sounding: Collection[int]
) -> tuple[Figure, ...]:
    """Return the figures that are new over a held bass; the end of a suspension is written: 4 3."""
    if now:
        return () if now == before else now
    ends = {_RESOLVED[figure.number] for figure in before if figure.number in _RESOLVED}
    present = {number for number in ends if (1 if number == _OCTAVE else number) in sounding}
    return tuple(Figure(number, "") for number in sorted(present, reverse=True))
