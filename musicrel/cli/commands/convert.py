"""``musicrel convert``: write a piece in another file format."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from musicrel.cli import output
from musicrel.cli.options import arguments, sound_options, source_file
from musicrel.errors import UsageError
from musicrel.project import SUFFIX

if TYPE_CHECKING:
    from musicrel.chorale import Chorale


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    from musicrel.presentation.files import exports

    parser.add_argument(
        "source", type=Path, metavar="IN", help=f"{arguments.A_PIECE}, or a project"
    )
    known = ", ".join((*exports.WRITABLE, SUFFIX))
    parser.add_argument("target", type=Path, metavar="OUT", help=f"a name that ends in {known}")
    parser.add_argument(
        "--take",
        default="",
        metavar="NAME",
        help="name or number of a take of a project (default: the piece on its sheet)",
    )
    sound_options.add(parser)


def run(options: argparse.Namespace) -> int:
    """Convert the file; return the exit code."""
    write = _writer(options)
    write(source_file.read(options.source, options.take), options.target)
    output.print_text(str(options.target))
    return 0


def _writer(options: argparse.Namespace) -> Callable[[Chorale, Path], None]:
    """Return the writer of the target, with the requested instruments.

    Raises:
        UsageError: no format has this suffix, or it has no instruments.
        FileError: an instrument needs FluidSynth or a SoundFont that cannot be used.
    """
    from musicrel.presentation.files import exports
    from musicrel.score.audio import wav
    from musicrel.score.midi import midi_writer

    suffix = options.target.suffix.lower()
    if options.sound is None and options.soundfont is None:
        if source_file.is_project(options.target):
            return _project_writer(options.target)
        return exports.writer(options.target)
    if suffix == ".wav":
        return partial(wav.write, mix=sound_options.mix(options))
    if suffix in (".mid", ".midi") and options.soundfont is None:
        return partial(midi_writer.write, sound=options.sound)
    raise UsageError(
        f"{options.target} has no place for instruments: expected --sound with .wav or .mid, and "
        "--soundfont with .wav"
    )


def _project_writer(target: Path) -> Callable[[Chorale, Path], None]:
    """Return the writer of a project.

    Raises:
        UsageError: the target exists, and its takes would be lost.
    """
    from musicrel.project import project_piece

    project_piece.check_new(target)
    return project_piece.write_piece
