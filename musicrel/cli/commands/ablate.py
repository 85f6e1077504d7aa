"""``musicrel ablate``: measure what the heads of a model do for a note or a piece."""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import Any, Final

from musicrel import paths
from musicrel.chorale import Chorale, Voice
from musicrel.cli import output
from musicrel.cli.options import arguments, source_file
from musicrel.cli.options.arguments import NOTE, argument, flag
from musicrel.corpus import bundled
from musicrel.errors import UsageError
from musicrel.generation.ablation import cell_names, means
from musicrel.generation.ablation.global_effects import global_effects
from musicrel.generation.ablation.note_reader import NoteReader
from musicrel.generation.ablation.readers import open_reader
from musicrel.generation.ablation.results import Source
from musicrel.generation.heads import replacement
from musicrel.generation.heads.mutes import REPLACEMENTS, Head, Mutes
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.model.companions import MEANS

_TASKS: Final = {
    "note": "the effects of all heads and voices on a note",
    "piece": "the effects of heads that are replaced in a whole piece",
    "lens": "the tokens that each layer would have chosen for a note",
    "means": "compute the mean outputs of a model's heads over the training pieces",
}
"""Tasks and what they show."""
_SHOWN: Final = 3  # tokens of a layer that the lens lists
_MOVED: Final = (
    "the study of attention weights and effects is no command any more: its results are in "
    "docs/ablation of the sources"
)
_BY: Final = (
    "what replaces the output of a head: its mean over the training pieces, or zero (default: mean)"
)


def add(parser: argparse.ArgumentParser) -> None:
    tasks = parser.add_subparsers(dest="task", required=True, metavar="|".join(_TASKS))
    note, piece, lens, means = (
        tasks.add_parser(task, help=summary, description=summary)
        for task, summary in _TASKS.items()
    )
    moved = tasks.add_parser("study", add_help=False, prefix_chars="+", description=_MOVED)
    moved.add_argument("words", nargs="*", help=argparse.SUPPRESS)
    source = arguments.a_piece(metavar="PIECE")
    place = argument(
        "--note", f"{NOTE}; a pickup is bar 0", required=True, metavar="VOICE:BAR.BEAT"
    )
    earlier = flag(
        "--sources",
        "remove earlier notes, too: the 64 strongest by weight and 64 random ones",
    )
    seed = argument(
        "--seed", "seed of the random earlier notes (default: 0)", arguments.number("seed"), 0
    )
    heads = argument(
        "--heads", "heads, as in 2.3,4: head 3 of layer 2, all of layer 4 (default: all)",
        default="",
    )  # fmt: skip
    by = argument("--by", _BY, default="mean", choices=REPLACEMENTS)
    store = argument(
        "--store",
        "write them into this folder, such as that of the model (default: the user's cache)",
        Path,
        metavar="FOLDER",
    )
    for task, own in (
        (note, (source, place, earlier, seed, by)),
        (piece, (source, heads, by)),
        (lens, (source, place)),
        (means, (store,)),
    ):
        arguments.add(task, (*own, arguments.model(), *arguments.DEVICE, arguments.JSON))


def run(options: argparse.Namespace) -> int:
    if options.task == "study":
        raise UsageError(_MOVED)
    model = load_model(options.model, options.device, options.threads)
    _RUN[options.task](options, model)
    return 0


def _note(options: argparse.Namespace, model: LoadedModel) -> None:
    piece, reader, cell = _reader(options, model)
    _prepare_means(options, model)
    local = reader.local(cell, options.by)
    values: dict[str, Any] = {
        "model": model.name,
        "note": options.note,
        "by": local.by,
        "nats": local.output.nats,
        "heads": {head.code: float(local.effects_LH[head]) for head in _heads(model)},
        "voices": {voice.name.lower(): float(local.voices_4[voice]) for voice in Voice},
    }
    found = reader.sources(cell, seed=options.seed) if options.sources else None
    if found is not None:
        values["strongest"] = found.strongest
        values["sources"] = [
            {
                "voice": None if one.voice is None else Voice(one.voice).name.lower(),
                "steps": [one.start, one.stop],
                "weight": float(weight),
                "effect": float(effect),
            }
            for one, weight, effect in zip(
                found.sources, found.weights_S, found.effects_S, strict=True
            )
        ]
    if options.json:
        output.print_json(values)
        return
    output.print_text(f"-log p {values['nats']:.4f} nats; effects in nats, positive: it helped")
    effects = {**values["heads"], **values["voices"]}
    rows = [(name, f"{effect:+.4f}") for name, effect in effects.items()]
    output.print_text(output.table(("without", "effect"), rows))
    if found is not None:
        lines = [
            (_source_name(one, piece), f"{row['weight']:.4f}", f"{row['effect']:+.4f}")
            for one, row in zip(found.sources, values["sources"], strict=True)
        ]
        output.print_text(output.table(("without", "weight", "effect"), lines))


def _piece(options: argparse.Namespace, model: LoadedModel) -> None:
    config, heads = model.config, Mutes.parse(options.heads, options.by)
    chosen = (heads or Mutes(tuple(_heads(model)))).expanded(config.layers, config.heads)
    piece = source_file.read(options.source)
    _prepare_means(options, model)
    job = global_effects(model, piece, heads or None, options.by)
    found = output.followed(job, "replacing", "heads")
    nats = float(found.nats_T4.mean())
    effects = {head.code: float(found.effects_LH[head]) for head in chosen}
    rows = [(code, f"{effect:+.5f}") for code, effect in effects.items()]
    output.print_result(
        {"model": model.name, "by": options.by, "nats": nats, "heads": effects},
        f"{nats:.4f} nats a cell; mean effects in nats, positive: it helped\n"
        + output.table(("without", "effect"), rows),
        as_json=options.json,
    )


def _lens(options: argparse.Namespace, model: LoadedModel) -> None:
    _piece_read, reader, cell = _reader(options, model)
    found, symbols = reader.lens(cell), model.vocabulary.symbols()
    layers = [
        [
            {"token": symbols[token], "log_p": float(log_p_V[token])}
            for token in (-log_p_V).argsort(kind="stable")[:_SHOWN]
        ]
        for log_p_V in found.log_p_NV
    ]
    rows = [
        (
            layer,
            *(f"{one['token']} {100 * math.exp(one['log_p']):.1f} %" for one in best),
        )
        for layer, best in enumerate(layers)
    ]
    output.print_result(
        {"model": model.name, "note": options.note, "layers": layers},
        output.table(("layer", "first", "second", "third"), rows),
        as_json=options.json,
    )


def _means(options: argparse.Namespace, model: LoadedModel) -> None:
    path = replacement.cache_path(replacement.weights_hash(model))
    if options.store is not None:
        path = options.store / MEANS
        paths.require_own_files(options.store)
    pieces = bundled.load("train")
    found = output.followed(means.compute(model, pieces), "reading", "pieces")
    replacement.write(path, found)
    values = {"model": model.name, "sha256": found.sha256, "file": str(path)}
    output.print_result(values, str(path), as_json=options.json)


_RUN: Final = {"note": _note, "piece": _piece, "lens": _lens, "means": _means}


def _prepare_means(options: argparse.Namespace, model: LoadedModel) -> None:
    """Compute the means where they are asked for and not known."""
    if options.by == "mean":
        output.followed(means.prepare(model), "reading the training pieces", "pieces")


def _reader(options: argparse.Namespace, model: LoadedModel) -> tuple[Chorale, NoteReader, int]:
    piece = source_file.read(options.source)
    cell = cell_names.parse(options.note, piece)
    return piece, open_reader(model, piece), cell


def _source_name(one: Source, piece: Chorale) -> str:
    name = cell_names.name(len(Voice) * one.start + (one.voice or 0), piece)
    return name if one.voice is not None else f"all{name[name.index(':') :]}"


def _heads(model: LoadedModel) -> list[Head]:
    config = model.config
    return [Head(layer, head) for layer in range(config.layers) for head in range(config.heads)]
