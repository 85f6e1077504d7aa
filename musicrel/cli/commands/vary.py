"""``musicrel vary``: a piece with some of its notes written anew.

This file knows arguments; which notes are chosen stands in ``musicrel.generation``.
"""

from __future__ import annotations

import argparse

from musicrel.cli.options import rewrite_options


def add(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("score", help="a piece: MIDI, MusicXML or JSON")
    parser.add_argument(
        "--change",
        type=float,
        default=0.3,
        help="share of the piece that is written anew, 0 (similar) to 1 (different; default: 0.3)",
    )
    parser.add_argument("--voices", default="S,A,T,B", help="in which voices (default: all)")
    rewrite_options.add(parser)


def run(asked: argparse.Namespace) -> int:
    """Vary; the exit code."""
    from musicrel.generation import edit_requests

    voices = edit_requests.voices_named(asked.voices)
    reading = rewrite_options.piece(asked.score)
    piece = rewrite_options.beginning(reading.chorale, asked.score)
    wishes = rewrite_options.wishes(asked, reading)
    request = edit_requests.variation(piece, asked.change, voices, **wishes)
    return rewrite_options.carry_out(asked, request, piece, reading.moved_back)
