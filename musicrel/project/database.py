"""Connections to the database of a project; SQLite's errors become sentences.

A project may have been sent by anyone. So nothing that a schema can run is trusted, no value is
read that is much longer than a piece, and SQLite works in place only where it finds no logs but its
own. SQLite's locks are lost if the same process opens and closes the file by other means, so only
SQLite reads a file that this process has open for writing.

The logs beside a project: what SQLite has not yet put into it, or must take back.

They may have been sent with the project, and SQLite trusts them: it deletes the file that a journal
names, and writes into what a log is a link to. So it only ever finds copies of them.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
import stat
import sys
import tempfile
import weakref
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, Literal
from urllib.parse import quote

from musicrel import paths, untrusted
from musicrel.errors import FileError
from musicrel.language import tr
from musicrel.project import piece_bytes
from musicrel.replacement import replacement

_WAL: Final = "-wal"
_JOURNAL: Final = "-journal"
SUFFIXES: Final = (_WAL, "-shm", _JOURNAL)
_WAL_HEADER: Final = 32
_PART: Final = 1 << 20  # bytes that are copied at a time
_NOT_THERE: Final = (errno.ENOENT, errno.ENAMETOOLONG)
# End of a journal that ends with the name of a super-journal.
_SUPER_MARK: Final = bytes.fromhex("d9d505f920a163d7")
_ATTEMPTS: Final = 20

Mark = tuple[tuple[int, int, int] | None, ...]


def logs_beside(path: Path) -> list[Path]:
    """Return the logs beside a project, the path of which has no links."""
    logs = []
    for suffix in SUFFIXES:
        log, limit = Path(f"{path}{suffix}"), untrusted.LIMITS["project log"]
        try:
            about = log.lstat()
        except OSError as error:
            if error.errno in _NOT_THERE:
                continue
            raise
        reason = ""
        if not stat.S_ISREG(about.st_mode):
            reason = tr("is not a regular file (it is a link, folder, device or pipe)")
        elif about.st_size > limit:
            reason = tr("has {size:,} bytes, more than {limit:,}", size=about.st_size, limit=limit)
        if reason:
            sentence = tr("cannot use {path}: {name} beside it {reason}; move it to another folder")
            raise FileError(sentence.format(path=path, name=log.name, reason=reason))
        logs.append(log)
    return logs


def log_mark(path: Path) -> Mark:
    path = paths.resolved(path)
    return tuple(_mark(f"{path}{suffix}") for suffix in ("", _WAL, _JOURNAL))


def copy_with_logs(path: Path, target: Path) -> None:
    """Copy a project with its logs, which another program may be writing."""
    for _ in range(_ATTEMPTS):
        before, logs = _generation(path), logs_beside(path)
        _copy_file(path, target, untrusted.LIMITS["project"])
        for suffix in (_WAL, _JOURNAL):
            copied = Path(f"{target}{suffix}")
            copied.unlink(missing_ok=True)
            if (log := Path(f"{path}{suffix}")) in logs:
                with contextlib.suppress(FileNotFoundError):
                    _copy_file(log, copied, untrusted.LIMITS["project log"])
        if _generation(path) == before:
            _forget_super_journal(Path(f"{target}{_JOURNAL}"))
            return
    raise failed(CANNOT_READ, path, tr("another program is changing it; try again"))


def _generation(path: Path) -> object:
    """Return what is the same before and after a copy that can be used.

    A log that begins as before has only grown meanwhile, and has all that was put into the project.
    """
    try:
        with open(f"{path}{_WAL}", "rb", opener=untrusted.descriptor) as log:
            header = log.read(_WAL_HEADER)
    except OSError:
        header = b""
    return (header, _mark(f"{path}{_JOURNAL}")) if header else log_mark(path)


def _mark(path: str) -> tuple[int, int, int] | None:
    try:
        about = os.lstat(path)
    except OSError:
        return None
    return about.st_ino, about.st_size, about.st_mtime_ns


def _copy_file(path: Path, target: Path, limit: int) -> None:
    with open(path, "rb", opener=untrusted.descriptor) as source, target.open("wb") as copied:
        size = os.fstat(source.fileno()).st_size
        if size > limit:
            raise FileError(_TOO_LARGE.format(path=path, size=size, limit=limit))
        while size > 0 and (part := source.read(min(size, _PART))):
            size -= copied.write(part)


def _forget_super_journal(journal: Path) -> None:
    """Clear the mark of the name of a super-journal, a file that a roll-back would delete."""
    if journal.exists():
        with journal.open("r+b") as file:
            place = file.seek(0, os.SEEK_END) - len(_SUPER_MARK)
            if place >= 0 and file.seek(place) == place and file.read() == _SUPER_MARK:
                file.seek(place)
                file.write(bytes(len(_SUPER_MARK)))


if sys.platform != "win32":
    import fcntl

MAX_FILE_BYTES: Final = untrusted.LIMITS["project"]  # size limit of a project, also for writing
# Errors on reading a damaged database; the second is one of Python's on a damaged message.
DAMAGE: Final = (sqlite3.DatabaseError, UnicodeDecodeError)

BUSY_SECONDS: Final = 2.0
_PAGE_BYTES: Final = 4096
_PRAGMAS: Final = (
    "trusted_schema=OFF", "ignore_check_constraints=ON", "cell_size_check=ON", "mmap_size=0",
)  # fmt: skip
CANNOT_READ: Final = tr("cannot read {path}: {reason}")
CANNOT_WRITE: Final = tr("cannot write {path}: {reason}")
# Length and begin of the bytes of a database that SQLite locks as long as a log is in use.
_SHARED: Final = (510, 0x40000002)
_TOO_LARGE: Final = tr("{path} has {size:,} bytes, but at most {limit:,} are read here")
_IN_USE: Final = tr("another program is using it")
_DAMAGED: Final = tr("it is damaged")
# Beginning of the name of an SQLite error -> description.
_REASONS: Final[Mapping[str, str]] = {
    "SQLITE_FULL": tr("the disk is full"),
    "SQLITE_READONLY": tr("it is write-protected"),
    "SQLITE_PERM": tr("it is write-protected"),
    "SQLITE_BUSY": _IN_USE,
    "SQLITE_LOCKED": _IN_USE,
    "SQLITE_IOERR": tr("the disk cannot be read or written"),
    "SQLITE_CORRUPT": _DAMAGED,
    "SQLITE_NOTADB": tr("it is not a musicrel project"),
    "SQLITE_CANTOPEN": tr("it cannot be opened"),
}
# ``id`` of each connection of this process for writing -> identity of its file.
_written: Final[dict[int, tuple[int, int] | None]] = {}


@contextlib.contextmanager
def described(problem: str, path: Path, advice: str = "") -> Iterator[None]:
    """Turn the errors of SQLite and of the system in the block into sentences.

    Args:
        problem: a sentence with ``path`` and ``reason``.
    """
    try:
        yield
    except sqlite3.Error as error:
        raise failed(problem, path, f"{_describe(error)}{advice}") from error
    except UnicodeDecodeError as error:
        raise failed(problem, path, f"{_DAMAGED}{advice}") from error
    except OSError as error:
        raise failed(problem, path, f"{paths.describe_os_error(error)}{advice}") from error


def failed(problem: str, path: Path, reason: str) -> FileError:
    return FileError(problem.format(path=path, reason=reason))


class _Connection(sqlite3.Connection):
    """A connection that can be referred to weakly, as those of SQLite's own class cannot."""


def connect(path: Path, mode: Literal["ro", "rw"]) -> sqlite3.Connection:
    name = quote(os.fsencode(path.absolute().as_posix()))
    connection = sqlite3.connect(
        f"file://{'' if name.startswith('/') else '/'}{name}?mode={mode}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,  # transactions are written out
        check_same_thread=False,
        factory=_Connection,
    )
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 2 * piece_bytes.MAX_BYTES)
    connection.text_factory = lambda text: text.decode("utf-8", "replace")
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
    return connection


def identity(path: Path) -> tuple[int, int] | None:
    """Return the identity of a file, which a renamed file takes along; None without a file."""
    try:
        about = path.stat()
    except OSError:
        return None
    return about.st_dev, about.st_ino


@contextlib.contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Connect to what ``path`` and the logs beside it hold; they stay as they are.

    Unless this process writes it, a copy is read: SQLite would follow logs that were sent with it.
    """
    path = paths.resolved(path)
    if _is_written(path):
        with contextlib.closing(connect(path, "ro")) as connection:
            yield connection
        return
    with tempfile.TemporaryDirectory(prefix="musicrel-", ignore_cleanup_errors=True) as folder:
        copy = Path(folder) / "copy"
        try:
            copy_with_logs(path, copy)
        except OSError as reason:
            if reason.errno == errno.ENOSPC:
                lack = tr("{folder} has no room for a copy", folder=folder)
                raise failed(CANNOT_READ, path, lack) from reason
            raise
        with contextlib.closing(connect(copy, "rw")) as connection:
            _check_length(connection, path)
            yield connection


def has_foreign_logs(path: Path) -> bool:
    """Return True if there are logs beside ``path`` that this process does not write."""
    path = paths.resolved(path)
    return not _is_written(path) and bool(logs_beside(path))


def connect_to_write(path: Path) -> sqlite3.Connection:
    """Connect to ``path``, which has no foreign logs, and prove that it can be written."""
    path = paths.resolved(path)
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
    _written[id(connection)] = identity(path)
    weakref.finalize(connection, _written.pop, id(connection), None)
    return connection


def close(connection: sqlite3.Connection, path: Path) -> None:
    with contextlib.closing(connection), contextlib.suppress(sqlite3.Error):
        if not os.path.lexists(f"{paths.resolved(path)}-journal"):  # SQLite would roll it back
            connection.execute("PRAGMA journal_mode=DELETE")


def replace(path: Path, fill: Callable[[sqlite3.Connection], None]) -> None:
    """Replace ``path`` atomically by a database of one file that ``fill`` has filled."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        absorb_logs(path)
        _replace(path, fill)
    except sqlite3.Error as reason:
        full = getattr(reason, "sqlite_errorname", "").startswith("SQLITE_FULL")
        advice = paths.make_room() if full else paths.elsewhere()
        raise failed(CANNOT_WRITE, path, f"{_describe(reason)}; {advice}") from reason
    except OSError as reason:
        raise failed(CANNOT_WRITE, path, paths.describe_failed_write(reason)) from reason


def absorb_logs(path: Path) -> None:
    """Make one file of a database and the logs that another process has left beside it.

    After a kill the logs may lie beside the file that has their content; to apply them once more
    changes nothing.
    """
    path = paths.resolved(path)
    logs = logs_beside(path)
    if not logs:
        return
    if path.exists():
        _check_unused(path)
        with reading(path) as connection:
            if _is_database(connection):
                _replace(path, connection.backup)
    elif kept := [log.name for log in logs if not log.match("*-shm") and log.stat().st_size]:
        raise FileError(
            tr(
                "cannot write {path}: {log} beside it may hold edits of a project that was moved; "
                "move {log} to another folder, or choose another name",
                path=path,
                log=kept[0],
            )
        )
    for log in logs:
        log.unlink(missing_ok=True)


def _replace(path: Path, fill: Callable[[sqlite3.Connection], None]) -> None:
    with replacement(path) as new:
        with contextlib.closing(connect(new, "rw")) as connection:
            connection.execute("PRAGMA synchronous=OFF")  # the whole file is synced below
            fill(connection)
            connection.execute("PRAGMA journal_mode=DELETE")
        with new.open("rb+") as file:
            os.fsync(file.fileno())


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # some errors have ended it already
            connection.execute("ROLLBACK")
        raise


def protection(path: Path) -> str:
    """Return why a file and the logs beside it cannot be made one file; "" if they can."""
    path = paths.resolved(path)
    if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
        return ""
    return tr("{name} can only be read: it or its folder is write-protected", name=path.name)


def describe_refusal(reason: sqlite3.Error) -> str:
    cannot_add_files = reason.sqlite_errorname.startswith("SQLITE_CANTOPEN")
    return tr("its folder is write-protected") if cannot_add_files else _describe(reason)


def check_file(path: Path) -> None:
    with described(CANNOT_READ, path):
        if not os.path.lexists(path):
            raise failed(CANNOT_READ, path, tr("there is no such file"))
        found = path.stat()
    if not stat.S_ISREG(found.st_mode):
        kind = tr("it is no regular file, expected a musicrel project")
        if stat.S_ISDIR(found.st_mode):
            kind = tr("it is a folder, expected a musicrel project")
        raise failed(CANNOT_READ, path, kind)
    if not found.st_size:
        raise failed(CANNOT_READ, path, tr("it is empty"))
    if found.st_size > MAX_FILE_BYTES:
        size = found.st_size
        raise FileError(_TOO_LARGE.format(path=path, size=size, limit=MAX_FILE_BYTES))
    if not os.access(path, os.R_OK):
        raise failed(CANNOT_READ, path, tr("you have no permission to read it"))


def _is_written(path: Path) -> bool:
    return identity(path) in tuple(_written.values())


def _check_unused(path: Path) -> None:
    """Check that no program has a log of ``path`` in use; Windows replaces no open file anyway."""
    if sys.platform != "win32":
        with open(path, "r+b", opener=untrusted.without_waiting) as file:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, *_SHARED)
            except (BlockingIOError, PermissionError) as reason:
                in_use = tr("another program is using it; choose another name")
                raise failed(CANNOT_WRITE, path, in_use) from reason
            except OSError:  # the file system has no locks
                pass


def _check_length(connection: sqlite3.Connection, path: Path) -> None:
    with contextlib.suppress(*DAMAGE):
        pages, page = (
            connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("page_count", "page_size")
        )
        if pages * page > MAX_FILE_BYTES:
            raise FileError(
                tr(
                    "{path} would have {size:,} bytes with the log beside it, but at most "
                    "{limit:,} are read here",
                    path=path,
                    size=pages * page,
                    limit=MAX_FILE_BYTES,
                )
            )


def _is_database(connection: sqlite3.Connection) -> bool:
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.DatabaseError as reason:
        if reason.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            return False
        raise
    return True


def _describe(reason: sqlite3.Error) -> str:
    name = getattr(reason, "sqlite_errorname", "")
    found = (text for start, text in _REASONS.items() if name.startswith(start))
    return next(found, str(reason))
