"""Locations on disk, and atomic writes."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import platformdirs

from musicrel.errors import FileError

_PACKAGE = Path(__file__).resolve().parent
_ALL_READ_AND_WRITE = 0o666


def assets() -> Path:
    """Return the folder of shipped, read-only files: in the wheel, or at the source tree's root."""
    in_wheel = _PACKAGE / "_assets"
    return in_wheel if in_wheel.is_dir() else _PACKAGE.parent / "assets"


def data() -> Path:
    """Return the user's folder for models, runs and recovery (``MUSICREL_HOME`` overrides it)."""
    override = os.environ.get("MUSICREL_HOME")
    return Path(override) if override else Path(platformdirs.user_data_dir("musicrel", False))


def cache() -> Path:
    """Return the user's folder for files that can be made again at any time."""
    return Path(platformdirs.user_cache_dir("musicrel", False))


def shared_data() -> Path:
    """Return the folder of benchmark data not shipped here (``MUSICREL_SHARED`` overrides it)."""
    override = os.environ.get("MUSICREL_SHARED")
    return Path(override) if override else _PACKAGE.parent.parent / "shared" / "data"


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that replaces ``path`` at the end of the block; after an error nothing changes.

    Temporary file in the same folder, flush, fsync, replace, fsync of the folder.

    Args:
        path: the file to create or replace; a missing folder is created.

    Raises:
        FileError: the folder or the file is not writable; an old file is left unchanged.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _replace(path.resolve()) as file:
            yield file
    except OSError as reason:
        raise FileError(
            f"cannot write {path}: {describe_os_error(reason)}; choose a folder you may write to"
        ) from reason


def write_bytes(path: Path, content: bytes) -> None:
    """Write ``content`` to ``path`` as ``replacing`` does."""
    with replacing(path) as file:
        file.write(content)


def require_writable(folder: Path) -> None:
    """Create ``folder`` and check that it is writable, before long work begins.

    Raises:
        FileError: it cannot be created or written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as reason:
        raise FileError(
            f"cannot write into {folder}: {describe_os_error(reason)}; choose another folder"
        ) from reason


def describe_os_error(reason: OSError) -> str:
    """Describe a system error in words that fit a sentence about files and folders."""
    if isinstance(reason, FileExistsError | NotADirectoryError):
        return "a part of its path is a file, not a folder"
    return reason.strerror or str(reason)


def write_text(path: Path, text: str) -> None:
    """Write ``text`` as UTF-8, atomically like ``write_bytes``.

    Raises:
        FileError: the file cannot be written, or UTF-8 cannot represent a character of the text.
    """
    try:
        content = text.encode("utf-8")
    except UnicodeEncodeError as reason:
        raise FileError(
            f"cannot write {path}: the text has {reason.object[reason.start]!r}, half of a "
            "surrogate pair, which no file can hold; remove it"
        ) from reason
    write_bytes(path, content)


def read_bytes(path: Path, *, limit: int) -> bytes:
    """Return the content of ``path``; files longer than ``limit`` bytes are refused.

    Raises:
        FileError: there is no such file, it cannot be read, or it is too long.
    """
    try:
        size = path.stat().st_size
        if size > limit:
            raise FileError(f"{path} has {size:,} bytes, but at most {limit:,} are read here")
        return path.read_bytes()
    except OSError as reason:
        raise FileError(f"cannot read {path}: {describe_os_error(reason)}") from reason


@contextlib.contextmanager
def _replace(path: Path) -> Iterator[IO[bytes]]:
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(_mode_for(path))
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
    sync_folder(path.parent)


def _mode_for(path: Path) -> int:
    """Return the permissions of the replaced file, or those of the umask for a new one."""
    with contextlib.suppress(OSError):
        return stat.S_IMODE(path.stat().st_mode)
    umask = os.umask(0)
    os.umask(umask)
    return _ALL_READ_AND_WRITE & ~umask


def sync_folder(folder: Path) -> None:
    """Flush the entries of ``folder`` to disk, on systems that can (not on Windows)."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
