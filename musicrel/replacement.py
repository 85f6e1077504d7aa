"""Replacement of a file in one step: a fault or a kill leaves the old file or the new one.

The content goes into a temporary file in the same folder. The program that writes it holds a lock
on it: one without a lock is left from a program that was killed, and is deleted.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from musicrel.language import tr

if sys.platform != "win32":
    import fcntl

_ALL_READ_AND_WRITE: Final = 0o666
_TEMPORARY: Final = re.compile(r"\..+\.[0-9a-f]{8}\.musicrel-part")
_MAX_NAME: Final = 50  # letters of the name of the file that are kept; systems allow 255 bytes
# Suffixes of what SQLite leaves beside a database when it is killed.
_SIDE_FILES: Final = ("-journal", "-wal", "-shm")
_swept: Final[set[Path]] = set()  # folders in which this process has deleted what was left


@contextlib.contextmanager
def replacement(path: Path) -> Iterator[Path]:
    """Yield an empty file that takes the place of ``path`` at the end of the block.

    It has the permissions of the old file, or those that the umask leaves; a link stays a link, and
    its target is replaced. The first time a process writes into a folder, what killed programs have
    left there is deleted.
    """
    target, mode = _target(path)
    if target.parent not in _swept:
        sweep(target.parent)
        _swept.add(target.parent)
    new, handle = _create(target, mode)
    try:
        try:
            yield new
            os.fsync(handle)
            if os.name != "nt":
                new.replace(target)
        finally:
            os.close(handle)
        if os.name == "nt":  # an open file cannot be renamed there
            new.replace(target)
    except BaseException:
        _remove(new)
        raise
    sync_folder(target.parent)


def sweep(folder: Path) -> None:
    """Delete the temporary files in ``folder`` that killed programs have left."""
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            if _TEMPORARY.fullmatch(path.name):
                _remove_unlocked(path)


def sync_folder(folder: Path) -> None:
    """Flush the entries of ``folder`` to disk, on systems that can (not on Windows)."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _target(path: Path) -> tuple[Path, int | None]:
    """Return the file that is to be replaced, and its permissions; None for a new file."""
    try:
        target = path.resolve()
    except RuntimeError as reason:  # Python 3.11 on a loop of links
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from reason
    try:
        found = target.stat().st_mode
    except FileNotFoundError:
        return target, None
    if stat.S_ISDIR(found):
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(found):
        raise OSError(errno.EINVAL, tr("it is a device or a pipe, not a file"))
    if not os.access(target, os.W_OK):
        raise OSError(errno.EACCES, tr("it is write-protected"))
    return target, stat.S_IMODE(found)


def _create(target: Path, mode: int | None) -> tuple[Path, int]:
    name = target.name[:_MAX_NAME]
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    while True:
        new = target.with_name(f".{name}.{secrets.token_hex(4)}.musicrel-part")
        handle = os.open(new, flags, _ALL_READ_AND_WRITE if mode is None else mode)
        if mode is not None:
            with contextlib.suppress(OSError):  # some file systems have no permissions
                new.chmod(mode)
        with contextlib.suppress(OSError):  # nor locks
            _lock(handle, wait=True)
        if new.exists():  # a sweep may have come before the lock
            return new, handle
        os.close(handle)


def _remove_unlocked(path: Path) -> None:
    """Delete a temporary file, unless a running program holds its lock."""
    with contextlib.suppress(OSError):
        if not stat.S_ISREG(path.lstat().st_mode):  # nor is a link followed that replaces it now
            return
        handle = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
        try:
            _lock(handle, wait=False)
            if os.name != "nt":
                _remove(path)
        finally:
            os.close(handle)
        if os.name == "nt":  # its lock is that an open file cannot be deleted
            _remove(path)


def _remove(path: Path) -> None:
    """Delete a temporary file and what SQLite has left beside it."""
    for suffix in ("", *_SIDE_FILES):
        with contextlib.suppress(OSError):
            Path(f"{path}{suffix}").unlink()


def _lock(handle: int, *, wait: bool) -> None:
    if sys.platform != "win32":
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
