"""``musicrel continue``: write more bars at the end of a piece."""

from __future__ import annotations

import argparse

from musicrel.cli.options import arguments, rewrite_options


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("score", help=arguments.A_PIECE)
    parser.add_argument(
        "--bars", type=arguments.number("bars"), default=4, help="number of new bars (default: 4)"
    )
    rewrite_options.add(parser)


def run(options: argparse.Namespace) -> int:
    """Continue the piece; return the exit code."""
    from musicrel.generation import edit_requests

    piece, transposition = rewrite_options.read_piece(options)
    fields = rewrite_options.request_fields(options, transposition)
    request = edit_requests.continuation_request(piece, options.bars, **fields)
    return rewrite_options.run(options, request, transposition)
