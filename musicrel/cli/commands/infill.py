"""``musicrel infill``: some voices of a piece over some steps, written anew.

This file knows arguments; what is written anew stands in ``musicrel.generation``.
"""

from __future__ import annotations

import argparse

from musicrel.cli.options import rewrite_options


def add(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("score", help="a piece: MIDI, MusicXML or JSON")
    parser.add_argument("--voices", default="S,A,T,B", help="as in A,T (default: all)")
    parser.add_argument("--steps", help="sixteenths from 0, half-open, as in 16:32 (default: all)")
    rewrite_options.add(parser)


def run(asked: argparse.Namespace) -> int:
    """Fill in; the exit code."""
    from musicrel.generation import edit_requests

    voices = edit_requests.voices_named(asked.voices)
    span = edit_requests.span(asked.steps) if asked.steps is not None else None
    reading = rewrite_options.piece(asked.score)
    piece = rewrite_options.beginning(reading.chorale, asked.score)
    start, stop = span or (0, piece.steps)
    wishes = rewrite_options.wishes(asked, reading)
    request = edit_requests.infilling(piece, voices, start, stop, **wishes)
    return rewrite_options.carry_out(asked, request, piece, reading.moved_back)
