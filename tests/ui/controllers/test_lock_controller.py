"""Locks: set, undone, saved."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale, Voice
from musicrel.score import files
from musicrel.ui.actions.rewrite_commands import RewriteCommands
from musicrel.ui.app_controller import AppController
from musicrel.ui.controllers import lock_controller as locks_module
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.controllers.user_actions import INNER

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints


def test_selection_is_locked_and_unlocked(
    act: RewriteCommands, app_controller: AppController, window: MainWindow
) -> None:
    """Roll, status line and the description of a note show it."""
    window.compose_page.selecting.select(INNER)
    act.lock.trigger()

    cells = app_controller.document.locks
    assert cells is not None
    assert (int(cells.sum()), act.lock.isChecked()) == (16, True)
    assert "part of Alto and Tenor" in window.compose_page.strip.status.text()
    assert window.compose_page.roll.decor.locked
    act.lock.trigger()
    assert not app_controller.document.locks.any()  # type: ignore[union-attr]
    assert not window.compose_page.roll.decor.locked


def test_voices_and_chords_are_locked_by_menu_and_legend(
    act: RewriteCommands, app_controller: AppController, window: MainWindow
) -> None:
    """A click on a voice of the legend locks the whole voice, like its shortcut."""
    legend = window.compose_page.legend
    legend.resize(legend.sizeHint())
    QTest.mouseClick(legend, Qt.MouseButton.LeftButton, pos=QPoint(legend.width() - 20, 8))
    act.voices[Voice.SOPRANO].trigger()
    act.last_chord.trigger()

    cells = app_controller.document.locks
    assert cells is not None
    assert cells[:, [0, 3]].all()
    assert cells[-1].all()
    assert not cells[0, 1:3].any()
    assert [action.isChecked() for action in act.voices] == [True, False, False, True]
    assert legend.accessibleDescription() == "Locked: Soprano, Bass"
    act.unlock.trigger()
    assert not app_controller.document.locks.any()  # type: ignore[union-attr]


def test_locks_are_undone_and_stay_with_their_piece(
    act: RewriteCommands, app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """Another piece has no locks; undo restores the piece with its locks."""
    act.voices[0].trigger()
    first = app_controller.document.piece
    app_controller.compose.generate()
    qtbot.waitUntil(
        lambda: app_controller.document.piece is not None and not app_controller.document.generating
    )
    assert app_controller.document.locks is not None
    assert not app_controller.document.locks.any()

    window.commands.undo.trigger()
    assert app_controller.document.piece is first
    assert app_controller.document.locks[:, 0].all()
    assert window.commands.undo.text() == "&Undo: locks"
    window.commands.undo.trigger()
    assert app_controller.document.piece is first
    assert not app_controller.document.locks.any()
    window.commands.redo.trigger()
    assert app_controller.document.locks[:, 0].all()


def test_locks_are_saved_and_restored(
    act: RewriteCommands, app_controller: AppController, qtbot: QtBot, tmp_path: Path
) -> None:
    """They are stored in the provenance."""
    act.voices[3].trigger()
    piece = app_controller.document.piece
    assert piece is not None
    app_controller.files.export(piece, tmp_path / "locked.mid")
    qtbot.waitUntil(lambda: not app_controller.files.busy)

    again = files.read(tmp_path / "locked.mid")
    assert again.provenance is not None
    assert again.provenance.settings["locked"] == [[3, 0, 32]]
    app_controller.projects.open(tmp_path / "locked.mid")
    qtbot.waitUntil(lambda: not app_controller.files.busy)
    assert app_controller.document.locks is not None
    assert np.flatnonzero(app_controller.document.locks.all(axis=0)).tolist() == [3]


def test_disabled_lock_commands_give_their_reason(
    app_controller: AppController, window: MainWindow
) -> None:
    """No piece, no selection, or no locks."""
    act = window.commands.rewriting
    assert act.lock.toolTip() == act.voices[0].toolTip() == locks_module.NO_PIECE
    app_controller.document.show_piece(Chorale.of([(72, 67, 64, 48)] * 8))
    assert act.lock.toolTip() == locks_module.NO_SELECTION
    assert act.unlock.toolTip() == locks_module.NOTHING_LOCKED
