"""Writing only what differs, counted in rows."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from musicrel.project import schema
from musicrel.project.contents import Contents
from musicrel.project.reader import Reader
from musicrel.project.rows import Rows
from musicrel.project.stored import Stored
from musicrel.project.take import Take
from musicrel.project.writer import write_changes
from tests.helpers.music import random_chorale
from tests.helpers.projects import STEPS, edit, full_contents, plain

Writer = Callable[[Contents], int]


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    """Create an empty project in memory."""
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as found:
        schema.create(found)
        yield found


@pytest.fixture
def write(connection: sqlite3.Connection) -> Writer:
    """Return a function that writes contents after ``full_contents`` and counts changed rows."""
    stored = [Stored()]

    def write(contents: Contents) -> int:
        before = connection.total_changes
        stored[0] = write_changes(connection, stored[0], contents)
        return connection.total_changes - before

    return write


def read(connection: sqlite3.Connection) -> Contents:
    """Return the contents in the database, which has no problems."""
    reader = Reader(Rows(connection))
    contents = reader.read().contents
    assert reader.problems() == ()
    return contents


def test_the_same_contents_change_no_row(write: Writer) -> None:
    """Objects are the same, whatever holds them."""
    contents = full_contents()
    assert write(contents) == 12  # 3 pieces, 2 takes, 3 states, 4 values

    assert write(replace(contents, takes=tuple(contents.takes))) == 0


def test_a_renamed_take_is_one_row(write: Writer, connection: sqlite3.Connection) -> None:
    """Its piece is not written again."""
    contents = full_contents()
    write(contents)
    first, second = contents.takes
    changed = replace(contents, takes=(first, replace(second, name="B", rating=2)))

    assert write(changed) == 1
    assert plain(read(connection)) == plain(changed)


def test_undo_is_one_row(write: Writer, connection: sqlite3.Connection) -> None:
    """The current state is a value of the document."""
    contents = full_contents()
    write(contents)

    assert write(replace(contents, position=0)) == 1
    assert read(connection).position == 0


def test_a_new_step_writes_itself_and_the_position(
    write: Writer, connection: sqlite3.Connection
) -> None:
    """The steps that were undone are deleted, with the piece that only they had."""
    contents = full_contents()
    write(contents)
    state = replace(contents.states[1], piece=random_chorale(9, STEPS))
    changed = replace(contents, states=(*contents.states[:2], state), position=2)

    assert write(changed) == 5  # a state and a piece deleted, both written, the current state
    assert plain(read(connection)) == plain(changed)


def test_forgetting_the_oldest_step_deletes_one_row(write: Writer) -> None:
    """The steps after it keep theirs."""
    contents = full_contents()
    write(contents)

    assert write(replace(contents, states=contents.states[1:], position=0)) == 1


def test_steps_in_another_order_are_read_in_that_order(
    write: Writer, connection: sqlite3.Connection
) -> None:
    """A state inserted, a state twice, states reversed."""
    contents = full_contents()
    write(contents)
    one, two, three = contents.states

    for line in ((one, replace(two), two, three), (one, one, three), (three, two, one), ()):
        changed = replace(contents, states=line, position=len(line) - 1, present=bool(line))
        write(changed)
        assert plain(read(connection)) == plain(changed)


def test_equal_pieces_are_stored_once(write: Writer, connection: sqlite3.Connection) -> None:
    """Also if they are different objects; they are read as one."""
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
    """After 150 edits the file holds what the contents name."""
    contents = Contents(mixer={"edits": 0})
    for number in range(1, 151):
        contents = edit(contents, number)
        write(contents)

    pieces = [take.piece for take in contents.takes]
    pieces += [state.piece for state in contents.states]
    (stored,) = connection.execute("SELECT count(*) FROM pieces").fetchone()
    assert stored == len({piece.pitches.tobytes() for piece in pieces})
    assert plain(read(connection)) == plain(contents)
