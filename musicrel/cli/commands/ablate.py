"""``musicrel ablate``: measure what the heads of a model do for a note or a piece."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from musicrel import paths
from musicrel.analysis.corpus import bundled
from musicrel.chorale import Chorale, Voice
from musicrel.cli import arguments, inputs, output
from musicrel.cli.arguments import NOTE, Argument, Command, argument, flag
from musicrel.errors import UsageError
from musicrel.generation.heads import means, replacement
from musicrel.generation.heads.mutes import REPLACEMENTS, Mutes, all_heads
from musicrel.generation.loaded_model import LoadedModel
from musicrel.interpretability import cell_names
from musicrel.interpretability.ablation import NoteReader, global_effects
from musicrel.interpretability.readers import open_reader
from musicrel.interpretability.results import Source
from musicrel.model.companions import MEANS

_SHOWN: Final = 3  # tokens of a layer that the lens lists
_MOVED: Final = (
    "the study of attention weights and effects is no longer a command: run python -m "
    "training.ablation in a checkout of the sources"
)


def _note(options: argparse.Namespace) -> None:
    piece, model, reader, cell = _reader(options)
    _prepare_means(options, model)
    local = reader.local(cell, options.by)
    values: dict[str, Any] = {
        "model": model.name,
        "note": options.note,
        "by": local.by,
        "nats": local.output.nats,
        "heads": {head.code: float(local.effects_LH[head]) for head in all_heads(*_shape(model))},
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


def _piece(options: argparse.Namespace) -> None:
    model = inputs.open_model(options)
    shape, heads = _shape(model), Mutes.parse(options.heads, options.by)
    chosen = heads.expanded(*shape) if heads else all_heads(*shape)
    piece = inputs.read(options.source)
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


def _lens(options: argparse.Namespace) -> None:
    _piece_read, model, reader, cell = _reader(options)
    found, symbols = reader.lens(cell), model.vocabulary.symbols()
    layers = [
        [
            {"token": symbols[token], "log_p": float(log_p_V[token])}
            for token in (-log_p_V).argsort(kind="stable")[:_SHOWN]
        ]
        for log_p_V in found.log_p_NV
    ]
    rows = [
        (layer, *(f"{one['token']} {100 * math.exp(one['log_p']):.1f} %" for one in best))
        for layer, best in enumerate(layers)
    ]
    output.print_result(
        {"model": model.name, "note": options.note, "layers": layers},
        output.table(("layer", "first", "second", "third"), rows),
        as_json=options.json,
    )


def _means(options: argparse.Namespace) -> None:
    model = inputs.open_model(options)
    path = replacement.cache_path(replacement.weights_hash(model))
    if options.store is not None:
        path = options.store / MEANS
        paths.require_own_files(options.store)
    pieces = bundled.load("train")
    found = output.followed(means.compute(model, pieces), "reading", "pieces")
    replacement.write(path, found)
    values = {"model": model.name, "sha256": found.sha256, "file": str(path)}
    output.print_result(values, str(path), as_json=options.json)


def _prepare_means(options: argparse.Namespace, model: LoadedModel) -> None:
    if options.by == "mean":
        output.followed(means.prepare(model), "reading the training pieces", "pieces")


def _reader(options: argparse.Namespace) -> tuple[Chorale, LoadedModel, NoteReader, int]:
    model, piece = inputs.open_model(options), inputs.read(options.source)
    cell = cell_names.parse(options.note, piece)
    return piece, model, open_reader(model, piece), cell


def _source_name(one: Source, piece: Chorale) -> str:
    name = cell_names.name(len(Voice) * one.start + (one.voice or 0), piece)
    return name if one.voice is not None else f"all{name[name.index(':') :]}"


def _shape(model: LoadedModel) -> tuple[int, int]:
    return model.config.layers, model.config.heads


def _refuse(_options: argparse.Namespace) -> None:
    raise UsageError(_MOVED)


_SOURCE: Final = arguments.a_piece(metavar="PIECE")
_PLACE: Final = argument(
    "--note", f"{NOTE}; a pickup is bar 0", required=True, metavar="VOICE:BAR.BEAT"
)
_BY: Final = argument(
    "--by",
    "what replaces the output of a head: its mean over the training pieces, or zero "
    "(default: mean)",
    default="mean",
    choices=REPLACEMENTS,
)


def _task(run: Callable[[argparse.Namespace], None], summary: str, *own: Argument) -> Command:
    shared = (arguments.model(), *arguments.DEVICE, arguments.JSON)
    return Command(run, (*own, *shared), summary)


COMMANDS: Final = {
    "ablate": Command(
        tasks={
            "note": _task(
                _note,
                "the effects of all heads and voices on a note",
                _SOURCE,
                _PLACE,
                flag(
                    "--sources",
                    "remove earlier notes, too: the 64 strongest by weight and 64 random ones",
                ),
                argument(
                    "--seed",
                    "seed of the random earlier notes (default: 0)",
                    arguments.number("seed"),
                    0,
                ),
                _BY,
            ),
            "piece": _task(
                _piece,
                "the effects of heads that are replaced in a whole piece",
                _SOURCE,
                argument(
                    "--heads",
                    "heads, as in 2.3,4: head 3 of layer 2, all of layer 4 (default: all)",
                    default="",
                ),
                _BY,
            ),
            "lens": _task(
                _lens, "the tokens that each layer would have chosen for a note", _SOURCE, _PLACE
            ),
            "means": _task(
                _means,
                "compute the mean outputs of a model's heads over the training pieces",
                argument(
                    "--store",
                    "write them into this folder, such as that of the model (default: the user's "
                    "cache)",
                    Path,
                    metavar="FOLDER",
                ),
            ),
            "study": Command(
                _refuse, (argument("words", argparse.SUPPRESS, nargs="*"),), _MOVED, moved=True
            ),
        }
    )
}
