"""Rows of a project that may be damaged, or made to do harm."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any, Final

from musicrel.project import schema
from musicrel.project.database import DAMAGE

MAX_ROWS: Final = 200_000
"""Number of rows of a table that are read."""
_PROBED: Final = 100_000
"""Largest number of rows of a damaged table that are looked for one by one after the damage."""
_MIN_ROW_BYTES: Final = 8

Row = tuple[Any, ...]


class Rows:
    """The rows of a connection's tables; damaged ones are counted and skipped.

    Attributes:
        damaged: True if SQLite finds the database damaged, or if its tables are unknown.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.damaged = not _is_readable(connection)
        if self.damaged:  # a file that was cut off is read all the same
            connection.execute("PRAGMA writable_schema=ON")
        self.is_newer = schema.version(connection) > schema.VERSION
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
        """Return some columns of one row; None if it is missing or damaged."""
        query = f"SELECT {columns} FROM {table} WHERE rowid = ?"  # noqa: S608
        return self._one(query, number) if table in self._tables else None

    def value(self, name: str) -> str | None:
        """Return a single value of the document; None if it is missing or damaged."""
        if "document" not in self._tables:
            return None
        row = self._one("SELECT value FROM document WHERE name = ?", name)
        return row[0] if row is not None and isinstance(row[0], str) else None

    def size(self) -> int:
        """Return the size of the file in bytes."""
        path = self._connection.execute("PRAGMA database_list").fetchone()[2]
        files = Path(path), Path(f"{path}-wal")
        return sum(file.stat().st_size for file in files if file.is_file())

    def _find_tables(self) -> frozenset[str]:
        try:
            found = schema.objects(self._connection)
        except DAMAGE:
            self.damaged = True
            return frozenset()
        tables = {name: sql for kind, name, sql in found if kind == "table"}
        if self.is_newer:
            plain = frozenset(name for name, sql in tables.items() if schema.is_plain(sql))
            self.damaged |= len(plain) < len(tables)
            return plain
        self.damaged |= found != sorted(("table", *table) for table in schema.TABLES.items())
        return frozenset(name for name, sql in schema.TABLES.items() if tables.get(name) == sql)

    def _one(self, query: str, argument: object) -> Row | None:
        try:
            row: Row | None = self._connection.execute(query, (argument,)).fetchone()
        except DAMAGE:
            return None
        return row


def _is_readable(connection: sqlite3.Connection) -> bool:
    """Return False if the first page contradicts the file."""
    try:
        schema.version(connection)
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
