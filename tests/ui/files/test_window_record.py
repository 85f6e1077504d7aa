"""Records of windows: locks, rests of windows that were killed, and the folder of earlier files."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSysInfo

from musicrel.errors import FileError
from musicrel.project.project_file import ProjectFile
from musicrel.ui.files import session, window_record
from musicrel.ui.files.session import Session
from musicrel.ui.files.window_record import EARLIER, OpenDocument, WindowRecord
from tests.helpers.projects import edit, full_contents, plain

MAX_PROCESS = 4_194_304
"""No process has this number."""

pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a project."""
    ProjectFile.create(tmp_path / "full.musicrel", full_contents()).close()
    return tmp_path / "full.musicrel"


def test_locks_of_a_computer_that_was_renamed(path: Path) -> None:
    """Documents come back; a project may be open elsewhere, so the sentence has advice."""
    opened = session.open_project(path)
    edited = edit(opened.contents, 1)
    opened.session.write(edited, saved=False)
    opened.session.leave()
    lock = path.with_name(".full.musicrel.lock")
    (record,) = window_record.folder().glob("*.window")
    for each in (lock, record.with_suffix(".lock")):
        each.write_text(f"{MAX_PROCESS}\npython\nold-name\n")
    sentence = rf"“old-name” has full\.musicrel open; if it has not, delete {lock} and open the"
    with pytest.raises(FileError, match=sentence):
        session.recover(record.stem)
    reader = session.open_project(path)
    assert reader.session.read_only
    assert lock.name in reader.session.problems[0]
    reader.session.close()
    assert window_record.orphans() == [record.stem]
    lock.unlink()
    found = session.open_project(path)

    assert plain(found.contents) == plain(edited)
    found.session.close()


def test_rests_of_a_killed_window_are_deleted() -> None:
    """Files with a record or a lock stay."""
    running, left = Session(), Session()
    for each in (running, left):
        each.write(full_contents(), saved=False)
    left.leave()
    folder = window_record.folder()
    kept = {path.name for path in folder.iterdir()}
    for name in (".musicrel", ".musicrel-wal", ".saved.musicrel"):
        (folder / f"{0:012x}{name}").write_bytes(b"rest")
    assert len(window_record.orphans()) == 1

    assert {path.name for path in folder.iterdir()} == kept
    running.close()


def test_locks_of_dead_windows_are_removed() -> None:
    """Those of running ones stay."""
    running = WindowRecord("running")
    assert running.acquire()
    host = QSysInfo.machineHostName()
    (window_record.folder() / "dead.lock").write_text(f"{MAX_PROCESS}\npython\n{host}\n")
    assert window_record.orphans() == []

    assert [path.stem for path in window_record.folder().iterdir()] == ["running"]
    running.release()


def test_damaged_record_is_no_document(caplog: pytest.LogCaptureFixture) -> None:
    """It is logged and archived."""
    window_record.folder().mkdir(parents=True)
    for name, text in (("a", "{"), ("b", "[]"), ("c", '{"path": 7, "saved": 1}')):
        (window_record.folder() / f"{name}.window").write_text(text)

    assert [session.recover(identity) for identity in window_record.orphans()] == [None] * 3
    assert caplog.text.count("the record of a window cannot be read") == 3
    assert window_record.orphans() == []


def test_only_the_latest_archived_files_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder does not grow without limit."""
    monkeypatch.setattr(window_record, "MAX_KEPT", 2)
    for name in "abc":
        record = WindowRecord(name)
        record.write(OpenDocument())
        record.archive()

    assert len(list((window_record.folder() / EARLIER).iterdir())) == 2
