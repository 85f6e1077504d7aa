"""Maps at a lower resolution."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.presentation.attention.attention_record import Levels
from musicrel.presentation.attention.downsampled_map import DownsampledMap

SIZES = [1, 7, 30, 50, 99, 100, 500]


def random_map(cells: int) -> Levels:
    """Return a map without attention to the future."""
    levels = np.random.default_rng(0).integers(0, 256, (cells, cells), dtype=np.uint8)
    return np.tril(levels)


def test_pixels_are_levels_where_there_is_room() -> None:
    """A weight of 0 has level 1; a future cell, or one not generated yet, has 0."""
    image = DownsampledMap(3, 10)
    image.update(np.array([[9, 0], [0, 7]], dtype=np.uint8))

    assert image.pixels.tolist() == [[9, 0, 0], [1, 7, 0], [0, 0, 0]]


@pytest.mark.parametrize("size", SIZES)
def test_pixel_is_the_maximum_of_its_cells(size: int) -> None:
    """At any resolution, a single large weight is visible once."""
    levels = np.zeros((100, 100), dtype=np.uint8)
    levels[70, 20] = 200
    image = DownsampledMap(100, size)
    image.update(levels)

    side = min(size, 100)
    assert image.pixels.shape == (side, side)
    assert image.pixels[70 * side // 100, 20 * side // 100] == 200
    assert (image.pixels == 200).sum() == 1


@pytest.mark.parametrize("size", SIZES)
def test_map_grows_row_by_row(size: int) -> None:
    """The pixels are those of a map that is known at once."""
    levels, at_once, grown = random_map(100), DownsampledMap(100, size), DownsampledMap(100, size)
    at_once.update(levels)
    for cells in (0, 1, 2, 3, 20, 21, 99, 100):
        grown.update(levels[:cells, :cells])

    assert (grown.pixels == at_once.pixels).all()


def test_pixels_are_updated_in_place() -> None:
    """An image that shows them needs no new array."""
    image = DownsampledMap(100, 10)
    pixels = image.pixels
    image.update(random_map(100))

    assert image.pixels is pixels
    assert pixels.any()


def test_maps_of_all_heads_are_downsampled_together() -> None:
    """Each is what it is alone."""
    levels, alone, stack = random_map(60), DownsampledMap(60, 9), DownsampledMap(60, 9, 2, 3)
    alone.update(levels)
    stack.update(np.broadcast_to(levels, (2, 3, 60, 60)))

    assert stack.pixels.shape == (2, 3, 9, 9)
    assert (stack.pixels == alone.pixels).all()
