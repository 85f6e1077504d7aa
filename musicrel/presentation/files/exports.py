"""Writers of a piece as a score or a picture, by suffix."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from musicrel.chorale import Chorale
from musicrel.errors import UsageError
from musicrel.presentation.files import pictures
from musicrel.score import files

WRITERS: Final[Mapping[str, Callable[[Chorale, Path], None]]] = {
    **{suffix: kind.write for suffix, kind in files.FORMATS.items() if kind.write},
    **dict.fromkeys(pictures.KINDS, pictures.write_roll),
}
"""Lower-case suffix -> writer."""
WRITABLE: Final = tuple(WRITERS)


def writer(path: Path) -> Callable[[Chorale, Path], None]:
    """Return the writer for the suffix of ``path``.

    Raises:
        UsageError: no format has this suffix.
    """
    found = WRITERS.get(path.suffix.lower())
    if found is None:
        *others, last = WRITABLE
        known = f"{', '.join(others)} or {last}"
        raise UsageError(f"cannot write {path}: expected a name that ends in {known}")
    return found


def write(chorale: Chorale, path: Path) -> None:
    """Write ``chorale`` atomically.

    Raises:
        UsageError: no format has this suffix.
        DataError: the format cannot hold the piece.
        FileError: the file cannot be written.
    """
    writer(path)(chorale, path)
