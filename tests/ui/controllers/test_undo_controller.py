"""Undo and redo."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel.editing import note_edits
from musicrel.editing.edit import Edit
from musicrel.editing.notes import Note
from musicrel.errors import GenerationError
from musicrel.ui.app_controller import AppController
from musicrel.ui.document import edits
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.controllers.user_actions import generate, hold, stop
from tests.ui.fakes import TIMEOUT, FakeJobs

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints

CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def test_undo_restores_the_piece_before(
    app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """Ctrl+Z restores it with its form, Ctrl+Shift+Z the later one."""
    generate(qtbot, window)
    first = app_controller.document.piece
    generate(qtbot, window)
    second = app_controller.document.piece
    assert window.commands.undo.text() == "&Undo: restore Chorale 7"
    QTest.keyClick(window, Qt.Key.Key_Z, CONTROL)

    assert app_controller.document.piece is first is not second
    assert window.compose_page.title.text() == "Chorale 7"
    assert window.state == "Restored Chorale 7"
    assert app_controller.player.chorale is first
    QTest.keyClick(window, Qt.Key.Key_Z, CONTROL | SHIFT)
    assert app_controller.document.piece is second
    assert not window.commands.redo.isEnabled()


def test_generate_after_undo_takes_a_new_seed(
    app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The form is the one of the restored piece; there is nothing to redo."""
    generate(qtbot, window)
    first = app_controller.document.piece
    generate(qtbot, window)
    window.commands.undo.trigger()
    assert window.compose_page.controls.compose_form.form().seed == 7
    generate(qtbot, window)

    assert jobs.requests[2][2].seed not in {jobs.requests[0][2].seed, jobs.requests[1][2].seed}
    assert not window.commands.redo.isEnabled()
    window.commands.undo.trigger()
    assert app_controller.document.piece is first


def test_saved_state_is_restored(
    app_controller: AppController, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    """The mark of unsaved changes follows the piece."""
    generate(qtbot, window)
    piece = app_controller.document.piece
    assert piece is not None
    app_controller.projects.save_as(tmp_path / "one.musicrel")
    app_controller.document.show_piece(piece.transposed(1))
    assert window.isWindowModified()

    window.commands.undo.trigger()
    assert not window.isWindowModified()
    window.commands.redo.trigger()
    assert window.isWindowModified()


@pytest.mark.parametrize("end", ["stopped", "failed"])
def test_generation_without_notes_restores_the_piece_before(
    end: str, app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """This holds for Stop and for a failure; nothing has to be undone."""
    generate(qtbot, window)
    first = app_controller.document.piece
    jobs.hold_at = 0
    if end == "failed":
        jobs.fail_at, jobs.error = 0, GenerationError("the model gives no distribution")
    jobs.waiting.clear()
    window.compose_page.controls.generate_button.click()
    assert jobs.waiting.wait(TIMEOUT)
    assert not window.commands.undo.isEnabled()
    if end == "stopped":
        stop(qtbot, window, jobs)
    jobs.gate.set()
    qtbot.waitUntil(lambda: not app_controller.document.generating)

    assert app_controller.document.piece is first
    assert window.compose_page.title.text() == "Chorale 7"
    assert window.state == "Restored Chorale 7"
    assert window.isWindowModified()
    assert bool(window.compose_page.banner.message) == (end == "failed")
    assert window.compose_page.roll.picture is not None
    assert window.compose_page.roll.picture.notes
    assert not window.commands.redo.isEnabled()


def test_undo_without_a_piece_restores_the_last_one(
    app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """It works for every way to remove a piece."""
    generate(qtbot, window)
    first = app_controller.document.piece
    app_controller.document.set_aside()
    assert app_controller.document.piece is None

    window.commands.undo.trigger()
    assert app_controller.document.piece is first


def test_unfinished_piece_is_in_the_history(
    app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """It can be restored like others."""
    hold(qtbot, window, jobs, 40)
    stop(qtbot, window, jobs)
    unfinished = app_controller.document.piece
    jobs.hold_at = None
    generate(qtbot, window)
    window.commands.undo.trigger()

    assert app_controller.document.piece is unfinished


def test_edits_are_named(app_controller: AppController, window: MainWindow, qtbot: QtBot) -> None:
    """Undo and Redo name an edit, and select its notes."""
    generate(qtbot, window)
    document = app_controller.document
    assert document.piece is not None
    edits.apply(document, note_edits.put(document.piece, Note(16, 20, 81, 0)))
    edits.apply(document, Edit(piece=replace(document.piece, title="Air & Song")))
    undo, redo = window.commands.undo, window.commands.redo
    assert undo.text() == "&Undo: title"
    undo.trigger()
    assert window.state == "Undone: title"
    assert redo.text() == "&Redo: title"
    assert undo.text() == "&Undo: new note of the soprano in bar 2"
    undo.trigger()
    assert document.selection is not None
    assert (document.selection.voices, document.selection.start) == ((0,), 16)
    redo.trigger()
    assert window.state == "Redone: new note of the soprano in bar 2"


def test_steps_that_keep_the_piece_are_named(
    app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """Locks and deleted takes have names of their own, in the menu and in the status bar."""
    generate(qtbot, window)
    generate(qtbot, window)
    undo, redo = window.commands.undo, window.commands.redo
    app_controller.document.delete_takes({1})
    assert undo.text() == "&Undo: restore takes"
    undo.trigger()
    assert window.state == "Takes restored"
    assert redo.text() == "&Redo: delete takes"
    redo.trigger()
    assert window.state == "Takes deleted"

    app_controller.document.set_locks(np.ones((32, 4), dtype=bool))
    assert undo.text() == "&Undo: locks"
    undo.trigger()
    assert window.state == "Locks restored"
