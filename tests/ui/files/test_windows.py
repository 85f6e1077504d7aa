"""Several windows, and documents after a crash."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from PySide6.QtCore import QSysInfo, Qt
from PySide6.QtTest import QTest

from musicrel.chorale import Chorale
from musicrel.errors import FileError
from musicrel.score import json_file
from musicrel.ui.app_controller import AppController
from musicrel.ui.files import session
from musicrel.ui.files.session import EARLIER, RECOVER, OpenDocument, Session, WindowRecord
from tests.helpers.projects import edit, full_contents, plain
from tests.ui.controllers.user_actions import answer, generate
from tests.ui.files.conftest import OpenWindow, choose, contents_of, kill, lock_all, message, title
from tests.ui.user import User

LEFT_BEHIND = Chorale.of([[72, 67, 64, 48]] * 16, title="Left behind")
MAX_PROCESS = 4_194_304
"""No process has this number."""
pytestmark = pytest.mark.usefixtures("home")


def test_second_window_opens_a_project_read_only(
    user: User, open_window: OpenWindow, project: Path, tmp_path: Path
) -> None:
    before = contents_of(project)
    second = open_window()
    second.projects.open(project)
    assert title(second) == "hymn (read-only) – musicrel"
    assert message(second) == (
        "Edits are kept only with Save As; another window has hymn.musicrel open"
    )
    generate(user.qtbot, second.window)
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
    lock_all(user.app)
    user.wait(lambda: len(contents_of(project)["states"]) == 2)


def test_read_only_project_leaves_no_copy(
    app: AppController, open_window: OpenWindow, project: Path
) -> None:
    second = open_window()
    second.projects.open(project)
    kill(second)
    assert session.orphans() == []
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
    assert "“hymn” was recovered with all edits" in message(second)


def test_newer_project_is_read_only(app: AppController, project: Path) -> None:
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
    app.window.commands.file.new_window.trigger()
    assert started_windows == [()]

    def fail(arguments: tuple[str, ...]) -> None:
        raise FileError(f"cannot open a window: {arguments}")

    monkeypatch.setattr(session, "start_window", fail)
    app.window.commands.file.new_window.trigger()
    assert message(app) == "Cannot open a window: ()"


def test_all_documents_of_a_crash_come_back(
    user: User, open_window: OpenWindow, project: Path, started_windows: list[tuple[str, ...]]
) -> None:
    second = open_window()
    generate(user.qtbot, second.window)
    generate(user.qtbot, second.window)
    lock_all(user.app)
    shown = [plain(each.document.contents({})) for each in (user.app, second)]
    for each in (second, user.app):
        kill(each)
    first = open_window()
    first.projects.start()
    ((option, identity),) = started_windows
    other = open_window()
    other.projects.start(identity=identity)
    late = open_window()
    late.projects.start()

    assert option == RECOVER
    found = sorted((first, other), key=lambda each: each.projects.file.session.path is None)
    assert [plain(each.document.contents({})) for each in found] == shown
    assert found[0].projects.file.session.path == project
    assert message(found[0]) == (
        "“hymn” was recovered with all edits after musicrel ended unexpectedly"
    )
    assert (late.document.piece, message(late)) == (None, "")
    assert len(started_windows) == 1


def test_window_that_is_used_already_restores_nothing(
    user: User, open_window: OpenWindow, project: Path, started_windows: list[tuple[str, ...]]
) -> None:
    kill(user.app)
    again = open_window()
    generate(user.qtbot, again.window)
    again.projects.start()

    assert title(again) == "Chorale 7* – musicrel"
    assert len(started_windows) == 1
    assert len(contents_of(project)["takes"]) == 1


def test_saved_document_comes_back_saved(
    app: AppController, open_window: OpenWindow, project: Path
) -> None:
    kill(app)
    again = open_window()
    again.projects.start()

    assert title(again) == "hymn – musicrel"
    assert message(again) == ""
    assert again.projects.file.session.path == project


def test_restored_project_still_goes_back(
    user: User, open_window: OpenWindow, project: Path
) -> None:
    before = contents_of(project)
    lock_all(user.app)
    kill(user.app)
    again = open_window()
    again.projects.start()
    generate(user.qtbot, again.window)
    again.window.close()
    answer(again.window, "Don't Save")
    user.wait(lambda: not again.window.isVisible())

    assert contents_of(project) == before
    assert list(session.folder().iterdir()) == []


def test_document_of_the_command_line_is_opened_first(
    user: User, open_window: OpenWindow, project: Path, started_windows: list[tuple[str, ...]]
) -> None:
    second = open_window()
    generate(user.qtbot, second.window)
    lock_all(user.app)
    kill(user.app)
    kill(second)
    again = open_window()
    again.projects.start(project)

    assert title(again) == "hymn* – musicrel"
    assert len(started_windows) == 1


def test_missing_project_of_a_crash_is_reported(
    app: AppController, open_window: OpenWindow, project: Path
) -> None:
    lock_all(app)
    kill(app)
    project.unlink()
    again = open_window()
    again.projects.start()

    assert message(again).startswith(f"A document cannot be restored: cannot read {project}: ")
    assert session.orphans() == []
    kept = session.folder() / session.EARLIER
    assert len(list(kept.glob("*.saved.musicrel"))) == 1


def test_piece_of_version_1_is_an_unsaved_document(app: AppController, home: Path) -> None:
    folder = session.folder()
    json_file.write(LEFT_BEHIND, folder / "whole.json")
    (folder / "half.json").write_text("{")
    app.projects.start()

    assert app.document.piece == LEFT_BEHIND
    assert title(app) == "Left behind* – musicrel"
    assert message(app).startswith("“Left behind” was recovered with all edits")
    assert f"; a document cannot be restored: cannot read {folder / 'half.json'}" in message(app)
    assert sorted(path.name for path in (folder / "earlier").iterdir()) == [
        "half.json", "whole.json",
    ]  # fmt: skip
    del home


def test_logout_asks_nothing(app: AppController, project: Path, open_window: OpenWindow) -> None:
    lock_all(app)
    app.projects.keep()
    app.document.takes.rate(1, 1)
    assert app.projects.may_close(), "as if a job had added a take"
    QTest.mouseClick(app.window, Qt.MouseButton.LeftButton)
    assert not app.projects.may_close()
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


def test_locks_of_a_computer_that_was_renamed(path: Path) -> None:
    opened = session.open_project(path)
    edited = edit(opened.contents, 1)
    opened.write(edited, saved=False)
    opened.leave()
    lock = path.with_name(".full.musicrel.lock")
    (record,) = session.folder().glob("*.window")
    for each in (lock, record.with_suffix(".lock")):
        each.write_text(f"{MAX_PROCESS}\npython\nold-name\n")
    sentence = rf"“old-name” has full\.musicrel open; if it has not, delete {lock} and open the"
    with pytest.raises(FileError, match=sentence):
        session.recover(record.stem)
    reader = session.open_project(path)
    assert reader.read_only
    assert lock.name in reader.problems[0]
    reader.close()
    assert session.orphans() == [record.stem]
    lock.unlink()
    found = session.open_project(path)

    assert plain(found.contents) == plain(edited)
    found.close()


def test_rests_of_a_killed_window_are_deleted() -> None:
    running, left = Session(), Session()
    for each in (running, left):
        each.write(full_contents(), saved=False)
    left.leave()
    folder = session.folder()
    kept = {path.name for path in folder.iterdir()}
    for name in (".musicrel", ".musicrel-wal", ".saved.musicrel"):
        (folder / f"{0:012x}{name}").write_bytes(b"rest")
    assert len(session.orphans()) == 1

    assert {path.name for path in folder.iterdir()} == kept
    running.close()


def test_locks_of_dead_windows_are_removed() -> None:
    running = WindowRecord("running")
    assert running.acquire()
    host = QSysInfo.machineHostName()
    (session.folder() / "dead.lock").write_text(f"{MAX_PROCESS}\npython\n{host}\n")
    assert session.orphans() == []

    assert [path.stem for path in session.folder().iterdir()] == ["running"]
    running.release()


def test_damaged_record_is_no_document(caplog: pytest.LogCaptureFixture) -> None:
    session.folder().mkdir(parents=True)
    for name, text in (("a", "{"), ("b", "[]"), ("c", '{"path": 7, "saved": 1}')):
        (session.folder() / f"{name}.window").write_text(text)

    assert [session.recover(identity) for identity in session.orphans()] == [None] * 3
    assert caplog.text.count("the record of a window cannot be read") == 3
    assert session.orphans() == []


def test_only_the_latest_archived_files_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "MAX_KEPT", 2)
    for name in "abc":
        record = WindowRecord(name)
        record.write(OpenDocument())
        record.archive()

    assert len(list((session.folder() / EARLIER).iterdir())) == 2
