"""Undo, redo, and recovery after a crash."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale
from musicrel.errors import GenerationError
from musicrel.score import json_file
from musicrel.ui.app_controller import AppController
from musicrel.ui.document.document import GENERATING
from musicrel.ui.files import recovery
from musicrel.ui.files.recovery import EARLIER, Recovery
from musicrel.ui.jobs.worker import wait_for_all
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.controllers.user_actions import generate, hold, stop
from tests.ui.fakes import TIMEOUT, FakeJobs

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints

CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
LEFT_BEHIND = Chorale.of([[72, 67, 64, 48]] * 16, title="Left behind")


def kept(app_controller: AppController, qtbot: QtBot) -> Path:
    """Return the recovery file after it was written."""
    qtbot.waitUntil(lambda: not app_controller.recovery.recovery.busy)
    return app_controller.recovery.recovery.file


def crashed(name: str = "abc", piece: Chorale = LEFT_BEHIND) -> Path:
    """Write the recovery file of an app that crashed."""
    path = recovery.folder() / f"{name}.json"
    json_file.write(piece, path)
    return path


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
    """The mark of an unsaved piece follows the piece."""
    generate(qtbot, window)
    assert app_controller.document.piece is not None
    app_controller.files.save_as(app_controller.document.piece, tmp_path / "one.mid")
    qtbot.waitUntil(lambda: not app_controller.files.busy)
    generate(qtbot, window)
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


def test_recovery_file_exists_until_the_app_ends(
    app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """Each piece replaces the one before; closing the window removes the file."""
    generate(qtbot, window)
    generate(qtbot, window)
    assert app_controller.document.piece is not None
    path = kept(app_controller, qtbot)
    assert json_file.read(path).title == app_controller.document.piece.title
    assert recovery.find() is None, "a running app's work is nobody's find"

    window.close()
    assert not path.exists()
    assert recovery.find() is None


def test_piece_of_a_crash_is_offered(
    app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """If accepted, it becomes the current piece, unsaved; it is not offered twice."""
    path = crashed()
    app_controller.recovery.offer_recovery()
    assert "“Left behind” can be recovered" in window.compose_page.banner.message
    button = next(
        b for b in window.compose_page.banner.findChildren(QPushButton) if b.text() == "Recover"
    )
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    assert app_controller.document.piece == LEFT_BEHIND
    assert window.isWindowModified()
    assert window.compose_page.banner.message == ""
    assert (path.parent / EARLIER / path.name).is_file()
    assert recovery.find() is None
    kept(app_controller, qtbot)


def test_declined_piece_is_archived(app_controller: AppController, window: MainWindow) -> None:
    """It is not deleted, and not offered again."""
    path = crashed()
    app_controller.recovery.offer_recovery()
    window.compose_page.banner.findChildren(QToolButton)[0].click()

    assert app_controller.document.piece is None
    assert recovery.find() is None
    assert (path.parent / EARLIER / path.name).is_file()


def test_other_messages_and_pieces_keep_the_offer(
    app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """It was not declined."""
    path = crashed()
    app_controller.recovery.offer_recovery()
    app_controller.messages.report("something else")
    assert window.compose_page.banner.message == "Something else"
    window.compose_page.banner.findChildren(QToolButton)[0].click()
    assert "“Left behind” can be recovered" in window.compose_page.banner.message

    app_controller.compose.generate()
    qtbot.waitUntil(lambda: not app_controller.document.generating)
    assert window.compose_page.banner.offer == "Recover"
    assert path.is_file()
    kept(app_controller, qtbot)


def test_accepted_offer_waits_for_the_end_of_a_generation(
    app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The status bar explains what to do."""
    crashed()
    app_controller.recovery.offer_recovery()
    jobs.hold_at = 10
    app_controller.compose.generate()
    assert jobs.waiting.wait(TIMEOUT)
    window.compose_page.banner.accepted.emit()
    assert window.state == GENERATING
    assert window.compose_page.banner.offer == "Recover"

    jobs.gate.set()
    qtbot.waitUntil(lambda: not app_controller.document.generating)
    window.compose_page.banner.accepted.emit()
    assert app_controller.document.piece == LEFT_BEHIND
    kept(app_controller, qtbot)


def test_damaged_recovery_file_is_skipped(home: Path, caplog: pytest.LogCaptureFixture) -> None:
    """An older readable one is found."""
    whole = crashed("whole")
    (recovery.folder() / "half.json").write_text("{")
    found = recovery.find()

    assert found is not None
    assert found.path == whole
    assert "cannot be read" in caplog.text or not caplog.text
    del home


def test_only_the_latest_archived_files_are_kept(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder does not grow without limit."""
    monkeypatch.setattr(recovery, "MAX_KEPT", 2)
    for name in "abc":
        recovery.archive(crashed(name))

    assert len(list((recovery.folder() / EARLIER).glob("*.json"))) == 2
    del home


def test_failing_recovery_file_is_logged(
    home: Path, qtbot: QtBot, caplog: pytest.LogCaptureFixture
) -> None:
    """The app continues without it."""
    home.write_text("a file where the folder should be")
    keeper = Recovery()
    keeper.save(LEFT_BEHIND)

    assert "not saved for recovery" in caplog.text
    assert wait_for_all(keeper.shut_down())
    del qtbot
