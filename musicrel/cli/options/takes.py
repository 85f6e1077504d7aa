"""The options --takes and --format, and the files of several takes."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from musicrel import jobs, paths
from musicrel.cli import output
from musicrel.cli.options import destination, overwriting, source_file
from musicrel.errors import UsageError
from musicrel.jobs import Job
from musicrel.project import SUFFIX

if TYPE_CHECKING:
    from musicrel.chorale import Chorale

Writer = Callable[["Chorale", Path], None]


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for several takes."""
    parser.add_argument(
        "--takes",
        metavar="all|rated|NAME,NAME",
        help="write several takes of a project into the folder OUT, as 'TITLE – TAKE.mid'",
    )
    parser.add_argument(
        "--format", metavar="LIST", help="with --takes: file formats, as in mid,mxl (default: mid)"
    )


def is_given(options: argparse.Namespace) -> bool:
    """Return whether several takes are asked for."""
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


def write(options: argparse.Namespace, writer: Callable[[Path], Writer]) -> None:
    """Write the takes, and print the names of their files."""
    from musicrel.presentation.files import take_files
    from musicrel.presentation.files.take_files import NamedPiece
    from musicrel.project import project_piece

    folder = options.target
    suffixes = [f".{name}" for name in destination.parse_formats(options.format or "mid")]
    writers = {suffix: writer(folder / f"take{suffix}") for suffix in suffixes}
    takes, problems = project_piece.read_takes(options.source, options.takes)
    output.report(f"{options.source.name}: {sentence}" for sentence in problems)
    named = [NamedPiece(take.name, take.piece) for take in takes]
    files = take_files.plan(named, folder, suffixes)
    overwriting.check(options, [file.path for file in files])
    paths.require_writable(folder)

    def write_file(piece: Chorale, path: Path) -> Job[float, None]:
        writers[path.suffix](piece, path)
        yield 1.0

    with output.ProgressBar("takes", 1.0, "files") as bar:
        exported = jobs.run(
            take_files.write(files, write_file),
            lambda event: bar.set_done(event.share, event.path.name),
        )
    for path in exported.paths:
        output.print_text(str(path))
    if len(exported.paths) < len(files):
        output.print_message(exported.sentence)
