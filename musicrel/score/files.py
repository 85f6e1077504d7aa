"""Reading and writing of chorales in every file format, chosen by the suffix.

A format is one line of ``FORMATS``. A file is read into a ``Source``, which is then interpreted as
four voices (``read``, ``import_satb``) or as one melody (``import_melody``).

All raise a ``UsageError`` for a suffix that no format has, and a ``FileError`` for a file that is
missing, damaged, too long, or holds no music, or that cannot be written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from musicrel.chorale import Chorale, Voice
from musicrel.errors import DataError, FileError, UsageError
from musicrel.language import tr
from musicrel.score import abc_file, json_file
from musicrel.score.audio import audio_file
from musicrel.score.importing import melody_import, satb_import
from musicrel.score.importing.conversion import ImportedPiece
from musicrel.score.importing.source import Source, from_chorale
from musicrel.score.midi import midi_reader, midi_writer
from musicrel.score.musicxml import musicxml_reader, musicxml_writer


class Format(NamedTuple):
    """The writer and the reader of a file format; None if it cannot be written or read."""

    write: Callable[[Chorale, Path], None] | None
    source: Callable[[Path], Source] | None


# Lower-case suffix -> format.
FORMATS: Final[Mapping[str, Format]] = {
    ".mid": Format(midi_writer.write, midi_reader.read_source),
    ".midi": Format(midi_writer.write, midi_reader.read_source),
    ".json": Format(json_file.write, lambda path: from_chorale(json_file.read(path))),
    **dict.fromkeys(audio_file.SUFFIXES, Format(audio_file.write, None)),
    ".musicxml": Format(musicxml_writer.write, musicxml_reader.source),
    ".mxl": Format(musicxml_writer.write, musicxml_reader.source),
    ".xml": Format(None, musicxml_reader.source),
    ".abc": Format(abc_file.write, abc_file.source),
}

WRITABLE: Final = tuple(suffix for suffix, kind in FORMATS.items() if kind.write)
READABLE: Final = tuple(suffix for suffix, kind in FORMATS.items() if kind.source)


def write(chorale: Chorale, path: Path) -> None:
    """Write ``chorale`` to ``path`` atomically, in the format its suffix names.

    Raises:
        DataError: the format cannot represent the chorale.
    """
    writer(path)(chorale, path)


def writer(path: Path) -> Callable[[Chorale, Path], None]:
    """Return the writer for the suffix of ``path``."""
    kind = FORMATS.get(path.suffix.lower())
    if kind is None or kind.write is None:
        sentence = tr("cannot write {path}: expected a name that ends in {suffixes}")
        raise UsageError(sentence.format(path=path, suffixes=one_of(WRITABLE)))
    return kind.write


def read(path: Path) -> Chorale:
    """Read the chorale in ``path`` and log what was changed; ``import_satb`` returns the report."""
    return import_satb(path).logged(path.name).chorale


def import_satb(path: Path) -> ImportedPiece:
    """Read ``path`` as four voices, with a report; see ``satb_import``."""
    try:
        return satb_import.import_satb(source(path))
    except DataError as reason:
        raise FileError(tr("cannot read {path}: {reason}", path=path, reason=reason)) from reason


def import_melody(path: Path, voice: Voice = Voice.SOPRANO) -> ImportedPiece:
    """Read the melody of ``path`` for ``voice``, with a report; see ``melody_import``."""
    try:
        return melody_import.import_melody(source(path), voice)
    except DataError as reason:
        raise FileError(tr("cannot read {path}: {reason}", path=path, reason=reason)) from reason


def source(path: Path) -> Source:
    """Read ``path`` without assigning its notes to voices."""
    kind = FORMATS.get(path.suffix.lower())
    if kind is None or kind.source is None:
        sentence = tr("cannot read {path}: expected a name that ends in {suffixes}")
        raise UsageError(sentence.format(path=path, suffixes=one_of(READABLE)))
    return kind.source(path)


def one_of(words: Sequence[str]) -> str:
    """Join ``words`` as in "a, b or c"."""
    *others, last = words
    return tr("{others} or {last}", others=", ".join(others), last=last) if others else last
