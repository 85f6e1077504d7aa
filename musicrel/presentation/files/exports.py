"""Writers of a piece as a score or a picture, by suffix."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from musicrel.chorale import Chorale
from musicrel.errors import UsageError
from musicrel.presentation.files import pictures
from musicrel.score import files

WRITABLE: Final = (*files.WRITABLE, *pictures.KINDS)


def writer(path: Path) -> Callable[[Chorale, Path], None]:
    """Return the writer for the suffix of ``path``.

    Raises:
        UsageError: no format has this suffix.
    """
    suffix = path.suffix.lower()
    if suffix in pictures.KINDS:
        return pictures.write_roll
    if suffix in files.WRITABLE:
        return files.writer(path)
    known = f"{', '.join(WRITABLE[:-1])} or {WRITABLE[-1]}"
    raise UsageError(f"cannot write {path}: expected a name that ends in {known}")


def write(chorale: Chorale, path: Path) -> None:
    """Write ``chorale`` atomically.

    Raises:
        UsageError: no format has this suffix.
        DataError: the format cannot hold the piece.
        FileError: the file cannot be written.
    """
    writer(path)(chorale, path)
