"""The visible part of a map, and its pixels."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.chorale import Chorale
from musicrel.presentation.attention.map_window import MapWindow, downsample_max, ticks

WHOLE = MapWindow.whole(100)


def test_zoom_keeps_the_dot_under_the_mouse() -> None:
    """And stays inside the map."""
    near = WHOLE.zoomed(2, across=0.4, down=0.8)

    assert near.span == 50
    assert near.cell_at(0.4, 0.8) == WHOLE.cell_at(0.4, 0.8) == (80, 40)
    assert near.zoomed(0.1) == WHOLE
    assert MapWindow.whole(100).zoomed(1e9).span == 16
    assert MapWindow.whole(5).zoomed(2).span == 5


def test_window_is_scrolled_inside_the_map() -> None:
    """No further than its edges."""
    near = WHOLE.zoomed(2)

    assert (near.moved(1000, -1000).top, near.moved(1000, -1000).left) == (50, 0)
    assert near.moved(3, 4).cell_at(0.0, 0.0) == (28, 29)


def test_last_dot_is_inside() -> None:
    """Also at the very edge of the picture."""
    assert WHOLE.cell_at(1.0, 1.0) == (99, 99)


def test_pixels_are_levels_and_nothing_is_zero() -> None:
    """Weights of 0 that a cell could have given differ from a future it could not see."""
    levels = np.array([[9, 0, 0], [0, 7, 0]], dtype=np.uint8)
    downsampled = downsample_max(levels[:, :2], MapWindow.whole(3), 10)

    assert downsampled.cells == 1
    assert downsampled.levels.tolist() == [[9, 0, 0], [1, 7, 0], [0, 0, 0]]


@pytest.mark.parametrize("size", [1, 7, 30, 50, 99])
def test_dot_is_the_strongest_of_what_it_covers(size: int) -> None:
    """However many there is room for, the one strong weight is seen."""
    levels = np.zeros((100, 100), dtype=np.uint8)
    levels[70, 20] = 200
    downsampled = downsample_max(levels, WHOLE, size)

    assert len(downsampled.levels) <= size
    assert downsampled.levels[70 // downsampled.cells, 20 // downsampled.cells] == 200
    assert (downsampled.levels == 200).sum() == 1


def test_part_of_a_map_has_its_own_future() -> None:
    """The diagonal runs where it does in the whole map."""
    levels = np.tril(np.full((100, 100), 5, dtype=np.uint8))
    whole = downsample_max(levels, WHOLE, 100).levels
    part = downsample_max(levels, MapWindow(tokens=100, top=40, left=30, span=20), 100).levels

    assert (part == whole[40:60, 30:50]).all()


def test_map_that_has_just_begun_is_drawn() -> None:
    """With no row at all, too."""
    none = np.zeros((0, 0), dtype=np.uint8)

    assert not downsample_max(none, WHOLE, 60).levels.any()


def test_marks_are_bars_and_near_by_beats() -> None:
    """In cells; a pickup's beat comes before bar 1."""
    piece = Chorale.of(np.full((36, 4), 60), pickup=4)
    whole = MapWindow.whole(144)

    assert [(tick.place, tick.label) for tick in ticks(piece, whole, 8)] == [(16, "1"), (80, "2")]
    near = ticks(piece, whole.zoomed(9), 8)
    assert [tick.label for tick in near][:4] == ["0.4", "1.1", "1.2", "1.3"]
    assert near[1].place == 16
