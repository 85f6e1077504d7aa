"""Jobs that read a piece from a file or write one to a file, with their progress."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from musicrel.chorale import Chorale, Flags, Voice
from musicrel.errors import MusicrelError
from musicrel.jobs import Job
from musicrel.presentation.roll import lock_cells
from musicrel.score.audio.mixer import Mix
from musicrel.score.musicxml.musicxml_writer import Layout
from musicrel.score.performance import Style


@dataclass(frozen=True, slots=True, kw_only=True)
class FileStarted:
    """A file is being read or written; ``doing`` is a status text."""

    doing: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FileProgress:
    """Share of a long file that is written, 0 to 1."""

    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedPiece:
    """A piece from a file, named after the file if it has no title."""

    path: Path
    piece: Chorale
    report: tuple[str, ...] = ()
    """Sentences about notes that were changed, left out or guessed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedPiece:
    """A piece that was written to a file."""

    path: Path
    piece: Chorale


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedMelody:
    """A melody from a file, named after the file if it has no title."""

    path: Path
    piece: Chorale
    report: tuple[str, ...] = ()
    """Sentences about notes that were changed, left out, transposed or guessed."""


FileEvent: TypeAlias = FileStarted | FileProgress


def read(path: Path) -> Job[FileEvent, OpenedPiece]:
    """Read a piece.

    Raises:
        MusicrelError: the file is missing or not readable; see ``score.files``.
    """
    from musicrel.score import files

    yield FileStarted(doing=f"Opening {path.name}")
    found = files.import_satb(path)
    piece = found.chorale
    named = piece if piece.title else replace(piece, title=path.stem)
    return OpenedPiece(path=path, piece=named, report=found.report)


def read_melody(path: Path, voice: Voice) -> Job[FileEvent, ImportedMelody]:
    """Read a melody for ``voice``, truncated to what can be harmonised at once.

    Raises:
        MusicrelError: the file is missing, not readable or has no melody; see ``score.files``.
    """
    from musicrel.generation import edit_requests
    from musicrel.score import files
    from musicrel.score.importing.conversion import TOO_LONG

    yield FileStarted(doing=f"Opening {path.name}")
    found = files.import_melody(path, voice)
    piece, report = edit_requests.truncated(found.chorale), found.report
    if piece.steps < found.chorale.steps:  # of two limits only the lower one is reported
        cut = f"it is too long: its first {piece.bars} bars are harmonised"
        report = (*(sentence for sentence in report if TOO_LONG not in sentence), cut)
    named = piece if piece.title else replace(piece, title=path.stem)
    return ImportedMelody(path=path, piece=named, report=report)


def write(
    piece: Chorale,
    path: Path,
    mix: Mix,
    style: Style,
    layout: Layout = "staves",
    *,
    locks: Flags | None = None,
) -> Job[FileEvent, ExportedPiece]:
    """Write a piece in the format of the suffix, as audible and visible in the app.

    Args:
        piece: to write.
        path: of the file.
        mix: of the voices, for audio.
        style: of the performance, for audio.
        layout: of the staves, for a PDF.
        locks: locked cells, stored with the provenance; None: no lock.

    Raises:
        MusicrelError: the file cannot be written; see ``presentation.files.exports`` and
            ``score_pdf``.
    """
    from musicrel.presentation.files import exports
    from musicrel.score.audio import wav
    from musicrel.ui.score import score_pdf

    yield FileStarted(doing=f"Exporting {path.name}")
    try:
        if path.suffix.lower() == ".wav":
            for share in wav.write_job(piece, path, mix=mix, style=style):
                yield FileProgress(share=share)
        elif path.suffix.lower() == score_pdf.SUFFIX:
            for share in score_pdf.export_pdf(piece, path, layout):
                yield FileProgress(share=share)
        else:
            exports.write(lock_cells.with_locks_in_provenance(piece, locks), path)
    except MusicrelError as reason:
        raise type(reason)(f"the piece is not exported: {reason}") from reason
    return ExportedPiece(path=path, piece=piece)
