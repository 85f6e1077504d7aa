"""Pieces and rows of takes, and the app with two takes."""

from __future__ import annotations

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale
from musicrel.project.take_table import TakeRow
from musicrel.ui.app_controller import AppController
from musicrel.ui.takes.takes_view import TakesView

_CHORDS = np.full((64, 4), [72, 67, 64, 48])
_OTHER = _CHORDS.copy()
_OTHER[20:36, 1] = 69

FIRST = Chorale.of(_CHORDS, title="Air")
REWRITTEN = Chorale.of(_OTHER, title="Air, rewritten")
"""Differs in the alto from step 20 to step 36, which cuts a note of 64 steps into three."""


def rows(count: int, piece: Chorale = FIRST) -> list[TakeRow]:
    return [
        TakeRow(
            number=number,
            name=f"Take {number}",
            rating=number % 4,
            current=number == count,
            origin="generated",
            source="",
            piece=piece,
            before=None,
        )
        for number in range(count, 0, -1)
    ]


@pytest.fixture
def view(app: AppController, qtbot: QtBot) -> TakesView:
    app.window.resize(1320, 840)
    app.document.show_piece(FIRST, action="generated")
    app.document.show_piece(REWRITTEN, action="rewritten")
    app.window.commands.takes.show.setChecked(True)
    view = app.window.takes.view
    qtbot.waitUntil(lambda: view.takes.rowCount() == 2)
    return view
