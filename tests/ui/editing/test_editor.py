"""Edits that are applied: one step of Undo each, also the first on an empty sheet."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from musicrel.chorale import Chorale
from musicrel.editing.selection import Selection
from musicrel.ui.app_controller import AppController
from tests.ui.editing.conftest import Hand

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints

KEY = Qt.Key


@pytest.fixture
def writing(hand: Hand) -> Hand:
    """Return a user with note input on."""
    hand.window.commands.rewriting.draw.trigger()
    return hand


def step_of(hand: Hand) -> int:
    """Return the step of the cursor."""
    assert hand.input.cursor is not None
    return hand.input.cursor.step


def test_first_note_is_one_step_of_undo(writing: Hand) -> None:
    """Backspace and Undo before it, and keys that change nothing, begin no piece."""
    writing.press(KEY.Key_Backspace)
    writing.type("0")
    assert writing.document.piece is None
    assert writing.document.saved
    assert step_of(writing) == 4
    writing.type("g")
    assert writing.melody() == [(4, 8, 67)]
    writing.document.undo()
    assert writing.melody() == []
    assert writing.document.undo_state is None


def test_overtyped_note_of_the_same_pitch_is_selected_and_played(
    writing: Hand, app_controller: AppController, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It makes no step of Undo."""
    writing.type("ga")
    writing.press(KEY.Key_Home)
    before = writing.document.piece
    played: list[Chorale] = []
    monkeypatch.setattr(app_controller.player, "preview", played.append)
    writing.type("g")
    assert writing.document.piece is before
    assert writing.document.selection == Selection(voices=(0,), start=0, stop=4)
    assert step_of(writing) == 4
    assert [int(piece.pitches[0, 0]) for piece in played] == [67]
