"""The tables of a project file.

``pieces`` holds every piece once, found by the SHA-256 of its bytes; takes and states name it by
its row. ``states`` is the undo line, oldest first. ``document`` holds single values as JSON:
format, version, current (row of the current state), present, form, mixer.

Writing of the differences between two contents, found by the identity of takes and states.

Reading of a project, also of a damaged one, as far as it goes.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Final, TypeGuard, TypeVar, cast

import msgspec
import numpy as np
from msgspec import Meta

from musicrel import untrusted
from musicrel.chorale import Chorale, Flags, Voice
from musicrel.errors import DataError
from musicrel.language import count, tr
from musicrel.presentation import lock_cells
from musicrel.presentation.compose.form import Form
from musicrel.project import piece_bytes
from musicrel.project.contents import MAX_RATING, Contents, State, Take
from musicrel.project.database import DAMAGE
from musicrel.score import json_file

_MAX_JSON: Final = 1_000_000
_MAX_NUMBER: Final = 2**53
_MEMORY: Final = 64_000_000
# Ten times that of a project of the app, which is compressed to a third.
_MEMORY_PER_BYTE: Final = 50
# Size limit of all that is read, in memory: sixty thousand takes and steps of Undo.
_MAX_MEMORY: Final = 1 << 30
_ROW: Final = 3000
_CELL: Final = 3
# Estimated bytes of a row, of a cell with its flags, and of a value of JSON in memory.
_VALUE: Final = 32
_UNKNOWN_ACTION: Final = "edited"  # stands for an action that cannot be read

_T = TypeVar("_T")


MAX_NAME: Final = 1000  # length of the longest name of a take; longer ones are cut off
_Name = Annotated[str, Meta(max_length=MAX_NAME)]
_Number = Annotated[int, Meta(ge=1, le=_MAX_NUMBER)]
_Rating = Annotated[int, Meta(ge=0, le=MAX_RATING)]
_Time = Annotated[float, Meta(ge=0, lt=_MAX_NUMBER)]


class Reader:
    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._missing: Counter[str] = Counter()
        self._forms: dict[str, Form] = {}
        self._pieces: dict[int, Chorale | None] = {}
        self._memory = min(_MEMORY + _MEMORY_PER_BYTE * rows.size(), _MAX_MEMORY)

    def read(self) -> Stored:
        texts = {name: self._rows.value(name) for name in VALUES}
        form = self._form(texts["form"]) if texts["form"] not in (None, "null") else None
        mixer = self._json(texts["mixer"], {})
        takes = self._read_takes()
        columns = "piece, locks, form, generated, take, deleted"
        states = dict(self._read("states", columns, self._state, "Undo step"))
        position = self._position(texts["current"], tuple(states))
        contents = Contents(
            takes=tuple(takes.values()),
            states=tuple(states.values()),
            position=position,
            present=position >= 0 and self._json(texts["present"], default=True) is True,
            form=form,
            mixer=mixer if isinstance(mixer, dict) else {},
        )
        if self.problems():
            contents = _with_a_piece(contents)
        return Stored(
            contents=contents,
            pieces={id(piece): row for row, piece in self._pieces.items() if piece is not None},
            states=tuple(states),
            values={name: text for name, text in texts.items() if text is not None},
        )

    def problems(self) -> tuple[str, ...]:
        damaged = tr("the file is damaged") if self._rows.damaged else ""
        memory = tr("its contents would need far too much memory for a project")
        missing = (_counted(number, noun) for noun, number in self._missing.items())
        unread = (tr("{counted} cannot be read", counted=counted) for counted in missing)
        return (*filter(None, (damaged, memory if self._memory < 0 else "")), *unread)

    def _read(
        self, table: str, columns: str, make: Callable[[Row], _T | None], noun: str
    ) -> Iterator[tuple[int, _T]]:
        """Yield the number and the content of each row; those that cannot be read are counted."""
        for number in self._rows.numbers(table):
            row = self._row(table, columns, number)
            made = make(row) if row is not None else None
            if made is None:
                self._missing[noun] += 1
            else:
                yield number, made

    def _read_takes(self) -> dict[int, Take]:
        takes: dict[int, Take] = {}
        columns = "number, piece, name, form, action, parent, accepted, rating, created"
        for _, take in self._read("takes", columns, self._take, "take"):
            if take.number in takes:
                self._missing["take"] += 1
            else:
                takes[take.number] = take
        return dict(sorted(takes.items()))

    def _take(self, row: Row) -> Take | None:
        number, piece_row, name, form, action, parent, accepted, rating, created = row
        piece = self._piece(piece_row)
        if piece is None or not _is_integer(number, 1, _MAX_NUMBER):
            return None
        return Take(
            number=number,
            name=self._checked(name, _Name, tr("Take {number}", number=number)),
            piece=piece,
            form=self._form(form),
            action=self._checked(action, _Name, _UNKNOWN_ACTION),
            parent=self._checked(parent, _earlier(number), None),
            accepted=accepted == 1,
            rating=self._checked(rating, _Rating, 0),
            created=self._checked(created, _Time, 0.0),
        )

    def _state(self, row: Row) -> State | None:
        piece_row, locks, form, generated, take, deleted = row
        piece = self._piece(piece_row)
        if piece is None or not self._affords(piece.onsets.size):
            return None
        return State(
            piece=piece,
            locks=self._locks(locks, piece),
            form=self._form(form),
            generated=generated == 1,
            take=self._checked(take, _Number | None, None),
            deleted=_numbers(self._json(deleted, [])),
        )

    def _piece(self, row: object) -> Chorale | None:
        if not _is_integer(row, 1, _MAX_NUMBER):
            return None
        if row not in self._pieces:
            self._pieces[row] = self._read_piece(row)
        return self._pieces[row]

    def _read_piece(self, number: int) -> Chorale | None:
        row = self._row("pieces", "digest, content", number)
        if row is None or not isinstance(row[1], bytes):
            return None
        try:
            content = piece_bytes.unpack(row[1])
            header, _, cells = content.partition(b"\n")
            if not self._affords(_memory(header) + _CELL * len(cells)):
                return None
            if hashlib.sha256(content).digest() != row[0]:
                return None
            return piece_bytes.from_bytes(content)
        except DataError:
            return None

    def _row(self, table: str, columns: str, number: int) -> Row | None:
        row = self._rows.row(table, columns, number) if self._memory >= 0 else None
        values = row or ()
        size = sum(len(value) for value in values if isinstance(value, str | bytes))
        return row if self._affords(_ROW + size) else None

    def _affords(self, memory: int) -> bool:
        """Count bytes of memory before they are used; return False if they are too many."""
        self._memory -= memory
        return self._memory >= 0

    def _locks(self, bits: object, piece: Chorale) -> Flags:
        try:
            return piece_bytes.unpack_flags(bits if isinstance(bits, bytes) else b"", piece.steps)
        except DataError:
            self._missing["setting"] += 1
            return np.zeros((piece.steps, len(Voice)), dtype=np.bool_)

    def _form(self, text: object) -> Form:
        if not isinstance(text, str):
            self._missing["setting"] += 1
            return Form()
        if text not in self._forms:
            self._forms[text] = piece_bytes.form_from_plain(self._json(text, {}))
        return self._forms[text]

    def _position(self, current: str | None, states: Sequence[int]) -> int:
        """Return the index of the current state, or of the last one that is left before it."""
        row = self._json(current, None)
        if not states or row in states:
            return states.index(row) if states else -1
        self._missing["setting"] += 1
        before = [number for number in states if _is_integer(row, number, _MAX_NUMBER)]
        return len(before or states) - 1

    def _json(self, text: object, default: object) -> object:
        """Return the parsed text; a damaged one is counted, a missing one is not."""
        if text is None:
            return default
        try:
            if isinstance(text, str) and len(text) <= _MAX_JSON and self._affords(_memory(text)):
                return untrusted.parse_json(text)
        except DataError:
            pass
        self._missing["setting"] += 1
        return default

    def _checked(self, value: object, kind: Any, default: _T) -> _T:
        """Return ``value``; one of another kind is counted and replaced by its default."""
        try:
            return cast(_T, msgspec.convert(value, kind))
        except msgspec.ValidationError:
            self._missing["setting"] += 1
            return default


def _counted(number: int, noun: str) -> str:
    if noun == "take":
        return count(number, "take")
    return count(number, "Undo step") if noun == "Undo step" else count(number, "setting")


def _memory(text: str | bytes) -> int:
    """Return about how many bytes the values of a JSON text take in memory."""
    content = text if isinstance(text, bytes) else text.encode("utf-8", "replace")
    return 4 * len(content) + _VALUE * sum(map(content.count, (b",", b"[", b"{")))


def _is_integer(value: object, low: int, high: int) -> TypeGuard[int]:
    return isinstance(value, int) and low <= value <= high


def _earlier(number: int) -> Any:
    return Annotated[int, Meta(ge=1, lt=number)] | None


def _numbers(values: object) -> frozenset[int]:
    found = values if isinstance(values, list) else []
    return frozenset(value for value in found if _is_integer(value, 1, _MAX_NUMBER))


def _with_a_piece(contents: Contents) -> Contents:
    """Return the contents of a damaged project with its last take on the sheet if it is empty."""
    accepted = [take for take in contents.takes if take.accepted]
    if contents.states or not contents.takes:
        return contents
    take = (accepted or contents.takes)[-1]
    locks = lock_cells.locks_from_provenance(take.piece)
    state = State(piece=take.piece, locks=locks, form=take.form, take=take.number)
    return replace(contents, states=(state,), position=0, present=True)


VALUES: Final = ("current", "present", "form", "mixer")  # names of the single values of a document


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stored:
    contents: Contents = field(default_factory=Contents)
    # ``id`` of a piece object of ``contents``, which keeps it alive -> its row
    pieces: Mapping[int, int] = field(default_factory=dict)
    states: tuple[int, ...] = ()  # the row of each state, ascending
    # name -> JSON of the single values of the document
    values: Mapping[str, str] = field(default_factory=dict)


def write_changes(connection: sqlite3.Connection, before: Stored, contents: Contents) -> Stored:
    users: tuple[Take | State, ...] = (*contents.takes, *contents.states)
    used = {id(one.piece): one.piece for one in users}
    pieces = {
        key: before.pieces[key] if key in before.pieces else _write_piece(connection, piece)
        for key, piece in used.items()
    }
    _write_takes(connection, before.contents.takes, contents.takes, pieces)
    rows = _write_states(connection, before, contents.states, pieces)
    plain = {
        "current": rows[contents.position] if contents.position >= 0 else None,
        "present": contents.present,
        "form": None if contents.form is None else piece_bytes.form_to_plain(contents.form),
        "mixer": dict(contents.mixer),
    }
    values = {name: json_file.dumps(value, ascii_only=True) for name, value in plain.items()}
    changed = [item for item in values.items() if item not in before.values.items()]
    connection.executemany("INSERT OR REPLACE INTO document VALUES (?, ?)", changed)
    unused = set(before.pieces.values()).difference(pieces.values())
    connection.executemany("DELETE FROM pieces WHERE id = ?", [(row,) for row in unused])
    return Stored(contents=contents, pieces=pieces, states=rows, values=values)


def _write_piece(connection: sqlite3.Connection, piece: Chorale) -> int:
    content = piece_bytes.to_bytes(piece)
    digest = hashlib.sha256(content).digest()
    found = connection.execute("SELECT id FROM pieces WHERE digest = ?", (digest,)).fetchone()
    if found is not None:
        return int(found[0])
    query = "INSERT INTO pieces (digest, content) VALUES (?, ?)"
    row = connection.execute(query, (digest, piece_bytes.pack(content))).lastrowid
    return int(row or 0)


def _write_takes(
    connection: sqlite3.Connection,
    before: Sequence[Take],
    takes: Sequence[Take],
    pieces: Mapping[int, int],
) -> None:
    known = {take.number: take for take in before}
    removed = known.keys() - {take.number for take in takes}
    connection.executemany("DELETE FROM takes WHERE number = ?", [(each,) for each in removed])
    changed = [
        (
            take.number, pieces[id(take.piece)], piece_bytes.whole_characters(take.name[:MAX_NAME]),
            _form_text(take.form), take.action, take.parent, take.accepted, take.rating,
            take.created,
        )
        for take in takes if known.get(take.number) is not take
    ]  # fmt: skip
    query = "INSERT OR REPLACE INTO takes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
    connection.executemany(query, changed)


def _write_states(
    connection: sqlite3.Connection,
    before: Stored,
    states: Sequence[State],
    pieces: Mapping[int, int],
) -> tuple[int, ...]:
    """Write the undo line in ascending rows: those it has, but new ones after a new state."""
    known = dict(zip(map(id, before.contents.states), before.states, strict=True))
    rows: list[int] = []
    free = max(known.values(), default=0) + 1
    for state in states:
        row = known.get(id(state), free)
        if rows and row <= rows[-1]:
            row = free
        rows.append(row)
        free = max(free, row + 1)
    removed = set(before.states).difference(rows)
    connection.executemany("DELETE FROM states WHERE id = ?", [(row,) for row in removed])
    new = [
        (
            row, pieces[id(state.piece)], piece_bytes.pack_flags(state.locks),
            _form_text(state.form), state.generated, state.take,
            json_file.dumps(sorted(state.deleted)),
        )
        for row, state in zip(rows, states, strict=True) if known.get(id(state)) != row
    ]  # fmt: skip
    connection.executemany("INSERT INTO states VALUES (?, ?, ?, ?, ?, ?, ?)", new)
    return tuple(rows)


def _form_text(form: Form) -> str:
    return json_file.dumps(piece_bytes.form_to_plain(form), ascii_only=True)


FORMAT: Final = "musicrel-project"
VERSION: Final = 1
# Identifies the file for SQLite, and for ``file`` and other programs.
APPLICATION_ID: Final = int.from_bytes(b"MREL", "big")

_MAX_OBJECTS: Final = 1000
_COMPUTED: Final = re.compile(r"\bAS\b")  # before the expression of a generated column
# Name -> statement that creates the table.
TABLES: Final[Mapping[str, str]] = {
    "document": "CREATE TABLE document (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "pieces": (
        "CREATE TABLE pieces (id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, "
        "content BLOB NOT NULL)"
    ),
    "takes": (
        "CREATE TABLE takes (number INTEGER PRIMARY KEY, piece INTEGER NOT NULL, "
        "name TEXT NOT NULL, form TEXT NOT NULL, action TEXT NOT NULL, parent INTEGER, "
        "accepted INTEGER NOT NULL, rating INTEGER NOT NULL, created REAL NOT NULL)"
    ),
    "states": (
        "CREATE TABLE states (id INTEGER PRIMARY KEY, piece INTEGER NOT NULL, "
        "locks BLOB NOT NULL, form TEXT NOT NULL, generated INTEGER NOT NULL, take INTEGER, "
        "deleted TEXT NOT NULL)"
    ),
}


def create(connection: sqlite3.Connection) -> None:
    connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version={VERSION}")
    for statement in TABLES.values():
        connection.execute(statement)
    rows = [("format", f'"{FORMAT}"'), ("version", str(VERSION))]
    connection.executemany("INSERT INTO document VALUES (?, ?)", rows)


def is_project(connection: sqlite3.Connection) -> bool:
    return _pragma(connection, "application_id") == APPLICATION_ID


def version(connection: sqlite3.Connection) -> int:
    return _pragma(connection, "user_version")


def objects(connection: sqlite3.Connection) -> list[tuple[str, str, str]]:
    """Return kind, name and definition of what the database has: tables, views, triggers, indices.

    A trigger may have the name of a table.
    """
    query = "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name LIMIT ?"
    return connection.execute(query, (_MAX_OBJECTS,)).fetchall()


def is_plain(definition: str) -> bool:
    """Return True for a table that only keeps values; other things run code when they are read."""
    found = definition.upper()
    return found.startswith("CREATE TABLE") and _COMPUTED.search(found) is None


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    value: int = connection.execute(f"PRAGMA {name}").fetchone()[0]
    return value


MAX_ROWS: Final = 200_000  # number of rows of a table that are read
# Largest number of rows of a damaged table that are looked for one by one after the damage.
_PROBED: Final = 100_000
_MIN_ROW_BYTES: Final = 8

Row = tuple[Any, ...]


class Rows:
    """The rows of a connection's tables; damaged ones are counted and skipped."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.damaged = not _is_readable(connection)
        if self.damaged:  # a file that was cut off is read all the same
            connection.execute("PRAGMA writable_schema=ON")
        self.is_newer = version(connection) > VERSION
        self._tables = self._find_tables()
        self.damaged = self.damaged or not _is_sound(connection)

    def numbers(self, table: str) -> list[int]:
        """Return the numbers of the rows, ascending; of a damaged table those that are found."""
        if table not in self._tables:
            return []
        found: list[int] = []
        query = f"SELECT rowid FROM {table} ORDER BY rowid LIMIT {MAX_ROWS}"  # noqa: S608
        try:
            found.extend(number for (number,) in self._connection.execute(query))
        except DAMAGE:
            self.damaged = True
            first = found[-1] + 1 if found else 1
            probed = range(first, first + min(_PROBED, self.size() // _MIN_ROW_BYTES))
            found += [number for number in probed if self.row(table, "rowid", number)]
        return found

    def row(self, table: str, columns: str, number: int) -> Row | None:
        query = f"SELECT {columns} FROM {table} WHERE rowid = ?"  # noqa: S608
        return self._one(query, number) if table in self._tables else None

    def value(self, name: str) -> str | None:
        if "document" not in self._tables:
            return None
        row = self._one("SELECT value FROM document WHERE name = ?", name)
        return row[0] if row is not None and isinstance(row[0], str) else None

    def size(self) -> int:
        path = self._connection.execute("PRAGMA database_list").fetchone()[2]
        files = Path(path), Path(f"{path}-wal")
        return sum(file.stat().st_size for file in files if file.is_file())

    def _find_tables(self) -> frozenset[str]:
        try:
            found = objects(self._connection)
        except DAMAGE:
            self.damaged = True
            return frozenset()
        tables = {name: sql for kind, name, sql in found if kind == "table"}
        if self.is_newer:
            plain = frozenset(name for name, sql in tables.items() if is_plain(sql))
            self.damaged |= len(plain) < len(tables)
            return plain
        self.damaged |= found != sorted(("table", *table) for table in TABLES.items())
        return frozenset(name for name, sql in TABLES.items() if tables.get(name) == sql)

    def _one(self, query: str, argument: object) -> Row | None:
        try:
            row: Row | None = self._connection.execute(query, (argument,)).fetchone()
        except DAMAGE:
            return None
        return row


def _is_readable(connection: sqlite3.Connection) -> bool:
    """Return False if the first page contradicts the file."""
    try:
        version(connection)
    except DAMAGE as reason:
        if getattr(reason, "sqlite_errorcode", 0) == sqlite3.SQLITE_NOTADB:
            raise
        return False
    return True


def _is_sound(connection: sqlite3.Connection) -> bool:
    try:
        return connection.execute("PRAGMA quick_check(1)").fetchall() == [("ok",)]
    except DAMAGE:
        return False
