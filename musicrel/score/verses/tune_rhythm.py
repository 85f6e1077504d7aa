"""The rhythm of a hymn tune, from the metre of its words.

A tune begins before the bar line or on it so that its second line ends on a stressed syllable: with
an upbeat in 8.6.8.6, 8.8.8.8 and 7.6.7.6, on the beat in 8.7.8.7 and 7.7.7.7. A syllable has a
quarter, in 3/4 a half on the beat. The last note of a line fills its bar; where that one would be
short and unstressed, the note before is longer by a quarter. In hymnals these are the most frequent
rhythms of lines of 6, 7 and 8 syllables (``training/LOG.md``).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Final

import numpy as np

from musicrel.chorale import STEPS_PER_QUARTER, Chorale, Meter, Voice
from musicrel.errors import UsageError
from musicrel.language import count, tr
from musicrel.score.verses.metre import MAX_LINES, MAX_SYLLABLES, Metre
from musicrel.score.verses.syllables import Verse

METERS: Final = (Meter(4, 4), Meter(3, 4))
_TRIPLE: Final = 3
_PITCH: Final = 72  # of all notes, in the range of every soprano


def has_upbeat(metre: Metre) -> bool:
    """Return whether tunes of ``metre`` usually begin with an upbeat."""
    return metre.lines[:2][-1] % 2 == 0


def of_line(syllables: int, meter: Meter, *, upbeat: bool) -> tuple[int, ...]:
    """Return the quarters of each note of a line; they are whole bars.

    Args:
        meter: one of ``METERS``.
        upbeat: whether the first syllable comes a quarter before the bar line.
    """
    bar, triple = meter.numerator, meter.numerator == _TRIPLE
    lengths = [1 + (triple and (place % 2 == 1) == upbeat) for place in range(syllables)]
    missing = -sum(lengths) % bar
    if missing and syllables > 1:
        last = sum(lengths[:-1]) - upbeat
        if last % (bar if triple else bar // 2):
            lengths[-2] += 1
            missing = -sum(lengths) % bar
    return (*lengths[:-1], lengths[-1] + missing)


def tune(metre: Metre, meter: Meter, *, upbeat: bool) -> Chorale:
    """Return a tune with a note for each syllable, all of one pitch; a fermata ends each line.

    Raises:
        UsageError: ``meter`` is not one of ``METERS``.
        DataError: the tune is longer than the longest piece.
    """
    if meter not in METERS:
        raise UsageError(
            f"the meter of a hymn is {meter}: expected {' or '.join(map(str, METERS))}"
        )
    lines = [of_line(line, meter, upbeat=upbeat) for line in metre.lines]
    lengths = np.array([length for line in lines for length in line]) * STEPS_PER_QUARTER
    ends = [*accumulate(map(len, lines))]
    stops = lengths.cumsum()
    pitches = np.full((stops[-1], len(Voice)), -1)
    pitches[:, Voice.SOPRANO] = _PITCH
    onsets, fermatas = np.zeros(pitches.shape, dtype=np.bool_), np.zeros(stops[-1], dtype=np.bool_)
    onsets[stops - lengths, Voice.SOPRANO] = True
    for end in ends:
        fermatas[stops[end - 1] - lengths[end - 1] : stops[end - 1]] = True
    return Chorale.of(
        pitches,
        onsets=onsets,
        fermatas=fermatas,
        meter=meter,
        pickup=STEPS_PER_QUARTER if upbeat else 0,
    )


def check(verse: Verse, metre: Metre) -> None:
    """Refuse a verse whose lines have not the syllables of ``metre``.

    Raises:
        UsageError: it has other lines; the sentence names them.
    """
    lines = metre.lines
    if len(verse) > MAX_LINES or max(map(len, verse)) > MAX_SYLLABLES:
        raise UsageError(
            tr(
                "the first verse has {lines} of up to {syllables} syllables: expected at most "
                "{most_lines} lines of at most {most_syllables} syllables; leave an empty line "
                "between verses",
                lines=_in_lines(len(verse)),
                syllables=max(map(len, verse)),
                most_lines=MAX_LINES,
                most_syllables=MAX_SYLLABLES,
            )
        )
    if len(verse) != len(lines):
        raise UsageError(
            tr(
                "the first verse has {lines}: expected {expected}, those of {metre}",
                lines=_in_lines(len(verse)),
                expected=len(lines),
                metre=metre,
            )
        )
    wrong = [
        tr(
            "line {number} has {syllables} for {expected}",
            number=number,
            syllables=count(len(line), "syllable"),
            expected=expected,
        )
        for number, (line, expected) in enumerate(zip(verse, lines, strict=True), start=1)
        if len(line) != expected
    ]
    if wrong:
        raise UsageError(
            tr(
                "the first verse does not fit {metre}: {wrong}; divide words with hyphens, "
                "join two with ~, or choose another metre",
                metre=metre,
                wrong=_listed(wrong),
            )
        )


def _in_lines(number: int) -> str:
    return (
        tr("{number} line", number=number) if number == 1 else tr("{number} lines", number=number)
    )


def _listed(parts: Sequence[str]) -> str:
    *others, last = parts
    return tr("{first} and {last}", first=", ".join(others), last=last) if others else last
