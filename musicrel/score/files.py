"""Chorales as files of any kind: the suffix says which.

A format is one line of ``FORMATS``. This file knows nothing of what stands in the files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from musicrel.chorale import Chorale
from musicrel.errors import UsageError
from musicrel.score import json_file, midi, musicxml, wav


class Format(NamedTuple):
    """How a kind of file is written and read; None where it cannot be."""

    write: Callable[[Chorale, Path], None] | None
    read: Callable[[Path], Chorale] | None


FORMATS: Final[Mapping[str, Format]] = {
    ".mid": Format(midi.write, midi.read),
    ".midi": Format(midi.write, midi.read),
    ".json": Format(json_file.write, json_file.read),
    ".wav": Format(wav.write, None),
    ".musicxml": Format(musicxml.write, None),
}
"""Suffix in small letters -> format."""

WRITABLE: Final = tuple(suffix for suffix, kind in FORMATS.items() if kind.write)
READABLE: Final = tuple(suffix for suffix, kind in FORMATS.items() if kind.read)


def write(chorale: Chorale, path: Path) -> None:
    """Write ``chorale`` to ``path`` as its suffix says, whole or not at all.

    Raises:
        UsageError: no format with this suffix can be written.
        DataError: the chorale holds what the format cannot.
        FileError: the file cannot be written.
    """
    writer(path)(chorale, path)


def writer(path: Path) -> Callable[[Chorale, Path], None]:
    """What writes files of the kind that ``path`` is by its suffix.

    Raises:
        UsageError: no format with this suffix can be written.
    """
    kind = FORMATS.get(path.suffix.lower())
    if kind is None or kind.write is None:
        raise UsageError(f"cannot write {path}: expected a name that ends in {_named(WRITABLE)}")
    return kind.write


def read(path: Path) -> Chorale:
    """The chorale in ``path``, understood as its suffix says.

    Raises:
        UsageError: no format with this suffix can be read.
        FileError: the file is missing, damaged, too long, or no chorale.
    """
    kind = FORMATS.get(path.suffix.lower())
    if kind is None or kind.read is None:
        raise UsageError(f"cannot read {path}: expected a name that ends in {_named(READABLE)}")
    return kind.read(path)


def _named(suffixes: tuple[str, ...]) -> str:
    return f"{', '.join(suffixes[:-1])} or {suffixes[-1]}"
