"""The piece as it grows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel.chorale import REST, Chorale
from musicrel.generation.request import GenerationRequest
from musicrel.presentation.compose.composition import Composition
from tests.ui.fakes import steps_of

PIECE = Chorale.of(np.tile([[72, 67, 64, 48], [74, 67, 62, 50]], (16, 1)), pickup=4)


@pytest.fixture
def composition() -> Composition:
    return Composition(GenerationRequest(bars=2, pickup=4).plan())


def grow(composition: Composition, cells: int) -> None:
    for step in steps_of(PIECE)[:cells]:
        composition.add(step)


def test_new_one_is_silent(composition: Composition) -> None:
    """Nothing is written, and nothing can be made of it."""
    assert (composition.tokens, composition.share, composition.so_far()) == (0, 0.0, None)
    assert (composition.padded_piece().pitches == REST).all()


def test_grows_cell_by_cell(composition: Composition) -> None:
    """Written cells are in the piece; the rest is silent."""
    grow(composition, 6)

    padded_piece = composition.padded_piece()
    assert padded_piece.pitches[:3].tolist() == [[72, 67, 64, 48], [74, 67, REST, REST], [REST] * 4]
    assert (composition.whole_steps, composition.started_steps) == (1, 2)


def test_snapshots_do_not_change(composition: Composition) -> None:
    """A sheet taken before shows what was there then."""
    grow(composition, 4)
    early = composition.padded_piece()
    grow(composition, 8)

    assert (early.pitches[1] == REST).all()


def test_counts_bars_as_the_ruler_numbers_them(composition: Composition) -> None:
    """A pickup is part of the first; so is what has not begun."""
    counted = []
    for cells in (0, 4 * 4, 4 * 5, 4 * 20, 4 * 21, 4 * 32):
        grow(composition, cells)
        counted.append((composition.bar, composition.bars))

    assert counted == [(1, 2), (1, 2), (1, 2), (1, 2), (2, 2), (2, 2)]


def test_unfinished_piece_ends_with_its_last_whole_step(composition: Composition) -> None:
    """It is the beginning of the whole piece."""
    grow(composition, 4 * 7 + 2)

    assert composition.so_far() == PIECE.cropped(0, 7)


def test_finished_piece_is_the_piece(composition: Composition) -> None:
    """All cells together are what was written."""
    grow(composition, 4 * 32)

    assert composition.share == 1
    assert composition.so_far() == replace(PIECE, key=None)
