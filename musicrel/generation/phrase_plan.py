"""Phrase plans drawn from the bundled training chorales: pickup, phrase lengths, cadences.

Lengths are a Markov chain of the lengths of successive phrases, given that they sum to the bars of
the piece. A plan depends on the seed alone; its random numbers are not those of the notes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias, TypeVar

import numpy as np

from musicrel.analysis import cadences
from musicrel.chorale import Chorale, Meter, spans
from musicrel.corpus import bundled

_STREAM: Final = 2
"""Separates these random numbers from those of the notes and of the key."""
_PICKUP, _LENGTHS, _CADENCES = range(3)

_COMMON, _TRIPLE = Meter(4, 4), Meter(3, 4)
"""The meters with statistics; others have the phrases of the one with bars like theirs."""
_RARE: Final = 0.005
"""Share of the phrases below which a length is not drawn."""
_SMOOTHING: Final = 2.0
"""Weight, in phrases, of the frequency of a length regardless of the phrase before."""
_EDGE: Final = 0
"""Stands for the length before the first phrase and after the last."""

Value = TypeVar("Value")
_Chain: TypeAlias = Mapping[int, Mapping[int, float]]
"""Probability of each length by the length before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhrasePlan:
    """The phrases of a piece.

    Attributes:
        pickup: sixteenths before the first bar line.
        phrases: bars of each phrase; empty: the model's choice.
        cadences: kind of each phrase end, "" for any; as many as phrases.
    """

    pickup: int = 0
    phrases: tuple[int, ...] = ()
    cadences: tuple[str, ...] = ()


class _Statistics(NamedTuple):
    """Counts in the training chorales of one meter.

    Attributes:
        pickups: chorales by sixteenths of their pickup.
        after: phrases by the bars of the one before and their own; ``_EDGE`` at both ends.
    """

    pickups: Counter[int]
    after: Mapping[int, Counter[int]]


def resolved(
    phrases: tuple[int, ...] | None, pickup: int | None, *, bars: int, meter: Meter, seed: int
) -> tuple[tuple[int, ...], int]:
    """Return phrases and pickup with drawn ones in place of None; no pickup without phrases."""
    if phrases is None:
        phrases = draw_phrases(bars, meter, seed)
    if pickup is None:
        pickup = draw_pickup(meter, seed) if phrases else 0
    return phrases, pickup


def draw_pickup(meter: Meter, seed: int) -> int:
    """Draw the sixteenths of a pickup; 0 in a meter without statistics."""
    if meter not in (_COMMON, _TRIPLE):
        return 0
    return _pick(_statistics(meter).pickups, _generator(seed, _PICKUP))


def draw_phrases(bars: int, meter: Meter, seed: int) -> tuple[int, ...]:
    """Draw the bars of each phrase, which sum to ``bars``."""
    chain = _chain(_COMMON if meter.steps >= _COMMON.steps else _TRIPLE)
    generator, completions = _generator(seed, _LENGTHS), _completions(chain, bars)
    if not completions[bars][_EDGE]:
        return (bars,)
    phrases: list[int] = []
    left = bars
    while left:
        before = phrases[-1] if phrases else _EDGE
        phrases.append(_pick(_next_lengths(chain[before], completions[:left]), generator))
        left -= phrases[-1]
    return tuple(phrases)


def draw_cadences(number: int, seed: int) -> tuple[str, ...]:
    """Draw the kinds of ``number`` phrase ends, the last one from those of the ends of pieces."""
    inner, final = _cadence_counts()
    generator = _generator(seed, _CADENCES)
    counts = [inner] * (number - 1) + [final] * min(number, 1)
    return tuple(_pick(of_end, generator) for of_end in counts)


def _completions(chain: _Chain, bars: int) -> list[Mapping[int, float]]:
    """Return the probability of exactly 0, 1 ... ``bars`` more bars, by the length before."""
    completions: list[Mapping[int, float]] = [
        {before: likely[_EDGE] for before, likely in chain.items()}
    ]
    for _ in range(bars):
        completions.append(
            {
                before: sum(_next_lengths(likely, completions).values())
                for before, likely in chain.items()
            }
        )
    return completions


def _next_lengths(
    likely: Mapping[int, float], completions: Sequence[Mapping[int, float]]
) -> dict[int, float]:
    """Return the probability of each next length, jointly with phrases that fill the rest.

    Args:
        likely: probability of each length.
        completions: probability of all shorter rests, by the length before them.
    """
    return {
        length: share * completions[-length][length]
        for length, share in likely.items()
        if _EDGE < length <= len(completions)
    }


@cache
def _chain(meter: Meter) -> _Chain:
    """Return the probability of each length by the one before, smoothed."""
    after = _statistics(meter).after
    overall = sum(after.values(), Counter[int]())
    kept = {length: n for length, n in overall.items() if n > _RARE * overall.total()}
    smooth = {length: _SMOOTHING * n / sum(kept.values()) for length, n in kept.items()}
    weights = {
        before: {length: after[before][length] + smooth[length] for length in kept}
        for before in kept
    }
    return {
        before: {length: weight / sum(of.values()) for length, weight in of.items()}
        for before, of in weights.items()
    }


@cache
def _statistics(meter: Meter) -> _Statistics:
    """Count pickups and phrase lengths in the training chorales of ``meter``."""
    chorales = [chorale for chorale in bundled.load("train") if chorale.meter == meter]
    after: dict[int, Counter[int]] = defaultdict(Counter)
    for chorale in chorales:
        for before, length in pairwise([_EDGE, *_lengths(chorale), _EDGE]):
            after[before][length] += 1
    return _Statistics(pickups=Counter(chorale.pickup for chorale in chorales), after=after)


def _lengths(chorale: Chorale) -> Iterator[int]:
    """Yield the bars of each phrase, from fermata to fermata, rounded; at least 1."""
    ends = {round(stop / chorale.meter.steps) for _, stop in spans(chorale.fermatas)}
    ends.add(round(chorale.steps / chorale.meter.steps))
    for start, stop in pairwise(sorted(ends | {0})):
        yield stop - start


@cache
def _cadence_counts() -> tuple[Counter[str], Counter[str]]:
    """Count the kinds of phrase ends in the training chorales: within pieces, and the last."""
    inner, final = Counter[str](), Counter[str]()
    for chorale in bundled.load("train"):
        *before, last = (end.kind for end in cadences.phrase_ends(chorale))
        inner.update(before)
        final[last] += 1
    return inner, final


def _generator(seed: int, part: int) -> np.random.Generator:
    return np.random.default_rng([seed, _STREAM, part])


def _pick(weights: Mapping[Value, float], generator: np.random.Generator) -> Value:
    """Draw a key of ``weights`` with a probability in proportion to its value."""
    values = list(weights)
    cumulative = np.cumsum(list(weights.values()))
    place = np.searchsorted(cumulative / cumulative[-1], generator.random(), side="right")
    return values[min(int(place), len(values) - 1)]
