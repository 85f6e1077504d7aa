"""Locations on disk, and atomic writes."""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import platformdirs

from musicrel.errors import FileError
from musicrel.language import tr
from musicrel.replacement import replacement

_PACKAGE = Path(__file__).resolve().parent


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
    """Open a file that replaces ``path`` after the block; after an error nothing changes."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacement(path) as new, new.open("wb") as file:
            yield file
    except OSError as reason:
        why = describe_failed_write(reason)
        raise FileError(tr("cannot write {path}: {why}", path=path, why=why)) from reason


def write_bytes(path: Path, content: bytes) -> None:
    """Write ``content`` to ``path`` as ``replacing`` does."""
    with replacing(path) as file:
        file.write(content)


@contextlib.contextmanager
def explained(action: str) -> Iterator[None]:
    """Turn an error of the system into a ``FileError``: what could not be done, and why."""
    try:
        yield
    except OSError as reason:
        why = reason.strerror or reason
        raise FileError(tr("cannot {action}: {why}", action=action, why=why)) from reason


def require_writable(folder: Path) -> None:
    """Create ``folder`` and check that it is writable, before long work begins."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as reason:
        why = describe_failed_write(reason)
        raise FileError(tr("cannot write into {folder}: {why}", folder=folder, why=why)) from reason


def require_own_files(folder: Path) -> None:
    """Check that a folder holds files and folders only, before it is written into.

    Anyone may have sent it: a link in it leads to other files of the user.
    """
    waiting = [str(folder)]
    while waiting:
        entries: list[os.DirEntry[str]] = []
        with contextlib.suppress(OSError), os.scandir(waiting.pop()) as found:
            entries += found
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                waiting.append(entry.path)
            elif not entry.is_file(follow_symlinks=False):
                text = tr(
                    "nothing is written into {folder}, because {path} is a link, a device or a "
                    "pipe: put the file or folder itself there"
                )
                raise FileError(text.format(folder=folder, path=entry.path))


def is_file(path: Path) -> bool:
    """Return True if ``path`` is a file; False also for a name that no file can have."""
    try:
        return path.is_file()
    except OSError:  # the name is too long
        return False


def resolved(path: Path) -> Path:
    """Return ``path`` absolute and without links; links that form a loop stay."""
    return Path(os.path.realpath(path))  # Path.resolve raises an error for a loop


def make_room() -> str:
    """Return what to do where the disk is full."""
    return tr("make room on it, or choose another disk")


def elsewhere() -> str:
    """Return what to do where a file cannot be written, and the reason gives no better advice."""
    return tr("choose a folder you may write to")


def _described(reason: OSError) -> tuple[str, str]:
    """Return what an error means, and what to do when a file cannot be written; or "" twice."""
    known = {
        errno.ENOSPC: (tr("the disk is full"), make_room()),
        errno.EDQUOT: (tr("your share of the disk is used up"), make_room()),
        errno.EFBIG: (tr("the disk takes no file of this size"), tr("choose another disk")),
        errno.EIO: (tr("the disk cannot be read or written"), tr("choose another disk")),
        errno.ENAMETOOLONG: (tr("its name is too long"), tr("choose a shorter one")),
    }
    return known.get(reason.errno or 0, ("", ""))


def describe_os_error(reason: OSError) -> str:
    """Describe a system error in words that fit a sentence about files and folders."""
    if isinstance(reason, FileExistsError | NotADirectoryError):
        return tr("a part of its path is a file, not a folder")
    return _described(reason)[0] or reason.strerror or str(reason)


def describe_failed_write(reason: OSError, otherwise: str = "") -> str:
    """Describe why a file could not be written, and what to do; ``otherwise`` if unknown."""
    advice = _described(reason)[1] or otherwise or elsewhere()
    return f"{describe_os_error(reason)}; {advice}"


def write_text(path: Path, text: str) -> None:
    """Write ``text`` as UTF-8, atomically like ``write_bytes``."""
    try:
        content = text.encode("utf-8")
    except UnicodeEncodeError as reason:
        raise FileError(
            f"cannot write {path}: the text has {reason.object[reason.start]!r}, half of a "
            "surrogate pair, which no file can hold; remove it"
        ) from reason
    write_bytes(path, content)
