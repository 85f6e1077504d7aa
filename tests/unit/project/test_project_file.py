"""Project files: what is written is read, in one file, whatever the path."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from musicrel.chorale import MAX_STEPS
from musicrel.errors import FileError
from musicrel.project import database, project_file, schema
from musicrel.project.contents import Contents, Take
from musicrel.project.project_file import ProjectFile
from musicrel.project.schema import Reader, Rows, Stored, write_changes
from tests.helpers.music import random_chorale
from tests.helpers.projects import STEPS, edit, folder_of, full_contents, plain, with_take


@pytest.mark.parametrize(
    "contents",
    [
        Contents(),
        full_contents(),
        replace(full_contents(), present=False, position=2, form=None, mixer={}),
        replace(full_contents(), takes=()),
        replace(full_contents(), states=(), position=-1, present=False),
    ],
    ids=["empty", "full", "sheet cleared", "without takes", "without states"],
)
@pytest.mark.parametrize("is_new", [True, False])
def test_contents_are_restored_to_the_bit(path: Path, contents: Contents, is_new: bool) -> None:
    project = ProjectFile.create(path, contents if is_new else full_contents())
    if not is_new:
        project.write(contents)
    project.close()

    again = ProjectFile.open(path)

    assert plain(again.read()) == plain(contents)
    assert (again.read_only, again.reason, again.problems) == (False, "", ())
    again.close()


def test_a_closed_project_is_one_file(project: ProjectFile, path: Path) -> None:
    """While it is open there is a log beside it, and other programs see each edit."""
    project.write(with_take(project.read()))
    assert folder_of(path) == ["Piece.musicrel", "Piece.musicrel-shm", "Piece.musicrel-wal"]
    assert len(ProjectFile.open(path, read_only=True).read().takes) == 3

    project.close()

    assert folder_of(path) == ["Piece.musicrel"]
    with pytest.raises(FileError, match=r"cannot write .*: Piece\.musicrel is closed; save"):
        project.write(Contents())


def test_a_file_is_recognised_by_other_programs(project: ProjectFile, path: Path) -> None:
    """SQLite's header has the application's mark and the version, from byte 60 and 68 on."""
    project.close()

    header = path.read_bytes()[:72]

    assert header.startswith(b"SQLite format 3\0")
    assert header[68:] == b"MREL"
    assert int.from_bytes(header[60:64], "big") == schema.VERSION


@pytest.mark.parametrize("name", ["Müß 日本 ♪", "50% #1?mode=ro&x", "a'b\"c;--", " ", "-x", "a\nb"])
def test_any_file_name_can_be_used(path: Path, name: str) -> None:
    path = path.with_name(f"{name}.musicrel")
    ProjectFile.create(path, full_contents()).close()

    project = ProjectFile.open(path)
    project.write(with_take(project.read()))
    project.close()

    assert folder_of(path) == [path.name]


def test_reading_leaves_no_trace(project: ProjectFile, path: Path) -> None:
    project.close()
    os.utime(path, (0, 0))
    before = path.read_bytes()

    again = ProjectFile.open(path, read_only=True)

    assert (path.read_bytes(), path.stat().st_mtime) == (before, 0)
    assert folder_of(path) == ["Piece.musicrel"]
    with pytest.raises(FileError, match=r"Piece.musicrel was opened for reading; save the project"):
        again.write(Contents())


def test_a_copy_is_a_project_of_one_file(project: ProjectFile, path: Path) -> None:
    copy = path.with_name("copy.musicrel")
    contents = with_take(project.read())
    project.write(contents)

    project.copy_to(copy)
    project.write(Contents())

    assert plain(ProjectFile.open(copy, read_only=True).read()) == plain(contents)
    project.close()
    assert folder_of(path) == ["Piece.musicrel", "copy.musicrel"]


def test_a_copy_replaces_a_project_whose_program_was_killed(
    project: ProjectFile, path: Path
) -> None:
    """The log beside it belongs to the old file, and would damage the new one."""
    killed = path.with_name("killed.musicrel")
    for suffix in ("", "-wal"):
        Path(f"{killed}{suffix}").write_bytes(Path(f"{path}{suffix}").read_bytes())
    contents = with_take(project.read())
    project.write(contents)

    project.copy_to(killed)

    found = ProjectFile.open(killed)
    assert (plain(found.read()), found.problems) == (plain(contents), ())
    found.close()


def test_a_snapshot_is_put_back(project: ProjectFile, path: Path) -> None:
    snapshot = path.with_name("snapshot")
    project.copy_to(snapshot)
    project.write(with_take(project.read()))
    log = Path(f"{path}-wal").read_bytes()
    project.close()
    Path(f"{path}-wal").write_bytes(log)

    project_file.restore(path, snapshot)

    assert folder_of(path) == ["Piece.musicrel", "snapshot"]
    found = ProjectFile.open(path)
    assert (plain(found.read()), found.problems) == (plain(full_contents()), ())
    found.close()


def test_long_names_are_cut_off(project: ProjectFile, path: Path) -> None:
    first, second = project.read().takes
    takes = (replace(first, name="x" * 5000), replace(second, name="\ud800"))
    project.write(replace(project.read(), takes=takes))
    project.close()

    found = ProjectFile.open(path, read_only=True)

    assert found.problems == ()
    assert [take.name for take in found.read().takes] == ["x" * 1000, "?"]


def test_a_project_is_not_copied_onto_itself(project: ProjectFile, path: Path) -> None:
    link = path.with_name("link.musicrel")
    link.symlink_to(path)
    for same in (path, link):
        with pytest.raises(FileError, match="it is the open project; choose another name"):
            project.copy_to(same)


@pytest.mark.parametrize("suffixes", [("", "-wal"), ("", "-wal", "-shm"), ("",)])
def test_the_files_of_a_killed_program_are_read(
    project: ProjectFile, path: Path, suffixes: tuple[str, ...]
) -> None:
    """The log has the last edit; without it the edits before the last checkpoint are there.

    The log stays until the first edit, which leaves one file.
    """
    contents = project.read()
    project.sync()
    if len(suffixes) > 1:
        contents = with_take(contents)
        project.write(contents)
    copy = path.parent.parent / "killed.musicrel"
    for suffix in suffixes:
        Path(f"{copy}{suffix}").write_bytes(Path(f"{path}{suffix}").read_bytes())

    for read_only in (True, False):
        before = {file: file.read_bytes() for file in copy.parent.glob("killed*")}
        found = ProjectFile.open(copy, read_only=read_only)
        assert plain(found.read()) == plain(contents)
        assert found.problems == ()
        if read_only or len(suffixes) > 1:
            assert {file: file.read_bytes() for file in copy.parent.glob("killed*")} == before
        if not read_only:
            found.write(contents := replace(contents, mixer={"volume": 0.25}))
        found.close()
    assert list(copy.parent.glob("killed*")) == [copy]
    assert plain(ProjectFile.open(copy, read_only=True).read()) == plain(contents)


def test_a_transaction_that_was_cut_off_is_not_read(project: ProjectFile, path: Path) -> None:
    project.close()
    copy = path.parent.parent / "killed.musicrel"
    connection = database.connect(path, "rw")
    connection.execute("PRAGMA cache_size=2")
    connection.execute("BEGIN")
    connection.execute("DELETE FROM takes")
    rows = [(str(number), "x" * 2000) for number in range(100)]
    connection.executemany("INSERT INTO document VALUES (?, ?)", rows)
    for suffix in ("", "-journal"):
        Path(f"{copy}{suffix}").write_bytes(Path(f"{path}{suffix}").read_bytes())
    connection.close()
    before = copy.read_bytes()
    assert len(before) > len(path.read_bytes())

    found = ProjectFile.open(copy, read_only=True)

    assert plain(found.read()) == plain(full_contents())
    writable = ProjectFile.open(copy)
    assert (plain(writable.read()), writable.reason) == (plain(full_contents()), "")
    assert copy.read_bytes() == before
    assert Path(f"{copy}-journal").exists()
    writable.write(full_contents())
    writable.close()
    assert not Path(f"{copy}-journal").exists()
    assert plain(ProjectFile.open(copy, read_only=True).read()) == plain(full_contents())


Writer = Callable[[Contents], int]


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as found:
        schema.create(found)
        yield found


@pytest.fixture
def write(connection: sqlite3.Connection) -> Writer:
    stored = [Stored()]

    def write(contents: Contents) -> int:
        before = connection.total_changes
        stored[0] = write_changes(connection, stored[0], contents)
        return connection.total_changes - before

    return write


def read(connection: sqlite3.Connection) -> Contents:
    reader = Reader(Rows(connection))
    contents = reader.read().contents
    assert reader.problems() == ()
    return contents


def test_the_same_contents_change_no_row_and_forgetting_a_step_one(write: Writer) -> None:
    contents = full_contents()
    assert write(contents) == 12  # 3 pieces, 2 takes, 3 states, 4 values
    assert write(replace(contents, takes=tuple(contents.takes))) == 0

    contents = full_contents()
    write(contents)
    assert write(replace(contents, states=contents.states[1:], position=0)) == 1


def test_a_renamed_take_is_one_row(write: Writer, connection: sqlite3.Connection) -> None:
    contents = full_contents()
    write(contents)
    first, second = contents.takes
    changed = replace(contents, takes=(first, replace(second, name="B", rating=2)))

    assert write(changed) == 1
    assert plain(read(connection)) == plain(changed)


def test_a_new_step_writes_itself_and_the_position(
    write: Writer, connection: sqlite3.Connection
) -> None:
    contents = full_contents()
    write(contents)
    state = replace(contents.states[1], piece=random_chorale(9, STEPS))
    changed = replace(contents, states=(*contents.states[:2], state), position=2)

    assert write(changed) == 5  # a state and a piece deleted, both written, the current state
    assert plain(read(connection)) == plain(changed)


def test_steps_in_another_order_are_read_in_that_order(
    write: Writer, connection: sqlite3.Connection
) -> None:
    contents = full_contents()
    write(contents)
    one, two, three = contents.states
    for line in ((one, replace(two), two, three), (one, one, three), (three, two, one), ()):
        changed = replace(contents, states=line, position=len(line) - 1, present=bool(line))
        write(changed)
        assert plain(read(connection)) == plain(changed)


def test_equal_pieces_are_stored_once(write: Writer, connection: sqlite3.Connection) -> None:
    takes = tuple(
        Take(number=number, name="", piece=random_chorale(1), form=full_contents().takes[0].form)
        for number in (1, 2)
    )
    assert write(Contents(takes=takes)) == 7  # a piece, 2 takes, 4 values
    first, second = read(connection).takes
    assert first.piece is second.piece


def test_a_session_leaves_no_piece_without_use(
    write: Writer, connection: sqlite3.Connection
) -> None:
    contents = Contents(mixer={"edits": 0})
    for number in range(1, 151):
        contents = edit(contents, number)
        write(contents)

    pieces = [take.piece for take in contents.takes]
    pieces += [state.piece for state in contents.states]
    (stored,) = connection.execute("SELECT count(*) FROM pieces").fetchone()
    assert stored == len({piece.pitches.tobytes() for piece in pieces})
    assert plain(read(connection)) == plain(contents)


_HEADER = (
    '{{"format": "musicrel-chorale", "version": 1, "title": "{number}", "tempo": 100, '
    '"meter": "4/4", "pickup": 0, "key": "C major", "steps": {steps}, "provenance": '
    '{{"model": "m", "sha256": "0", "seed": 1, "settings": {{"list": [{values}]}}}}}}\n'
)


def piece(number: int, steps: int = MAX_STEPS, values: str = "") -> bytes:
    header = _HEADER.format(number=number, steps=steps, values=values).encode()
    return header + b"\xff" * (4 * steps) + bytes(steps // 2) + bytes(steps // 8)


def of_long_pieces() -> Iterator[bytes]:
    return (piece(number) for number in range(3000))


def of_long_headers() -> Iterator[bytes]:
    lists = ",".join(["[]"] * 1_000_000)
    return (piece(number, 16, lists) for number in range(20))


@pytest.mark.parametrize("pieces", [of_long_pieces, of_long_headers])
def test_memory_is_bounded(tmp_path: Path, pieces: Callable[[], Iterator[bytes]]) -> None:
    path = tmp_path / "large.musicrel"
    ProjectFile.create(path, full_contents()).close()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        for number, content in enumerate(pieces(), start=100):
            values = (number, hashlib.sha256(content).digest(), zlib.compress(content))
            connection.execute("INSERT INTO pieces VALUES (?, ?, ?)", values)
            take = (number, number, "", "{}", "", None, 0, 0, 0.0)
            connection.execute("INSERT INTO takes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", take)
        connection.commit()
    tracemalloc.start()

    project = ProjectFile.open(path)

    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    found = project.read()
    assert peak < 100_000_000 + 60 * path.stat().st_size
    assert project.problems[0] == ("its contents would need far too much memory for a project")
    assert plain(found)["takes"][:2] == plain(full_contents())["takes"]
    assert project.read_only
    with pytest.raises(FileError, match="is damaged and stays as it is"):
        project.write(Contents())
