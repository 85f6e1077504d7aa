"""Pickups, phrase lengths and fermatas of the bundled training chorales."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Final

from musicrel.chorale import STEPS_PER_QUARTER, Chorale, Meter, spans
from musicrel.corpus import bundled
from musicrel.generation.phrasing.phrase_chain import PhraseChain

COMMON: Final = Meter(4, 4)
TRIPLE: Final = Meter(3, 4)
"""The meters with statistics."""

_ENOUGH: Final = 15
"""Chorales that are enough for statistics of one pickup."""


@cache
def pickups(meter: Meter) -> Counter[int]:
    """Count the chorales in ``meter`` by the sixteenths of their pickup."""
    return Counter(chorale.pickup for chorale in _chorales(meter))


@cache
def chain(meter: Meter, pickup: int, parts: int) -> PhraseChain:
    """Return the chain of phrase lengths.

    Args:
        meter: time signature.
        pickup: sixteenths; chorales with others count only if there are few with this one.
        parts: parts of a bar in which lengths are counted.
    """
    alike = [chorale for chorale in _chorales(meter) if chorale.pickup == pickup]
    chorales = alike if len(alike) >= _ENOUGH else _chorales(meter)
    return PhraseChain.of((_lengths(chorale, parts) for chorale in chorales), parts)


@cache
def holds(meter: Meter, end: int, *, is_last: bool) -> Counter[int]:
    """Count fermatas of a bar at most by their quarters.

    Args:
        meter: time signature.
        end: position in the bar, in sixteenths, where they end.
        is_last: True: those at the end of a piece; False: those within.
    """
    return Counter(
        (stop - first) // STEPS_PER_QUARTER
        for chorale in _chorales(meter)
        for first, stop in spans(chorale.fermatas)
        if (stop - chorale.pickup) % meter.steps == end
        and (stop == chorale.steps) == is_last
        and stop - first <= meter.steps
    )


def _lengths(chorale: Chorale, parts: int) -> list[int]:
    """Return the length of each phrase, from fermata to fermata, rounded; at least 1."""
    bar, length = chorale.meter.steps, chorale.steps
    inner = {round(stop / bar * parts) for _, stop in spans(chorale.fermatas) if stop < length}
    ends = sorted(inner | {0, round(length / bar) * parts})
    return [stop - start for start, stop in pairwise(ends)]


@cache
def _chorales(meter: Meter) -> Sequence[Chorale]:
    return [chorale for chorale in bundled.load("train") if chorale.meter == meter]
