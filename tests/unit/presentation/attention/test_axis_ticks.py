"""Ticks of attention maps."""

from __future__ import annotations

import numpy as np

from musicrel.chorale import Chorale
from musicrel.presentation.attention.axis_ticks import bar_ticks, ticks, voice_ticks

PIECE = Chorale.of(np.full((36, 4), 60), pickup=4)


def test_ticks_are_bars() -> None:
    """Places are cells; the pickup comes before bar 1."""
    assert ticks(PIECE, 144) == ((16, "1"), (80, "2"))


def test_ticks_of_a_small_part_are_beats() -> None:
    """Bar and beat are separated by a point."""
    assert ticks(PIECE, 40)[:3] == ((0, "0.4"), (16, "1.1"), (32, "1.2"))


def test_bars_of_a_long_piece_are_skipped() -> None:
    """In a part of the piece there is room for more of them."""
    piece = Chorale.of(np.full((64 * 16, 4), 60))

    assert [label for _, label in bar_ticks(piece, most=8)] == ["1", "9", "17", "25", "33", "41",
                                                                 "49", "57"]  # fmt: skip
    assert len(ticks(piece, 4096)) == 8
    assert len(ticks(piece, 1024)) == 32


def test_voices_are_named_in_the_middle_of_their_cells() -> None:
    """There are none before the first cell."""
    assert voice_ticks(-1, 5) == ((0.5, "S"), (1.5, "A"), (2.5, "T"), (3.5, "B"), (4.5, "S"))
