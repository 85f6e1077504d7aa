"""Damaged and hostile projects: read as far as it goes, in sentences, and never changed."""

from __future__ import annotations

import contextlib
import sqlite3
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from musicrel.errors import FileError
from musicrel.presentation.compose.form import Form
from musicrel.project import piece_bytes
from musicrel.project.contents import Contents
from musicrel.project.project_file import ProjectFile
from musicrel.project.take import Take
from tests.helpers.music import random_chorale
from tests.helpers.projects import STEPS, full_contents, plain

PAGE = 4096


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Write a closed project with contents of every kind."""
    path = tmp_path / "piece.musicrel"
    ProjectFile.create(path, full_contents()).close()
    return path


def execute(path: Path, *statements: str) -> None:
    """Change the database of ``path``."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA writable_schema=ON")
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def opened(path: Path) -> ProjectFile:
    """Open a project that is damaged; it is not changed and can be saved under another name."""
    before = path.read_bytes()

    project = ProjectFile.open(path)

    assert project.read_only
    assert project.reason == (
        "piece.musicrel is damaged and stays as it is: save what is left under another name"
    )
    with pytest.raises(FileError, match="is damaged and stays as it is"):
        project.write(Contents())
    project.close()
    assert path.read_bytes() == before
    copy = path.with_name("copy.musicrel")
    project.copy_to(copy)
    found = ProjectFile.open(copy, read_only=True)
    assert found.problems == ()
    assert plain(found.read()) == plain(project.read())
    return project


def read_values(path: Path) -> Contents:
    """Read a project whose problems do not matter."""
    return ProjectFile.open(path, read_only=True).read()


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
    path: Path, statement: str, problems: list[str], left: tuple[int, int, int]
) -> None:
    """Takes, states and the position are those that are left."""
    execute(path, statement)

    project = opened(path)

    contents = project.read()
    assert project.problems == tuple(f"{problem} cannot be read" for problem in problems)
    assert (len(contents.takes), len(contents.states), contents.position) == left


def test_values_of_the_wrong_type_get_their_defaults(path: Path) -> None:
    """No take is lost for them."""
    execute(
        path,
        "UPDATE takes SET name = x'00', rating = 4, action = x'05', parent = 7, accepted = 'yes', "
        "created = 'now'",
    )

    project = opened(path)

    first, second = project.read().takes
    assert project.problems == ("10 settings cannot be read",)
    assert (first.name, first.rating, first.action) == ("Take 1", 0, "edited")
    assert (second.parent, second.accepted, second.created) == (None, False, 0.0)


def test_a_name_that_is_no_text_is_shown_as_far_as_it_can_be(path: Path) -> None:
    """The bytes of a name need not be UTF-8."""
    execute(path, "UPDATE takes SET name = CAST(x'ff41' AS TEXT) WHERE number = 1")

    assert read_values(path).takes[0].name == "\ufffdA"


def test_takes_with_the_same_number_are_read_once(path: Path) -> None:
    """A table without a key is not one of ours, so the file cannot be written."""
    execute(path, "CREATE TABLE other AS SELECT * FROM takes", "DROP TABLE takes")
    execute(path, "ALTER TABLE other RENAME TO takes", "PRAGMA user_version = 2")
    execute(path, "INSERT INTO takes SELECT * FROM takes WHERE number = 1")

    project = ProjectFile.open(path)

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
    path: Path, statements: list[str], left: tuple[int, int]
) -> None:
    """Nothing of what they would run is run."""
    execute(path, *statements)
    before = path.read_bytes()

    project = ProjectFile.open(path)

    contents = project.read()
    assert project.read_only
    assert (len(contents.takes), len(contents.states)) == left
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "statements",
    [
        ["ALTER TABLE takes ADD COLUMN stars TEXT DEFAULT 'many'"],
        ["CREATE TABLE comments (text TEXT)"],
        ["UPDATE document SET value = '[true]' WHERE name = 'form'"],
        [],
    ],
)
def test_a_newer_version_is_read_as_far_as_it_is_known(path: Path, statements: list[str]) -> None:
    """It is no damage; what is shown can be saved under another name."""
    expected = full_contents()
    execute(path, "PRAGMA user_version = 2", *statements)

    project = ProjectFile.open(path)

    assert project.problems == ()
    assert project.reason == (
        "piece.musicrel was written by a newer version: update musicrel to change it"
    )
    assert plain(project.read())["takes"] == plain(expected)["takes"]
    with pytest.raises(FileError, match="was written by a newer version: update musicrel"):
        project.write(expected)


@pytest.fixture
def long_project(path: Path) -> Path:
    """Add 200 takes, each with an edit of its own, as in a long session."""
    project = ProjectFile.open(path)
    contents = replace(project.read(), takes=())
    for number in range(1, 201):
        take = Take(number=number, name="", piece=random_chorale(number, STEPS), form=Form())
        contents = replace(contents, takes=(*contents.takes, take))
        project.write(contents)
    project.close()
    return path


def cut(content: bytes) -> bytes:
    """Cut off the last third."""
    return content[: len(content) * 2 // 3]


def cut_page(content: bytes) -> bytes:
    """Cut off a part of the last page."""
    return content[:-100]


def clear_pages(content: bytes) -> bytes:
    """Clear ten pages in the middle."""
    start = len(content) // 2 // PAGE * PAGE
    return content[:start] + bytes(10 * PAGE) + content[start + 10 * PAGE :]


def shuffle_pages(content: bytes) -> bytes:
    """Exchange two halves of the pages after the first."""
    middle = len(content) // 2 // PAGE * PAGE
    return content[:PAGE] + content[middle:] + content[PAGE:middle]


def claim_pages(content: bytes) -> bytes:
    """Write a size into the header that the file does not have."""
    return content[:28] + (2**31 - 1).to_bytes(4, "big") + content[32:]


@pytest.mark.parametrize(
    ("damage", "takes"),
    [(cut, 100), (cut_page, 190), (clear_pages, 120), (shuffle_pages, 0), (claim_pages, 200)],
)
def test_damaged_pages_are_passed_over(
    long_project: Path, damage: Callable[[bytes], bytes], takes: int
) -> None:
    """Takes on other pages are there, as many as are given or more."""
    long_project.write_bytes(damage(long_project.read_bytes()))

    project = opened(long_project)

    assert project.problems
    assert len(project.read().takes) >= takes


def test_takes_after_the_damage_are_read(long_project: Path) -> None:
    """Those before it, too; a hole is between them."""
    content = long_project.read_bytes()
    long_project.write_bytes(clear_pages(content))

    numbers = [take.number for take in opened(long_project).read().takes]

    assert (numbers[0], numbers[-1]) == (1, 200)


def test_random_damage_is_a_sentence(long_project: Path) -> None:
    """Of 100 files with damaged bytes, each is read as far as it goes or refused."""
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
