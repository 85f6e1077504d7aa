"""Undo and redo."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel.errors import GenerationError
from musicrel.score.editing import note_edits
from musicrel.score.editing.draft import Edit
from musicrel.score.editing.notes import Note
from musicrel.ui.app_controller import AppController
from tests.ui.controllers.user_actions import generate
from tests.ui.fakes import TIMEOUT, FakeJobs
from tests.ui.user import User

CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def test_undo_restores_the_piece_before(user: User) -> None:
    user.generate()
    first = user.document.piece
    user.generate()
    second = user.document.piece
    assert user.commands.undo.text() == "&Undo: restore Chorale 7"
    QTest.keyClick(user.window, Qt.Key.Key_Z, CONTROL)

    assert user.document.piece is first is not second
    assert user.page.title.text() == "Chorale 7"
    assert user.state == "Restored Chorale 7"
    assert user.app.player.chorale is first
    QTest.keyClick(user.window, Qt.Key.Key_Z, CONTROL | SHIFT)
    assert user.document.piece is second
    assert not user.commands.redo.isEnabled()


def test_generate_after_undo_takes_a_new_seed(
    app: AppController, jobs: FakeJobs, qtbot: QtBot
) -> None:
    generate(qtbot, app.window)
    first = app.document.piece
    generate(qtbot, app.window)
    app.window.commands.undo.trigger()
    assert app.window.compose_page.controls.compose_form.form().seed == 7
    generate(qtbot, app.window)

    assert jobs.requests[2][2].seed not in {jobs.requests[0][2].seed, jobs.requests[1][2].seed}
    assert not app.window.commands.redo.isEnabled()
    app.window.commands.undo.trigger()
    assert app.document.piece is first


@pytest.mark.parametrize("end", ["stopped", "failed"])
def test_generation_without_notes_restores_the_piece_before(end: str, user: User) -> None:
    user.generate()
    first = user.document.piece
    user.jobs.hold_at = 0
    if end == "failed":
        user.jobs.fail_at, user.jobs.error = 0, GenerationError("the model gives no distribution")
    user.jobs.waiting.clear()
    user.controls.generate_button.click()
    assert user.jobs.waiting.wait(TIMEOUT)
    assert not user.commands.undo.isEnabled()
    if end == "stopped":
        user.stop()
    user.jobs.gate.set()
    user.wait(lambda: not user.document.generating)

    assert user.document.piece is first
    assert user.page.title.text() == "Chorale 7"
    assert user.state == "Restored Chorale 7"
    assert user.window.isWindowModified()
    assert bool(user.message) == (end == "failed")
    assert user.roll.picture is not None
    assert user.roll.picture.notes
    assert not user.commands.redo.isEnabled()


def test_unfinished_piece_is_in_the_history(user: User) -> None:
    user.hold(40)
    user.stop()
    unfinished = user.document.piece
    user.jobs.hold_at = None
    user.generate()
    user.commands.undo.trigger()

    assert user.document.piece is unfinished


def test_edits_are_named(user: User) -> None:
    user.generate()
    document = user.document
    assert document.piece is not None
    document.apply(note_edits.put(document.piece, Note(16, 20, 81, 0)))
    document.apply(Edit(piece=replace(document.piece, title="Air & Song")))
    undo, redo = user.commands.undo, user.commands.redo
    assert undo.text() == "&Undo: title"
    undo.trigger()
    assert user.state == "Undone: title"
    assert redo.text() == "&Redo: title"
    assert undo.text() == "&Undo: new note of the soprano in bar 2"
    undo.trigger()
    assert document.selection is not None
    assert (document.selection.voices, document.selection.start) == ((0,), 16)
    redo.trigger()
    assert user.state == "Redone: new note of the soprano in bar 2"


def test_steps_that_keep_the_piece_are_named(user: User) -> None:
    user.generate()
    user.generate()
    undo, redo = user.commands.undo, user.commands.redo
    user.document.delete_takes({1})
    assert undo.text() == "&Undo: restore takes"
    undo.trigger()
    assert user.state == "Takes restored"
    assert redo.text() == "&Redo: delete takes"
    redo.trigger()
    assert user.state == "Takes deleted"

    user.document.set_locks(np.ones((32, 4), dtype=bool))
    assert undo.text() == "&Undo: locks"
    undo.trigger()
    assert user.state == "Locks restored"
