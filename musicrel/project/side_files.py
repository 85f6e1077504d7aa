"""The logs beside a project: what SQLite has not yet put into it, or must take back.

They may have been sent with the project, and SQLite trusts them: it deletes the file that a journal
names, and writes into what a log is a link to. So it only ever finds copies of them.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from pathlib import Path
from typing import Final

from musicrel import gate, paths
from musicrel.errors import FileError

_WAL: Final = "-wal"
_JOURNAL: Final = "-journal"
SUFFIXES: Final = (_WAL, "-shm", _JOURNAL)
_WAL_HEADER: Final = 32
_PART: Final = 1 << 20
"""Bytes that are copied at a time."""
_NOT_THERE: Final = (errno.ENOENT, errno.ENAMETOOLONG)
_SUPER_MARK: Final = bytes.fromhex("d9d505f920a163d7")
"""End of a journal that ends with the name of a super-journal."""
_ATTEMPTS: Final = 20
_UNUSABLE: Final = "cannot use {path}: {name} beside it {reason}; move it to another folder"
_NO_FILE: Final = "is not a regular file (it is a link, folder, device or pipe)"
_TOO_LONG: Final = "has {size:,} bytes, more than {limit:,}"
_CHANGING: Final = "cannot read {path}: another program is changing it; try again"

Mark = tuple[tuple[int, int, int] | None, ...]


def found(path: Path) -> list[Path]:
    """Return the logs beside a project, the path of which has no links."""
    logs = []
    for suffix in SUFFIXES:
        log, limit = Path(f"{path}{suffix}"), gate.LIMITS["project log"]
        try:
            about = log.lstat()
        except OSError as error:
            if error.errno in _NOT_THERE:
                continue
            raise
        if not stat.S_ISREG(about.st_mode):
            raise FileError(_UNUSABLE.format(path=path, name=log.name, reason=_NO_FILE))
        if about.st_size > limit:
            reason = _TOO_LONG.format(size=about.st_size, limit=limit)
            raise FileError(_UNUSABLE.format(path=path, name=log.name, reason=reason))
        logs.append(log)
    return logs


def mark(path: Path) -> Mark:
    """Return what changes when a project or a log of it is written."""
    path = paths.resolved(path)
    return tuple(_mark(f"{path}{suffix}") for suffix in ("", _WAL, _JOURNAL))


def copy(path: Path, target: Path) -> None:
    """Copy a project with its logs, which another program may be writing."""
    for _ in range(_ATTEMPTS):
        before, logs = _generation(path), found(path)
        _copy(path, target, gate.LIMITS["project"])
        for suffix in (_WAL, _JOURNAL):
            copied = Path(f"{target}{suffix}")
            copied.unlink(missing_ok=True)
            if (log := Path(f"{path}{suffix}")) in logs:
                with contextlib.suppress(FileNotFoundError):
                    _copy(log, copied, gate.LIMITS["project log"])
        if _generation(path) == before:
            _forget_super_journal(Path(f"{target}{_JOURNAL}"))
            return
    raise FileError(_CHANGING.format(path=path))


def _generation(path: Path) -> object:
    """Return what is the same before and after a copy that can be used.

    A log that begins as before has only grown meanwhile, and has all that was put into the project.
    """
    try:
        with open(f"{path}{_WAL}", "rb", opener=gate.descriptor) as log:
            header = log.read(_WAL_HEADER)
    except OSError:
        header = b""
    return (header, _mark(f"{path}{_JOURNAL}")) if header else mark(path)


def _mark(path: str) -> tuple[int, int, int] | None:
    try:
        about = os.lstat(path)
    except OSError:
        return None
    return about.st_ino, about.st_size, about.st_mtime_ns


def _copy(path: Path, target: Path, limit: int) -> None:
    with open(path, "rb", opener=gate.descriptor) as source, target.open("wb") as copied:
        size = os.fstat(source.fileno()).st_size
        if size > limit:
            raise FileError(f"{path} has {size:,} bytes, but at most {limit:,} are read here")
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
