"""Analyses for tests of the attention page, and the page with an opened piece."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from musicrel.chorale import Chorale
from musicrel.presentation.attention.piece_analysis import PieceAnalysis
from musicrel.ui.controllers.attention_controller import AttentionController
from tests.ui.fakes import earlier_piece
from tests.ui.user import User

BARS = 2
CELLS = 64 * BARS

Analyse = Callable[[int], PieceAnalysis]


def add_cells(analysis: PieceAnalysis, cells: int, nats: float = 1.0) -> None:
    """Extend an analysis to ``cells``: head n of layer m attends to n + 2 m + 1 columns back."""
    for cell in range(analysis.cells, cells):
        row = np.zeros((2, 2, cell + 1), dtype=np.float32)
        for head in range(4):
            row[head // 2, head % 2, max(cell - head, 0)] = 1
        analysis.add(row, nats=nats)


@pytest.fixture
def analyse() -> Analyse:
    def analysed(cells: int = CELLS) -> PieceAnalysis:
        piece = Chorale.of(np.tile([[72, 67, 64, 48]], (16 * BARS, 1)), title="Two bars")
        analysis = PieceAnalysis(piece, "full", 2, 2, wrote=True)
        add_cells(analysis, cells)
        return analysis

    return analysed


@pytest.fixture
def analysis(analyse: Analyse) -> PieceAnalysis:
    return analyse(CELLS)


@pytest.fixture
def opened(attention: AttentionController, user: User) -> AttentionController:
    user.document.show_piece(earlier_piece(), action="opened")
    user.wait(lambda: attention.shown is not None)
    return attention
