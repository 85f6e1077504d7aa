"""Connections to the database of a project; SQLite's errors become sentences.

A project may have been sent by anyone. So nothing that a schema can run is trusted, and no value is
read that is much longer than a piece. SQLite's locks are lost if the same process opens and closes
the file by other means, so only SQLite opens a file that it can read.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal
from urllib.parse import quote

from musicrel import gate, paths
from musicrel.errors import FileError
from musicrel.project import piece_bytes
from musicrel.replacement import replacement

MAX_FILE_BYTES: Final = gate.LIMITS["project"]
"""Size limit of a project, also for writing."""
SIDE_FILES: Final = ("-wal", "-shm", "-journal")
"""Suffixes of the files that SQLite keeps beside a database in use."""
DAMAGE: Final = (sqlite3.DatabaseError, UnicodeDecodeError)
"""Errors on reading a damaged database; the second is one of Python's on a damaged message."""

BUSY_SECONDS: Final = 2.0
_PAGE_BYTES: Final = 4096
_PRAGMAS: Final = ("trusted_schema=OFF", "cell_size_check=ON", "mmap_size=0")
_REASONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "SQLITE_FULL": paths.FULL,
        "SQLITE_READONLY": "it is write-protected",
        "SQLITE_PERM": "it is write-protected",
        "SQLITE_BUSY": "another program is using it",
        "SQLITE_LOCKED": "another program is using it",
        "SQLITE_IOERR": "the disk cannot be read or written",
        "SQLITE_CORRUPT": "it is damaged",
        "SQLITE_NOTADB": "it is not a musicrel project",
        "SQLITE_CANTOPEN": "it cannot be opened",
    }
)
"""Beginning of the name of an SQLite error -> description."""


@contextlib.contextmanager
def described(doing: str, path: Path, advice: str = "") -> Iterator[None]:
    """Turn the errors of SQLite and of the system in the block into sentences.

    Args:
        doing: the beginning of the sentence, "cannot read" or "cannot write".
        path: the file, for the sentence.
        advice: the end of the sentence.

    Raises:
        FileError: an error occurred.
    """
    try:
        yield
    except sqlite3.Error as reason:
        raise FileError(f"{doing} {path}: {_describe(reason)}{advice}") from reason
    except UnicodeDecodeError as reason:
        raise FileError(f"{doing} {path}: it is damaged{advice}") from reason
    except OSError as reason:
        raise FileError(f"{doing} {path}: {paths.describe_os_error(reason)}{advice}") from reason


def connect(path: Path, mode: Literal["ro", "rw"]) -> sqlite3.Connection:
    """Open the database ``path``, an existing file, which may be empty."""
    name = quote(os.fsencode(path.absolute().as_posix()))
    connection = sqlite3.connect(
        f"file://{'' if name.startswith('/') else '/'}{name}?mode={mode}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,  # transactions are written out
        check_same_thread=False,
    )
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 2 * piece_bytes.MAX_BYTES)
    connection.text_factory = lambda text: text.decode("utf-8", "replace")
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
    return connection


@contextlib.contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Connect to ``path`` for reading; the file and those beside it stay as they are.

    A database that only a writer could open, because a program that used it was killed, is read
    from a copy.
    """
    with contextlib.closing(connect(path, "ro")) as connection:
        if _can_read(connection):
            yield connection
            return
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        for suffix in ("", "-wal", "-journal"):
            with contextlib.suppress(FileNotFoundError):
                shutil.copyfile(f"{path}{suffix}", f"{copy}{suffix}")
        with contextlib.closing(connect(copy, "rw")) as connection:
            yield connection


def connect_to_write(path: Path) -> sqlite3.Connection:
    """Connect to ``path`` and prove that it can be written."""
    connection = connect(path, "rw")
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute(f"PRAGMA max_page_count={MAX_FILE_BYTES // _PAGE_BYTES}")
        with transaction(connection):
            pass
    except BaseException:
        connection.close()
        raise
    return connection


def replace(path: Path, fill: Callable[[sqlite3.Connection], None]) -> None:
    """Replace ``path`` atomically by a database of one file that ``fill`` has filled.

    Raises:
        FileError: the folder is not writable or the disk is full; an old file is left unchanged.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacement(path) as new:
            with contextlib.closing(connect(new, "rw")) as connection:
                connection.execute("PRAGMA synchronous=OFF")  # the whole file is synced below
                fill(connection)
                connection.execute("PRAGMA journal_mode=DELETE")
            _sync(new)
            _remove_log(path.resolve())
    except sqlite3.Error as reason:
        full = getattr(reason, "sqlite_errorname", "").startswith("SQLITE_FULL")
        advice = paths.MAKE_ROOM if full else paths.ELSEWHERE
        raise FileError(f"cannot write {path}: {_describe(reason)}; {advice}") from reason
    except OSError as reason:
        raise FileError(f"cannot write {path}: {paths.describe_failed_write(reason)}") from reason


def _remove_log(path: Path) -> None:
    """Remove the log that a killed program has left beside a database that is to be replaced.

    It belongs to the old file and would damage the new one. Its content goes into the old file
    first, which is complete then, if this program is killed here.
    """
    logs = [log for suffix in SIDE_FILES if (log := Path(f"{path}{suffix}")).exists()]
    if logs:
        with (
            contextlib.suppress(*DAMAGE),
            contextlib.closing(connect(path, "rw")) as connection,
        ):
            connection.execute("PRAGMA journal_mode=DELETE")
    for log in logs:
        log.unlink(missing_ok=True)


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Commit the block as one transaction; after an error nothing of it is left."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # some errors have ended it already
            connection.execute("ROLLBACK")
        raise


def describe_refusal(reason: sqlite3.Error) -> str:
    """Describe why a file that can be read cannot be written."""
    cannot_add_files = reason.sqlite_errorname.startswith("SQLITE_CANTOPEN")
    return "its folder is write-protected" if cannot_add_files else _describe(reason)


def check_file(path: Path) -> None:
    """Check that ``path`` may be a project, without opening it.

    Raises:
        FileError: it is missing, no regular file, empty, too long or not readable.
    """
    with described("cannot read", path):
        if not os.path.lexists(path):
            raise FileError(f"cannot read {path}: there is no such file")
        found = path.stat()
    if not stat.S_ISREG(found.st_mode):
        kind = "a folder" if stat.S_ISDIR(found.st_mode) else "no regular file"
        raise FileError(f"cannot read {path}: it is {kind}, expected a musicrel project")
    if not found.st_size:
        raise FileError(f"cannot read {path}: it is empty")
    if found.st_size > MAX_FILE_BYTES:
        raise FileError(
            f"{path} has {found.st_size:,} bytes, but at most {MAX_FILE_BYTES:,} are read here"
        )
    if not os.access(path, os.R_OK):
        raise FileError(f"cannot read {path}: you have no permission to read it")


def _can_read(connection: sqlite3.Connection) -> bool:
    """Return False if the database waits for a writer: to replay its log or to roll back."""
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError:
        return False
    except DAMAGE:  # or no database
        return True
    return True


def _sync(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _describe(reason: sqlite3.Error) -> str:
    name = getattr(reason, "sqlite_errorname", "")
    found = (text for start, text in _REASONS.items() if name.startswith(start))
    return next(found, str(reason))
