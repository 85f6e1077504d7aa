"""Bar lines for the pieces of JSB16, from the bundled chorales.

JSB16 has no bar lines. Its sopranos are found in the bundled chorales: the longest stretch of equal
pitches, in any key and at any place, decides. At least ``LEAST_STEPS`` have to be equal; then the
piece takes the meter of the chorale, and the pickup with which the stretch has its place in the
bar. Repeats are written out in JSB16; they are as long as whole bars.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from musicrel.chorale import REST, Chorale, Voice
from training.allocation import Run, contours_of

LEAST_STEPS: Final = 56
"""Three and a half bars; a false match was seen with 54 steps."""
SHARED_TUNE: Final = 0.5
"""Share of a melody's runs in one training piece from which on both have the same tune."""
CLEAN: Final = 0.15
"""Below this share in every training piece a melody is clean."""

_CANDIDATES: Final = 5
"""Chorales that are compared step by step: those with the most runs of a melody."""


class Stretch(NamedTuple):
    """A stretch of equal pitches of two lines: its length, and the place in the other less ours."""

    steps: int
    offset: int


def with_bar_lines(pieces: Sequence[Chorale], chorales: Sequence[Chorale]) -> list[Chorale]:
    known = [(chorale, runs(chorale)) for chorale in chorales]
    return [_with_bar_lines(piece, known) for piece in pieces]


def runs(piece: Chorale) -> frozenset[Run]:
    """Return the runs of eight intervals of the soprano; see ``training.allocation``."""
    return contours_of(piece)[Voice.SOPRANO]


def shares(pieces: Iterable[Chorale], known: Sequence[Chorale]) -> list[float]:
    """Return for each piece the largest share of its soprano's runs that one known piece has."""
    theirs = [runs(piece) for piece in known]
    return [_largest_share(runs(piece), theirs) for piece in pieces]


def longest_stretch(line: npt.NDArray[np.int16], other: npt.NDArray[np.int16]) -> Stretch:
    """Return the longest stretch of equal pitches of two lines, (T,) and (U,), in any key."""
    found = (_at(line, other, offset) for offset in range(1 - len(line), len(other)))
    return max(found, key=lambda stretch: (stretch.steps, -abs(stretch.offset)))


def _largest_share(own: frozenset[Run], theirs: Sequence[frozenset[Run]]) -> float:
    return max((len(own & other) / len(own) for other in theirs), default=0.0) if own else 0.0


def _with_bar_lines(piece: Chorale, known: Sequence[tuple[Chorale, frozenset[Run]]]) -> Chorale:
    found = _best(piece, known)
    if found is None:
        return piece
    chorale, stretch = found
    pickup = (chorale.pickup - stretch.offset) % chorale.meter.steps
    return replace(piece, meter=chorale.meter, pickup=pickup)


def _best(
    piece: Chorale, known: Sequence[tuple[Chorale, frozenset[Run]]]
) -> tuple[Chorale, Stretch] | None:
    """Return the chorale with the longest stretch of the soprano; None if it is too short."""
    own, line = runs(piece), piece.pitches[:, Voice.SOPRANO]
    common = sorted(known, key=lambda entry: -len(own & entry[1]))[:_CANDIDATES]
    found = [
        (chorale, longest_stretch(line, chorale.pitches[:, Voice.SOPRANO])) for chorale, _ in common
    ]
    best = max(found, key=lambda entry: entry[1].steps, default=None)
    return best if best and best[1].steps >= LEAST_STEPS else None


def _at(line: npt.NDArray[np.int16], other: npt.NDArray[np.int16], offset: int) -> Stretch:
    start, stop = max(0, -offset), min(len(line), len(other) - offset)
    ours, theirs = line[start:stop].astype(np.int64), other[start + offset : stop + offset]
    both_sound = (ours != REST) & (theirs != REST)
    interval = np.where(both_sound, ours - theirs, np.arange(len(ours)) + 1000)
    breaks = np.flatnonzero(np.diff(interval)) + 1
    edges = np.concatenate([[0], breaks, [len(interval)]])
    return Stretch(int(np.diff(edges).max(initial=0)), offset)
