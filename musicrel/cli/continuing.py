"""``musicrel continue``: more bars at the end of a piece.

This file knows arguments; how a piece is continued stands in ``musicrel.generation``.
"""

from __future__ import annotations

import argparse

from musicrel.cli import filling


def add(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("score", help="a piece: MIDI, MusicXML or JSON")
    parser.add_argument("--bars", type=int, default=4, help="how many more (default: 4)")
    filling.add(parser)


def run(asked: argparse.Namespace) -> int:
    """Continue; the exit code."""
    from musicrel.generation import harmonising

    reading = filling.piece(asked.score)
    wishes = filling.wishes(asked, reading)
    request = harmonising.continuation(reading.chorale, asked.bars, **wishes)
    return filling.carry_out(asked, request, finished=reading.moved_back)
