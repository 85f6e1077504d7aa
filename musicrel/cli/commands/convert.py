"""``musicrel convert``: a piece from one kind of file into another.

This file knows two paths; the formats stand in ``musicrel.score`` and ``musicrel.presentation``.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from musicrel.cli import output
from musicrel.cli.options import source_file


def add(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("source", type=Path, metavar="IN", help="a piece: MIDI, MusicXML or .json")
    parser.add_argument(
        "target", type=Path, metavar="OUT", help=".mid, .json, .musicxml, .wav, .svg or .png"
    )


def run(asked: argparse.Namespace) -> int:
    """Convert; the exit code."""
    from musicrel.presentation.files import exports

    write = exports.writer(asked.target)
    write(source_file.read(asked.source), asked.target)
    output.say(str(asked.target))
    return 0
