"""Project files that cannot be read or written: a sentence, and nothing is lost."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from musicrel.errors import FileError
from musicrel.project import database
from musicrel.project.contents import Contents
from musicrel.project.project_file import ProjectFile
from tests.helpers.projects import folder_of, full_contents, plain, with_take


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        ("SQLITE_READONLY", "it is write-protected"),
        ("SQLITE_CANTOPEN", "its folder is write-protected"),
        ("SQLITE_BUSY_SNAPSHOT", "another program is using it"),
    ],
)
def test_a_project_that_cannot_be_written_is_read(
    project: ProjectFile, path: Path, monkeypatch: pytest.MonkeyPatch, error: str, reason: str
) -> None:
    """The reason is given, and it can be copied to another place."""
    project.close()

    def refuse(_path: Path) -> sqlite3.Connection:
        failure = sqlite3.OperationalError("refused")
        failure.sqlite_errorname = error
        raise failure

    monkeypatch.setattr(database, "connect_to_write", refuse)
    found = ProjectFile.open(path)

    assert found.reason == f"Piece.musicrel can only be read: {reason}"
    found.copy_to(path.with_name("copy.musicrel"))
    copy = ProjectFile.open(path.with_name("copy.musicrel"), read_only=True)
    assert plain(copy.read()) == plain(full_contents())


def test_write_protection_is_noticed(
    project: ProjectFile, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By SQLite itself; root may write every file, so the protection is that of the connection."""
    project.close()
    connect = database.connect
    monkeypatch.setattr(database, "connect", lambda place, _mode: connect(place, "ro"))

    assert ProjectFile.open(path).reason == (
        "Piece.musicrel can only be read: it is write-protected"
    )


def test_a_full_disk_loses_nothing(
    project: ProjectFile, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message names it, the last edit stays, and the next one is written when there is room."""
    project.close()
    connect = database.connect
    pages = len(path.read_bytes()) // 4096
    opened: list[sqlite3.Connection] = []

    def noted(place: Path, mode: str) -> sqlite3.Connection:
        opened.append(connect(place, mode))  # type: ignore[arg-type]
        return opened[-1]

    monkeypatch.setattr(database, "connect", noted)
    again = ProjectFile.open(path)
    opened[-1].execute(f"PRAGMA max_page_count={pages}")
    contents = with_take(again.read(), steps=16_000)

    with pytest.raises(FileError, match=r"cannot write .*: the disk is full; save the project un"):
        again.write(contents)
    assert plain(ProjectFile.open(path, read_only=True).read()) == plain(full_contents())

    opened[1].execute("PRAGMA max_page_count=100000")
    again.write(contents)
    again.close()
    assert plain(ProjectFile.open(path, read_only=True).read()) == plain(contents)


@pytest.fixture
def no_room() -> Iterator[Callable[[], None]]:
    """Return a function after which files of this process cannot grow beyond 4 kB."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_copy_without_room_leaves_the_old_file(
    project: ProjectFile, path: Path, no_room: Callable[[], None]
) -> None:
    """Nothing is left beside it."""
    copy = path.parent.parent / "copies" / "copy.musicrel"
    copy.parent.mkdir()
    copy.write_bytes(b"old")
    no_room()

    with pytest.raises(FileError, match=r"cannot write .*copy.musicrel: the disk cannot be "):
        project.copy_to(copy)

    assert copy.read_bytes() == b"old"
    assert folder_of(copy) == ["copy.musicrel"]


def test_a_value_that_json_cannot_represent_is_refused(project: ProjectFile) -> None:
    """The file stays as it was, and the project can be written on."""
    contents = project.read()
    with pytest.raises(FileError, match="cannot be written as JSON"):
        project.write(replace(with_take(contents), mixer={"volume": float("nan")}))

    assert project.read() is contents
    project.write(with_take(contents))


@pytest.mark.parametrize("change", ["delete", "rename", "replace"])
def test_a_file_that_was_taken_away_is_noticed(
    project: ProjectFile, path: Path, change: str
) -> None:
    """SQLite would write on into a file without a name."""
    if change == "rename":
        path.rename(path.with_name("other.musicrel"))
    else:
        path.unlink()
    if change == "replace":
        path.write_bytes(b"")

    with pytest.raises(FileError, match="it was moved, deleted or replaced; save the project"):
        project.write(with_take(project.read()))


def test_a_second_writer_is_noticed(project: ProjectFile, path: Path) -> None:
    """The edits of one would be mixed with those of the other; reading does no harm."""
    ProjectFile.open(path, read_only=True)
    second = ProjectFile.open(path)
    project.write(with_take(project.read()))

    with pytest.raises(FileError, match="another program has changed it; save the project under"):
        second.write(Contents())
    second.close()
    project.write(with_take(project.read()))


def test_a_program_that_does_not_release_the_file_is_named_as_the_reason(
    project: ProjectFile, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a moment."""
    project.close()
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.01)
    again = ProjectFile.open(path)
    other = database.connect(path, "rw")
    other.execute("BEGIN IMMEDIATE")

    with pytest.raises(FileError, match=r"cannot write .*: another program is using it; save"):
        again.write(with_take(again.read()))

    other.close()
    again.write(with_take(again.read()))
    again.close()


def make_fifo(path: Path) -> None:
    """Create a pipe that nobody writes."""
    os.mkfifo(path)


def make_huge(path: Path) -> None:
    """Create a file of a terabyte that takes no place."""
    path.touch()
    os.truncate(path, 1 << 40)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda _path: None, "cannot read .*: there is no such file"),
        (Path.mkdir, "it is a folder, expected a musicrel project"),
        (make_fifo, "it is no regular file, expected a musicrel project"),
        (lambda path: path.symlink_to("/dev/zero"), "it is no regular file, expected"),
        (lambda path: path.symlink_to(path), "cannot read .*: Too many levels of symbolic"),
        (Path.touch, "it is empty"),
        (lambda path: path.write_bytes(b"MThd"), "it is not a musicrel project"),
        (lambda path: path.write_bytes(b"x" * 100_000), "it is not a musicrel project"),
        (lambda path: path.write_bytes(b"SQLite format 3\0"), "it is not a musicrel project"),
        (make_huge, "but at most 1,073,741,824 are read here"),
    ],
    ids=["missing", "folder", "pipe", "device", "loop", "empty", "MIDI", "text", "header", "huge"],
)
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes in folders")
def test_other_things_are_refused_in_a_sentence(
    path: Path, make: Callable[[Path], None], message: str
) -> None:
    """Nothing is created, and nothing blocks."""
    make(path)
    before = folder_of(path)

    with pytest.raises(FileError, match=message):
        ProjectFile.open(path)

    assert folder_of(path) == before


def test_another_database_is_refused(path: Path) -> None:
    """It stays as it is."""
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE takes (number INTEGER PRIMARY KEY)")
    connection.close()
    before = path.read_bytes()

    with pytest.raises(FileError, match=r"cannot read .*: it is not a musicrel project"):
        ProjectFile.open(path)
    assert path.read_bytes() == before


def test_a_folder_that_cannot_be_made_is_a_sentence(path: Path) -> None:
    """On creating and on copying."""
    path.write_bytes(b"")
    with pytest.raises(FileError, match=r"cannot write .*: a part of its path is a file"):
        ProjectFile.create(path / "inside.musicrel")
