"""Features of rhythm."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from musicrel.chorale import REST, STEPS_PER_QUARTER
from musicrel.generation.discriminator.beat import Beat

_TOGETHER: Final = 2
"""Number of voices off the beat with a feature of its own."""
_UPPER: Final = 3
"""Soprano, alto and tenor."""


def features(beat: Beat) -> Iterator[str]:
    """Yield what begins on and inside a beat, and the upper voices that rest."""
    fermata = ", fermata" if beat.has_fermata else ""
    on_beat, *inside = (sum(step) for step in beat.onsets[beat.first :])
    if beat.number % 2:
        yield f"moves inside beat {beat.number}{fermata}: {any(inside)}"
    else:
        yield f"voices struck on beat {beat.number}{fermata}: {on_beat}"
    if any(inside) and _moves_before(beat):
        yield "two beats move"
    for struck in filter(None, inside):
        yield f"voices together off the beat: {struck if struck == _TOGETHER else 'other'}"
    resting = sum(pitch == REST for pitch in beat.chord[:_UPPER])
    if resting:
        yield f"rests{fermata}: {resting}"


def _moves_before(beat: Beat) -> bool:
    """Return whether a note begins inside the beat before."""
    inside = beat.onsets[max(beat.first - STEPS_PER_QUARTER + 1, 0) : beat.first]
    return any(map(any, inside))
