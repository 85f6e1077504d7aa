"""``musicrel plot``: pictures of a piece, of what a model looks at in it, of how it learned.

This file knows arguments; what is drawn stands in ``musicrel.presentation``.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Final

from musicrel.cli import output
from musicrel.cli.options import arguments, source_file
from musicrel.errors import UsageError

if TYPE_CHECKING:
    from musicrel.chorale import Chorale
    from musicrel.generation.loaded_model import LoadedModel
    from musicrel.presentation.attention.attention_record import Weights
    from musicrel.presentation.words.palette import Theme

_KINDS: Final = {
    "roll": "the piano roll of a piece",
    "attention": "what a head of a model looks at in a piece",
    "across": "what a head of a model looks at in given voices as it writes the others",
    "curves": "the losses of a study or a run as it learned",
}
"""What can be drawn."""


def add(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="|".join(_KINDS))
    roll, attention, across, curves = (
        kinds.add_parser(kind, help=says, description=says) for kind, says in _KINDS.items()
    )
    for kind in (roll, attention, across):
        kind.add_argument(
            "source", type=Path, metavar="PIECE", help="a piece: MIDI, MusicXML or JSON"
        )
    curves.add_argument("source", type=Path, metavar="FOLDER", help="of a study or a run")
    curves.add_argument(
        "--by",
        choices=("step", "tokens", "seconds"),
        default="tokens",
        help="what the losses stand over (default: tokens)",
    )
    curves.add_argument("--logarithmic", action="store_true", help="a logarithmic scale of losses")
    for kind in (roll, attention, across, curves):
        kind.add_argument("--out", type=Path, required=True, help="a .svg or .png file")
        kind.add_argument(
            "--theme", choices=("light", "dark"), default="light", help="colours (default: light)"
        )
    across.add_argument("--given", default="S", help="voices, as in S,B (default: S)")
    for kind in (attention, across):
        kind.add_argument("--layer", type=int, default=1, help="from 1 (default: 1)")
        kind.add_argument("--head", type=int, help="from 1 (default: the mean of all heads)")
        arguments.add_model(kind)
        arguments.add_device(kind)


def run(asked: argparse.Namespace) -> int:
    """Draw; the exit code."""
    from musicrel.presentation.files import pictures
    from musicrel.presentation.words import palette

    pictures.painter(asked.out)
    theme = {"light": palette.LIGHT, "dark": palette.DARK}[asked.theme]
    if asked.kind == "curves":
        _draw_curves(asked, theme)
    elif asked.kind == "roll":
        pictures.write_roll(source_file.read(asked.source), asked.out, theme)
    elif asked.kind == "attention":
        _draw_attention(asked, source_file.read(asked.source), theme)
    else:
        _draw_across(asked, source_file.read(asked.source), theme)
    output.say(str(asked.out))
    return 0


def _draw_curves(asked: argparse.Namespace, theme: Theme) -> None:
    from musicrel import paths
    from musicrel.presentation.files import pictures
    from musicrel.presentation.study import study_report

    drawing = study_report.drawing(
        asked.source, axis=asked.by, logarithmic=asked.logarithmic, theme=theme
    )
    paths.write_bytes(asked.out, pictures.painter(asked.out)(drawing))


def _draw_attention(asked: argparse.Namespace, piece: Chorale, theme: Theme) -> None:
    from musicrel.presentation.files import pictures

    model = _model(asked)
    weights = _chosen(asked, model.attention(model.encode(piece)))
    pictures.write_attention(
        weights, piece, asked.out, layer=asked.layer, head=asked.head, theme=theme
    )


def _draw_across(asked: argparse.Namespace, piece: Chorale, theme: Theme) -> None:
    import numpy as np

    from musicrel.generation import edit_requests
    from musicrel.generation.scoring import teacher_forcing
    from musicrel.presentation.files import pictures

    voices, model = edit_requests.voices_named(asked.given), _model(asked)
    if not model.network.config.cross:
        raise UsageError(
            f"{model.name} does not look across: expected a model whose recipe says cross = true, "
            "such as relative-harmoniser"
        )
    fixed = teacher_forcing.tokens_of(model, piece, voices)
    parts = teacher_forcing.attend(model, piece, teacher_forcing.told_of(piece), fixed)
    weights = [_chosen(asked, rows.across) for rows in parts if rows.across is not None]
    pictures.write_across(
        np.concatenate(weights), piece, asked.out, given=(fixed >= 0).reshape(piece.pitches.shape),
        layer=asked.layer, head=asked.head, theme=theme,
    )  # fmt: skip


def _model(asked: argparse.Namespace) -> LoadedModel:
    """The model, which has the layer and the head that are asked for."""
    from musicrel.generation.loaded_model import load_model

    model = load_model(asked.model, asked.device, asked.threads)
    config = model.network.config
    for name, value, most in (
        ("layer", asked.layer, config.layers),
        ("head", asked.head, config.heads),
    ):
        if value is not None and not 1 <= value <= most:
            raise UsageError(f"{name} is {value}: {model.name} has 1 to {most}")
    return model


def _chosen(asked: argparse.Namespace, weights: Weights) -> Weights:
    """Those of a layer and a head, or the mean of its heads, out of (layers, heads, ...)."""
    heads = weights[asked.layer - 1]
    chosen: Weights = heads.mean(axis=0) if asked.head is None else heads[asked.head - 1]
    return chosen
