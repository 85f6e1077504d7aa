"""Damaged and hostile projects: read as far as it goes, in sentences, and never changed."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from musicrel.errors import FileError
from musicrel.presentation.compose.form import Form
from musicrel.project import database, piece_bytes, project_file
from musicrel.project.contents import Contents, Take
from musicrel.project.project_file import ProjectFile
from tests.faults import side_files
from tests.helpers.music import random_chorale
from tests.helpers.projects import STEPS, folder_of, full_contents, plain, with_take

PAGE = 4096


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "piece.musicrel"
    ProjectFile.create(file, full_contents()).close()
    return file


def execute(file: Path, *statements: str) -> None:
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA writable_schema=ON")
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def opened(file: Path) -> ProjectFile:
    """Open a project that is damaged; it is not changed and can be saved under another name."""
    before = file.read_bytes()

    project = ProjectFile.open(file)

    assert project.read_only
    assert project.reason == (
        "piece.musicrel is damaged and stays as it is: save what is left under another name"
    )
    with pytest.raises(FileError, match="is damaged and stays as it is"):
        project.write(Contents())
    project.close()
    assert file.read_bytes() == before
    copy = file.with_name("copy.musicrel")
    project.copy_to(copy)
    found = ProjectFile.open(copy, read_only=True)
    assert found.problems == ()
    assert plain(found.read()) == plain(project.read())
    return project


def read_values(file: Path) -> Contents:
    return ProjectFile.open(file, read_only=True).read()


_PACKED = zlib.compress(bytes(10 * piece_bytes.MAX_BYTES)).hex()
_BOMB = f"UPDATE pieces SET content = x'{_PACKED}'"  # noqa: S608


@pytest.mark.parametrize(
    ("statement", "problems", "left"),
    [
        ("DELETE FROM pieces WHERE id = 1", ["1 take", "1 Undo step"], (1, 2, 0)),
        ("UPDATE pieces SET content = x'0011' WHERE id = 1", ["1 take", "1 Undo step"], (1, 2, 0)),
        ("UPDATE pieces SET content = 'text' WHERE id = 1", ["1 take", "1 Undo step"], (1, 2, 0)),
        (_BOMB, ["2 takes", "3 Undo steps"], (0, 0, -1)),
        ("UPDATE pieces SET content = zeroblob(20000000)", ["2 takes", "3 Undo steps"], (0, 0, -1)),
        ("UPDATE pieces SET digest = x'00' WHERE id = 1", ["1 take", "1 Undo step"], (1, 2, 0)),
        ("UPDATE takes SET piece = -1 WHERE number = 4", ["1 take"], (1, 3, 1)),
        ("UPDATE takes SET piece = 'x' WHERE number = 4", ["1 take"], (1, 3, 1)),
        ("UPDATE takes SET number = -4 WHERE number = 4", ["1 take"], (1, 3, 1)),
        ("UPDATE takes SET form = '{' WHERE number = 1", ["1 setting"], (2, 3, 1)),
        ("UPDATE takes SET form = x'00' WHERE number = 1", ["1 setting"], (2, 3, 1)),
        ("UPDATE states SET locks = x'ff'", ["3 settings"], (2, 3, 1)),
        ("UPDATE states SET deleted = '[1e999]'", ["3 settings"], (2, 3, 1)),
        ("UPDATE states SET take = -1", ["3 settings"], (2, 3, 1)),
        ("DELETE FROM states WHERE id = 2", ["1 setting"], (2, 2, 0)),
        ("UPDATE document SET value = '99' WHERE name = 'current'", ["1 setting"], (2, 3, 2)),
        ("UPDATE document SET value = '[[' WHERE name = 'mixer'", ["1 setting"], (2, 3, 1)),
    ],
)
def test_damaged_rows_are_counted(
    file: Path, statement: str, problems: list[str], left: tuple[int, int, int]
) -> None:
    execute(file, statement)

    project = opened(file)

    contents = project.read()
    assert project.problems == tuple(f"{problem} cannot be read" for problem in problems)
    assert (len(contents.takes), len(contents.states), contents.position) == left


def test_values_of_the_wrong_type_get_their_defaults(file: Path) -> None:
    execute(
        file,
        "UPDATE takes SET name = x'00', rating = 4, action = x'05', parent = 7, accepted = 'yes', "
        "created = 'now'",
    )

    project = opened(file)

    first, second = project.read().takes
    assert project.problems == ("10 settings cannot be read",)
    assert (first.name, first.rating, first.action) == ("Take 1", 0, "edited")
    assert (second.parent, second.accepted, second.created) == (None, False, 0.0)


def test_a_name_that_is_no_text_is_shown_as_far_as_it_can_be(file: Path) -> None:
    """The bytes of a name need not be UTF-8."""
    execute(file, "UPDATE takes SET name = CAST(x'ff41' AS TEXT) WHERE number = 1")
    assert read_values(file).takes[0].name == "\ufffdA"


def test_takes_with_the_same_number_are_read_once(file: Path) -> None:
    """A table without a key is not one of ours, so the file cannot be written."""
    execute(file, "CREATE TABLE other AS SELECT * FROM takes", "DROP TABLE takes")
    execute(file, "ALTER TABLE other RENAME TO takes", "PRAGMA user_version = 2")
    execute(file, "INSERT INTO takes SELECT * FROM takes WHERE number = 1")

    project = ProjectFile.open(file)

    assert project.reason == (
        "piece.musicrel was written by a newer version: update musicrel to change it"
    )
    assert project.problems == ("1 take cannot be read",)
    assert [take.number for take in project.read().takes] == [1, 4]


_ENDLESS = (
    "CREATE VIEW takes AS WITH RECURSIVE r(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM r)"
    " SELECT number, 1 piece, '' name, '' form, '' action, 1 parent, 1 accepted, 1 rating,"
    " 1 created, number rowid FROM r"
)


_COMPUTED = (
    "CREATE TABLE takes (number INTEGER PRIMARY KEY, piece, form, action, parent, accepted, rating,"
    " created, name TEXT AS (replace(hex(zeroblob(99999)), '0', '00')))"
)


@pytest.mark.parametrize(
    ("statements", "left"),
    [
        (["DROP TABLE states"], (2, 1)),  # the last take is put on the sheet
        (["DROP TABLE document"], (2, 3)),
        (["DROP TABLE takes", _ENDLESS], (0, 3)),
        (["DROP TABLE takes", _ENDLESS, "PRAGMA user_version = 2"], (0, 3)),
        (["CREATE TRIGGER more AFTER INSERT ON takes BEGIN DELETE FROM takes; END"], (2, 3)),
        (["CREATE TRIGGER takes AFTER INSERT ON takes BEGIN DELETE FROM takes; END"], (2, 3)),
        (["DROP TABLE takes", _COMPUTED, "PRAGMA user_version = 2"], (0, 3)),
        (["UPDATE sqlite_master SET sql = 'CREATE TABLE takes (a)' WHERE name = 'takes'"], (0, 3)),
        (["UPDATE sqlite_master SET sql = 'nonsense' WHERE name = 'takes'"], (0, 0)),
    ],
)
def test_unknown_tables_views_and_triggers_are_not_used(
    file: Path, statements: list[str], left: tuple[int, int]
) -> None:
    """Nothing of what they would run is run."""
    execute(file, *statements)
    before = file.read_bytes()

    project = ProjectFile.open(file)

    contents = project.read()
    assert project.read_only
    assert (len(contents.takes), len(contents.states)) == left
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    "statements",
    [
        ["ALTER TABLE takes ADD COLUMN stars TEXT DEFAULT 'many'"],
        ["CREATE TABLE comments (text TEXT)"],
        ["UPDATE document SET value = '[true]' WHERE name = 'form'"],
        [],
    ],
)
def test_a_newer_version_is_read_as_far_as_it_is_known(file: Path, statements: list[str]) -> None:
    expected = full_contents()
    execute(file, "PRAGMA user_version = 2", *statements)

    project = ProjectFile.open(file)

    assert project.problems == ()
    assert project.reason == (
        "piece.musicrel was written by a newer version: update musicrel to change it"
    )
    assert plain(project.read())["takes"] == plain(expected)["takes"]
    with pytest.raises(FileError, match="was written by a newer version: update musicrel"):
        project.write(expected)


@pytest.fixture
def long_project(file: Path) -> Path:
    """Add 200 takes, each with an edit of its own, as in a long session."""
    project = ProjectFile.open(file)
    contents = replace(project.read(), takes=())
    for number in range(1, 201):
        take = Take(number=number, name="", piece=random_chorale(number, STEPS), form=Form())
        contents = replace(contents, takes=(*contents.takes, take))
        project.write(contents)
    project.close()
    return file


def cut(content: bytes) -> bytes:
    return content[: len(content) * 2 // 3]


def cut_page(content: bytes) -> bytes:
    return content[:-100]


def clear_pages(content: bytes) -> bytes:
    start = len(content) // 2 // PAGE * PAGE
    return content[:start] + bytes(10 * PAGE) + content[start + 10 * PAGE :]


def shuffle_pages(content: bytes) -> bytes:
    middle = len(content) // 2 // PAGE * PAGE
    return content[:PAGE] + content[middle:] + content[PAGE:middle]


def claim_pages(content: bytes) -> bytes:
    return content[:28] + (2**31 - 1).to_bytes(4, "big") + content[32:]


@pytest.mark.parametrize(
    ("damage", "takes"),
    [(cut, 100), (cut_page, 190), (clear_pages, 120), (shuffle_pages, 0), (claim_pages, 200)],
)
def test_damaged_pages_are_passed_over(
    long_project: Path, damage: Callable[[bytes], bytes], takes: int
) -> None:
    long_project.write_bytes(damage(long_project.read_bytes()))
    project = opened(long_project)
    assert project.problems
    assert len(project.read().takes) >= takes


def test_random_damage_is_a_sentence(long_project: Path) -> None:
    content = np.frombuffer(long_project.read_bytes(), dtype=np.uint8)
    rng = np.random.default_rng(1)
    read, refused = 0, []
    for number in range(100):
        damaged = content.copy()
        first = int(rng.integers(len(damaged) - 64 if number % 2 else 2 * PAGE))
        damaged[first : first + 64] = rng.integers(256, size=64)
        long_project.write_bytes(damaged.tobytes())
        try:
            ProjectFile.open(long_project, read_only=True)
            read += 1
        except FileError as reason:
            refused.append(str(reason).removeprefix(f"cannot read {long_project}: "))

    assert read > 80
    assert set(refused) <= {"it is not a musicrel project", "it is damaged"}


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


def test_a_value_that_json_cannot_represent_is_refused(project: ProjectFile) -> None:
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
    os.mkfifo(path)


def make_huge(path: Path) -> None:
    path.touch()
    os.truncate(path, 1 << 40)


def make_other_database(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE takes (number INTEGER PRIMARY KEY)")


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
        (make_other_database, "cannot read .*: it is not a musicrel project"),
        (make_huge, "but at most 1,073,741,824 are read here"),
    ],
    ids=[
        "missing",
        "folder",
        "pipe",
        "device",
        "loop",
        "empty",
        "MIDI",
        "text",
        "header",
        "database",
        "huge",
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes in folders")
def test_other_things_are_refused_in_a_sentence(
    path: Path, make: Callable[[Path], None], message: str
) -> None:
    make(path)
    before = folder_of(path)
    with pytest.raises(FileError, match=message):
        ProjectFile.open(path)
    assert folder_of(path) == before


pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes in folders")

PRECIOUS = b"precious" * 99


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    victim = tmp_path / "victim"
    victim.write_bytes(PRECIOUS)
    return victim


@pytest.fixture
def received(project: ProjectFile, path: Path) -> Path:
    project.close()
    return path


@pytest.mark.parametrize("use", [*side_files.READERS, *side_files.WRITERS])
@pytest.mark.parametrize(
    ("kind", "by_link"),
    [*((kind, False) for kind in side_files.HARMLESS), ("journal that names a file", True)],
)
def test_a_log_that_was_sent_touches_nothing_else(
    received: Path, victim: Path, use: Callable[[Path], None], kind: str, by_link: bool
) -> None:
    side_files.HARMLESS[kind](received, victim)
    (log,) = (file for file in received.parent.iterdir() if file != received)
    before = received.read_bytes(), log.read_bytes()
    path = received
    if by_link:
        path = received.parent.parent / "link.musicrel"
        path.symlink_to(received)

    use(path)

    assert victim.read_bytes() == PRECIOUS
    if use in side_files.READERS:
        assert (received.read_bytes(), log.read_bytes()) == before
        assert plain(ProjectFile.open(path, read_only=True).read()) == plain(full_contents())
    else:
        assert not log.exists()
        assert ProjectFile.open(path, read_only=True).problems == ()


@pytest.mark.parametrize("use", [*side_files.READERS, *side_files.WRITERS])
@pytest.mark.parametrize("kind", side_files.REFUSED)
def test_what_is_no_log_is_refused(
    received: Path, victim: Path, use: Callable[[Path], None], kind: str
) -> None:
    side_files.REFUSED[kind](received, victim)
    before = received.read_bytes()

    with pytest.raises(FileError, match=r"beside it (is|has)|with the log beside it"):
        use(received)

    assert victim.read_bytes() == PRECIOUS
    assert received.read_bytes() == before


def test_a_log_that_comes_while_a_project_is_open_is_not_rolled_back(
    project: ProjectFile, path: Path, victim: Path
) -> None:
    project.write(with_take(project.read()))
    side_files.HARMLESS["journal that names a file"](path, victim)

    project.close()

    assert victim.read_bytes() == PRECIOUS
    assert len(ProjectFile.open(path, read_only=True).read().takes) == 3


def leave_log(path: Path, suffix: str) -> dict[Path, bytes]:
    """Write a project and a log of it, as a kill leaves them; return the contents of both."""
    project_file.write_new(full_contents(), path)
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as killed:
        killed.execute(f"PRAGMA journal_mode={'WAL' if suffix == '-wal' else 'DELETE'}")
        killed.execute("PRAGMA cache_size=1")
        killed.execute("BEGIN")
        killed.execute("UPDATE takes SET name = 'changed'")
        rows = [(str(number), "x" * 2000) for number in range(100)]
        killed.executemany("INSERT INTO document VALUES (?, ?)", rows)
        if suffix == "-wal":
            killed.execute("COMMIT")
        left = {file: file.read_bytes() for file in (path, Path(f"{path}{suffix}"))}
    for file, content in left.items():
        file.write_bytes(content)
    return left


@pytest.mark.parametrize("suffix", ["-wal", "-journal"])
def test_a_kill_before_a_log_is_removed_changes_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    left, log = leave_log(path, suffix), Path(f"{path}{suffix}")
    expected = plain(ProjectFile.open(path, read_only=True).read())
    assert expected["takes"][0]["name"] == ("changed" if suffix == "-wal" else "Menuett")
    unlink = Path.unlink

    def be_killed(file: Path, *, missing_ok: bool = False) -> None:
        if file == log:
            raise KeyboardInterrupt
        unlink(file, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", be_killed)
    with pytest.raises(KeyboardInterrupt):
        database.absorb_logs(path)

    monkeypatch.undo()
    assert path.read_bytes() != left[path]
    assert log.read_bytes() == left[log]
    found = ProjectFile.open(path)
    assert (plain(found.read()), found.problems) == (expected, ())


@pytest.mark.parametrize("use", [side_files.save_over, side_files.restore])
@pytest.mark.parametrize("suffix", ["-wal", "-journal", "-shm"])
def test_a_log_without_its_project_is_kept(
    path: Path, use: Callable[[Path], None], suffix: str
) -> None:
    """The project may only have been moved for a moment; an index holds nothing."""
    path.parent.mkdir(exist_ok=True)
    log = Path(f"{path}{suffix}")
    log.write_bytes(PRECIOUS)

    if suffix == "-shm":
        use(path)
        assert not log.exists()
        return
    with pytest.raises(FileError, match=f"{log.name} beside it may hold edits .* move {log.name}"):
        use(path)

    assert log.read_bytes() == PRECIOUS
    assert not path.exists()


OTHER_PROGRAM = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("PRAGMA journal_mode=WAL")
connection.execute("UPDATE takes SET name = 'changed' WHERE number = 1")
connection.commit()
print("written", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("use", side_files.WRITERS)
def test_a_project_that_another_program_writes_is_not_replaced(
    received: Path, use: Callable[[Path], None]
) -> None:
    command = [sys.executable, "-c", OTHER_PROGRAM, str(received)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        assert ProjectFile.open(received).read().takes[0].name == "changed"
        before = received.stat().st_ino
        with pytest.raises(FileError, match="another program is using it"):
            use(received)
        assert received.stat().st_ino == before
    assert ProjectFile.open(received, read_only=True).read().takes[0].name == "changed"
