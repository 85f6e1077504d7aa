"""``musicrel convert``: write a piece in another file format."""

from __future__ import annotations

import argparse
from pathlib import Path

from musicrel.cli import output
from musicrel.cli.options import source_file


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("source", type=Path, metavar="IN", help="a piece: MIDI, MusicXML or JSON")
    parser.add_argument(
        "target", type=Path, metavar="OUT", help=".mid, .json, .musicxml, .wav, .svg or .png"
    )


def run(options: argparse.Namespace) -> int:
    """Convert the file; return the exit code."""
    from musicrel.presentation.files import exports

    write = exports.writer(options.target)
    write(source_file.read(options.source), options.target)
    output.print_text(str(options.target))
    return 0
