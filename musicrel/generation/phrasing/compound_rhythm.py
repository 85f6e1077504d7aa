"""The rhythm of the soprano in a new piece in a compound meter.

Bach's chorales are in simple meters, so models count quarters and would write a 3/4 across the
beats of a 6/8. The rhythm is drawn instead: of each beat, as in hymns; a phrase may have that of an
earlier one of its length.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Final

import numpy as np

from musicrel import meter_beats
from musicrel.chorale import Chorale, Meter, spans
from musicrel.generation.phrasing.phrase_plan import pick

_STREAM: Final = 2, 9  # separates these random numbers from those of phrases and notes
_BEATS: Final[Mapping[tuple[float, ...], int]] = {
    (0, 2): 27,
    (0,): 24,
    (0, 1, 2): 18,
    (0, 1.5, 2): 7,
    (0, 2, 2.5): 3,
}
"""Beats of training hymns in 6/8, 6/4 and 9/8, in percent, by where the soprano's notes begin, in
written units; the rest have rarer rhythms."""
_REUSED: Final = 0.5
"""Probability of the rhythm of an earlier phrase; of two lines of these hymns that have the same
length and begin at the same place 37 % have one rhythm."""


def draw(plan: Chorale, seed: int, stollen: int = 0) -> tuple[int, ...]:
    """Draw the steps at which notes begin.

    Args:
        plan: a piece in a compound meter; its notes are not read. A note begins on each fermata.
        seed: seed of the random numbers.
        stollen: steps of a passage at the beginning that comes twice.
    """
    fermatas, meter = spans(plan.fermatas), plan.meter
    random, known = np.random.default_rng([seed, *_STREAM]), dict[tuple[int, ...], list[int]]()
    begun = list[int]()
    for start, stop in pairwise(sorted({0, *(stop for _, stop in fermatas), plan.steps})):
        held = min((first for first, end in fermatas if end == stop), default=stop)
        kind = stop - start, held - start, (start - plan.pickup) % meter_beats.beat(meter)
        if kind not in known or random.random() >= _REUSED:
            known[kind] = _of_phrase(*kind, meter, random)
        begun += [start + step for step in known[kind]]
    again = [step + stollen for step in begun if step < stollen]
    kept = (step for step in begun if not stollen <= step < 2 * stollen)
    return tuple(sorted({*kept, *again}))


def _of_phrase(
    length: int, held: int, place: int, meter: Meter, random: np.random.Generator
) -> list[int]:
    """Draw the rhythm of a phrase that begins at ``place`` in a beat and holds its last note."""
    beat, unit = meter_beats.beat(meter), meter_beats.written_unit(meter)
    shares = {
        kind: share for kind, share in _BEATS.items() if all(unit * at % 1 == 0 for at in kind)
    }
    drawn = (
        first + int(unit * at) for first in range(-place, held, beat) for at in pick(shares, random)
    )
    return sorted({0, held, *(step for step in drawn if 0 < step < held)} - {length})
