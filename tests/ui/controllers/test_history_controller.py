"""Undo, redo, and what is left after a crash."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot
from tests.ui.controllers.test_compose_controller import generate, hold, stop

from musicrel.chorale import Chorale
from musicrel.errors import GenerationError
from musicrel.score import json_file
from musicrel.ui.app_controller import House
from musicrel.ui.controllers.file_controller import NOT_NOW
from musicrel.ui.files import recovery
from musicrel.ui.files.recovery import EARLIER, Recovery
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.fakes import PATIENCE, FakeJobs

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints

CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
LEFT_BEHIND = Chorale.of([[72, 67, 64, 48]] * 16, title="Left behind")


def kept(house: House, qtbot: QtBot) -> Path:
    """The file of the last work, written."""
    qtbot.waitUntil(lambda: not house.keeping.recovery.busy)
    return house.keeping.recovery.file


def crashed(name: str = "abc", piece: Chorale = LEFT_BEHIND) -> Path:
    """What an app that crashed has left."""
    path = recovery.folder() / f"{name}.json"
    json_file.write(piece, path)
    return path


def test_generate_never_loses_the_piece_before(
    house: House, window: MainWindow, qtbot: QtBot
) -> None:
    """Ctrl+Z brings it back, its form too, and Ctrl+Shift+Z the later one."""
    generate(qtbot, window)
    first = house.studio.piece
    generate(qtbot, window)
    second = house.studio.piece
    assert window.commands.undo.text() == "&Undo: bring back Chorale 7"
    QTest.keyClick(window, Qt.Key.Key_Z, CONTROL)

    assert house.studio.piece is first is not second
    assert window.page.title.whole == "Chorale 7"
    assert window.state == "Back to Chorale 7"
    assert house.listening._player.chorale is first
    QTest.keyClick(window, Qt.Key.Key_Z, CONTROL | SHIFT)
    assert house.studio.piece is second
    assert not window.commands.redo.isEnabled()


def test_piece_after_undo_asks_for_another(
    house: House, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The form is that of the piece that came back, so its seed is rolled; none is lost."""
    generate(qtbot, window)
    generate(qtbot, window)
    later = house.studio.piece
    window.commands.undo.trigger()
    generate(qtbot, window)

    assert jobs.asked[2][2].seed not in {jobs.asked[0][2].seed, jobs.asked[1][2].seed}
    window.commands.redo.trigger()
    assert house.studio.piece is later


def test_saved_is_not_asked_again(
    house: House, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    """The mark of an unsaved piece comes and goes with the piece."""
    generate(qtbot, window)
    assert house.studio.piece is not None
    house.filing.save_as(house.studio.piece, tmp_path / "one.mid")
    qtbot.waitUntil(lambda: not house.filing.busy)
    generate(qtbot, window)
    assert window.isWindowModified()

    window.commands.undo.trigger()
    assert not window.isWindowModified()
    window.commands.redo.trigger()
    assert window.isWindowModified()


@pytest.mark.parametrize("end", ["stopped", "failed"])
def test_a_piece_that_came_to_nothing_leaves_the_one_before(
    end: str, house: House, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """Where writing ended before its first note; a failure is told, nothing has to be undone."""
    generate(qtbot, window)
    first = house.studio.piece
    jobs.hold_at = 0
    if end == "failed":
        jobs.fail_at, jobs.error = 0, GenerationError("the model gives no distribution")
    jobs.waiting.clear()
    window.page.controls.main.click()
    assert jobs.waiting.wait(PATIENCE)
    assert not window.commands.undo.isEnabled()
    if end == "stopped":
        stop(qtbot, window, jobs)
    jobs.gate.set()
    qtbot.waitUntil(lambda: not house.studio.busy)

    assert house.studio.piece is first
    assert window.page.title.whole == "Chorale 7"
    assert window.state == "Back to Chorale 7"
    assert window.isWindowModified()
    assert bool(window.page.banner.sentence) == (end == "failed")
    assert window.page.roll.picture is not None
    assert window.page.roll.picture.notes
    assert not window.commands.redo.isEnabled()


def test_undo_brings_the_last_piece_back_to_an_empty_sheet(
    house: House, window: MainWindow, qtbot: QtBot
) -> None:
    """However it became empty."""
    generate(qtbot, window)
    first = house.studio.piece
    house.studio.clear()
    assert house.studio.piece is None

    window.commands.undo.trigger()
    assert house.studio.piece is first


def test_unfinished_piece_is_kept_too(
    house: House, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """It is the user's work."""
    hold(qtbot, window, jobs, 40)
    stop(qtbot, window, jobs)
    unfinished = house.studio.piece
    jobs.hold_at = None
    generate(qtbot, window)
    window.commands.undo.trigger()

    assert house.studio.piece is unfinished


def test_last_work_is_kept_until_a_normal_end(
    house: House, window: MainWindow, qtbot: QtBot
) -> None:
    """Each piece takes the place of the one before; the file goes when the window closes."""
    generate(qtbot, window)
    generate(qtbot, window)
    assert house.studio.piece is not None
    path = kept(house, qtbot)
    assert json_file.read(path).title == house.studio.piece.title
    assert recovery.find() is None, "a running app's work is nobody's find"

    window.close()
    assert not path.exists()
    assert recovery.find() is None


def test_work_of_a_crash_is_offered(house: House, window: MainWindow, qtbot: QtBot) -> None:
    """Taken, it is on the sheet, unsaved; it is not offered twice."""
    path = crashed()
    house.keeping.offer_found()
    assert "“Left behind” was kept" in window.page.banner.sentence
    button = next(b for b in window.page.banner.findChildren(QPushButton) if b.text() == "Open it")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    assert house.studio.piece == LEFT_BEHIND
    assert window.isWindowModified()
    assert window.page.banner.sentence == ""
    assert (path.parent / EARLIER / path.name).is_file()
    assert recovery.find() is None
    kept(house, qtbot)


def test_work_that_is_declined_is_put_aside(house: House, window: MainWindow) -> None:
    """Not deleted, and not offered again."""
    path = crashed()
    house.keeping.offer_found()
    window.page.banner._close.click()

    assert house.studio.piece is None
    assert recovery.find() is None
    assert (path.parent / EARLIER / path.name).is_file()


def test_other_message_and_another_piece_leave_the_offer(
    house: House, window: MainWindow, qtbot: QtBot
) -> None:
    """Nobody has declined it."""
    path = crashed()
    house.keeping.offer_found()
    house.studio.report("something else")
    assert window.page.banner.sentence == "Something else"
    window.page.banner._close.click()
    assert "“Left behind” was kept" in window.page.banner.sentence

    house.studio.generate()
    qtbot.waitUntil(lambda: not house.studio.busy)
    assert window.page.banner.offer == "Open it"
    assert path.is_file()
    kept(house, qtbot)


def test_offer_taken_while_a_piece_is_written_waits_for_its_end(
    house: House, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """It is not lost, and the status line says what to do."""
    crashed()
    house.keeping.offer_found()
    jobs.hold_at = 10
    house.studio.generate()
    assert jobs.waiting.wait(PATIENCE)
    window.page.banner.accepted.emit()
    assert window.state == NOT_NOW
    assert window.page.banner.offer == "Open it"

    jobs.gate.set()
    qtbot.waitUntil(lambda: not house.studio.busy)
    window.page.banner.accepted.emit()
    assert house.studio.piece == LEFT_BEHIND
    kept(house, qtbot)


def test_damaged_work_is_passed_over(home: Path, caplog: pytest.LogCaptureFixture) -> None:
    """An older one that can be read is found."""
    whole = crashed("whole")
    (recovery.folder() / "half.json").write_text("{")
    found = recovery.find()

    assert found is not None
    assert found.path == whole
    assert "cannot be read" in caplog.text or not caplog.text
    del home


def test_only_the_last_are_kept_aside(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder does not grow for ever."""
    monkeypatch.setattr(recovery, "MOST_KEPT", 2)
    for name in "abc":
        recovery.put_aside(crashed(name))

    assert len(list((recovery.folder() / EARLIER).glob("*.json"))) == 2
    del home


def test_folder_that_cannot_be_written_stops_nobody(
    home: Path, qtbot: QtBot, caplog: pytest.LogCaptureFixture
) -> None:
    """The log says that nothing is kept."""
    home.write_text("a file where the folder should be")
    keeper = Recovery()
    keeper.keep(LEFT_BEHIND)

    assert "not kept" in caplog.text
    assert keeper.shut_down()
    del qtbot
