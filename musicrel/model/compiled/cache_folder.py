"""The folder of compiled functions in the user's cache.

Numba looks up a compiled function by the path, time and size of its source, although functions and
constants of other files are compiled into it. Each state of the sources therefore has a folder of
its own.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Final

import numba
from llvmlite import binding

_MODEL: Final = Path(__file__).resolve().parents[1]
SOURCES: Final = (_MODEL / "compiled", _MODEL / "features", _MODEL / "config.py")
"""Files, and folders of files, of the functions that are compiled and of the constants in them."""
_KEPT: Final = 4
"""Folders of versions that are kept: those used last. A running program may need its own."""

_PAUSE: Final = 0.1
"""Seconds between two attempts to lock a file on Windows."""


def prepared(root: Path, sources: Iterable[Path] = SOURCES) -> Path:
    """Return the folder for the present sources and version of numba; sweep those of others."""
    folder = root / digest(sources)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder):
        os.utime(folder)
    by_last_use = sorted(root.iterdir(), key=_last_use, reverse=True)
    for old in by_last_use[_KEPT:]:
        shutil.rmtree(old, ignore_errors=True)
    return folder


def digest(sources: Iterable[Path]) -> str:
    """Return a digest of numba's and Python's version and of Python files: path, time, content."""
    found = hashlib.sha256(f"{numba.__version__} {sys.implementation.cache_tag}".encode())
    for source in sources:
        for path in sorted(source.glob("*.py")) if source.is_dir() else [source]:
            found.update(f"{path}\0{path.stat().st_mtime_ns}\0".encode() + path.read_bytes())
    return found.hexdigest()[:16]


@contextlib.contextmanager
def locked() -> Iterator[None]:
    """Let no other process compile into the folder during the block; wait until it has ended.

    Numba numbers the forms of a function by the types of its arguments. Two processes that add
    different ones at the same moment could give them the same number. Nothing is locked on a drive
    that knows no locks, as some in networks.
    """
    with (Path(numba.config.CACHE_DIR) / "lock").open("ab") as file:
        with contextlib.suppress(OSError):
            _lock(file)
        yield


def count() -> int:
    """Return the number of functions that have been compiled so far."""
    return sum(1 for _ in Path(numba.config.CACHE_DIR).glob("*/*.nbi"))


def clear() -> None:
    """Delete the compiled functions; running programs have loaded theirs."""
    for pattern in ("complete-*", "*/*.nbi", "*/*.nbc"):
        for path in Path(numba.config.CACHE_DIR).glob(pattern):
            path.unlink(missing_ok=True)


def mark_complete() -> None:
    """Note that all functions are compiled for this processor."""
    _mark().touch()


def is_complete() -> bool:
    """Return True if all functions have been compiled for this processor."""
    return _mark().exists()


def _mark() -> Path:
    """Return the file that marks the folder as complete; numba compiles for each processor."""
    return Path(numba.config.CACHE_DIR) / f"complete-{binding.get_host_cpu_name()}"


def _last_use(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except OSError:  # another process swept it
        return 0.0


if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[bytes]) -> None:
        """Lock a file; it is freed by closing it, and when the process ends, however it ends."""
        while True:
            try:
                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            except PermissionError:
                time.sleep(_PAUSE)
            else:
                return

else:
    import fcntl

    def _lock(file: IO[bytes]) -> None:
        """Lock a file; it is freed by closing it, and when the process ends, however it ends."""
        fcntl.flock(file, fcntl.LOCK_EX)
