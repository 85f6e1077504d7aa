"""A lock that lets one process at a time write into a run folder.

Two files are locked, both through the operating system, which frees them when the process ends,
however it ends. ``writer.lock`` decides who writes; no reader ever locks it, so a process that
starts is refused by another writer only. ``writer.alive`` answers readers: the writer holds it
exclusively, and a reader tests it with a shared lock. The writer waits for such a test, which
takes microseconds. No clock takes part.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from typing import Final

from musicrel import paths, untrusted
from musicrel.errors import FileError

LOCK: Final = "writer.lock"
ALIVE: Final = "writer.alive"


@contextmanager
def writer_lock(folder: Path) -> Iterator[None]:
    """Hold the lock of a run folder inside a ``with`` block."""
    paths.require_own_files(folder)
    with _open(folder, LOCK) as lock, _open(folder, ALIVE) as alive:
        if not _try_lock(lock):
            raise FileError(
                f"{folder} is being written by {_name(writer(folder))}: wait for its end, or stop "
                "it there"
            )
        _write(lock, json.dumps({"pid": os.getpid()}).encode())
        _mark_alive(alive)
        try:
            yield
        finally:
            _write(lock, b"")


def writer(folder: Path) -> int | None:
    """Return the id of the living process that writes in ``folder``, or None."""
    try:
        with FileIO(str(folder / ALIVE), opener=untrusted.without_waiting) as alive:
            if not _is_marked_alive(alive):
                return None
        with untrusted.opened(folder / LOCK) as lock:
            return int(json.loads(lock.read(1000))["pid"])
    except (OSError, FileError, ValueError, TypeError, KeyError, RecursionError):
        return None


def _open(folder: Path, name: str) -> FileIO:
    try:
        return FileIO(untrusted.descriptor(folder / name, os.O_RDWR | os.O_CREAT, 0o644), "r+")
    except OSError as reason:
        raise FileError(
            f"cannot write into {folder} ({name}): {reason.strerror or reason}; choose a "
            "folder you may write to"
        ) from reason


def _name(pid: int | None) -> str:
    if pid is None:
        return "another process"
    return "this very process" if pid == os.getpid() else f"process {pid}"


def _write(file: FileIO, content: bytes) -> None:
    file.seek(0)
    file.truncate()
    file.write(content)


if sys.platform == "win32":
    import msvcrt

    def _try_lock(file: FileIO) -> bool:
        file.seek(1 << 20)  # behind the text: Windows refuses to read a locked byte
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _mark_alive(file: FileIO) -> None:
        _write(file, b"\n")
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

    def _is_marked_alive(file: FileIO) -> bool:
        try:
            file.read(1)
        except PermissionError:
            return True
        return False
else:
    import fcntl

    def _try_lock(file: FileIO) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def _mark_alive(file: FileIO) -> None:
        fcntl.flock(file, fcntl.LOCK_EX)

    def _is_marked_alive(file: FileIO) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False
