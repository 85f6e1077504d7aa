"""Pieces put together of two: the first phrases of one, the last ones of another in its key.

Chorales are phrases, each closed by a fermata, and a few hundred of them are few. Behind a phrase
of one piece the last phrases of another one of the same mode and meter may follow, moved to its
key, wherever bars go on without a break: there is more to learn from, and nothing in it but the
seam is not Bach's. In spirit this is the concatenation of *Data Augmentation via Subtree Swapping*,
with phrases for subtrees.

This file knows phrases, keys and bars; it knows nothing of tokens or batches.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from musicrel.chorale import Chorale
from musicrel.errors import DataError
from musicrel.score.notes import spans

_TRIES: Final = 100
"""How often a partner is looked for, for each piece asked for, until it is given up."""
_OCTAVE: Final = 12


def splices(pieces: Sequence[Chorale], count: int, seed: int) -> list[Chorale]:
    """``count`` pieces put together by chance.

    Args:
        pieces: what they are made of; those without key or fermata are left out.
        count: how many are wanted.
        seed: of the chance.

    Raises:
        DataError: too few pieces fit each other.
    """
    rng = np.random.default_rng(seed)
    fit = [piece for piece in pieces if piece.key and _phrase_ends(piece)]
    made: list[Chorale] = []
    for _ in range(_TRIES * count if len(fit) > 1 else 0):
        if len(made) == count:
            return made
        first, second = (fit[place] for place in rng.choice(len(fit), size=2, replace=False))
        stop = int(rng.choice(_phrase_ends(first)))
        starts = list(_starts(first, stop, second))
        if starts:
            made.append(_spliced(first, stop, second, *starts[int(rng.integers(len(starts)))]))
    if len(made) < count:
        raise DataError(
            f"of {len(pieces)} pieces only {len(made)} could be put together by phrases: expected "
            f"{count}; that takes pieces in one mode and meter with fermatas and keys, or spliced "
            "= 0"
        )
    return made


def _phrase_ends(piece: Chorale) -> list[int]:
    """The steps at which a phrase has ended and another one begins."""
    return [stop for _, stop in spans(piece.fermatas) if stop < piece.steps]


def _starts(first: Chorale, stop: int, second: Chorale) -> Iterator[tuple[int, int]]:
    """Where ``second`` may go on after step ``stop`` of ``first``, and by how many semitones moved.

    The nearer of the two ways to the key of ``first`` is taken in which all voices keep their
    range; there may be none.
    """
    if first.key is None or second.key is None or first.key.mode != second.key.mode:
        return
    up = (first.key.pitch_class - second.key.pitch_class) % _OCTAVE
    ways = [way for way in sorted((up, up - _OCTAVE), key=abs) if way in second.shifts()]
    if not ways or first.meter != second.meter:
        return
    bar = first.meter.steps
    for start in _phrase_ends(second):
        if (start - second.pickup) % bar == (stop - first.pickup) % bar:
            yield start, ways[0]


def _spliced(first: Chorale, stop: int, second: Chorale, start: int, semitones: int) -> Chorale:
    """``first`` up to ``stop``, then ``second`` from ``start`` on, so many semitones higher."""
    rest = second.transposed(semitones).cropped(start, second.steps)
    return replace(
        first,
        pitches=np.concatenate([first.pitches[:stop], rest.pitches]),
        onsets=np.concatenate([first.onsets[:stop], rest.onsets]),
        fermatas=np.concatenate([first.fermatas[:stop], rest.fermatas]),
        title=f"{first.title} / {second.title}",
    )
