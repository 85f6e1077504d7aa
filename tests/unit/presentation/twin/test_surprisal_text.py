"""The surprisal of two pieces in words."""

from __future__ import annotations

import numpy as np

from musicrel.generation.twin.cross_surprisal import CrossSurprisal
from musicrel.presentation.twin import surprisal_text

FOUND = CrossSurprisal(
    nats={
        ("A", "A"): np.full((2, 4), 0.41),
        ("A", "B"): np.full((2, 4), 0.55),
        ("B", "A"): np.full((2, 4), 0.62),
        ("B", "B"): np.full((2, 4), 0.47),
    }
)


def test_a_line_about_each_piece() -> None:
    """Under itself first, then under the other model."""
    assert surprisal_text.lines(FOUND) == (
        "A: 0.41 nats per note under itself, 0.55 under B",
        "B: 0.47 nats per note under itself, 0.62 under A",
    )


def test_both_in_one_line() -> None:
    """The same four numbers."""
    assert surprisal_text.short(FOUND) == (
        "Nats per note: A 0.41, under B 0.55; B 0.47, under A 0.62"
    )
