"""A phrase of a planned piece, and phrases as text, "2,1.75:3,2.25"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import ceil
from typing import Final, NamedTuple, TypeAlias

from musicrel.analysis import cadences
from musicrel.chorale import STEPS_PER_QUARTER, Meter
from musicrel.errors import UsageError
from musicrel.language import tr
from musicrel.meter_beats import written_unit

_NO_BARS: Final = tr("phrases are {phrases!r}: expected the bars of each phrase, such as 2,2,4")


def parse_cadences(text: str) -> tuple[str, ...]:
    """Return the kinds in ``text``, at least one; "" stands for any."""
    kinds = tuple(part.strip() for part in text.split(","))
    for kind in kinds:
        if kind not in ("", *cadences.KINDS):
            raise UsageError(
                f"cadence is {kind!r}: expected {', '.join(cadences.KINDS)}, or none; one for all "
                "phrases or one for each, as in half,,authentic"
            )
    return kinds


def cadences_of_phrases(text: str, phrases: int) -> tuple[str, ...]:
    """Return the kind of each of ``phrases`` phrases."""
    kinds = parse_cadences(text)
    if len(kinds) == 1:
        return kinds * phrases
    if len(kinds) != phrases:
        raise UsageError(
            tr(
                "there are {cadences} cadences for {phrases} phrases: expected one for all, or "
                "one for each phrase",
                cadences=len(kinds),
                phrases=phrases,
            )
        )
    return kinds


def cadences_to_text(kinds: Sequence[str]) -> str:
    """Return kinds as text that ``parse_cadences`` reads: one if all are the same."""
    return kinds[0] if len(set(kinds)) == 1 else ",".join(kinds)


_BARS: Final = r"0\.(?:25|5|75)|[1-9][0-9]{0,3}(?:\.(?:25|5|75))?"
_PHRASE: Final = re.compile(rf"({_BARS})(?::([1-9][0-9]?))?")
_SEPARATORS: Final = re.compile(r"[\s,;]+")
_COMMON: Final = Meter(4, 4)


class PlannedPhrase(NamedTuple):
    """A phrase: its length, and the quarters under the fermata at its end.

    With a hold of 0 the fermata begins on the last strong beat.
    """

    bars: float
    hold: int = 0


Phrases: TypeAlias = tuple[int | PlannedPhrase, ...]
"""Phrases of a piece: whole bars as plain numbers."""


def planned(phrase: int | PlannedPhrase) -> PlannedPhrase:
    """Return a phrase of which only the bars may be given."""
    return phrase if isinstance(phrase, PlannedPhrase) else PlannedPhrase(phrase)


def shortened(phrases: Phrases) -> Phrases:
    """Return phrases with plain numbers for those of whole bars without a fermata of their own."""
    return tuple(
        int(bars) if bars == int(bars) and not hold else PlannedPhrase(bars, hold)
        for bars, hold in map(planned, phrases)
    )


def parse(text: str) -> Phrases:
    """Parse bars and quarters under the fermata of each phrase, "2,2,4" or "2 1.75:3 4.25"."""
    words = _SEPARATORS.split(text.strip(" ,;"))
    if words == [""]:
        return ()
    found = [match for word in words if (match := _PHRASE.fullmatch(word))]
    if len(found) != len(words):
        raise UsageError(_NO_BARS.format(phrases=text.strip()))
    return shortened(tuple(PlannedPhrase(float(match[1]), int(match[2] or 0)) for match in found))


def to_text(phrases: Iterable[int | PlannedPhrase]) -> str:
    """Return phrases as text that ``parse`` reads."""
    lengths = map(planned, phrases)
    return ",".join(f"{bars:g}:{hold}" if hold else f"{bars:g}" for bars, hold in lengths)


def parts_of_a_bar(meter: Meter) -> int:
    """Return the number of parts of a bar after which phrases may end: quarters in 4/4, or 1."""
    return 4 if meter == _COMMON else 1


_MAX_FERMATA_STEPS: Final = 3 * STEPS_PER_QUARTER


def at_ends(
    phrases: Iterable[PlannedPhrase], meter: Meter, pickup: int, steps: int
) -> Iterator[tuple[int, int]]:
    """Yield first step and the step after the last of the fermata at the end of each phrase."""
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
    """Return the phrases that end with some fermatas, half-open spans; they sum to whole bars.

    The last phrase reaches the end of the piece.
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
