"""The dialog of key and tempo at the selection."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.chorale import Chorale, Key, Mark, Voice
from musicrel.score.editing.selection import Selection
from musicrel.ui.app_controller import AppController
from musicrel.ui.editing.marks import MarksDialog

PIECE = Chorale.of(np.repeat([[72, 67, 64, 48]], 48, axis=0), key=Key("C", "major"))
PLACE = Selection(voices=(0,), start=24, stop=32)


@pytest.fixture
def dialog(app: AppController) -> MarksDialog:
    app.document.show_piece(PIECE)
    app.document.select(PLACE)
    return asked(app)


def asked(app: AppController) -> MarksDialog:
    app.window.commands.edit.marks.trigger()
    dialog = app.marks.dialog
    assert dialog is not None
    return dialog


def test_key_tempo_dynamic_ritardando_and_hairpin_are_one_step_of_undo(
    app: AppController, dialog: MarksDialog
) -> None:
    dialog.key.set_value(Key("G", "major"))
    dialog.tempo.setValue(96)
    dialog.percent.setValue(60)
    dialog.dynamic.set_value("p")
    dialog.hairpin.set_value("diminuendo")
    dialog.action_button.click()

    piece = app.document.piece
    assert piece is not None
    assert piece.marks == (
        Mark(kind="key", start=16, stop=16, value=Key("G", "major")),
        Mark(kind="tempo", start=24, stop=24, value=96.0),
        Mark(kind="dynamic", start=24, stop=24, value="p"),
        Mark(kind="slowing", start=24, stop=32, value=60.0),
        Mark(kind="hairpin", start=24, stop=32, value="diminuendo"),
    )
    assert app.document.selection == PLACE
    app.document.undo()
    assert app.document.piece == PIECE


def test_the_dialog_shows_what_is_there_and_undo_names_what_changed(
    app: AppController, dialog: MarksDialog
) -> None:
    dialog.percent.setValue(60)
    dialog.action_button.click()
    assert app.window.commands.undo.text() == "&Undo: ritardando"

    again = asked(app)
    assert (again.key.value(), again.tempo.value(), again.percent.value()) == (PIECE.key, 80, 60)
    again.percent.setValue(100)
    again.action_button.click()
    assert app.document.piece == PIECE


def test_the_dialog_removes_a_hairpin(app: AppController, dialog: MarksDialog) -> None:
    dialog.hairpin.set_value("crescendo")
    dialog.action_button.click()
    assert app.window.commands.undo.text() == "&Undo: hairpin"

    again = asked(app)
    assert again.hairpin.value() == "crescendo"
    again.hairpin.set_value("")
    again.action_button.click()
    assert app.document.piece == PIECE


def test_a_slur_comes_and_goes_with_its_command(app: AppController) -> None:
    pitches = np.repeat([[72, 67, 64, 48], [74, 67, 62, 48]], 8, axis=0)
    app.document.show_piece(Chorale.of(pitches))
    app.document.select(Selection(voices=(0, 1, 2), start=0, stop=16))
    app.window.commands.edit.slur.trigger()
    piece = app.document.piece
    assert piece is not None
    assert [mark.value for mark in piece.marks] == [Voice.SOPRANO, Voice.TENOR]
    assert app.window.commands.undo.text() == "&Undo: slur"
    app.window.commands.edit.slur.trigger()
    assert app.document.piece == Chorale.of(pitches)


def test_the_dialog_changes_nothing_by_itself(app: AppController, dialog: MarksDialog) -> None:
    dialog.action_button.click()
    assert app.document.piece is PIECE
