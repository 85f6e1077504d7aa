"""Schedules of blocks for filling and for Gibbs sampling.

A block is one voice over a span of steps. Blocks sampled in one forward pass are apart in time, so
that no two voices of a step are sampled independently of each other. The first filling begins with
the phrase ends, which are the easiest to predict and guide everything else. It continues from few
places far apart to many between them: each is then filled with context on both sides. At a place
the voices are filled one after the other, while those at other places go their own pace. In Gibbs
sweeps every block is a note, whose pitch is resampled, or a span of a beat, of which rhythm and
pitches are.

Dimensions: T steps, 4 voices.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from musicrel.chorale import STEPS_PER_QUARTER, Flags, Voice, spans

_LENGTH: Final = 8  # steps of a block of the first filling: half a bar of 4/4
_MAX_SPACING: Final = 32
_ORDER: Final = (Voice.SOPRANO, Voice.BASS, Voice.ALTO, Voice.TENOR)
"""Order in which voices are filled: the outer voices first."""
_SPAN: Final = STEPS_PER_QUARTER
"""Steps of a block of which the rhythm is resampled; longer ones leave too little context."""
_BETWEEN: Final = 2
"""Steps between two blocks that are sampled in one pass: adjacent ones would move in parallel."""


@dataclass(frozen=True, slots=True)
class Block:
    """One voice from ``start`` to ``stop``, half-open."""

    voice: int
    start: int
    stop: int
    new_note: bool = False  # it must begin with another note or rest than before it
    passes: int = 1  # forward passes in which it is filled; in the last, to its end


def filling_places(
    free: Flags, ends: Iterable[tuple[int, int]], passes: int
) -> Iterator[list[list[Block]]]:
    """Yield groups of places for the first filling; a group is filled before the next one.

    Places are apart in time and can be filled side by side. Each is a list of blocks, voice by
    voice, which are filled one after the other. ``ends`` are the phrase endings, half-open.
    """
    steps, spacing, remaining = len(free), _MAX_SPACING, free.copy()
    spans_of_groups = [[slice(*end) for end in ends]]
    while spacing >= _LENGTH:
        spans_of_groups.append([slice(at, at + _LENGTH) for at in range(0, steps, spacing)])
        spacing //= 2
    for chosen in spans_of_groups:
        if places := _places_at(remaining, chosen, passes):
            yield places


def _places_at(remaining: Flags, chosen: Iterable[slice], passes: int) -> list[list[Block]]:
    """Return the places in ``chosen`` steps, and remove their cells from ``remaining``."""
    is_chosen = np.zeros(len(remaining), dtype=np.bool_)
    for steps in chosen:
        is_chosen[steps] = True
    cells = remaining & is_chosen[:, None]
    remaining[is_chosen] = False
    return [blocks_between(cells, *span, passes) for span in spans(np.asarray(cells.any(axis=1)))]


def blocks_between(cells: Flags, start: int, stop: int, passes: int) -> list[Block]:
    """Return the blocks of some cells between two steps, in the order in which they are filled."""
    return [
        Block(voice, start + first, start + last, passes=passes)
        for voice in _ORDER
        for first, last in spans(cells[start:stop, voice])
    ]


def note_blocks(
    free: Flags, onsets: Flags, sounding: Flags, rng: np.random.Generator
) -> list[list[Block]]:
    """Return every note whose cells are all free as a block, in groups for one pass each."""
    remaining = [
        block
        for voice in Voice
        for block in _voice_blocks(voice, free[:, voice], onsets[:, voice], sounding[:, voice])
    ]
    groups: list[list[Block]] = []
    for place in np.argsort([one.start + rng.random() for one in remaining]):
        block = remaining[place]
        latest = block.start - _BETWEEN
        group = next((group for group in groups if group[-1].stop <= latest), None)
        if group is None:
            groups.append([block])
        else:
            group.append(block)
    return groups


def _voice_blocks(voice: int, free: Flags, onsets: Flags, sounding: Flags) -> Iterator[Block]:
    starts = np.flatnonzero(free & onsets)
    ends = np.append(np.flatnonzero(onsets | ~sounding), len(onsets))
    stops = ends[np.searchsorted(ends, starts, side="right")]
    for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
        if free[start:stop].all():
            yield Block(voice, start, stop)


def span_blocks(free: Flags, passes: int, rng: np.random.Generator) -> list[Block]:
    """Return blocks of a beat that together hold every free cell once, in random order.

    They begin at another sixteenth in each voice, so that no note is always cut in two.
    """
    blocks = [
        Block(voice, start + first, start + last, passes=passes)
        for voice in Voice
        for start, stop in pairwise(
            [0, *range(int(rng.integers(1, _SPAN + 1)), len(free), _SPAN), len(free)]
        )
        for first, last in spans(free[start:stop, voice])
    ]
    return [blocks[place] for place in rng.permutation(len(blocks))]


def take_apart(waiting: list[Block], begun: Sequence[Block]) -> list[Block]:
    """Remove from ``waiting`` what can be sampled beside ``begun``, and return it."""
    taken: list[Block] = []
    for block in waiting:
        if all(
            max(block.start - one.stop, one.start - block.stop) >= _BETWEEN
            for one in (*begun, *taken)
        ):
            taken.append(block)
    waiting[:] = [block for block in waiting if block not in taken]
    return taken
