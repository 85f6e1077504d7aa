"""``musicrel plot``: draw a piece, attention and effects of models in it, or results of studies."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from musicrel import jobs
from musicrel.chorale import Chorale, Voice
from musicrel.cli import output
from musicrel.cli.options import arguments, note_plots, source_file
from musicrel.errors import UsageError
from musicrel.generation import edit_requests
from musicrel.generation.ablation import sources
from musicrel.presentation.attention import (
    analysis_job,
    attention_drawing,
    cross_attention_drawing,
    heat_map,
)
from musicrel.presentation.comparison import views
from musicrel.presentation.comparison.views import Shown, View
from musicrel.presentation.drawing.drawing import Drawing
from musicrel.presentation.files import pictures
from musicrel.presentation.roll import roll_drawing
from musicrel.presentation.twin import agreement, difference_table, twin_drawing
from musicrel.presentation.words import palette
from musicrel.presentation.words.palette import Theme

if TYPE_CHECKING:
    from musicrel.generation.loaded_model import LoadedModel
    from musicrel.presentation.attention.attention_record import Weights

_KINDS: Final = {
    "roll": "the piano roll of a piece",
    "attention": "the self-attention of a model in a piece; of an infilling model, to whole steps",
    "across": "the cross-attention of a model to the fixed voices of a piece",
    "shares": "the shares of attention of one or two models in a piece by distance and voice",
    "difference": "the surprisal of two models on a piece: notes in colour, running sum as a curve",
    "claims": "the claims of 2018 about attention, measured in a piece with one or two models",
    "note": "where one or two models look for a note of a piece",
    **note_plots.KINDS,
    "agreement": "two pieces, as of two models: the notes that only one of them has stand out",
    "curves": "the learning curves of a study or a run",
    "study": "a figure of a study of musicrel ablate study",
}
"""Kinds of pictures."""


def add(parser: argparse.ArgumentParser) -> None:
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="|".join(_KINDS))
    roll, attention, across, shares, difference, claims, note, *effects, pair, curves, study = (
        kinds.add_parser(kind, help=summary, description=summary)
        for kind, summary in _KINDS.items()
    )
    for name, kind in zip(note_plots.KINDS, effects, strict=True):
        note_plots.add(kind, name)
    note.add_argument("--note", required=True, metavar="VOICE:BAR.BEAT", help=note_plots.NOTE)
    of_a_piece = (attention, across, shares, difference, claims, note, *effects)
    for kind in (roll, *of_a_piece, pair):
        kind.add_argument("source", type=Path, metavar="PIECE", help=arguments.A_PIECE)
    pair.add_argument("other", type=Path, metavar="OTHER", help="the other piece, of model B")
    curves.add_argument("source", type=Path, metavar="FOLDER", help="folder of a study or a run")
    curves.add_argument(
        "--by",
        choices=("step", "tokens", "seconds"),
        default="tokens",
        help="the horizontal axis (default: tokens)",
    )
    curves.add_argument("--logarithmic", action="store_true", help="logarithmic axis of losses")
    study.add_argument("source", type=Path, metavar="FOLDER", help="folder of a finished study")
    study.add_argument(
        "--figure",
        default="correlations",
        help="correlations, removals, ranks, carriers, or heads-1 for the heads of its first model "
        "(default: correlations)",
    )
    for kind in (roll, *of_a_piece, pair, curves, study):
        is_picture = kind in (roll, curves, study)
        formats = "a .svg or .png file" if is_picture else "a .svg, .png or .csv file"
        kind.add_argument("--out", type=Path, required=True, help=formats)
        kind.add_argument(
            "--theme", choices=("light", "dark"), default="light", help="colours (default: light)"
        )
    across.add_argument("--given", default="S", help="fixed voices, as in S,B (default: S)")
    for kind in (attention, across):
        _add_heads(kind)
    for kind, needed in ((shares, False), (difference, True), (claims, False), (note, False)):
        kind.add_argument(
            "--other", required=needed, metavar="MODEL", help="model B, to compare with model A"
        )
    for kind in of_a_piece:
        arguments.add_model(kind)
        arguments.add_device(kind)


def _add_heads(kind: argparse.ArgumentParser) -> None:
    number = arguments.number
    kind.add_argument(
        "--layer", type=number("layer"), default=1, help="layer, counted from 1 (default: 1)"
    )
    kind.add_argument(
        "--head", type=number("head"), help="head, counted from 1 (default: the mean of all heads)"
    )


def run(options: argparse.Namespace) -> int:
    """Write the picture or the table; return the exit code."""
    theme = {"light": palette.LIGHT, "dark": palette.DARK}[options.theme]
    if options.kind in _DRAW:
        pictures.painter(options.out)
        pictures.write(_DRAW[options.kind](options, theme), options.out)
    else:
        views.check_suffix(options.out)
        views.write(_VIEWS[options.kind](options), options.out, theme)
    output.print_text(str(options.out))
    return 0


def _draw_roll(options: argparse.Namespace, theme: Theme) -> Drawing:
    return roll_drawing.draw(source_file.read(options.source), theme)


def _draw_curves(options: argparse.Namespace, theme: Theme) -> Drawing:
    from musicrel.presentation.study import study_report

    return study_report.drawing(
        options.source, axis=options.by, logarithmic=options.logarithmic, theme=theme
    )


def _draw_study(options: argparse.Namespace, theme: Theme) -> Drawing:
    """Draw a figure of the report of a study."""
    from musicrel.experiment.ablation import stored_results
    from musicrel.presentation.ablation import study_report

    results, command = stored_results.read(options.source)
    drawings = {
        Path(name).stem: drawing
        for name, drawing in study_report.draw(results, command, theme).items()
    }
    if options.figure not in drawings:
        known = ", ".join(sorted(drawings))
        raise UsageError(f"the study has no figure {options.figure!r}: expected one of {known}")
    return drawings[options.figure]


def _attention(options: argparse.Namespace) -> View:
    from musicrel.generation.scoring import teacher_forcing

    piece, layer, head = source_file.read(options.source), options.layer, options.head
    model = _model(options)
    given = teacher_forcing.conditions_of(piece)
    if model.config.family == "infill":
        from musicrel.generation.infill.masked_attention import MaskedAttention

        notes = sources.note_numbers(piece)
        reader = MaskedAttention(model, piece, given, notes)
        weights = np.zeros((len(notes), piece.steps), dtype=np.float32)
        for cell in np.unique(notes, return_index=True)[1].tolist():
            for place, row in zip(*reader.rows(cell), strict=True):
                weights[place] = _select(row, layer, head)
        return _map(options, model, weights, cross_attention_drawing.draw_infill, piece)
    model.require_causal()
    weights = model.attention(model.encode(piece), model.condition_rows(piece, given))
    return _map(options, model, _select(weights, layer, head), attention_drawing.draw, piece)


def _cross_attention(options: argparse.Namespace) -> View:
    from musicrel.generation.scoring import teacher_forcing

    piece, layer, head = source_file.read(options.source), options.layer, options.head
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
    draw = partial(cross_attention_drawing.draw, given=given)
    return _map(options, model, np.concatenate(weights), draw, piece)


def _map(
    options: argparse.Namespace,
    model: LoadedModel,
    weights: Weights,
    draw: Callable[..., Drawing],
    piece: Chorale,
) -> View:
    """Return a map as a view; ``weights`` has a row for each cell, and may have one for END."""
    rows = weights[: piece.steps * len(Voice)]
    return View(
        title="",
        draw=lambda theme: draw(
            weights, piece, layer=options.layer, head=options.head, theme=theme
        ),
        table=lambda: views.map_table(
            (model.name, heat_map.head_words(options.layer, options.head)), rows, piece
        ),
    )


def _shares(options: argparse.Namespace) -> View:
    return views.shares(_analysed(options))


def _difference(options: argparse.Namespace) -> View:
    view = views.surprisal(_analysed(options, weights=False))
    if view is None:
        raise UsageError("the surprisal of this piece is not known: expected notes in all voices")
    return view


def _claims(options: argparse.Namespace) -> View:
    view = views.claims(_analysed(options))
    if view is None:
        raise UsageError("there are no claims to measure in this piece: expected notes")
    return view


def _agreement(options: argparse.Namespace) -> View:
    """Compare two pieces."""
    first, second = source_file.read(options.source), source_file.read(options.other)
    found = agreement.compare(first, second)
    if found is None:
        raise UsageError(
            f"{options.source.name} and {options.other.name} cannot be compared: expected pieces "
            "in the same meter and with the same pickup"
        )
    models = _writer(first, options.source), _writer(second, options.other)
    return View(
        title="",
        draw=lambda theme: twin_drawing.draw(found, models, theme),
        table=lambda: difference_table.rows(found, models),
    )


def _writer(piece: Chorale, path: Path) -> str:
    """Return the model that wrote a piece, or the name of its file."""
    return piece.provenance.model if piece.provenance is not None else path.stem


def _note(options: argparse.Namespace) -> View:
    from musicrel.generation.ablation import cell_names

    cell = cell_names.parse(options.note, source_file.read(options.source))
    view = views.note(replace(_analysed(options), cell=cell))
    if view is None:
        raise UsageError(f"there is no note at {options.note}: expected the place of a note")
    return view


def _analysed(options: argparse.Namespace, *, weights: bool = True) -> Shown:
    """Analyse the piece with the model, and with the other one if it is named."""
    from musicrel.generation.loaded_model import load_model

    piece = source_file.read(options.source)
    names = [name for name in (options.model, options.other) if name]
    models = [load_model(name, options.device, options.threads) for name in names]
    views.check_pair([model.config.family for model in models], [model.name for model in models])
    found = [jobs.run(analysis_job.analyse(model, piece, weights=weights)) for model in models]
    return Shown(found[0], found[1] if options.other else None)


_DRAW: Final[Mapping[str, Callable[[argparse.Namespace, Theme], Drawing]]] = {
    "roll": _draw_roll,
    "curves": _draw_curves,
    "study": _draw_study,
}
_VIEWS: Final[Mapping[str, Callable[[argparse.Namespace], View]]] = {
    "attention": _attention,
    "across": _cross_attention,
    "shares": _shares,
    "difference": _difference,
    "claims": _claims,
    "agreement": _agreement,
    "note": _note,
    **dict.fromkeys(note_plots.KINDS, note_plots.view),
}


def _model(options: argparse.Namespace) -> LoadedModel:
    """Load the model and check that it has the layer and the head."""
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
        head: from 1; None: the mean over the heads.
    """
    heads = weights[layer - 1]
    selected: Weights = heads.mean(axis=0) if head is None else heads[head - 1]
    return selected
