"""Phrase plans drawn from the bundled training chorales: pickup, phrases, fermatas, cadences.

Phrase lengths are a Markov chain, given that they sum to the bars of the piece. The length of a
fermata depends on where in the bar it ends. A plan depends on the seed alone; its random numbers
are not those of the notes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Final

import numpy as np

from musicrel.chorale import STEPS_PER_QUARTER, Meter
from musicrel.generation.phrasing import corpus_phrases, drawn_cadences, planned_phrase
from musicrel.generation.phrasing.corpus_phrases import COMMON, TRIPLE, pick
from musicrel.generation.phrasing.planned_phrase import PlannedPhrase, parts_of_a_bar

_STREAM: Final = 2  # separates these random numbers from those of the notes and of the key
_PICKUP, _LENGTHS, _CADENCES, _HOLDS = range(4)
_USUAL_BARS: Final = 8
_KEPT: Final = 32  # drawn plans that are kept: the form asks several times for that of its seed


def draw_pickup(meter: Meter, seed: int) -> int:
    """Draw the sixteenths of a pickup; 0 in a meter without statistics."""
    if meter not in (COMMON, TRIPLE):
        return 0
    return pick(corpus_phrases.pickups(meter), _generator(seed, _PICKUP))


@lru_cache(maxsize=_KEPT)
def draw_phrases(bars: int, meter: Meter, pickup: int, seed: int) -> tuple[PlannedPhrase, ...]:
    """Draw the phrases of ``bars`` bars after a pickup.

    In 4/4 they may end on any quarter of a bar, in other meters after whole bars.
    """
    parts, known = parts_of_a_bar(meter), COMMON if meter.steps >= COMMON.steps else TRIPLE
    chain = corpus_phrases.chain(known, pickup, parts)
    drawn = chain.draw(bars * parts, _generator(seed, _LENGTHS))
    lengths = [length * meter.steps // parts for length in drawn]
    held = _draw_holds(meter, pickup, lengths, _generator(seed, _HOLDS))
    phrases = (
        PlannedPhrase(length / parts, hold) for length, hold in zip(drawn, held, strict=True)
    )
    return planned_phrase.simplest(phrases, meter, pickup, bars * meter.steps)


def prepare() -> None:
    """Compute the statistics that phrases are drawn from; otherwise the first drawing does."""
    for meter in (COMMON, TRIPLE):
        for pickup in corpus_phrases.pickups(meter):
            draw_phrases(_USUAL_BARS, meter, pickup, seed=0)


def draw_cadences(number: int, seed: int) -> tuple[str, ...]:
    """Draw the kinds of ``number`` phrase ends, the last one from those of the ends of pieces."""
    return drawn_cadences.as_in_bach(number, _generator(seed, _CADENCES))


def _draw_holds(
    meter: Meter, pickup: int, lengths: Sequence[int], generator: np.random.Generator
) -> Iterator[int]:
    """Draw the quarters under the fermata of each phrase, by where in the bar it ends.

    Without statistics they are 0: a fermata begins on the last strong beat.
    """
    for end, length in zip(accumulate(lengths), lengths, strict=True):
        place, is_last = (end - pickup) % meter.steps, end == sum(lengths)
        counts = corpus_phrases.holds(meter, place, is_last=is_last)
        shorter = {n: count for n, count in counts.items() if n * STEPS_PER_QUARTER < length}
        yield pick(shorter, generator) if shorter else 0


def _generator(seed: int, part: int) -> np.random.Generator:
    return np.random.default_rng([seed, _STREAM, part])
