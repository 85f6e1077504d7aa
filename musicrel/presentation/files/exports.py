"""Writers of a piece as a score or a picture, by suffix."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from musicrel.chorale import Chorale
from musicrel.errors import UsageError
from musicrel.harmony import analysis
from musicrel.presentation.files import pictures
from musicrel.score import files
from musicrel.score.musicxml import musicxml_writer

WRITERS: Final[Mapping[str, Callable[[Chorale, Path], None]]] = {
    **{suffix: kind.write for suffix, kind in files.FORMATS.items() if kind.write},
    **dict.fromkeys(pictures.KINDS, pictures.write_roll),
}
"""Lower-case suffix -> writer."""
WRITABLE: Final = tuple(WRITERS)
_WITH_NUMERALS: Final[Mapping[str, Callable[..., None]]] = {
    ".musicxml": musicxml_writer.write,
    ".mxl": musicxml_writer.write_compressed,
}
"""Lower-case suffix -> writer of a score with Roman numerals."""


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


def has_numerals(path: Path) -> bool:
    """Return whether the format of ``path`` can hold Roman numerals."""
    return path.suffix.lower() in _WITH_NUMERALS


def check_numerals(path: Path) -> None:
    """Check that the format of ``path`` can hold Roman numerals.

    Raises:
        UsageError: it cannot.
    """
    if not has_numerals(path):
        known = " or ".join(_WITH_NUMERALS)
        raise UsageError(
            f"{path} has no place for Roman numerals: expected a name that ends in {known}"
        )


def write_with_numerals(chorale: Chorale, path: Path) -> None:
    """Write ``chorale`` atomically as a score with Roman numerals.

    Raises:
        UsageError: the format has no Roman numerals.
        DataError: the format cannot hold the piece.
        FileError: the file cannot be written.
    """
    check_numerals(path)
    _WITH_NUMERALS[path.suffix.lower()](chorale, path, numerals=analysis.numerals(chorale))


def write(chorale: Chorale, path: Path) -> None:
    """Write ``chorale`` atomically.

    Raises:
        UsageError: no format has this suffix.
        DataError: the format cannot hold the piece.
        FileError: the file cannot be written.
    """
    writer(path)(chorale, path)
