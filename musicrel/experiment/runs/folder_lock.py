"""One writer a folder: a lock that ends with its process, however that ends.

The system holds the lock, so a dead process has none. Who holds it stands in the file, for others
to read: process id and the time it began, since ids are used again.

This file knows processes; it knows nothing of what is written.
"""

from __future__ import annotations

import json
import os
import sys
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import psutil

from musicrel.errors import FileError

LOCK: Final = "writer.lock"
_LONGEST: Final = 1000
_LOCKED_BYTE: Final = 1 << 20
"""On Windows nobody reads a locked byte, so the one that is locked lies behind the text."""


class WriterLock:
    """Held between ``with`` and its end.

    Args:
        folder: whose writer this process wants to be; it exists.

    Raises:
        FileError: another process writes there, or the folder cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file: FileIO | None = None

    def __enter__(self) -> Self:
        try:
            file = FileIO(os.open(self._folder / LOCK, os.O_RDWR | os.O_CREAT, 0o644), "r+")
        except OSError as reason:
            raise FileError(
                f"cannot write into {self._folder}: {reason.strerror or reason}; choose a folder "
                "you may write to"
            ) from reason
        if not _take(file):
            file.close()
            raise FileError(
                f"{self._folder} is being written by {_named(writer(self._folder))}: wait for its "
                "end, or stop it there"
            )
        self._file = file
        _write(file, json.dumps(_myself()).encode())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            _write(self._file, b"")
            self._file.close()  # which gives the lock back
            self._file = None


def writer(folder: Path) -> int | None:
    """The id of the living process that writes in ``folder``; None where none does."""
    try:
        held = json.loads((folder / LOCK).read_bytes()[:_LONGEST])
        pid, began = int(held["pid"]), float(held["began"])
        process = psutil.Process(pid)
        lives = process.status() != psutil.STATUS_ZOMBIE and process.create_time() == began
    except (OSError, ValueError, TypeError, KeyError, psutil.Error):
        return None
    return pid if lives else None


def _myself() -> dict[str, Any]:
    return {"pid": os.getpid(), "began": psutil.Process().create_time()}


def _named(pid: int | None) -> str:
    if pid is None:
        return "another process"
    return "this very process" if pid == os.getpid() else f"process {pid}"


def _write(file: FileIO, content: bytes) -> None:
    file.seek(0)
    file.truncate()
    file.write(content)


if sys.platform == "win32":
    import msvcrt

    def _take(file: FileIO) -> bool:
        file.seek(_LOCKED_BYTE)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def _take(file: FileIO) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
