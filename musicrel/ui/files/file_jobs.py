"""Jobs that read a piece from a file or write one to a file, with their progress."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, TypeAlias

from musicrel.chorale import Chorale, Flags, Voice
from musicrel.errors import prefixed, readable
from musicrel.figures import sheets
from musicrel.figures.sheets import PrintChoice
from musicrel.jobs import Job
from musicrel.language import tr
from musicrel.presentation import lock_cells
from musicrel.score.audio.mixer import Mix
from musicrel.score.midi.midi_writer import Options
from musicrel.score.performance import Style

_CUT: Final = tr("it is too long: its first {bars} bars are harmonised")

_NOT_EXPORTED: Final = tr("the piece is not exported")
MIDI: Final = frozenset({".mid", ".midi"})  # suffixes of MIDI files
EXPORTED: Final = tr("Exported {name} to {folder}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportSettings:
    mix: Mix  # of the voices, for audio
    style: Style  # of the performance, for audio
    score: PrintChoice = field(default_factory=PrintChoice)  # for a PDF and MusicXML
    held: bool = False  # whether MIDI files slow down under fermatas
    markers: bool = False  # whether MIDI files name chords and phrases


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedPiece:
    """A piece from a file, named after the file if it has no title."""

    path: Path
    piece: Chorale
    # sentences about notes that were changed, left out, transposed or guessed
    report: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    sentence: str  # a status text
    folder: Path | None = None  # of the files; None: what was printed has none
    suffix: str = ""  # of an exported piece


FileResult: TypeAlias = OpenedPiece | Written
# yields the share that is done, 0 to 1; the first one, 0, comes before anything was written
FileJob: TypeAlias = "Job[float, FileResult]"


def read(path: Path) -> Job[float, OpenedPiece]:
    from musicrel.score import files

    yield 0.0
    found = files.import_satb(path)
    piece = found.chorale
    named = piece if piece.title else replace(piece, title=readable(path.stem))
    return OpenedPiece(path=path, piece=named, report=found.report)


def read_melody(path: Path, voice: Voice) -> Job[float, OpenedPiece]:
    """Read a melody for ``voice``, truncated to what can be harmonised at once."""
    from musicrel.generation import edit_requests
    from musicrel.score import files
    from musicrel.score.importing.conversion import TOO_LONG

    yield 0.0
    found = files.import_melody(path, voice)
    piece, report = edit_requests.truncated(found.chorale), found.report
    if piece.steps < found.chorale.steps:  # of two limits only the lower one is reported
        cut = _CUT.format(bars=piece.bars)
        report = (*(sentence for sentence in report if TOO_LONG not in sentence), cut)
    named = piece if piece.title else replace(piece, title=readable(path.stem))
    return OpenedPiece(path=path, piece=named, report=report)


def write(
    piece: Chorale, path: Path, settings: ExportSettings, *, locks: Flags | None = None
) -> Job[float, Written]:
    """Write a piece in the format of the suffix, as audible and visible in the app."""
    yield 0.0
    written = lock_cells.with_locks_in_provenance(piece, locks)
    with prefixed(_NOT_EXPORTED):
        yield from write_file(written, path, settings)
    return exported(path)


def exported(path: Path) -> Written:
    sentence = EXPORTED.format(name=path.name, folder=path.parent)
    return Written(sentence=sentence, folder=path.parent, suffix=path.suffix.lower())


def write_file(piece: Chorale, path: Path, settings: ExportSettings) -> Job[float, None]:
    """Write a piece as ``write`` does; yield the share that is written, 0 to 1."""
    from musicrel.figures import exports
    from musicrel.score.audio import audio_file

    suffix = path.suffix.lower()
    if suffix in audio_file.SUFFIXES:
        yield from audio_file.write_job(piece, path, mix=settings.mix, style=settings.style)
    elif suffix == sheets.SUFFIX:
        yield from sheets.write_pdf(piece, path, settings.score)
    elif suffix in MIDI:
        options: Options = {"sound": settings.mix.sounds, "stretch_fermatas": settings.held}
        yield from exports.write_midi_job(piece, path, chords=settings.markers, **options)
    elif exports.is_score(path):
        score = settings.score
        yield from exports.write_score_job(
            piece,
            path,
            score.layout,
            numerals=score.numerals,
            figures=score.figures,
            repeat_signs=score.repeat_signs,
        )
    else:
        exports.write(piece, path)
