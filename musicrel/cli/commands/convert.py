"""``musicrel convert``: write a piece in another file format."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from musicrel.cli import output
from musicrel.cli.options import sound_options, source_file
from musicrel.errors import UsageError

if TYPE_CHECKING:
    from musicrel.chorale import Chorale


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    from musicrel.presentation.files import exports

    parser.add_argument("source", type=Path, metavar="IN", help="a piece: MIDI, MusicXML or JSON")
    known = ", ".join(exports.WRITABLE)
    parser.add_argument("target", type=Path, metavar="OUT", help=f"a name that ends in {known}")
    sound_options.add(parser)


def run(options: argparse.Namespace) -> int:
    """Convert the file; return the exit code."""
    write = _writer(options)
    write(source_file.read(options.source), options.target)
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
        return exports.writer(options.target)
    if suffix == ".wav":
        return partial(wav.write, mix=sound_options.mix(options))
    if suffix in (".mid", ".midi") and options.soundfont is None:
        return partial(midi_writer.write, sound=options.sound)
    raise UsageError(
        f"{options.target} has no place for instruments: expected --sound with .wav or .mid, and "
        "--soundfont with .wav"
    )
