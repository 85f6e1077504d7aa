"""The tables of a project file.

``pieces`` holds every piece once, found by the SHA-256 of its bytes; takes and states name it by
its row. ``states`` is the undo line, oldest first. ``document`` holds single values as JSON:
format, version, current (row of the current state), present, form, mixer.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

FORMAT: Final = "musicrel-project"
VERSION: Final = 1
APPLICATION_ID: Final = int.from_bytes(b"MREL", "big")
"""Identifies the file for SQLite, and for ``file`` and other programs."""
MAX_NAME: Final = 1000
"""Length of the longest name of a take; longer ones are cut off."""

_MAX_OBJECTS: Final = 1000
_COMPUTED: Final = re.compile(r"\bAS\b")
"""Before the expression of a generated column."""
TABLES: Final[Mapping[str, str]] = MappingProxyType(
    {
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
)
"""Name -> statement that creates the table."""


def create(connection: sqlite3.Connection) -> None:
    """Create the tables of an empty project."""
    connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version={VERSION}")
    for statement in TABLES.values():
        connection.execute(statement)
    rows = [("format", f'"{FORMAT}"'), ("version", str(VERSION))]
    connection.executemany("INSERT INTO document VALUES (?, ?)", rows)


def is_project(connection: sqlite3.Connection) -> bool:
    """Return True if the database is marked as a project, of whatever version."""
    return _pragma(connection, "application_id") == APPLICATION_ID


def version(connection: sqlite3.Connection) -> int:
    """Return the version of the program that wrote the file."""
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
