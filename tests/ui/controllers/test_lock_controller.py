"""Locks: set, undone, saved."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from musicrel.chorale import Chorale, Voice
from musicrel.score import files
from musicrel.ui.actions import commands
from tests.ui.controllers.user_actions import INNER
from tests.ui.user import User


def test_selection_is_locked_and_unlocked(written: User) -> None:
    written.app.document.select(INNER)
    written.act.lock.trigger()

    cells = written.document.locks
    assert cells is not None
    assert (int(cells.sum()), written.act.lock.isChecked()) == (16, True)
    assert "part of Alto and Tenor" in written.strip.status.text()
    assert written.page.roll.layers.decor.locked
    written.act.lock.trigger()
    assert not written.document.locks.any()  # type: ignore[union-attr]
    assert not written.page.roll.layers.decor.locked


def test_voices_and_chords_are_locked_by_menu_and_legend(written: User) -> None:
    legend = written.page.legend
    legend.resize(legend.sizeHint())
    QTest.mouseClick(legend, Qt.MouseButton.LeftButton, pos=QPoint(legend.width() - 20, 8))
    written.act.voices[Voice.SOPRANO].trigger()
    written.act.last_chord.trigger()

    cells = written.document.locks
    assert cells is not None
    assert cells[:, [0, 3]].all()
    assert cells[-1].all()
    assert not cells[0, 1:3].any()
    assert [action.isChecked() for action in written.act.voices] == [True, False, False, True]
    assert legend.accessibleDescription() == "Locked: Soprano, Bass"
    written.act.unlock.trigger()
    assert not written.document.locks.any()  # type: ignore[union-attr]


def test_locks_are_undone_and_stay_with_their_piece(written: User) -> None:
    """Another piece has no locks; undo restores the piece with its locks."""
    written.act.voices[0].trigger()
    first = written.document.piece
    written.app.writing.generate()
    written.wait(lambda: written.document.piece is not None and not written.document.generating)
    assert written.document.locks is not None
    assert not written.document.locks.any()

    written.window.commands.undo.trigger()
    assert written.document.piece is first
    assert written.document.locks[:, 0].all()
    assert written.window.commands.undo.text() == "&Undo: locks"
    written.window.commands.undo.trigger()
    assert written.document.piece is first
    assert not written.document.locks.any()
    written.window.commands.redo.trigger()
    assert written.document.locks[:, 0].all()


def test_locks_are_saved_and_restored(written: User, tmp_path: Path) -> None:
    written.act.voices[3].trigger()
    piece = written.document.piece
    assert piece is not None
    written.app.files.export(piece, tmp_path / "locked.mid")
    written.wait(lambda: not written.app.files.worker.busy)

    again = files.read(tmp_path / "locked.mid")
    assert again.provenance is not None
    assert again.provenance.settings["locked"] == [[3, 0, 32]]
    written.app.projects.open(tmp_path / "locked.mid")
    written.wait(lambda: not written.app.files.worker.busy)
    assert written.document.locks is not None
    assert np.flatnonzero(written.document.locks.all(axis=0)).tolist() == [3]


def test_disabled_lock_commands_give_their_reason(user: User) -> None:
    assert user.act.lock.toolTip() == user.act.voices[0].toolTip() == commands.NOTHING_TO_LOCK
    user.document.show_piece(Chorale.of([(72, 67, 64, 48)] * 8))
    assert user.act.lock.toolTip() == commands.NO_SELECTION
    assert user.act.unlock.toolTip() == commands.NOTHING_LOCKED
