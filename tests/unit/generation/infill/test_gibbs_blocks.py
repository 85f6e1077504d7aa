"""Which cells are drawn together."""

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
    """How often each cell is in a block."""
    times = np.zeros((steps, 4), dtype=np.int64)
    for group in groups:
        for block in group:
            times[block.start : block.stop, block.voice] += 1
    return times


def free(steps: int, voices: tuple[int, ...]) -> Flags:
    """Some voices free, a few cells of them not."""
    cells = np.zeros((steps, 4), dtype=np.bool_)
    cells[:, voices] = True
    cells[3, voices[0]] = cells[10:13, voices[-1]] = False
    return cells


@pytest.mark.parametrize("steps", [1, 7, 16, 100, 256])
@pytest.mark.parametrize("voices", [(1, 2, 3), (0, 1, 2, 3), (2,)])
def test_the_first_filling_has_every_free_cell_once(steps: int, voices: tuple[int, ...]) -> None:
    """And no other, whatever is given."""
    cells = free(max(steps, 13), voices)
    groups = list(gibbs_blocks.filling(cells, [(0, 1), (9, 13), (10, len(cells))]))
    assert np.array_equal(covered(groups, len(cells)), cells.astype(np.int64))


def test_the_first_filling_begins_where_phrases_end() -> None:
    """In all voices, and with nothing else."""
    first = list(gibbs_blocks.filling(np.ones((64, 4), dtype=np.bool_), [(26, 30), (60, 64)]))[:4]
    assert {block.voice for group in first for block in group} == {0, 1, 2, 3}
    for group in first:
        assert [(block.start, block.stop) for block in group] == [(26, 30), (60, 64)]


def test_no_two_voices_of_a_step_are_drawn_at_once() -> None:
    """Not in the first filling, and not when notes are chosen once more."""
    cells, rng = free(100, (0, 1, 2, 3)), np.random.default_rng(0)
    onsets = rng.random((100, 4)) < 0.3
    groups = list(gibbs_blocks.filling(cells, [(44, 50), (96, 100)]))
    groups += gibbs_blocks.notes(cells, onsets, np.ones_like(onsets), rng)
    for group in groups:
        assert covered([group], 100).sum(axis=1).max() <= 1


def test_every_free_note_is_a_block_of_its_own() -> None:
    """Once, to its end; those that are drawn at once lie apart."""
    rng = np.random.default_rng(0)
    begins = rng.random((60, 4)) < 0.3
    begins[0] = True
    sounds = np.ones((60, 4), dtype=np.bool_)
    sounds[20:25, 2] = begins[20:25, 2] = False
    begins[25, 2] = True
    cells = np.ones((60, 4), dtype=np.bool_)
    cells[:, 0] = False
    groups = gibbs_blocks.notes(cells, begins, sounds, rng)
    assert np.array_equal(covered(groups, 60) == 1, cells & sounds)
    assert sum(map(len, groups)) == begins[:, 1:].sum()
    for group in groups:
        ordered = sorted(group, key=lambda block: block.start)
        assert all(b.start - a.stop >= 2 for a, b in itertools.pairwise(ordered))


def test_a_note_is_drawn_in_the_first_group_that_it_fits_into() -> None:
    """Which is what going through all notes left, again and again, gives; but in one go."""
    rng = np.random.default_rng(0)
    begins, everywhere = rng.random((400, 4)) < 0.3, np.ones((400, 4), dtype=np.bool_)
    groups = gibbs_blocks.notes(everywhere, begins, everywhere, rng)
    for place, group in enumerate(groups):
        for block in group:
            for earlier in groups[:place]:
                assert any(_gap(block, one) < 2 for one in earlier)


def _gap(one: Block, other: Block) -> int:
    """Steps between two blocks, below 0 where they overlap."""
    return max(one.start - other.stop, other.start - one.stop)
