"""The file of a document without a window: records, locks, snapshots, recent documents."""

from __future__ import annotations

import json
import logging
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from musicrel.errors import FileError
from musicrel.project.contents import Contents
from musicrel.project.project_file import ProjectFile
from musicrel.ui.files import recent, session
from musicrel.ui.files.session import EARLIER, OpenDocument, Session, WindowRecord
from tests.faults import side_files
from tests.helpers.projects import edit, full_contents, plain
from tests.ui.files.conftest import contents_of

pytestmark = pytest.mark.usefixtures("home")


def fail_as_killed(*_arguments: object) -> None:
    raise FileError("killed")


def test_empty_document_leaves_no_file() -> None:
    untitled = Session()
    untitled.write(Contents(mixer={"volume": 1}), saved=True)

    assert not session.folder().exists()


def test_untitled_document_comes_back_with_its_last_edit() -> None:
    contents = edit(full_contents(), 1)
    untitled = Session()
    untitled.write(full_contents(), saved=False)
    untitled.write(contents, saved=False)
    assert session.orphans() == []
    untitled.leave()
    (identity,) = session.orphans()
    found = session.recover(identity)

    assert found is not None
    assert plain(found.contents) == plain(contents)
    assert (found.saved, found.titled, found.name) == (False, False, "")
    assert session.recover(identity) is None, "a window has it"
    found.close()
    assert session.orphans() == []


def test_snapshot_is_made_once_after_every_save(path: Path) -> None:
    opened = session.open_project(path)
    first, second, third = (edit(opened.contents, number) for number in (1, 2, 3))
    opened.write(first, saved=False)
    opened.save(second)
    opened.write(third, saved=False)
    assert contents_of(path) == plain(third)
    opened.discard()

    assert contents_of(path) == plain(second)
    assert sorted(each.name for each in path.parent.iterdir()) == ["full.musicrel", "home"]


def test_project_that_vanished_is_written_back(path: Path) -> None:
    opened = session.open_project(path)
    opened.write(edit(opened.contents, 1), saved=False)
    path.unlink()
    opened.discard()

    assert contents_of(path) == plain(full_contents())


def test_save_that_is_killed_leaves_no_older_snapshot(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = session.open_project(path)
    first, second = (edit(opened.contents, number) for number in (1, 2))
    opened.write(first, saved=False)
    with monkeypatch.context() as patch:
        patch.setattr(WindowRecord, "write", fail_as_killed)
        with pytest.raises(FileError, match="killed"):
            opened.save(first)
    opened.leave()
    found = session.open_project(path)
    found.write(second, saved=False)
    found.discard()

    assert contents_of(path) == plain(first)


def test_save_fails_if_the_snapshot_stays(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise Don't Save would go back too far; the next save tries again."""
    opened = session.open_project(path)
    contents = edit(opened.contents, 1)
    opened.write(contents, saved=False)

    def refuse(file: Path, **_options: object) -> None:
        raise PermissionError(13, "Permission denied", str(file))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", refuse)
        with pytest.raises(FileError, match=r"cannot delete .*\.saved\.musicrel: "):
            opened.save(contents)
    opened.save(contents)
    opened.discard()

    assert contents_of(path) == plain(contents)


def test_project_that_another_program_replaced_stays_as_it_is(path: Path) -> None:
    opened = session.open_project(path)
    opened.write(edit(opened.contents, 1), saved=False)
    other = edit(edit(full_contents(), 2), 3)
    ProjectFile.create(path.with_name("other.musicrel"), other).close()
    path.with_name("other.musicrel").replace(path)
    with pytest.raises(session.ReplacedError, match=r"has replaced .*full\.musicrel, which"):
        opened.discard()
    opened.leave()

    assert contents_of(path) == plain(other)
    assert session.orphans() == []
    (kept,) = (session.folder() / EARLIER).glob("*.saved.musicrel")
    assert contents_of(kept) == plain(full_contents())


def test_project_is_free_before_its_record(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = session.open_project(path)
    opened.write(edit(opened.contents, 1), saved=False)
    release = WindowRecord.release
    free: list[bool] = []

    def check(record: WindowRecord) -> None:
        release(record)
        free.append(not Session(path).read_only)

    with monkeypatch.context() as patch:
        patch.setattr(WindowRecord, "release", check)
        opened.leave()

    assert free == [True]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes in folders")
@pytest.mark.parametrize("kind", side_files.LOCKS)
def test_what_is_no_lock_is_not_waited_for(path: Path, kind: str) -> None:
    lock, victim = path.with_name(f".{path.name}.lock"), path.with_name("victim")
    victim.write_bytes(b"precious")
    side_files.LOCKS[kind](lock, victim)

    opened = session.open_project(path)

    assert plain(opened.contents) == plain(full_contents())
    assert opened.problems[0] == (
        f"edits are kept only with Save As; {lock} is in the place of a lock, but is none: "
        "delete it"
    )
    with pytest.raises(FileError, match="in the place of a lock, but is none: delete it"):
        opened.save_as(full_contents(), path)
    opened.save_as(opened.contents, path.with_name("other.musicrel")).close()
    opened.close()
    assert victim.read_bytes() == b"precious"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes in folders")
@pytest.mark.parametrize("kind", side_files.LOCKS)
def test_what_is_no_lock_of_a_record_is_not_waited_for(tmp_path: Path, kind: str) -> None:
    left = Session()
    left.write(full_contents(), saved=False)
    left.leave()
    (identity,) = session.orphans()
    side_files.LOCKS[kind](session.folder() / f"{identity}.lock", tmp_path / "victim")

    assert session.orphans() == []
    assert session.recover(identity) is None


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes in folders")
@pytest.mark.parametrize("kind", side_files.HARMLESS)
def test_a_log_that_was_sent_touches_nothing_when_its_project_is_edited(
    path: Path, tmp_path: Path, kind: str
) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    side_files.HARMLESS[kind](path, victim)

    opened = session.open_project(path)
    edited = edit(opened.contents, 1)
    opened.write(edited, saved=False)
    opened.save(edited)
    opened.close()

    assert opened.problems == ()
    assert victim.read_bytes() == b"precious"
    again = session.open_project(path)
    assert plain(again.contents) == plain(edited)
    again.discard()


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_link_to_an_open_project_is_not_saved_over(path: Path) -> None:
    link = path.with_name("link.musicrel")
    link.symlink_to(path)
    opened = session.open_project(path)

    with pytest.raises(FileError, match="is open in another window: choose another name"):
        Session().save_as(full_contents(), link)
    opened.close()

    saved = Session().save_as(full_contents(), link)
    assert saved.path == path.resolve()
    saved.close()


def test_a_record_of_a_path_that_no_file_has_is_damaged() -> None:
    record = WindowRecord("abc")
    record.write(OpenDocument(path=Path("a\0b")))
    record.release()

    assert session.recover("abc") is None


def test_document_whose_project_is_locked_is_left_alone(path: Path) -> None:
    opened = session.open_project(path)
    edited = edit(opened.contents, 1)
    opened.write(edited, saved=False)
    opened.leave()
    (identity,) = session.orphans()
    other = Session(path)
    assert session.recover(identity) is None
    other.close()
    found = session.recover(identity)

    assert found is not None
    assert plain(found.contents) == plain(edited)
    found.close()


def test_damaged_untitled_document_is_archived() -> None:
    untitled = Session()
    untitled.write(full_contents(), saved=False)
    untitled.leave()
    (file,) = session.folder().glob("*.musicrel")
    content = bytearray(file.read_bytes())
    content[4096:8192] = bytes(4096)
    file.write_bytes(content)
    (identity,) = session.orphans()
    try:
        found = session.recover(identity)
    except FileError:
        found = None

    assert session.orphans() == []
    assert (session.folder() / EARLIER / file.name).exists()
    assert found is None or found.problems


def test_project_in_a_folder_that_cannot_be_written_is_read_only(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = ProjectFile.open(path, read_only=True)
    monkeypatch.setattr(ProjectFile, "open", lambda *_args, **_options: found)
    opened = session.open_project(path)
    opened.write(edit(opened.contents, 1), saved=False)

    assert opened.read_only
    assert opened.problems == (f"{session.ONLY_SAVE_AS}; full.musicrel was opened for reading",)
    assert contents_of(path) == plain(full_contents())
    opened.leave()
    assert len(session.orphans()) == 1


def test_two_windows_do_not_save_to_one_project(path: Path, tmp_path: Path) -> None:
    first = session.open_project(path)
    second = Session()
    second.write(full_contents(), saved=False)
    with pytest.raises(FileError, match=r"full\.musicrel is open in another window: choose anoth"):
        second.save_as(full_contents(), path)
    first.close()
    third = second.save_as(full_contents(), path)
    with pytest.raises(FileError, match="cannot write"):
        third.save_as(full_contents(), tmp_path / "full.musicrel" / "below.musicrel")
    third.close()
    second.discard()

    assert session.orphans() == []


def test_document_that_makes_the_app_crash_is_restored_twice_at_most(path: Path) -> None:
    opened = session.open_project(path)
    edited = edit(opened.contents, 1)
    opened.write(edited, saved=False)
    opened.leave()
    record = session.folder() / f"{session.orphans()[0]}.window"

    def crash(times: int) -> None:
        record.write_text(json.dumps(json.loads(record.read_text()) | {"attempts": times}))

    crash(1)
    found = session.recover(record.stem)
    assert found is not None
    found.leave()
    assert json.loads(record.read_text())["attempts"] == 0
    crash(2)
    with pytest.raises(FileError, match=r"has ended twice with .*full\.musicrel: open it to try"):
        session.recover(record.stem)
    assert session.orphans() == []
    again = session.open_project(path)
    assert plain(again.contents) == plain(edited)
    again.close()


def test_recent_documents_are_a_short_list(
    tmp_path: Path, home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(14):
        recent.add(tmp_path / f"{number % 12}.musicrel")
    assert [int(path.stem) for path in recent.load()] == [1, 0, 11, 10, 9, 8, 7, 6, 5, 4]
    recent.remove(tmp_path / "0.musicrel")
    assert len(recent.load()) == 9

    for text in ("{", "7", "[7]"):
        (home / "recent.json").write_text(text)
        assert recent.load() == ()
    (home / "recent.json").unlink()
    (home / "recent.json").mkdir()
    with caplog.at_level(logging.WARNING):
        recent.add(tmp_path / "1.musicrel")
    assert "the list of recent documents cannot be saved" in caplog.text


def test_form_and_mixer_alone_are_written(path: Path) -> None:
    opened = session.open_project(path)
    changed = replace(opened.contents, mixer={"volume": 2})
    opened.write(changed, saved=True)
    opened.leave()
    found = session.open_project(path)

    assert found.saved
    assert plain(found.contents) == plain(changed)
    found.close()
