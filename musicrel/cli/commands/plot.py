"""``musicrel plot``: draw a piece, the attention of a model in it, or the curves of a study."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from musicrel.cli import output
from musicrel.cli.options import arguments, source_file
from musicrel.errors import UsageError
from musicrel.generation import edit_requests
from musicrel.presentation.attention import attention_drawing, cross_attention_drawing
from musicrel.presentation.drawing.drawing import Drawing
from musicrel.presentation.files import pictures
from musicrel.presentation.roll import roll_drawing
from musicrel.presentation.words import palette
from musicrel.presentation.words.palette import Theme

if TYPE_CHECKING:
    from musicrel.generation.loaded_model import LoadedModel
    from musicrel.presentation.attention.attention_record import Weights

_KINDS: Final = {
    "roll": "the piano roll of a piece",
    "attention": "the self-attention of a model in a piece",
    "across": "the cross-attention of a model to the fixed voices of a piece",
    "curves": "the learning curves of a study or a run",
}
"""Kinds of pictures."""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="|".join(_KINDS))
    roll, attention, across, curves = (
        kinds.add_parser(kind, help=summary, description=summary)
        for kind, summary in _KINDS.items()
    )
    for kind in (roll, attention, across):
        kind.add_argument("source", type=Path, metavar="PIECE", help=arguments.A_PIECE)
    curves.add_argument("source", type=Path, metavar="FOLDER", help="folder of a study or a run")
    curves.add_argument(
        "--by",
        choices=("step", "tokens", "seconds"),
        default="tokens",
        help="the horizontal axis (default: tokens)",
    )
    curves.add_argument("--logarithmic", action="store_true", help="logarithmic axis of losses")
    for kind in (roll, attention, across, curves):
        kind.add_argument("--out", type=Path, required=True, help="a .svg or .png file")
        kind.add_argument(
            "--theme", choices=("light", "dark"), default="light", help="colours (default: light)"
        )
    across.add_argument("--given", default="S", help="fixed voices, as in S,B (default: S)")
    for kind in (attention, across):
        kind.add_argument("--layer", type=int, default=1, help="layer, counted from 1 (default: 1)")
        kind.add_argument(
            "--head", type=int, help="head, counted from 1 (default: the mean of all heads)"
        )
        arguments.add_model(kind)
        arguments.add_device(kind)


def run(options: argparse.Namespace) -> int:
    """Draw the picture; return the exit code."""
    pictures.painter(options.out)
    theme = {"light": palette.LIGHT, "dark": palette.DARK}[options.theme]
    pictures.write(_DRAW[options.kind](options, theme), options.out)
    output.print_text(str(options.out))
    return 0


def _draw_roll(options: argparse.Namespace, theme: Theme) -> Drawing:
    return roll_drawing.draw(source_file.read(options.source), theme)


def _draw_curves(options: argparse.Namespace, theme: Theme) -> Drawing:
    from musicrel.presentation.study import study_report

    return study_report.drawing(
        options.source, axis=options.by, logarithmic=options.logarithmic, theme=theme
    )


def _draw_attention(options: argparse.Namespace, theme: Theme) -> Drawing:
    from musicrel.generation.scoring import teacher_forcing

    piece = source_file.read(options.source)
    layer, head = options.layer, options.head
    model = _model(options)
    model.require_causal()
    rows = model.condition_rows(piece, teacher_forcing.conditions_of(piece))
    weights = _select(model.attention(model.encode(piece), rows), layer, head)
    return attention_drawing.draw(weights, piece, layer=layer, head=head, theme=theme)


def _draw_cross_attention(options: argparse.Namespace, theme: Theme) -> Drawing:
    from musicrel.generation.scoring import teacher_forcing

    piece = source_file.read(options.source)
    layer, head = options.layer, options.head
    voices, model = edit_requests.parse_voices(options.given), _model(options)
    if not model.config.cross:
        raise UsageError(
            f"{model.name} has no cross-attention: expected a model with cross = true in its "
            "recipe, such as relative-harmoniser"
        )
    locked_tokens = teacher_forcing.tokens_of_voices(model, piece, voices)
    parts = teacher_forcing.score_cells(
        model, piece, teacher_forcing.conditions_of(piece), locked_tokens
    )
    weights = [
        _select(rows.cross_weights, layer, head) for rows in parts if rows.cross_weights is not None
    ]
    given = (locked_tokens >= 0).reshape(piece.pitches.shape)
    return cross_attention_drawing.draw(
        np.concatenate(weights), piece, given, layer=layer, head=head, theme=theme
    )


_DRAW: Final[Mapping[str, Callable[[argparse.Namespace, Theme], Drawing]]] = {
    "roll": _draw_roll,
    "attention": _draw_attention,
    "across": _draw_cross_attention,
    "curves": _draw_curves,
}


def _model(options: argparse.Namespace) -> LoadedModel:
    """Load the model and check that it has the layer and the head.

    Raises:
        UsageError: it has not.
    """
    from musicrel.generation.loaded_model import load_model

    model = load_model(options.model, options.device, options.threads)
    config = model.config
    for name, value, most in (
        ("layer", options.layer, config.layers),
        ("head", options.head, config.heads),
    ):
        if value is not None and not 1 <= value <= most:
            raise UsageError(f"{name} is {value}: expected 1 to {most} in {model.name}")
    return model


def _select(weights: Weights, layer: int, head: int | None) -> Weights:
    """Return the weights of a head, or their mean over the heads of a layer.

    Args:
        weights: (layers, heads, ...).
        layer: from 1.
        head: from 1; None: the mean over the heads.
    """
    heads = weights[layer - 1]
    selected: Weights = heads.mean(axis=0) if head is None else heads[head - 1]
    return selected
