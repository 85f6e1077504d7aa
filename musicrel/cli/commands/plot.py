"""``musicrel plot``: draw a piece, attention and effects of models in it, or results of studies."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np

from musicrel import jobs
from musicrel.analysis.claims.claim_shares import STEPS
from musicrel.chorale import Chorale
from musicrel.cli import arguments, inputs, output
from musicrel.cli.arguments import Argument, Command, argument, flag
from musicrel.errors import UsageError, qt_may_be_missing
from musicrel.experiment.study.study_curves import CurveChoice
from musicrel.generation import edit_requests
from musicrel.generation.heads import means
from musicrel.generation.heads.mutes import Head, Mutes, Replacement
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.scoring import teacher_forcing
from musicrel.interpretability import (
    analysis_job,
    cell_names,
    effects,
    places,
    shown,
    view,
    views,
    votes,
)
from musicrel.interpretability.ablation import global_effects
from musicrel.interpretability.effects import OF_PIECE, HeadEffects
from musicrel.interpretability.piece_analysis import CROSS, INFILL, PieceAnalysis, Weights
from musicrel.interpretability.shown import Shown
from musicrel.interpretability.view import View
from musicrel.presentation import two_models
from musicrel.presentation.words import palette

ViewOf: TypeAlias = Callable[[argparse.Namespace], View | None]
_THEMES: Final = {"light": palette.LIGHT, "dark": palette.DARK}


def _run(view_of: ViewOf, missing: str, options: argparse.Namespace) -> None:
    view.check_suffix(options.out)
    found = view_of(options)
    if found is None:
        raise UsageError(missing.format(**vars(options)))
    found.write(options.out, _THEMES[options.theme])
    output.print_text(str(options.out))


def _roll(options: argparse.Namespace) -> None:
    from musicrel.figures import figure, roll

    figure.encoder(options.out)
    piece = inputs.read(options.source)
    figure.write(roll.figure(piece, _THEMES[options.theme]), options.out)
    output.print_text(str(options.out))


def _curves(options: argparse.Namespace) -> None:
    with qt_may_be_missing():
        from musicrel.figures import curves, figure
    from musicrel.experiment.study import study_report

    figure.encoder(options.out)
    choice = CurveChoice(axis=options.by, log_y=options.logarithmic)
    drawn = curves.of_curves(study_report.curves(options.source, choice), _THEMES[options.theme])
    figure.write(drawn, options.out)
    output.print_text(str(options.out))


def _attention(options: argparse.Namespace) -> View:
    piece, layer, head = inputs.read(options.source), options.layer, options.head
    model = _model(options)
    given = teacher_forcing.conditions_of(piece)
    if model.config.family == "infill":
        from musicrel.interpretability.torch_reader import TorchInfillReader

        notes, reader = means.note_numbers(piece), TorchInfillReader(model, piece, given)
        weights = np.zeros((len(notes), piece.steps), dtype=np.float32)
        for place in np.argsort(notes, kind="stable").tolist():  # all cells of a note in turn
            weights[place] = _select(reader.weights(place), layer, head)
        return _map(options, model, weights, _by_step(piece, model, INFILL))
    model.require_causal()
    weights = model.attention(model.encode(piece), model.condition_rows(piece, given))
    analysis = PieceAnalysis(piece, model.name, 1, 1, wrote=False)
    return _map(options, model, _select(weights, layer, head), analysis)


def _cross_attention(options: argparse.Namespace) -> View:
    piece, layer, head = inputs.read(options.source), options.layer, options.head
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
    analysis = _by_step(piece, model, CROSS)
    analysis.given = (locked_tokens >= 0).reshape(piece.pitches.shape)
    if analysis.given.all():
        raise UsageError(
            "all notes are given: expected at least one generated note; give fewer voices"
        )
    return _map(options, model, np.concatenate(weights), analysis)


def _by_step(piece: Chorale, model: LoadedModel, kind: str) -> PieceAnalysis:
    return PieceAnalysis(piece, model.name, 1, 1, wrote=False, columns=STEPS, kind=kind)


def _map(
    options: argparse.Namespace, model: LoadedModel, weights: Weights, analysis: PieceAnalysis
) -> View:
    """Return a map as a view; ``weights`` has a row for each cell, and may have one for END."""
    cells = range(analysis.tokens)
    for cell in cells:
        stop = cell + 1 if analysis.is_causal else analysis.width
        analysis.add_at(cell, weights[None, None, cell, :stop])
    head = f"head {options.head}" if options.head else "mean of its heads"
    words = f"layer {options.layer}, {head}"
    return views.of_maps(
        "",
        [(analysis, None)],
        [words],
        lambda: shown.map_table((model.name, words), weights, cells, analysis.chorale),
    )


def _places(options: argparse.Namespace) -> View:
    if options.layer is not None and options.head is None:
        raise UsageError("--layer needs --head: add it, or leave --layer out")
    piece, model = inputs.read(options.source), _model(options)
    head = None if options.head is None else Head((options.layer or 1) - 1, options.head - 1)
    return views.of_places(places.find(model, piece), piece, head)


def _agreement(options: argparse.Namespace) -> View:
    first, second = inputs.read(options.source), inputs.read(options.other)
    found = two_models.compare(first, second)
    if found is None:
        raise UsageError(
            f"{options.source.name} and {options.other.name} cannot be compared: expected pieces "
            "in the same meter and with the same pickup"
        )
    models = _writer(first, options.source), _writer(second, options.other)
    return views.of_agreement(found, models)


def _writer(piece: Chorale, path: Path) -> str:
    return piece.provenance.model if piece.provenance is not None else path.stem


def _note(options: argparse.Namespace) -> View | None:
    cell = cell_names.parse(options.note, inputs.read(options.source))
    return views.note(replace(_analysed(options), cell=cell))


def _effects(options: argparse.Namespace) -> View:
    mutes = Mutes.parse(options.mute, options.mute_by)
    piece = inputs.read(options.source)
    cell = None if options.note is None else cell_names.parse(options.note, piece)
    model = inputs.open_model(options)
    if options.task == "sources" and cell is not None:
        found = jobs.run(effects.find_sources(effects.open_reader(model, piece), cell))
        return effects.of_sources(found)
    if mutes.by == "mean":
        jobs.run(means.prepare(model))
    if cell is None:
        return effects.of_heads(_whole(model, piece, mutes.by), mutes, piece.title)
    note = effects.measure(effects.open_reader(model, piece), cell, mutes)
    if options.task == "effects":
        return effects.of_heads(note.heads, mutes, piece.title)
    of_kind = {"choices": effects.of_choices, "lens": effects.of_layers}
    return of_kind[options.task](note)


def _votes(options: argparse.Namespace) -> View:
    piece = inputs.read(options.source)
    cell = cell_names.parse(options.note, piece)
    reader = effects.open_reader(inputs.open_model(options), piece)
    return votes.of_votes(votes.measure(reader, cell))


def _whole(model: LoadedModel, piece: Chorale, by: Replacement) -> HeadEffects:
    found = output.followed(global_effects(model, piece, by=by), "replacing", "heads")
    return HeadEffects(of=OF_PIECE, model=model.name, by=by, by_head=found.effects_LH)


def _analysed(options: argparse.Namespace, *, weights: bool = True) -> Shown:
    piece = inputs.read(options.source)
    names = [name for name in (options.model, options.other) if name]
    models = [inputs.open_model(options, name) for name in names]
    shown.check_pair([model.config.family for model in models], [model.name for model in models])
    found = [jobs.run(analysis_job.analyse(model, piece, weights=weights)) for model in models]
    return Shown(found[0], found[1] if options.other else None)


def _model(options: argparse.Namespace) -> LoadedModel:
    model = inputs.open_model(options)
    config = model.config
    for name, value, most in (
        ("layer", options.layer, config.layers),
        ("head", options.head, config.heads),
    ):
        if value is not None and not 1 <= value <= most:
            raise UsageError(f"{name} is {value}: expected 1 to {most} in {model.name}")
    return model


def _select(weights: Weights, layer: int, head: int | None) -> Weights:
    heads = weights[layer - 1]
    selected: Weights = heads.mean(axis=0) if head is None else heads[head - 1]
    return selected


_NOTE: Final = argument("--note", arguments.NOTE, required=True, metavar="VOICE:BAR.BEAT")
_HEAD: Final = (
    argument("--layer", "layer, counted from 1", arguments.number("layer"), 1),
    argument(
        "--head", "head, counted from 1 (default: the mean of all heads)", arguments.number("head")
    ),
)
_OTHER: Final = argument("--other", "model B, to compare with model A", metavar="MODEL")


_SOURCE: Final = arguments.a_piece(metavar="PIECE")


def _picture(
    run: Callable[[argparse.Namespace], None],
    summary: str,
    *own: Argument,
    formats: str = "a .svg or .png file",
    source: Argument = _SOURCE,
) -> Command:
    out = argument("--out", formats, Path, required=True)
    theme = argument("--theme", "colours", default="light", choices=("light", "dark"))
    return Command(run, (source, out, theme, *own), summary)


def _view(
    view_of: ViewOf, summary: str, *own: Argument, models: bool = True, missing: str = ""
) -> Command:
    of_model = (arguments.model(), *arguments.DEVICE) if models else ()
    formats = "a .svg, .png or .csv file"
    return _picture(partial(_run, view_of, missing), summary, *own, *of_model, formats=formats)


COMMANDS: Final = {
    "plot": Command(
        tasks={
            "roll": _picture(_roll, "the piano roll of a piece"),
            "attention": _view(
                _attention,
                "the self-attention of a model in a piece; of an infilling model, to whole steps",
                *_HEAD,
            ),
            "across": _view(
                _cross_attention,
                "the cross-attention of a model to the fixed voices of a piece",
                argument("--given", "fixed voices, as in S,B", default="S"),
                *_HEAD,
            ),
            "shares": _view(
                lambda options: views.shares(_analysed(options)),
                "the shares of attention of one or two models in a piece by distance and voice",
                _OTHER,
            ),
            "difference": _view(
                lambda options: views.surprisal(_analysed(options, weights=False)),
                "the surprisal of two models on a piece: notes in colour, running sum as a curve",
                argument(
                    "--other", "model B, to compare with model A", metavar="MODEL", required=True
                ),
                missing="the surprisal of this piece is not known: expected notes in all voices",
            ),
            "claims": _view(
                lambda options: views.claims(_analysed(options)),
                "the claims of 2018 about attention, measured in a piece with one or two models",
                _OTHER,
                missing="there are no claims to measure in this piece: expected notes",
            ),
            "places": _view(
                _places,
                "where the heads of a DaRoPE model put the notes of a piece, against where these "
                "are",
                argument(
                    "--layer",
                    "layer of the head, counted from 1 (default: 1)",
                    arguments.number("layer"),
                ),
                argument(
                    "--head",
                    "head, counted from 1; without it, all heads are drawn",
                    arguments.number("head"),
                ),
            ),
            "note": _view(
                _note,
                "where one or two models look for a note of a piece",
                _NOTE,
                _OTHER,
                missing="there is no note at {note}: expected the place of a note",
            ),
            "effects": _view(
                _effects,
                "the effects of all heads and voices of a model on a note, or of heads on a piece",
                argument(
                    "--note",
                    f"{arguments.NOTE}; without it, the effects of the heads on the whole piece "
                    "are drawn",
                    metavar="VOICE:BAR.BEAT",
                ),
                *arguments.MUTES,
            ),
            "choices": _view(
                _effects,
                "the most probable notes in place of a note, without and with muted heads",
                _NOTE,
                *arguments.MUTES,
            ),
            "lens": _view(
                _effects,
                "what each layer of a model would choose for a note (logit lens)",
                _NOTE,
                *arguments.MUTES,
            ),
            "votes": _view(
                _votes,
                "how far each part of a model raises or lowers the most probable notes in place "
                "of a note (direct logit attribution)",
                _NOTE,
            ),
            "sources": _view(
                _effects,
                "the notes that a model looks at for a note, and their effects",
                _NOTE,
                *arguments.MUTES,
            ),
            "agreement": _view(
                _agreement,
                "two pieces, as of two models: the notes that only one of them has stand out",
                arguments.a_piece("other", "OTHER", "the other piece, of model B"),
                models=False,
            ),
            "curves": _picture(
                _curves,
                "the learning curves of a study or a run",
                argument(
                    "--by",
                    "the horizontal axis",
                    default="tokens",
                    choices=("step", "tokens", "seconds"),
                ),
                flag("--logarithmic", "logarithmic axis of losses"),
                source=arguments.a_piece(metavar="FOLDER", text="folder of a study or a run"),
            ),
        }
    )
}
