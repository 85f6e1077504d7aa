"""Groups of pieces by tune: settings of one chorale melody are never in different folds.

Two pieces have one tune if the soprano of one has half of the runs of eight intervals that the
other has, as in ``training.allocation``.
"""

from __future__ import annotations

from collections.abc import Sequence

from musicrel.chorale import Chorale, Voice
from training.allocation import SAME_SETTING, Run, contours_of


def groups(pieces: Sequence[Chorale]) -> list[int]:
    """Return the number of the tune of each piece; a tune has the number of its first piece."""
    runs = [contours_of(piece)[Voice.SOPRANO] for piece in pieces]
    found: list[int] = []
    for number, own in enumerate(runs):
        alike = {found[other] for other in range(number) if is_same(own, runs[other])}
        first = min(alike, default=number)
        found = [first if group in alike else group for group in found] + [first]
    return found


def is_same(one: frozenset[Run], other: frozenset[Run]) -> bool:
    """Return True if at least half of the runs of the shorter melody are in the other."""
    shorter = min(len(one), len(other))
    return shorter > 0 and len(one & other) >= SAME_SETTING * shorter
