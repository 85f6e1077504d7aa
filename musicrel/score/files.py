"""Chorales as files of any kind: the suffix says which.

A format is one line of ``FORMATS``. What is read is a ``Source``, understood as four voices
(``reading``, ``read``) or as one tune (``melody``). This file knows nothing of what stands in the
files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from musicrel.chorale import Chorale, Voice
from musicrel.errors import DataError, FileError, UsageError
from musicrel.score import json_file
from musicrel.score.audio import wav
from musicrel.score.importing import melody_import, satb_import
from musicrel.score.importing.conversion import Reading
from musicrel.score.importing.source import Source, of_chorale
from musicrel.score.midi import midi_writer
from musicrel.score.musicxml import musicxml_reader, musicxml_writer


class Format(NamedTuple):
    """How a kind of file is written and read; None where it cannot be."""

    write: Callable[[Chorale, Path], None] | None
    source: Callable[[Path], Source] | None


def _json_source(path: Path) -> Source:
    return of_chorale(json_file.read(path))


FORMATS: Final[Mapping[str, Format]] = {
    ".mid": Format(midi_writer.write, midi_writer.source),
    ".midi": Format(midi_writer.write, midi_writer.source),
    ".json": Format(json_file.write, _json_source),
    ".wav": Format(wav.write, None),
    ".musicxml": Format(musicxml_writer.write, musicxml_reader.source),
    ".mxl": Format(None, musicxml_reader.source),
    ".xml": Format(None, musicxml_reader.source),
}
"""Suffix in small letters -> format."""

WRITABLE: Final = tuple(suffix for suffix, kind in FORMATS.items() if kind.write)
READABLE: Final = tuple(suffix for suffix, kind in FORMATS.items() if kind.source)


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
    """The chorale in ``path``, understood as its suffix says; ``reading`` also says what was bent.

    Raises:
        UsageError: no format with this suffix can be read.
        FileError: the file is missing, damaged, too long, or holds no music.
    """
    return reading(path).chorale


def reading(path: Path) -> Reading:
    """The music of ``path`` as four voices, with a report; see ``quartet``.

    Raises:
        UsageError: no format with this suffix can be read.
        FileError: the file is missing, damaged, too long, or holds no music.
    """
    try:
        return satb_import.reading(source(path))
    except DataError as reason:
        raise FileError(f"cannot read {path}: {reason}") from reason


def melody(path: Path, voice: Voice = Voice.SOPRANO) -> Reading:
    """The tune of ``path`` for ``voice`` to sing, with a report; see ``tune``.

    Raises:
        UsageError: no format with this suffix can be read.
        FileError: the file is missing, damaged, too long, or holds no music.
    """
    try:
        return melody_import.reading(source(path), voice)
    except DataError as reason:
        raise FileError(f"cannot read {path}: {reason}") from reason


def source(path: Path) -> Source:
    """What ``path`` says, understood as its suffix says.

    Raises:
        UsageError: no format with this suffix can be read.
        FileError: the file is missing, damaged, too long, or no music.
    """
    kind = FORMATS.get(path.suffix.lower())
    if kind is None or kind.source is None:
        raise UsageError(f"cannot read {path}: expected a name that ends in {_named(READABLE)}")
    return kind.source(path)


def _named(suffixes: tuple[str, ...]) -> str:
    return f"{', '.join(suffixes[:-1])} or {suffixes[-1]}"
