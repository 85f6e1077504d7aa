"""Where things lie on disk, and how a file is written so that it is never half there.

This file knows folders and bytes; it knows nothing of what the files mean.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from pathlib import Path

import platformdirs

from musicrel.errors import FileError

_PACKAGE = Path(__file__).resolve().parent
_ALL_READ_AND_WRITE = 0o666


def assets() -> Path:
    """The folder of shipped, read-only files: inside the wheel, or on top of the source tree."""
    in_wheel = _PACKAGE / "_assets"
    return in_wheel if in_wheel.is_dir() else _PACKAGE.parent / "assets"


def data() -> Path:
    """The user's own folder for models, runs and recovered work (``MUSICREL_HOME`` overrides)."""
    override = os.environ.get("MUSICREL_HOME")
    return Path(override) if override else Path(platformdirs.user_data_dir("musicrel", False))


def shared_data() -> Path:
    """Where benchmark files lie that may not be shipped (``MUSICREL_SHARED`` overrides)."""
    override = os.environ.get("MUSICREL_SHARED")
    return Path(override) if override else _PACKAGE.parent.parent / "shared" / "data"


def write_bytes(path: Path, content: bytes) -> None:
    """Write ``content`` to ``path`` so that the old file stays whole until the new one is.

    Temporary file in the same folder, flush, fsync, replace, fsync of the folder.

    Args:
        path: the file to make or replace; its folder is made where it is missing.
        content: all of the new file.

    Raises:
        FileError: the folder or the file cannot be written; an old file is left as it was.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _replace(path.resolve(), content)
    except OSError as reason:
        raise FileError(
            f"cannot write {path}: {why(reason)}; choose a folder you may write to"
        ) from reason


def require_writable(folder: Path) -> None:
    """Make ``folder`` and see that files can be made in it, before long work begins.

    Raises:
        FileError: it cannot be made or written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as reason:
        raise FileError(
            f"cannot write into {folder}: {why(reason)}; choose another folder"
        ) from reason


def why(reason: OSError) -> str:
    """What the system says, in words that fit a sentence about files and folders."""
    if isinstance(reason, FileExistsError | NotADirectoryError):
        return "a part of its path is a file, not a folder"
    return reason.strerror or str(reason)


def write_text(path: Path, text: str) -> None:
    """Write ``text`` as UTF-8, as ``write_bytes`` does."""
    write_bytes(path, text.encode("utf-8"))


def read_bytes(path: Path, *, limit: int) -> bytes:
    """The content of ``path``, refused when it is longer than ``limit`` bytes.

    Raises:
        FileError: there is no such file, it cannot be read, or it is too long.
    """
    try:
        size = path.stat().st_size
        if size > limit:
            raise FileError(f"{path} has {size:,} bytes, but at most {limit:,} are read here")
        return path.read_bytes()
    except OSError as reason:
        raise FileError(f"cannot read {path}: {why(reason)}") from reason


def _replace(path: Path, content: bytes) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
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
    """The rights of the file that is replaced, or what the user's umask gives a new one."""
    with contextlib.suppress(OSError):
        return stat.S_IMODE(path.stat().st_mode)
    umask = os.umask(0)
    os.umask(umask)
    return _ALL_READ_AND_WRITE & ~umask


def sync_folder(folder: Path) -> None:
    """Make the names in ``folder`` survive a power cut, where the system can (not on Windows)."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
