"""The fermatas of a requested piece, from those given or from its phrases; and the way back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import ceil
from typing import Final

import numpy as np

from musicrel.chorale import STEPS_PER_QUARTER, Flags, Meter
from musicrel.generation.phrasing.planned_phrase import PlannedPhrase, parts_of_a_bar
from musicrel.meter_beats import written_unit

_MAX_FERMATA_STEPS: Final = 3 * STEPS_PER_QUARTER


def planned(
    steps: int,
    meter: Meter,
    pickup: int,
    fermatas: Iterable[tuple[int, int]],
    phrases: Iterable[int],
) -> Flags:
    """Return the steps under a fermata, bool (T,).

    Args:
        steps: length of the piece.
        meter: time signature.
        pickup: sixteenths before the first bar line.
        fermatas: first step and the step after the last of each.
        phrases: bars of each phrase; a fermata ends each.
    """
    flags = np.zeros(steps, dtype=np.bool_)
    ends = at_ends(map(PlannedPhrase, phrases), meter, pickup, steps)
    for first, stop in (*fermatas, *ends):
        flags[first:stop] = True
    return flags


def at_ends(
    phrases: Iterable[PlannedPhrase], meter: Meter, pickup: int, steps: int
) -> Iterator[tuple[int, int]]:
    """Yield first step and the step after the last of the fermata at the end of each phrase.

    Args:
        phrases: of a piece; the last ones may be cut off by its end.
        meter: time signature.
        pickup: sixteenths before the first bar line.
        steps: length of the piece.
    """
    bars, start = 0.0, 0
    for phrase in phrases:
        bars += phrase.bars
        end = min(round(bars * meter.steps), steps)
        hold = phrase.hold * STEPS_PER_QUARTER
        first = end - hold if hold else _last_strong_step(end, meter, pickup)
        yield max(first, start), end
        start = end


def phrases_of(
    fermatas: Sequence[tuple[int, int]], meter: Meter, pickup: int, steps: int
) -> tuple[PlannedPhrase, ...]:
    """Return the phrases that end with some fermatas; they sum to whole bars.

    Args:
        fermatas: first step and the step after the last of each, at least one. The last phrase
            reaches the end of the piece.
        meter: time signature.
        pickup: sixteenths before the first bar line.
        steps: length of the piece.
    """
    parts, ends = parts_of_a_bar(meter), [0.0]
    for _, stop in fermatas[:-1]:
        ends.append(max(round(stop / meter.steps * parts), ends[-1] * parts + 1) / parts)
    ends.append(max(ceil(steps / meter.steps), ceil(ends[-1] + 1 / parts)))
    phrases = [
        PlannedPhrase(after - before, (stop - first) // STEPS_PER_QUARTER)
        for (before, after), (first, stop) in zip(pairwise(ends), fermatas, strict=True)
    ]
    if fermatas[-1][1] != steps:
        phrases[-1] = phrases[-1]._replace(hold=0)
    return simplest(phrases, meter, pickup, steps)


def simplest(
    phrases: Iterable[PlannedPhrase], meter: Meter, pickup: int, steps: int
) -> tuple[PlannedPhrase, ...]:
    """Return phrases with a hold of 0 where the fermata begins on the last strong beat anyway."""
    given = tuple(phrases)
    ruled = tuple(phrase._replace(hold=0) for phrase in given)
    both = (at_ends(these, meter, pickup, steps) for these in (given, ruled))
    return tuple(
        rule if span == usual else phrase
        for phrase, rule, span, usual in zip(given, ruled, *both, strict=True)
    )


def _last_strong_step(end: int, meter: Meter, pickup: int) -> int:
    """Return the onset of a phrase's last note: the last strong beat a quarter before its end.

    Nine of ten fermatas of the bundled chorales begin there: on the third quarter or the first of a
    bar of 4/4.
    """
    halves = meter.steps // (2 if meter.numerator % 2 == 0 else 1)
    if halves > _MAX_FERMATA_STEPS:
        halves = written_unit(meter)
    latest = end - STEPS_PER_QUARTER
    return latest - (latest - pickup) % halves
