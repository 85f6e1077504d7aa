"""The dialog that transposes the whole piece."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.chorale import Chorale, Key
from musicrel.score.editing.selection import Selection
from musicrel.ui.app_controller import AppController
from musicrel.ui.editing.transposition import (
    ALL_FIT,
    ALREADY_FITS,
    SOME_OUTSIDE,
    TranspositionDialog,
)

G_MAJOR = Chorale.of(np.repeat([[74, 67, 59, 43]], 16, axis=0), key=Key("G", "major"))


def asked(app: AppController, piece: Chorale) -> TranspositionDialog:
    app.document.show_piece(piece)
    app.window.commands.edit.transpose.trigger()
    dialog = app.transposition.dialog
    assert dialog is not None
    return dialog


def test_a_piece_goes_down_a_whole_tone_with_its_key(app: AppController) -> None:
    dialog = asked(app, G_MAJOR)
    app.document.select(Selection(voices=(1,), start=0, stop=4))
    assert dialog.interval.currentText() == "Down a whole tone, to F major"
    dialog.action_button.click()

    piece = app.document.piece
    assert piece == G_MAJOR.transposed(-2)
    assert piece.key == Key("F", "major")
    assert app.document.selection == Selection(voices=(1,), start=0, stop=4)
    assert app.window.commands.undo.text() == "&Undo: transposed notes in bar 1"
    app.document.undo()
    assert app.document.piece == G_MAJOR


def test_a_piece_that_lies_too_high_is_moved_to_fit_the_voices(app: AppController) -> None:
    dialog = asked(app, G_MAJOR.transposed(10))
    assert dialog.interval.currentText() == "Down a minor third, to D major"
    assert dialog.note.text() == ALL_FIT
    dialog.interval.set_value(-1)
    assert dialog.note.text() == SOME_OUTSIDE.format(counts="Soprano 1 note")
    dialog.fit.click()
    assert dialog.semitones == -3
    dialog.reject()
    assert app.transposition.dialog is None


def test_an_interval_is_refused_that_fits_no_format(app: AppController) -> None:
    dialog = asked(app, Chorale.of(np.full((16, 4), 120)))
    dialog.interval.set_value(12)
    assert not dialog.action_button.isEnabled()
    assert "higher than G9" in dialog.action_button.toolTip()
    dialog.reject()


def test_a_piece_that_fits_is_not_moved_to_fit(app: AppController) -> None:
    dialog = asked(app, G_MAJOR)
    assert (dialog.fit.isEnabled(), dialog.fit.toolTip()) == (False, ALREADY_FITS)
    dialog.reject()


def test_another_piece_closes_the_dialog(app: AppController) -> None:
    asked(app, G_MAJOR)
    app.document.show_piece(G_MAJOR.transposed(1))
    assert app.transposition.dialog is None


@pytest.mark.parametrize("key", [None, Key("C", "minor")])
def test_intervals_name_the_new_key_if_there_is_one(app: AppController, key: Key | None) -> None:
    dialog = asked(app, Chorale.of(G_MAJOR.pitches, key=key))
    dialog.interval.set_value(4)
    wanted = "Up a major third" if key is None else "Up a major third, to E minor"
    assert dialog.interval.currentText() == wanted
    dialog.reject()
