"""Which cells are drawn together: blocks, each one voice over a span of steps.

Blocks that are drawn at once lie apart in time, so that no two voices of a step are drawn blind to
each other. A first filling goes from few blocks far apart to many between them, so that each is
written in view of what stands on both its sides; a sweep then draws every free cell once more.

Dimensions: T steps, 4 voices.

This file knows places; it knows nothing of notes or models.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from musicrel.chorale import Flags, Voice

_LENGTH: Final = 8
"""Steps of a block of the first filling: half a bar of 4/4."""
_FARTHEST: Final = 64
_ORDER: Final = (Voice.SOPRANO, Voice.BASS, Voice.ALTO, Voice.TENOR)
"""In which voices are filled in: the outer ones first, as one learns it."""
_BETWEEN_NOTES: Final = 2
_SWEPT: Final = (8, 8, 4, 4)
"""Steps of the blocks of one sweep after the other, then from the first again."""


@dataclass(frozen=True, slots=True)
class Block:
    """One voice from ``start`` to ``stop``, half-open; ``begins``: with another note than stood."""

    voice: int
    start: int
    stop: int
    begins: bool = False


def filling(free: Flags) -> Iterator[list[Block]]:
    """The blocks of the first filling, those that are drawn at once together.

    Args:
        free: bool (T, 4), the cells to be written.
    """
    steps, apart, seen = len(free), _FARTHEST, set[int]()
    while apart >= _LENGTH:
        places = [first for first in range(0, steps, apart) if first not in seen]
        seen.update(places)
        for voice in _ORDER:
            blocks = [
                block
                for first in places
                for block in _free(free, voice, first, min(first + _LENGTH, steps))
            ]
            if blocks:
                yield blocks
        apart //= 2


def sweep(
    free: Flags, onsets: Flags, number: int, rng: np.random.Generator
) -> Iterator[list[Block]]:
    """The blocks of one sweep over all free cells, those that are drawn at once together.

    Every block begins and ends with notes, so that whole notes can change; it grows for that by no
    more than half the space between blocks.

    Args:
        free: bool (T, 4), the cells to be written.
        onsets: bool (T, 4), where notes begin now.
        number: of the sweep, from 0.
        rng: of the order of places and voices.
    """
    length = _SWEPT[number % len(_SWEPT)]
    voices = rng.permutation(np.flatnonzero(free.any(axis=0)))
    offset = int(rng.integers(2 * length))
    for turn in range(2 * len(voices)):
        phase, turned = turn % 2, turn // 2
        blocks: list[Block] = []
        places = range(offset - 2 * length + phase * length, len(free), 2 * length)
        for index, first in enumerate(places):
            voice = int(voices[(index + turned) % len(voices)])
            start, stop = _of_whole_notes(onsets[:, voice], first, first + length, length // 2)
            blocks += _free(free, voice, start, stop)
        if blocks:
            yield blocks


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
    left = [left[place] for place in np.argsort([one.start + rng.random() for one in left])]
    groups: list[list[Block]] = []
    while left:
        group: list[Block] = []
        for block in left:
            if not group or block.start >= group[-1].stop + _BETWEEN_NOTES:
                group.append(block)
        left = [block for block in left if block not in group]
        groups.append(group)
    return groups


def _notes_of(voice: int, begins: Flags, sounds: Flags) -> Iterator[Block]:
    starts = np.flatnonzero(begins)
    ends = np.flatnonzero(begins | ~sounds)
    for start in starts.tolist():
        later = ends[ends > start]
        yield Block(voice, start, int(later[0]) if later.size else len(begins))


def _of_whole_notes(onsets: Flags, start: int, stop: int, most: int) -> tuple[int, int]:
    """``start`` and ``stop`` moved outwards, by less than ``most``, to where notes begin."""
    start, stop = max(start, 0), min(max(stop, 0), len(onsets))
    before = np.flatnonzero(onsets[max(start - most + 1, 0) : start + 1])
    after = np.flatnonzero(onsets[stop : stop + most])
    if before.size:
        start = max(start - most + 1, 0) + int(before[-1])
    if after.size:
        stop += int(after[0])
    return start, stop


def _free(free: Flags, voice: int, start: int, stop: int) -> Iterator[Block]:
    """The runs of free cells of a voice in a span."""
    inside = np.flatnonzero(free[start:stop, voice]) + start
    if inside.size:
        for run in np.split(inside, np.flatnonzero(np.diff(inside) > 1) + 1):
            yield Block(voice, int(run[0]), int(run[-1]) + 1)
