"""Parts of a piece by name."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.chorale import Chorale
from musicrel.errors import UsageError
from musicrel.generation.constraints import regions

PIECE = Chorale.of(
    [[72, 64, 55, 48]] * 8 + [[74, 65, 55, 47]] * 40 + [[72, 64, 55, 48]] * 4, pickup=4
)
"""A pickup of a quarter and three bars of 4/4; the first chord lasts 8 steps, the last one 4."""


def part(steps: slice, *voices: int) -> np.ndarray:
    cells = np.zeros((52, 4), dtype=bool)
    cells[steps, list(voices)] = True
    return cells


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("soprano", part(slice(None), 0)),
        ("S", part(slice(None), 0)),
        ("Alto, tenor", part(slice(None), 1, 2)),
        ("all", part(slice(None), 0, 1, 2, 3)),
        ("1", part(slice(4, 20), 0, 1, 2, 3)),
        ("0-1", part(slice(0, 20), 0, 1, 2, 3)),
        ("2-3", part(slice(20, 52), 0, 1, 2, 3)),
        ("bass:3", part(slice(36, 52), 3)),
        ("a,t:1-2", part(slice(4, 36), 1, 2)),
        ("first", part(slice(0, 8), 0, 1, 2, 3)),
        ("last", part(slice(48, 52), 0, 1, 2, 3)),
        ("soprano:last", part(slice(48, 52), 0)),
    ],
)
def test_parts_are_named_by_voice_bar_and_chord(text: str, expected: np.ndarray) -> None:
    """Bar 0 is the pickup."""
    assert np.array_equal(regions.mask([text], PIECE), expected)


def test_several_parts_are_taken_together() -> None:
    """The mask is their union; no part is an empty mask."""
    both = regions.mask(["soprano", "1"], PIECE)
    assert np.array_equal(both, part(slice(None), 0) | part(slice(4, 20), 0, 1, 2, 3))
    assert not regions.mask([], PIECE).any()


@pytest.mark.parametrize(
    "text", ["", "flute", "soprano,", "soprano:", "soprano:x", "1-", "s:1-2-3"]
)
def test_an_unknown_part_is_refused(text: str) -> None:
    """The message gives examples."""
    with pytest.raises(UsageError, match="names no part of a piece: expected voices, bars or both"):
        regions.mask([text], PIECE)


@pytest.mark.parametrize("text", ["4", "2-4", "3-2", "bass:9"])
def test_bars_outside_the_piece_are_refused(text: str) -> None:
    """The message gives the bars of the piece."""
    with pytest.raises(UsageError, match="not in the piece: expected bars 0 to 3, 0 being the pic"):
        regions.mask([text], PIECE)


def test_a_piece_without_a_pickup_has_no_bar_0() -> None:
    """Its bars count from 1."""
    with pytest.raises(UsageError, match="'0' is not in the piece: expected bars 1 to 3, the low"):
        regions.mask(["0"], PIECE.cropped(4, 52))


def test_cells_that_are_not_rewritten_are_locked() -> None:
    """``keep`` has priority over ``rewrite``; without ``rewrite`` everything else is free."""
    rewritten = regions.free_cells(PIECE, (), ("alto:1-2",))
    both = regions.free_cells(PIECE, ("1",), ("alto:1-2",))
    kept = regions.free_cells(PIECE, ("soprano",), ())

    assert np.array_equal(rewritten, part(slice(4, 36), 1))
    assert np.array_equal(both, part(slice(20, 36), 1))
    assert np.array_equal(kept, ~part(slice(None), 0))
    with pytest.raises(UsageError, match="no part of the piece to rewrite is given"):
        regions.free_cells(PIECE, (), ())
