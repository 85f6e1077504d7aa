"""Which cells are drawn together: blocks, each one voice over a span of steps.

Blocks that are drawn at once lie apart in time, so that no two voices of a step are drawn blind to
each other. A first filling begins with the ends of phrases: that is where one knows best what will
sound, and all else can lead there. Then it goes from few blocks far apart to many between them, so
that each is written in view of what stands on both its sides; after it a block is a note.

Dimensions: T steps, 4 voices.

This file knows places; it knows nothing of notes or models.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from musicrel.chorale import Flags, Voice
from musicrel.score.notes import spans

_LENGTH: Final = 8
"""Steps of a block of the first filling: half a bar of 4/4."""
_FARTHEST: Final = 64
_ORDER: Final = (Voice.SOPRANO, Voice.BASS, Voice.ALTO, Voice.TENOR)
"""In which voices are filled in: the outer ones first, as one learns it."""
_BETWEEN_NOTES: Final = 2


@dataclass(frozen=True, slots=True)
class Block:
    """One voice from ``start`` to ``stop``, half-open; ``begins``: with another note than stood."""

    voice: int
    start: int
    stop: int
    begins: bool = False


def filling(free: Flags, ends: Iterable[tuple[int, int]]) -> Iterator[list[Block]]:
    """The blocks of the first filling, those that are drawn at once together.

    Args:
        free: bool (T, 4), the cells to be written.
        ends: the first step of every phrase's end and the step after its last.
    """
    steps, apart, left = len(free), _FARTHEST, free.copy()
    yield from _written(left, [slice(*end) for end in ends])
    while apart >= _LENGTH:
        yield from _written(left, [slice(at, at + _LENGTH) for at in range(0, steps, apart)])
        apart //= 2


def _written(left: Flags, places: Iterable[slice]) -> Iterator[list[Block]]:
    """The blocks at ``places``, voice by voice, of what is ``left``; it is left no more, then."""
    chosen = np.zeros(len(left), dtype=np.bool_)
    for place in places:
        chosen[place] = True
    for voice in _ORDER:
        if runs := spans(left[:, voice] & chosen):
            yield [Block(voice, *run) for run in runs]
    left[chosen] = False


def notes(free: Flags, begins: Flags, sounds: Flags, rng: np.random.Generator) -> list[list[Block]]:
    """Every free note as a block of its own, those that are drawn at once together.

    Args:
        free: bool (T, 4), the cells to be written; a note that is not free to its end stays out.
        begins: bool (T, 4), where notes begin.
        sounds: bool (T, 4), where there are notes.
        rng: of the order.
    """
    left = [
        block
        for voice in Voice
        for block in _notes_of(voice, begins[:, voice], sounds[:, voice])
        if free[block.start : block.stop, voice].all()
    ]
    groups: list[list[Block]] = []
    for place in np.argsort([one.start + rng.random() for one in left]):
        _join(groups, left[place])
    return groups


def _join(groups: list[list[Block]], block: Block) -> None:
    """Put ``block`` into the first group whose last one ends well before it, or into a new one."""
    for group in groups:
        if block.start >= group[-1].stop + _BETWEEN_NOTES:
            group.append(block)
            return
    groups.append([block])


def _notes_of(voice: int, begins: Flags, sounds: Flags) -> Iterator[Block]:
    starts = np.flatnonzero(begins)
    ends = np.append(np.flatnonzero(begins | ~sounds), len(begins))
    stops = ends[np.searchsorted(ends, starts, side="right")]
    for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
        yield Block(voice, start, stop)
