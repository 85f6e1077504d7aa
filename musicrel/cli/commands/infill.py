"""``musicrel infill``: rewrite some voices of a piece over some steps."""

from __future__ import annotations

import argparse

from musicrel.cli.options import arguments, rewrite_options


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("score", help=arguments.A_PIECE)
    parser.add_argument(
        "--voices", default="S,A,T,B", help="voices to rewrite, as in A,T (default: all)"
    )
    parser.add_argument(
        "--steps",
        help="steps to rewrite, in sixteenths from 0, half-open, as in 16:32 (default: all)",
    )
    rewrite_options.add(parser)


def run(options: argparse.Namespace) -> int:
    """Rewrite the notes; return the exit code."""
    from musicrel.generation import edit_requests

    voices = edit_requests.parse_voices(options.voices)
    span = edit_requests.parse_steps(options.steps) if options.steps is not None else None
    whole, transposition = rewrite_options.read_piece(options)
    piece = rewrite_options.truncate(whole, options.score)
    start, stop = span or (0, piece.steps)
    fields = rewrite_options.request_fields(options, transposition)
    request = edit_requests.infill_request(piece, voices, start, stop, **fields)
    return rewrite_options.run(options, request, transposition, original=piece)
