"""Analyses of one piece by two models."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.chorale import Chorale
from musicrel.presentation.attention.piece_analysis import PieceAnalysis

STEPS = 32
CELLS = 4 * STEPS


def read(model: str, nats: float, back: int, piece: Chorale) -> PieceAnalysis:
    """Return an analysis by one head that attends ``back`` cells back, with the same surprisal."""
    found = PieceAnalysis(piece, model, 1, 1, wrote=False)
    for cell in range(4 * piece.steps):
        row = np.zeros((1, 1, cell + 1), dtype=np.float32)
        row[0, 0, max(cell + 1 - back, 0)] = 1
        found.add(row, nats=nats)
    return found


@pytest.fixture
def piece() -> Chorale:
    """Return two bars in which each voice holds one note."""
    return Chorale.of(np.tile([[72, 67, 64, 48]], (STEPS, 1)), title="Two bars")


@pytest.fixture
def pair(piece: Chorale) -> tuple[PieceAnalysis, PieceAnalysis]:
    """Return A, which attends to the cell before, and B, which attends to the step before.

    B needs half a nat more for each cell.
    """
    return read("relative", 0.5, 1, piece), read("vanilla", 1.0, 4, piece)
