"""``musicrel convert``: write a piece in another file format."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from musicrel.cli import output
from musicrel.cli.options import (
    arguments,
    overwriting,
    practice_options,
    sound_options,
    source_file,
    takes,
)
from musicrel.errors import UsageError
from musicrel.project import SUFFIX

if TYPE_CHECKING:
    from musicrel.chorale import Chorale
    from musicrel.presentation.files.practice_files import PracticeFiles

_MIDI: Final = (".mid", ".midi")


def add(parser: argparse.ArgumentParser) -> None:
    from musicrel.presentation.files import exports

    parser.add_argument(
        "source", type=Path, metavar="IN", help=f"{arguments.A_PIECE}, or a project"
    )
    known = ", ".join((*exports.WRITABLE, SUFFIX))
    target = f"a name that ends in {known}; with --takes a folder"
    parser.add_argument("target", type=Path, metavar="OUT", help=target)
    parser.add_argument(
        "--take",
        default="",
        metavar="NAME",
        help="name or number of a take of a project (default: the piece on its sheet)",
    )
    parser.add_argument(
        "--numerals",
        action="store_true",
        help="analyse the chords and write Roman numerals (.musicxml and .mxl)",
    )
    sound_options.add(parser)
    practice_options.add(parser)
    takes.add(parser)
    overwriting.add(parser)


def run(options: argparse.Namespace) -> int:
    """Convert the file; return the exit code."""
    if takes.is_given(options):
        _refuse_practice(options)
        takes.write(options, partial(_writer, options))
        return 0
    if practice_options.is_given(options):
        return _write_practice(options)
    write = _writer(options, options.target)
    overwriting.check(options, [options.target])
    write(source_file.read(options.source, options.take), options.target)
    output.print_text(str(options.target))
    return 0


def _refuse_practice(options: argparse.Namespace) -> None:
    if practice_options.is_given(options):
        given = practice_options.given(options)
        raise UsageError(f"--takes writes the takes as they are: leave out {given}")


def _write_practice(options: argparse.Namespace) -> int:
    """Write audio or MIDI for practice: one file, or one for each voice."""
    from musicrel import jobs
    from musicrel.presentation.files import practice_files

    target, versions = options.target, practice_options.versions(options)
    _check_practice(options)
    held = target.suffix.lower() not in _MIDI
    sounding = practice_options.sounding(options, held=held)
    piece = source_file.read(options.source, options.take)
    audible, left_out = practice_files.audible(piece, versions)
    for sentence in left_out:
        output.print_message(sentence)
    if len(versions) <= 1:
        overwriting.check(options, [target])
        version = versions[0] if versions else None
        jobs.run(practice_files.write_one(piece, target, version, sounding))
        output.print_text(str(target))
        return 0
    wanted = practice_files.PracticeFiles(
        folder=target.parent,
        title=target.stem,
        suffix=target.suffix,
        versions=audible,
        sounding=sounding,
    )
    overwriting.check(options, wanted.paths)
    _write_all(piece, wanted)
    return 0


def _check_practice(options: argparse.Namespace) -> None:
    """Check that the format has a sound, and is not to have numerals."""
    from musicrel.presentation.files import exports, practice_files

    try:
        practice_files.check_suffix(options.target)
    except UsageError as reason:
        raise UsageError(f"{practice_options.given(options)}: {reason}") from reason
    if options.numerals:
        exports.check_numerals(options.target)


def _write_all(piece: Chorale, wanted: PracticeFiles) -> None:
    """Write a file for each voice, with a progress bar, and print their names."""
    from musicrel import jobs
    from musicrel.presentation.files import practice_files

    with output.ProgressBar("practice files", 1.0, "files") as bar:
        job = practice_files.write(piece, wanted)
        paths = jobs.run(job, lambda event: bar.set_done(event.share, event.path.name))
    for path in paths:
        output.print_text(str(path))


def _writer(options: argparse.Namespace, target: Path) -> Callable[[Chorale, Path], None]:
    """Return the writer of ``target``, with the requested instruments."""
    from musicrel.presentation.files import exports
    from musicrel.score.audio import wav
    from musicrel.score.midi import midi_writer

    suffix = target.suffix.lower()
    plain = options.sound is None and options.soundfont is None
    if options.numerals:
        exports.check_numerals(target)
    if options.numerals and plain:
        return exports.write_with_numerals
    if plain:
        if source_file.is_project(target):
            return _project_writer(target)
        return exports.writer(target, others=(SUFFIX,))
    if suffix == ".wav":
        return partial(wav.write, mix=sound_options.mix(options))
    if suffix in (".mid", ".midi") and options.soundfont is None:
        return partial(midi_writer.write, sound=options.sound)
    raise UsageError(
        f"{target} has no place for instruments: expected --sound with .wav or .mid, and "
        "--soundfont with .wav"
    )


def _project_writer(target: Path) -> Callable[[Chorale, Path], None]:
    from musicrel.project import project_piece

    project_piece.check_new(target)
    return project_piece.write_piece
