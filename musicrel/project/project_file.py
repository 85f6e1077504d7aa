"""The file of a project: one SQLite database, written with every edit.

It is exempt from the rule "temporary file, then replace". Every edit is one transaction in a
write-ahead log beside the file (``-wal``), so that a program that is killed loses at most the edit
it was writing; ``close`` leaves one file. Logs that another process has left stay as they are until
the first edit. A file that is damaged, of a newer version or write-protected is read as far as it
goes and never changed.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Self

from musicrel.errors import DataError, FileError
from musicrel.language import tr
from musicrel.project import database, schema
from musicrel.project.contents import Contents
from musicrel.project.database import CANNOT_READ, CANNOT_WRITE, failed
from musicrel.project.schema import Reader, Rows, Stored, write_changes

_ADVICE = tr("; save the project under another name")


class ProjectFile:
    """An open project, made by ``create`` or ``open``; one thread at a time may use it."""

    def __init__(
        self,
        path: Path,
        stored: Stored,
        connection: sqlite3.Connection | None,
        *,
        reason: str = "",
        problems: tuple[str, ...] = (),
        left: database.Mark = (),
    ) -> None:
        self.path = path.absolute()
        self.reason = reason  # why it is read-only, as a sentence; "" if it can be written
        self.problems = problems
        self._stored = stored
        self._connection = connection
        self._identity = database.identity(self.path)
        self._data_version = _data_version(connection) if connection else 0
        self._left = left  # mark of the logs of another process, which the first ``write`` absorbs

    @property
    def read_only(self) -> bool:
        return bool(self.reason)

    @property
    def in_place(self) -> bool:
        """Return False if the file was moved, deleted or replaced by another program."""
        return database.identity(self.path) == self._identity

    @classmethod
    def create(cls, path: Path, contents: Contents | None = None) -> Self:
        stored = write_new(contents or Contents(), path)
        with database.described(CANNOT_WRITE, path, _ADVICE):
            return cls(path, stored, database.connect_to_write(path))

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False) -> Self:
        """Open a project and read it; if ``read_only``, nothing is written, not even beside it."""
        database.check_file(path)
        with database.described(CANNOT_READ, path):
            left = database.log_mark(path)
            with database.reading(path) as connection:
                rows = Rows(connection)
                if not schema.is_project(connection):
                    raise failed(CANNOT_READ, path, tr("it is not a musicrel project"))
                reader = Reader(rows)
                stored, problems = reader.read(), reader.problems()
            has_logs = database.has_foreign_logs(path)
        reason = _reason(path, read_only=read_only, is_newer=rows.is_newer, problems=problems)
        if reason:
            return cls(path, stored, None, reason=reason, problems=problems)
        if has_logs:
            return cls(path, stored, None, reason=database.protection(path), left=left)
        try:
            return cls(path, stored, database.connect_to_write(path))
        except sqlite3.Error as error:
            refusal = database.describe_refusal(error)
            reason = tr("{name} can only be read: {reason}", name=path.name, reason=refusal)
            return cls(path, stored, None, reason=reason)

    def read(self) -> Contents:
        return self._stored.contents

    def write(self, contents: Contents) -> None:
        """Write what differs from ``read()``, in one transaction.

        Takes and states are compared by identity. After an error the file is as it was before.
        """
        if self.reason:
            raise failed(CANNOT_WRITE, self.path, f"{self.reason}{_ADVICE}")
        with database.described(CANNOT_WRITE, self.path, _ADVICE):
            if not self.in_place:
                gone = tr("it was moved, deleted or replaced")
                raise failed(CANNOT_WRITE, self.path, f"{gone}{_ADVICE}")
            connection = self._connection or self._absorb_logs()
            with database.transaction(connection):
                if _data_version(connection) != self._data_version:
                    raise self._changed()
                stored = _write(connection, self._stored, contents, self.path)
        self._stored = stored

    def sync(self) -> None:
        """Make what was written durable, also against a loss of power."""
        if self._connection is not None:
            with database.described(CANNOT_WRITE, self.path, _ADVICE):
                self._connection.execute("PRAGMA wal_checkpoint(FULL)")

    def copy_to(self, path: Path) -> None:
        """Write the project to another file, which is replaced atomically."""
        if path.exists() and path.samefile(self.path):
            reason = tr("it is the open project; choose another name")
            raise failed(CANNOT_WRITE, path, reason)
        if self._connection is None:
            write_new(self._stored.contents, path)
        else:
            database.replace(path, self._connection.backup)

    def close(self) -> None:
        """Leave one file; afterwards the project is read-only."""
        connection, self._connection = self._connection, None
        self.reason = self.reason or tr("{name} is closed", name=self.path.name)
        if connection is not None:
            database.close(connection, self.path)

    def _absorb_logs(self) -> sqlite3.Connection:
        if database.log_mark(self.path) != self._left:
            raise self._changed()
        database.absorb_logs(self.path)
        self._identity, self._left = database.identity(self.path), database.log_mark(self.path)
        self._connection = database.connect_to_write(self.path)
        self._data_version = _data_version(self._connection)
        return self._connection

    def _changed(self) -> FileError:
        changed = tr("another program has changed it")
        return failed(CANNOT_WRITE, self.path, f"{changed}{_ADVICE}")


def write_new(contents: Contents, path: Path) -> Stored:
    """Write ``contents`` as a new project, atomically; an existing file is replaced."""
    found: list[Stored] = []

    def fill(connection: sqlite3.Connection) -> None:
        schema.create(connection)
        with database.transaction(connection):
            found.append(_write(connection, Stored(), contents, path))

    database.replace(path, fill)
    return found[0]


def problems(path: Path) -> tuple[str, ...]:
    """Return sentences about what is damaged in a project, which stays as it is."""
    found = ProjectFile.open(path, read_only=True).problems
    with database.described(CANNOT_READ, path), database.reading(path) as connection:
        answer = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    damaged = tr("its database is damaged ({answer})", answer=answer)
    return found if answer == "ok" else (*found, damaged)


def restore(path: Path, snapshot: Path) -> None:
    """Replace a closed project atomically by a snapshot of it, which stays."""
    database.check_file(snapshot)
    with database.described(CANNOT_READ, snapshot), database.reading(snapshot) as connection:
        database.replace(path, connection.backup)


def _write(
    connection: sqlite3.Connection, before: Stored, contents: Contents, path: Path
) -> Stored:
    try:
        return write_changes(connection, before, contents)
    except DataError as reason:
        raise failed(CANNOT_WRITE, path, str(reason)) from reason


def _reason(path: Path, *, read_only: bool, is_newer: bool, problems: tuple[str, ...]) -> str:
    if is_newer:
        return tr(
            "{name} was written by a newer version: update musicrel to change it", name=path.name
        )
    if problems:
        return tr(
            "{name} is damaged and stays as it is: save what is left under another name",
            name=path.name,
        )
    return tr("{name} was opened for reading", name=path.name) if read_only else ""


def _data_version(connection: sqlite3.Connection) -> int:
    """Return a number that changes when another connection writes."""
    value: int = connection.execute("PRAGMA data_version").fetchone()[0]
    return value
