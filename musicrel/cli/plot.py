"""``musicrel plot``: pictures of a piece, of what a model looks at in it, of how it learned.

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
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="roll|attention|curves")
    roll = kinds.add_parser("roll", help="the piano roll of a piece")
    attention = kinds.add_parser("attention", help="what a head of a model looks at in a piece")
    curves = kinds.add_parser("curves", help="the losses of a study or a run as it learned")
    for kind in (roll, attention):
        kind.add_argument("source", type=Path, metavar="PIECE", help="a chorale: .mid or .json")
    curves.add_argument("source", type=Path, metavar="FOLDER", help="of a study or a run")
    curves.add_argument(
        "--by", choices=("step", "tokens", "seconds"), default="tokens", help="what runs across"
    )
    curves.add_argument("--logarithmic", action="store_true", help="losses at their logarithm")
    for kind in (roll, attention, curves):
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
    if asked.kind == "curves":
        _draw_curves(asked, theme)
    elif asked.kind == "roll":
        pictures.write_roll(source_file.read(asked.source), asked.out, theme)
    else:
        _draw_attention(asked, source_file.read(asked.source), theme)
    output.say(str(asked.out))
    return 0


def _draw_curves(asked: argparse.Namespace, theme: Theme) -> None:
    from musicrel import paths
    from musicrel.presentation import pictures, study_report

    drawing = study_report.drawing(
        asked.source, axis=asked.by, logarithmic=asked.logarithmic, theme=theme
    )
    paths.write_bytes(asked.out, pictures.painter(asked.out)(drawing))


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
