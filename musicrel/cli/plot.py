"""``musicrel plot``: pictures of a piece, and of what a model looks at in it.

This file knows arguments; what is drawn stands in ``musicrel.presentation``.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from musicrel.cli import arguments, output, source_file
from musicrel.errors import UsageError

if TYPE_CHECKING:
    from musicrel.chorale import Chorale
    from musicrel.presentation.palette import Theme


def add(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="roll|attention")
    roll = kinds.add_parser("roll", help="the piano roll of a piece")
    attention = kinds.add_parser("attention", help="what a head of a model looks at in a piece")
    for kind in (roll, attention):
        kind.add_argument("source", type=Path, metavar="PIECE", help="a chorale: .mid or .json")
        kind.add_argument("--out", type=Path, required=True, help="a .svg or .png file")
        kind.add_argument("--theme", choices=("light", "dark"), default="light")
    attention.add_argument("--layer", type=int, default=1, help="from 1 (default: 1)")
    attention.add_argument("--head", type=int, help="from 1 (default: the mean of all heads)")
    arguments.add_model(attention)
    arguments.add_device(attention)


def run(asked: argparse.Namespace) -> int:
    """Draw; the exit code."""
    from musicrel.presentation import palette, pictures

    pictures.painter(asked.out)
    theme = {"light": palette.LIGHT, "dark": palette.DARK}[asked.theme]
    piece = source_file.read(asked.source)
    if asked.kind == "roll":
        pictures.write_roll(piece, asked.out, theme)
    else:
        _draw_attention(asked, piece, theme)
    output.say(str(asked.out))
    return 0


def _draw_attention(asked: argparse.Namespace, piece: Chorale, theme: Theme) -> None:
    from musicrel.generation.loaded_model import load_model
    from musicrel.presentation import pictures

    model = load_model(asked.model, asked.device, asked.threads)
    config = model.network.config
    for name, value, most in (
        ("layer", asked.layer, config.layers),
        ("head", asked.head, config.heads),
    ):
        if value is not None and not 1 <= value <= most:
            raise UsageError(f"{name} is {value}: {model.name} has 1 to {most}")
    heads = model.attention(model.encode(piece))[asked.layer - 1]
    weights = heads.mean(axis=0) if asked.head is None else heads[asked.head - 1]
    pictures.write_attention(
        weights, piece, asked.out, layer=asked.layer, head=asked.head, theme=theme
    )
