"""Schedules of blocks for filling and Gibbs sampling."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from musicrel.chorale import Flags
from musicrel.generation.infill import gibbs_blocks
from musicrel.generation.infill.gibbs_blocks import Block


def covered(
    groups: list[list[Block]], steps: int
) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Return the number of blocks that contain each cell."""
    times = np.zeros((steps, 4), dtype=np.int64)
    for group in groups:
        for block in group:
            times[block.start : block.stop, block.voice] += 1
    return times


def free(steps: int, voices: tuple[int, ...]) -> Flags:
    """Return a mask of some voices with a few locked cells."""
    cells = np.zeros((steps, 4), dtype=np.bool_)
    cells[:, voices] = True
    cells[3, voices[0]] = cells[10:13, voices[-1]] = False
    return cells


@pytest.mark.parametrize("steps", [1, 7, 16, 100, 256])
@pytest.mark.parametrize("voices", [(1, 2, 3), (0, 1, 2, 3), (2,)])
def test_the_first_filling_has_every_free_cell_once(steps: int, voices: tuple[int, ...]) -> None:
    """It has no other cell, whatever is locked."""
    cells = free(max(steps, 13), voices)
    ends = [(0, 1), (9, 13), (10, len(cells))]
    groups = gibbs_blocks.filling_places(cells, ends, passes=4)
    places = [place for group in groups for place in group]
    assert np.array_equal(covered(places, len(cells)), cells.astype(np.int64))
    assert {block.passes for place in places for block in place} == {4}


def test_the_first_filling_begins_where_phrases_end() -> None:
    """The first group holds the phrase endings only, the outer voices of each before the others."""
    everywhere = np.ones((64, 4), dtype=np.bool_)
    first = next(iter(gibbs_blocks.filling_places(everywhere, [(26, 30), (60, 64)], passes=1)))
    assert [[block.voice for block in place] for place in first] == [[0, 3, 1, 2]] * 2
    assert [{(block.start, block.stop) for block in place} for place in first] == [
        {(26, 30)},
        {(60, 64)},
    ]


def test_places_of_a_group_are_apart_in_time() -> None:
    """They can be filled side by side: no step belongs to two of them."""
    groups = list(gibbs_blocks.filling_places(free(100, (0, 1, 2, 3)), [(44, 50), (96, 100)], 1))
    assert max(map(len, groups)) > 2
    for group in groups:
        steps = [covered([place], 100).any(axis=1) for place in group]
        assert np.sum(steps, axis=0).max() <= 1


def test_notes_of_a_group_are_apart_in_time() -> None:
    """No two voices of a step are sampled independently of each other."""
    cells, rng = free(100, (0, 1, 2, 3)), np.random.default_rng(0)
    onsets = rng.random((100, 4)) < 0.3
    for group in gibbs_blocks.note_blocks(cells, onsets, np.ones_like(onsets), rng):
        assert covered([group], 100).sum(axis=1).max() <= 1


def test_every_free_note_is_a_block_of_its_own() -> None:
    """Each note comes once, to its end; the blocks of a group are apart."""
    rng = np.random.default_rng(0)
    onsets = rng.random((60, 4)) < 0.3
    onsets[0] = True
    sounding = np.ones((60, 4), dtype=np.bool_)
    sounding[20:25, 2] = onsets[20:25, 2] = False
    onsets[25, 2] = True
    cells = np.ones((60, 4), dtype=np.bool_)
    cells[:, 0] = False
    groups = gibbs_blocks.note_blocks(cells, onsets, sounding, rng)
    assert np.array_equal(covered(groups, 60) == 1, cells & sounding)
    assert sum(map(len, groups)) == onsets[:, 1:].sum()
    for group in groups:
        ordered = sorted(group, key=lambda block: block.start)
        assert all(b.start - a.stop >= 2 for a, b in itertools.pairwise(ordered))


def test_a_note_is_in_the_first_group_it_fits_into() -> None:
    """Every earlier group has a block too close to it."""
    rng = np.random.default_rng(0)
    onsets, everywhere = rng.random((400, 4)) < 0.3, np.ones((400, 4), dtype=np.bool_)
    groups = gibbs_blocks.note_blocks(everywhere, onsets, everywhere, rng)
    for place, group in enumerate(groups):
        for block in group:
            for earlier in groups[:place]:
                assert any(_gap(block, one) < 2 for one in earlier)


@pytest.mark.parametrize("steps", [13, 14, 100])
def test_spans_hold_every_free_cell_once(steps: int) -> None:
    """None is longer than a beat; the order is random."""
    cells, rng = free(steps, (1, 2, 3)), np.random.default_rng(0)
    blocks = gibbs_blocks.span_blocks(cells, 3, rng)
    assert np.array_equal(covered([blocks], steps), cells.astype(np.int64))
    assert max(block.stop - block.start for block in blocks) <= 4
    assert {block.passes for block in blocks} == {3}
    assert blocks != gibbs_blocks.span_blocks(cells, 3, rng)


def test_blocks_taken_together_are_apart_in_time() -> None:
    """Each is taken once, and at least two steps from all others that are being sampled."""
    everywhere = np.ones((60, 4), dtype=np.bool_)
    waiting = gibbs_blocks.span_blocks(everywhere, 1, np.random.default_rng(0))
    every, begun = list(waiting), [Block(2, 20, 24)]
    first = gibbs_blocks.take_apart(waiting, begun)
    assert {*first, *waiting} == {*every}
    assert not {*first} & {*waiting}
    assert all(_gap(*two) >= 2 for two in itertools.combinations([*first, *begun], 2))
    for block in waiting:
        assert any(_gap(block, one) < 2 for one in [*first, *begun])


def _gap(one: Block, other: Block) -> int:
    """Return the steps between two blocks, below 0 where they overlap."""
    return max(one.start - other.stop, other.start - one.stop)
