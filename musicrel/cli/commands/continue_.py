"""``musicrel continue``: more bars at the end of a piece.

This file knows arguments; how a piece is continued stands in ``musicrel.generation``.
"""

from __future__ import annotations

import argparse

from musicrel.cli.options import rewrite_options


def add(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("score", help="a piece: MIDI, MusicXML or JSON")
    parser.add_argument("--bars", type=int, default=4, help="how many more (default: 4)")
    rewrite_options.add(parser)


def run(asked: argparse.Namespace) -> int:
    """Continue; the exit code."""
    from musicrel.generation import edit_requests

    reading = rewrite_options.piece(asked.score)
    wishes = rewrite_options.wishes(asked, reading)
    request = edit_requests.continuation(reading.chorale, asked.bars, **wishes)
    return rewrite_options.carry_out(asked, request, finished=reading.moved_back)
