"""``musicrel vary``: rewrite some of the notes of a piece."""

from __future__ import annotations

import argparse

from musicrel.cli.options import arguments, rewrite_options


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("score", help=arguments.A_PIECE)
    parser.add_argument(
        "--change",
        type=arguments.number("change"),
        default=0.3,
        help="share of the piece to rewrite, 0 (similar) to 1 (different; default: 0.3)",
    )
    parser.add_argument(
        "--voices", default="S,A,T,B", help="voices to rewrite, as in A,T (default: all)"
    )
    rewrite_options.add(parser)


def run(options: argparse.Namespace) -> int:
    """Vary the piece; return the exit code."""
    from musicrel.generation import edit_requests

    voices = edit_requests.parse_voices(options.voices)
    whole, transposition = rewrite_options.read_piece(options)
    piece = rewrite_options.truncate(whole, options.score)
    fields = rewrite_options.request_fields(options, transposition)
    request = edit_requests.variation_request(piece, options.change, voices, **fields)
    return rewrite_options.run(options, request, transposition, original=piece)
