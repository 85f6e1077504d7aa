"""Several windows, and documents after a crash."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale
from musicrel.errors import FileError
from musicrel.score import json_file
from musicrel.ui.app_controller import AppController
from musicrel.ui.files import new_window, window_record
from musicrel.ui.files.new_window import RECOVER
from tests.helpers.projects import plain
from tests.ui.controllers.user_actions import answer, generate
from tests.ui.files.conftest import OpenWindow, choose, contents_of, kill, lock_all, message, title

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints

LEFT_BEHIND = Chorale.of([[72, 67, 64, 48]] * 16, title="Left behind")


# Several windows


def test_second_window_opens_a_project_read_only(
    app: AppController, open_window: OpenWindow, project: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    """The banner has the reason; edits are possible, but only Save As keeps them."""
    before = contents_of(project)
    second = open_window()
    second.projects.open(project)
    assert title(second) == "hymn (read-only) – musicrel"
    assert message(second) == (
        "Edits are kept only with Save As; another window has hymn.musicrel open"
    )
    generate(qtbot, second.window)
    assert title(second) == "hymn (read-only)* – musicrel"
    second.window.commands.file.save.trigger()
    choose(second, project)
    assert message(second) == (
        "The project is not saved: hymn.musicrel was opened read-only: choose another name"
    )
    second.window.commands.file.save.trigger()
    choose(second, tmp_path / "mine.musicrel")

    assert title(second) == "mine – musicrel"
    assert contents_of(project) == before
    lock_all(app)
    qtbot.waitUntil(lambda: len(contents_of(project)["states"]) == 2)


def test_read_only_project_leaves_no_copy(
    app: AppController, open_window: OpenWindow, project: Path
) -> None:
    """Only edits of it are kept, as an untitled document with its name."""
    second = open_window()
    second.projects.open(project)
    kill(second)
    assert window_record.orphans() == []
    third = open_window()
    third.projects.open(project)
    lock_all(third)
    kill(third)
    fourth = open_window()
    fourth.projects.start()

    assert title(fourth) == "hymn* – musicrel"
    assert title(app) == "hymn – musicrel"


def test_project_is_free_once_its_window_is_closed(
    app: AppController, open_window: OpenWindow, project: Path, tmp_path: Path
) -> None:
    """Also after Save As and New, and after a window that was killed."""
    second = open_window()
    app.projects.save_as(tmp_path / "copy.musicrel")
    second.projects.open(project)
    assert title(second) == "hymn – musicrel"
    second.projects.new()
    app.projects.open(project)
    assert title(app) == "hymn – musicrel"
    app.projects.open(project)
    assert app.window.state == "hymn.musicrel is open already"
    lock_all(app)
    kill(app)
    second.projects.open(project)

    assert title(second) == "hymn* – musicrel"
    assert "“hymn” was restored with all edits" in message(second)


def test_newer_project_is_read_only(app: AppController, project: Path) -> None:
    """The banner has the reason; Save As does not replace it by what this version knows of it."""
    app.projects.new()
    with sqlite3.connect(project) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    app.projects.open(project)

    assert title(app) == "hymn (read-only) – musicrel"
    assert "newer version" in message(app)
    assert app.document.piece is not None
    before = project.read_bytes()
    app.window.commands.file.save_as.trigger()
    choose(app, project)
    assert "hymn.musicrel was opened read-only: choose another name" in message(app)
    assert project.read_bytes() == before


def test_new_window_is_a_process(
    app: AppController, started_windows: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that cannot be started is reported."""
    app.window.commands.file.new_window.trigger()
    assert started_windows == [()]

    def fail(arguments: tuple[str, ...]) -> None:
        raise FileError(f"cannot open a window: {arguments}")

    monkeypatch.setattr(new_window, "start", fail)
    app.window.commands.file.new_window.trigger()
    assert message(app) == "Cannot open a window: ()"


# After a crash


def test_all_documents_of_a_crash_come_back(
    app: AppController,
    open_window: OpenWindow,
    project: Path,
    qtbot: QtBot,
    started_windows: list[tuple[str, ...]],
) -> None:
    """The newest in this window, each other in its own; a document is restored once."""
    second = open_window()
    generate(qtbot, second.window)
    generate(qtbot, second.window)
    lock_all(app)
    shown = [plain(each.document.contents({})) for each in (app, second)]
    for each in (second, app):
        kill(each)
    first = open_window()
    first.projects.start()
    ((option, identity),) = started_windows
    other = open_window()
    other.projects.start(identity=identity)
    late = open_window()
    late.projects.start()

    assert option == RECOVER
    found = sorted((first, other), key=lambda each: each.projects.file.path is None)
    assert [plain(each.document.contents({})) for each in found] == shown
    assert found[0].projects.file.path == project
    assert message(found[0]) == (
        "“hymn” was restored with all edits after musicrel had ended unexpectedly"
    )
    assert (late.document.piece, message(late)) == (None, "")
    assert len(started_windows) == 1


def test_window_that_is_used_already_restores_nothing(
    app: AppController,
    open_window: OpenWindow,
    project: Path,
    qtbot: QtBot,
    started_windows: list[tuple[str, ...]],
) -> None:
    """A further window does."""
    kill(app)
    again = open_window()
    generate(qtbot, again.window)
    again.projects.start()

    assert title(again) == "Chorale 7* – musicrel"
    assert len(started_windows) == 1
    assert len(contents_of(project)["takes"]) == 1


def test_saved_document_comes_back_saved(
    app: AppController, open_window: OpenWindow, project: Path
) -> None:
    """It was open, but no message is needed."""
    kill(app)
    again = open_window()
    again.projects.start()

    assert title(again) == "hymn – musicrel"
    assert message(again) == ""
    assert again.projects.file.path == project


def test_restored_project_still_goes_back(
    app: AppController, open_window: OpenWindow, project: Path, qtbot: QtBot
) -> None:
    """Don't Save leaves it as it was saved before the crash."""
    before = contents_of(project)
    lock_all(app)
    kill(app)
    again = open_window()
    again.projects.start()
    generate(qtbot, again.window)
    again.window.close()
    answer(again.window, "Don't Save")
    qtbot.waitUntil(lambda: not again.window.isVisible())

    assert contents_of(project) == before
    assert list(window_record.folder().iterdir()) == []


def test_document_of_the_command_line_is_opened_first(
    app: AppController,
    open_window: OpenWindow,
    project: Path,
    qtbot: QtBot,
    started_windows: list[tuple[str, ...]],
) -> None:
    """Other windows open the documents of a crash; the same project only this one."""
    second = open_window()
    generate(qtbot, second.window)
    lock_all(app)
    kill(app)
    kill(second)
    again = open_window()
    again.projects.start(project)

    assert title(again) == "hymn* – musicrel"
    assert len(started_windows) == 1


def test_missing_project_of_a_crash_is_reported(
    app: AppController, open_window: OpenWindow, project: Path
) -> None:
    """It is not looked for again; what was saved last is kept aside."""
    lock_all(app)
    kill(app)
    project.unlink()
    again = open_window()
    again.projects.start()

    assert message(again).startswith(f"A document cannot be restored: cannot read {project}: ")
    assert window_record.orphans() == []
    kept = window_record.folder() / window_record.EARLIER
    assert len(list(kept.glob("*.saved.musicrel"))) == 1


def test_piece_of_version_1_is_an_unsaved_document(app: AppController, home: Path) -> None:
    """A damaged one is reported and skipped; both are archived."""
    folder = window_record.folder()
    json_file.write(LEFT_BEHIND, folder / "whole.json")
    (folder / "half.json").write_text("{")
    app.projects.start()

    assert app.document.piece == LEFT_BEHIND
    assert title(app) == "Left behind* – musicrel"
    assert message(app).startswith("“Left behind” was restored with all edits")
    assert f"; a document cannot be restored: cannot read {folder / 'half.json'}" in message(app)
    assert sorted(path.name for path in (folder / "earlier").iterdir()) == [
        "half.json", "whole.json",
    ]  # fmt: skip
    del home


def test_logout_asks_nothing(app: AppController, project: Path, open_window: OpenWindow) -> None:
    """The document comes back; if the logout is cancelled, the next click restores the question."""
    lock_all(app)
    app.projects.keep()
    app.document.takes.rate(1, 1)
    assert app.projects.unsaved.may_close(), "as if a job had added a take"
    QTest.mouseClick(app.window, Qt.MouseButton.LeftButton)
    assert not app.projects.unsaved.may_close()
    answer(app.window, "Cancel")
    app.projects.keep()
    app.window.close()

    again = open_window()
    again.projects.start()
    assert title(again) == "hymn* – musicrel"
    assert again.document.takes.all[0].rating == 1
    del project


def test_the_document_of_last_time_is_opened_if_preferred(
    app: AppController, open_window: OpenWindow, project: Path
) -> None:
    """Not while another window has it, and not if it is gone."""
    second = open_window()
    second.preferences.remember(at_start="last")
    second.projects.start()
    assert title(app) == "hymn – musicrel"
    assert title(second) == "Untitled – musicrel"
    app.window.close()

    second.projects.start()

    assert title(second) == "hymn – musicrel"
    second.projects.new()
    project.unlink()
    second.projects.start()
    assert title(second) == "Untitled – musicrel"
