"""Phrase plans drawn from the bundled training chorales: pickup, phrases, fermatas, cadences.

Phrase lengths are a Markov chain, given that they sum to the bars of the piece. The length of a
fermata depends on where in the bar it ends. A plan depends on the seed alone; its random numbers
are not those of the notes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate
from typing import Any, Final

import numpy as np

from musicrel.chorale import STEPS_PER_QUARTER, Meter
from musicrel.errors import UsageError
from musicrel.generation.phrasing import corpus_phrases, drawn_cadences, planned_phrase
from musicrel.generation.phrasing.corpus_phrases import COMMON, TRIPLE, pick
from musicrel.generation.phrasing.planned_phrase import PlannedPhrase, parts_of_a_bar
from musicrel.generation.request import GenerationRequest

_STREAM: Final = 2  # separates these random numbers from those of the notes and of the key
_PICKUP, _LENGTHS, _CADENCES, _HOLDS = range(4)
_USUAL_BARS: Final = 8
_KEPT: Final = 32  # drawn plans that are kept: the form asks several times for that of its seed


@dataclass(frozen=True, slots=True, kw_only=True)
class PhrasePlan:
    """The phrases of a piece.

    Attributes:
        pickup: sixteenths before the first bar line.
        phrases: in order; empty: the model's choice.
        cadences: kind of each phrase end, "" for any; as many as phrases.
    """

    pickup: int = 0
    phrases: tuple[PlannedPhrase, ...] = ()
    cadences: tuple[str, ...] = ()


def resolved(
    phrases: tuple[PlannedPhrase, ...] | None,
    pickup: int | None,
    *,
    bars: int,
    meter: Meter,
    seed: int,
) -> tuple[tuple[PlannedPhrase, ...], int]:
    """Return phrases and pickup with drawn ones in place of None; no pickup without phrases."""
    if pickup is None:
        pickup = 0 if phrases == () else draw_pickup(meter, seed)
    if phrases is None:
        phrases = draw_phrases(bars, meter, pickup, seed)
    return phrases, pickup


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


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnPhrases:
    """The choice of what is drawn.

    Attributes:
        phrases: True: the phrases are drawn.
        pickup: True: the pickup is drawn if there are phrases.
    """

    phrases: bool = False
    pickup: bool = False

    def check(self, cadence: str) -> None:
        """Check that cadences are not given one by one for phrases that are drawn.

        Raises:
            UsageError: they are.
        """
        kinds = len(planned_phrase.parse_cadences(cadence))
        if self.phrases and kinds > 1:
            raise UsageError(
                f"there are {kinds} cadences, but the phrases are drawn: give the phrases, as in "
                "2,2,4, or one cadence for all"
            )

    def applied(self, request: GenerationRequest, conditions: Collection[str]) -> GenerationRequest:
        """Return ``request`` with drawn phrases and pickup.

        Args:
            request: any request; fermatas of its own stay.
            conditions: names of the conditions of the model; what it does not read is not drawn.
        """
        knows_phrases = "fermata" in conditions and not request.fermatas
        is_drawn = self.pickup and "bar" in conditions
        phrases, pickup = resolved(
            None if self.phrases and knows_phrases else tuple(map(PlannedPhrase, request.phrases)),
            None if is_drawn else request.pickup,
            bars=request.bars,
            meter=request.meter,
            seed=request.seed,
        )
        fields = phrase_fields(phrases, request.meter, pickup)
        return replace(request, **fields, pickup=pickup)


def phrase_fields(phrases: Sequence[PlannedPhrase], meter: Meter, pickup: int) -> dict[str, Any]:
    """Return the fields of a request for phrases: whole bars, or else their fermatas."""
    if all(bars == int(bars) and not hold for bars, hold in phrases):
        return {"phrases": tuple(int(bars) for bars, _ in phrases)}
    steps = round(sum(bars for bars, _ in phrases) * meter.steps)
    return {"phrases": (), "fermatas": tuple(planned_phrase.at_ends(phrases, meter, pickup, steps))}
