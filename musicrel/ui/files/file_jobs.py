"""Reading a piece from a file and writing one into a file, as jobs that tell how far they are.

This file knows kinds of files; it knows nothing of windows, nor of who asked.
"""

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
class Began:
    """A file is being read or written, in words."""

    doing: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Progressed:
    """So much of a long file is there, 0 to 1."""

    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A piece that was in a file, named after the file where it has no name."""

    path: Path
    piece: Chorale
    report: tuple[str, ...] = ()
    """What was bent, left out or guessed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A piece that is in a file now."""

    path: Path
    piece: Chorale


@dataclass(frozen=True, slots=True, kw_only=True)
class Tune:
    """A melody that was in a file, named after the file where it has no name."""

    path: Path
    piece: Chorale
    report: tuple[str, ...] = ()
    """What was bent, left out, moved or guessed."""


FilingEvent: TypeAlias = Began | Progressed


def read(path: Path) -> Job[FilingEvent, Read]:
    """Read a piece.

    Raises:
        MusicrelError: there is no file, or none of ours; see ``score.files``.
    """
    from musicrel.score import files

    yield Began(doing=f"Opening {path.name}")
    found = files.reading(path)
    piece = found.chorale
    named = piece if piece.title else replace(piece, title=path.stem)
    return Read(path=path, piece=named, report=found.report)


def read_melody(path: Path, voice: Voice) -> Job[FilingEvent, Tune]:
    """Read a melody for ``voice`` to sing, as much of it as can be harmonised at once.

    Raises:
        MusicrelError: there is no file, none of ours, or no melody in it; see ``score.files``.
    """
    from musicrel.generation import edit_requests
    from musicrel.score import files
    from musicrel.score.importing.conversion import TOO_LONG

    yield Began(doing=f"Opening {path.name}")
    found = files.melody(path, voice)
    piece, report = edit_requests.beginning(found.chorale), found.report
    if piece.steps < found.chorale.steps:  # of two limits the lower one is told
        cut = f"it is too long: its first {piece.bars} bars are harmonised"
        report = (*(sentence for sentence in report if TOO_LONG not in sentence), cut)
    named = piece if piece.title else replace(piece, title=path.stem)
    return Tune(path=path, piece=named, report=report)


def write(
    piece: Chorale,
    path: Path,
    mix: Mix,
    style: Style,
    layout: Layout = "staves",
    *,
    locks: Flags | None = None,
) -> Job[FilingEvent, Written]:
    """Write a piece as its suffix says; sound and score as they are heard and seen in the app.

    ``locks`` are the cells that are locked, told with where the piece comes from.

    Raises:
        MusicrelError: it cannot be written; see ``presentation.exports`` and ``score_pdf``.
    """
    from musicrel.presentation.files import exports
    from musicrel.score.audio import wav
    from musicrel.ui.score import score_pdf

    yield Began(doing=f"Saving {path.name}")
    try:
        if path.suffix.lower() == ".wav":
            for share in wav.writing(piece, path, mix=mix, style=style):
                yield Progressed(share=share)
        elif path.suffix.lower() == score_pdf.SUFFIX:
            for share in score_pdf.writing(piece, path, layout):
                yield Progressed(share=share)
        else:
            exports.write(lock_cells.signed(piece, locks), path)
    except MusicrelError as reason:
        raise type(reason)(f"the piece is not saved: {reason}") from reason
    return Written(path=path, piece=piece)
