"""The kinds of ``musicrel plot`` about one note: effects, choices, sources and layers."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Final

from musicrel import jobs
from musicrel.cli.options import arguments, source_file
from musicrel.generation.heads.mutes import Mutes
from musicrel.presentation.comparison.views import View

if TYPE_CHECKING:
    from musicrel.generation.loaded_model import LoadedModel

KINDS: Final = {
    "effects": "the effects of all heads and voices of a model on a note, or of heads on a piece",
    "choices": "the most probable notes in place of a note, without and with muted heads",
    "lens": "what each layer of a model would choose for a note (logit lens)",
    "sources": "the notes that a model looks at for a note, and their effects",
}
"""Kinds of pictures."""
NOTE: Final = "voice, bar and beat, as in alto:5.2; the third sixteenth of the beat is alto:5.2.3"
"""Help of the option ``--note``."""
_WHOLE: Final = "; without it, the effects of the heads on the whole piece are drawn"


def add(parser: argparse.ArgumentParser, kind: str) -> None:
    """Add the arguments of a kind, except the piece, the model and the file."""
    is_effects = kind == "effects"
    parser.add_argument(
        "--note",
        required=not is_effects,
        metavar="VOICE:BAR.BEAT",
        help=NOTE + (_WHOLE if is_effects else ""),
    )
    arguments.add_mutes(parser)


def view(options: argparse.Namespace) -> View:
    """Return the picture and the numbers of a kind."""
    from musicrel.generation.ablation import cell_names, means
    from musicrel.generation.loaded_model import load_model
    from musicrel.presentation.ablation import (
        effect_grid,
        lens_table,
        note_choices,
        note_study,
        source_list,
    )

    mutes = Mutes.parse(options.mute, options.mute_by)
    piece = source_file.read(options.source)
    cell = None if options.note is None else cell_names.parse(options.note, piece)
    model = load_model(options.model, options.device, options.threads)
    if options.kind == "sources" and cell is not None:
        found = note_study.sources(note_study.open_reader(model, piece), cell)
        return source_list.view(found, model.name)
    if mutes.by == "mean":
        jobs.run(means.prepare(model))
    if cell is None:
        return _whole(options, model, mutes)
    reader = note_study.open_reader(model, piece)
    study = note_study.study(reader, cell, mutes)
    if options.kind == "effects":
        return effect_grid.view(study.effects, mutes, piece.title)
    if options.kind == "choices":
        return note_choices.view(study.choices, model.name)
    return lens_table.view(study.lens, model.name)


def _whole(options: argparse.Namespace, model: LoadedModel, mutes: Mutes) -> View:
    """Measure the effects of all heads on a piece."""
    from musicrel.cli import output
    from musicrel.presentation.ablation import effect_grid, piece_effects
    from musicrel.presentation.ablation.piece_effects import Measured

    piece = source_file.read(options.source)
    with output.ProgressBar("replacing", model.config.layers * model.config.heads, "heads") as bar:

        def show(event: Measured) -> None:
            bar.set_done(round(event.share * model.config.layers * model.config.heads))

        effects = jobs.run(piece_effects.measure(model, piece, mutes.by), show)
    return effect_grid.view(effects, mutes, piece.title)
