"""``musicrel convert``: write a piece, or takes of a project, in another file format."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from musicrel import jobs, paths
from musicrel.chorale import Chorale
from musicrel.cli import output
from musicrel.cli.options import arguments, candidates, source_file
from musicrel.cli.options.arguments import argument, flag
from musicrel.errors import FileError, UsageError
from musicrel.figures import exports
from musicrel.jobs import Job
from musicrel.project import SUFFIX
from musicrel.score.audio import wav
from musicrel.score.midi import midi_writer
from musicrel.score.midi.midi_writer import Practice
from musicrel.score.performance import FERMATA_STRETCH, Style

if TYPE_CHECKING:
    from musicrel.presentation.files.practice_files import PracticeFiles, PracticeProgress
    from musicrel.presentation.files.take_files import TakeProgress

_MIDI: Final = (".mid", ".midi")


def add(parser: argparse.ArgumentParser) -> None:
    known = ", ".join((*exports.WRITABLE, SUFFIX))
    target = f"a name that ends in {known}; with --takes a folder"
    arguments.add(
        parser,
        (
            arguments.a_piece(metavar="IN", text=f"{arguments.A_PIECE}, or a project"),
            arguments.a_piece("target", "OUT", target),
            argument(
                "--take",
                "name or number of a take of a project (default: the piece on its sheet)",
                default="",
                metavar="NAME",
            ),
            flag("--numerals", "analyse the chords and write Roman numerals (.musicxml and .mxl)"),
            *arguments.SOUND,
            *arguments.PRACTICE,
            argument(
                "--takes",
                "write several takes of a project into the folder OUT, as 'TITLE – TAKE.mid'",
                metavar="all|rated|NAME,NAME",
            ),
            argument(
                "--format",
                "with --takes: file formats, as in mid,mxl (default: mid)",
                metavar="LIST",
            ),
            flag("--force --replace", "replace files that exist"),
        ),
    )


def run(options: argparse.Namespace) -> int:
    practice = arguments.given_practice(options)
    if _are_takes(options):
        if practice:
            raise UsageError(f"--takes writes the takes as they are: leave out {practice}")
        _write_takes(options)
        return 0
    if practice:
        return _write_practice(options, practice)
    write = _writer(options, options.target)
    _check_new(options, [options.target])
    write(source_file.read(options.source, options.take), options.target)
    output.print_text(str(options.target))
    return 0


def _check_new(options: argparse.Namespace, files: Iterable[Path]) -> None:
    for path in () if options.force else files:
        if os.path.exists(path):  # noqa: PTH110  # False, not an error, for a name that is too long
            raise FileError(f"{path} exists: choose another name, or add --force")


def _are_takes(options: argparse.Namespace) -> bool:
    if options.takes is None:
        if options.format is not None:
            raise UsageError("--format needs --takes, as in --takes all --format mid")
        return False
    if not all(name.strip() for name in options.takes.split(",")):
        raise UsageError(
            f"--takes {options.takes!r} has an empty name: expected all, rated, or names and "
            "numbers of takes as in 1,3"
        )
    if options.take:
        raise UsageError("--take and --takes exclude each other: name all takes in --takes")
    if not source_file.is_project(options.source):
        raise UsageError(
            f"{options.source} has no takes: expected --takes with a project ({SUFFIX})"
        )
    return True


def _write_takes(options: argparse.Namespace) -> None:
    from musicrel.presentation.files import take_files
    from musicrel.presentation.files.take_files import NamedPiece
    from musicrel.project import project_piece

    folder = options.target
    suffixes = [f".{name}" for name in candidates.parse_formats(options.format or "mid")]
    writers = {suffix: _writer(options, folder / f"take{suffix}") for suffix in suffixes}
    takes, problems = project_piece.read_takes(options.source, options.takes)
    output.report(f"{options.source.name}: {sentence}" for sentence in problems)
    named = [NamedPiece(take.name, take.piece) for take in takes]
    files = take_files.plan(named, folder, suffixes)
    _check_new(options, [file.path for file in files])
    paths.require_writable(folder)

    def write_file(piece: Chorale, path: Path) -> Job[float, None]:
        writers[path.suffix](piece, path)
        yield 1.0

    job = take_files.write(files, write_file)
    exported = output.followed(job, "takes", "files", _shares)
    for path in exported.paths:
        output.print_text(str(path))
    if len(exported.paths) < len(files):
        output.print_message(exported.sentence)


def _check_practice(options: argparse.Namespace, given: str) -> None:
    """Check that the format has a sound, and is not to have numerals."""
    from musicrel.presentation.files import practice_files

    try:
        practice_files.check_suffix(options.target)
    except UsageError as reason:
        raise UsageError(f"{given}: {reason}") from reason
    if options.numerals:
        exports.check_numerals(options.target)


def _write_practice(options: argparse.Namespace, given: str) -> int:
    from musicrel.presentation.files import practice_files

    target = options.target
    kind: Literal["louder", "left out"] = "left out" if options.minus_one else "louder"
    versions = tuple(Practice(voice=voice, kind=kind) for voice in options.practice or ())
    _check_practice(options, given)
    held = options.fermatas or ("written" if target.suffix.lower() in _MIDI else arguments.HELD)
    sounding = practice_files.Sounding(
        mix=arguments.mix(options),
        style=Style(fermata_stretch=FERMATA_STRETCH if held == arguments.HELD else 1.0),
        beat=arguments.metronome(options),
    )
    piece = source_file.read(options.source, options.take)
    audible, left_out = practice_files.audible(piece, versions)
    for sentence in left_out:
        output.print_message(sentence)
    if len(versions) <= 1:
        _check_new(options, [target])
        jobs.run(practice_files.write_one(piece, target, next(iter(versions), None), sounding))
        output.print_text(str(target))
        return 0
    wanted = practice_files.PracticeFiles(
        folder=target.parent,
        title=target.stem,
        suffix=target.suffix,
        versions=audible,
        sounding=sounding,
    )
    _check_new(options, wanted.paths)
    _write_all(piece, wanted)
    return 0


def _write_all(piece: Chorale, wanted: PracticeFiles) -> None:
    from musicrel.presentation.files import practice_files

    job = practice_files.write(piece, wanted)
    for path in output.followed(job, "practice files", "files", _shares):
        output.print_text(str(path))


def _shares(event: PracticeProgress | TakeProgress) -> tuple[float, str, float]:
    return event.share, event.path.name, 1.0


def _writer(options: argparse.Namespace, target: Path) -> Callable[[Chorale, Path], None]:
    suffix = target.suffix.lower()
    plain = options.sound is None and options.soundfont is None
    if options.numerals:
        exports.check_numerals(target)
    if options.numerals and plain:
        return exports.write_with_numerals
    if plain:
        if source_file.is_project(target):
            from musicrel.project import project_piece

            project_piece.check_new(target)
            return project_piece.write_piece
        return exports.writer(target, others=(SUFFIX,))
    if suffix == ".wav":
        return partial(wav.write, mix=arguments.mix(options))
    if suffix in _MIDI and options.soundfont is None:
        return partial(midi_writer.write, sound=options.sound)
    raise UsageError(
        f"{target} has no place for instruments: expected --sound with .wav or .mid, and "
        "--soundfont with .wav"
    )
