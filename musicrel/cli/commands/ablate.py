"""``musicrel ablate``: measure what the heads of a model do for a note or a piece."""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from musicrel import jobs, paths
from musicrel.chorale import Chorale, Voice
from musicrel.cli import output
from musicrel.cli.options import arguments, source_file
from musicrel.generation.heads.mutes import REPLACEMENTS, Head, Mutes

if TYPE_CHECKING:
    from musicrel.experiment.ablation.ablation_study import StudyPlan, StudyProgress
    from musicrel.generation.ablation.note_reader import NoteReader
    from musicrel.generation.ablation.results import LocalEffects, Source, SourceEffects
    from musicrel.generation.events import MeansProgress
    from musicrel.generation.loaded_model import LoadedModel

_TASKS: Final = {
    "note": "the effects of all heads and voices on a note",
    "piece": "the effects of heads that are replaced in a whole piece",
    "lens": "the tokens that each layer would have chosen for a note",
    "means": "compute the mean outputs of a model's heads over the training pieces",
    "study": "compare attention weights with effects, on notes of all test pieces",
}
"""Tasks and what they show."""
_NOTE: Final = (
    "voice, bar and beat, as in alto:5.2; the third sixteenth of the beat is alto:5.2.3; a pickup "
    "is bar 0"
)
_SHOWN: Final = 3
"""Tokens of a layer that the lens lists."""
_STUDIED: Final = ("vanilla", "relative")
_NOTES: Final = 5000
_BY: Final = (
    "what replaces the output of a head: its mean over the training pieces, or zero (default: mean)"
)


def add(parser: argparse.ArgumentParser) -> None:
    tasks = parser.add_subparsers(dest="task", required=True, metavar="|".join(_TASKS))
    note, piece, lens, means, study = (
        tasks.add_parser(task, help=summary, description=summary)
        for task, summary in _TASKS.items()
    )
    for task in (note, piece, lens):
        task.add_argument("source", type=Path, metavar="PIECE", help=arguments.A_PIECE)
    for task in (note, lens):
        task.add_argument("--note", required=True, metavar="VOICE:BAR.BEAT", help=_NOTE)
    note.add_argument(
        "--sources",
        action="store_true",
        help="remove earlier notes, too: the 64 strongest by weight and 64 random ones",
    )
    note.add_argument(
        "--seed",
        type=arguments.number("seed"),
        default=0,
        help="seed of the random earlier notes (default: 0)",
    )
    piece.add_argument(
        "--heads", default="", help="heads, as in 2.3,4: head 3 of layer 2, all of layer 4 "
        "(default: all)",
    )  # fmt: skip
    for task in (note, piece, study):
        task.add_argument("--by", choices=REPLACEMENTS, default="mean", help=_BY)
    means.add_argument(
        "--store",
        type=Path,
        metavar="FOLDER",
        help="write them into this folder, such as that of the model (default: the user's cache)",
    )
    _add_study(study)
    for task in (note, piece, lens, means):
        arguments.add_model(task)
    for task in (note, piece, lens, means, study):
        arguments.add_device(task)
        arguments.add_json(task)


def _add_study(study: argparse.ArgumentParser) -> None:
    study.add_argument(
        "--models",
        nargs="+",
        default=_STUDIED,
        metavar="MODEL",
        help="names or folders of models; the first is the one that the others are compared with "
        f"(default: {' '.join(_STUDIED)})",
    )
    study.add_argument(
        "--notes",
        type=arguments.number("notes"),
        default=_NOTES,
        help=f"number of notes, spread evenly over the test pieces (default: {_NOTES})",
    )
    study.add_argument(
        "--seed",
        type=arguments.number("seed"),
        default=0,
        help="seed of all random choices (default: 0)",
    )
    study.add_argument(
        "--out", type=Path, required=True, metavar="FOLDER", help="a new folder for the results"
    )
    study.add_argument(
        "--resume",
        action="store_true",
        help="go on with the study in the folder, or write the report of a finished one again",
    )


def run(options: argparse.Namespace) -> int:
    """Run a task; return the exit code."""
    from musicrel.generation.loaded_model import load_model

    if options.task == "study":
        return _study(options)
    model = load_model(options.model, options.device, options.threads)
    _RUN[options.task](options, model)
    return 0


def _note(options: argparse.Namespace, model: LoadedModel) -> None:
    piece, reader, cell = _reader(options, model)
    _prepare_means(options, model)
    local = reader.local(cell, options.by)
    found = reader.sources(cell, seed=options.seed) if options.sources else None
    if options.json:
        output.print_json(_note_json(options, model, local, found))
        return
    output.print_text(f"-log p {local.output.nats:.4f} nats; effects in nats, positive: it helped")
    rows = [(head.code, f"{local.effects_LH[head]:+.4f}") for head in _heads(model)]
    rows += [(v.name.lower(), f"{local.voices_4[v]:+.4f}") for v in Voice]
    output.print_text(output.table(("without", "effect"), rows))
    if found is not None:
        lines = [
            (_source_name(one, piece), f"{weight:.4f}", f"{effect:+.4f}")
            for one, weight, effect in zip(
                found.sources, found.weights_S, found.effects_S, strict=True
            )
        ]
        output.print_text(output.table(("without", "weight", "effect"), lines))


def _piece(options: argparse.Namespace, model: LoadedModel) -> None:
    from musicrel.generation.ablation.global_effects import GlobalProgress, global_effects

    config, heads = model.config, Mutes.parse(options.heads, options.by)
    chosen = (heads or Mutes(tuple(_heads(model)))).expanded(config.layers, config.heads)
    piece = source_file.read(options.source)
    _prepare_means(options, model)
    with output.ProgressBar("replacing", 1, "heads") as bar:

        def show(progress: GlobalProgress) -> None:
            bar.set_total(progress.total)
            bar.set_done(progress.done)

        found = jobs.run(global_effects(model, piece, heads or None, options.by), show)
    nats = float(found.nats_T4.mean())
    effects = {head.code: float(found.effects_LH[head]) for head in chosen}
    if options.json:
        output.print_json({"model": model.name, "by": options.by, "nats": nats, "heads": effects})
        return
    output.print_text(f"{nats:.4f} nats a cell; mean effects in nats, positive: it helped")
    rows = [(code, f"{effect:+.5f}") for code, effect in effects.items()]
    output.print_text(output.table(("without", "effect"), rows))


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
    if options.json:
        output.print_json({"model": model.name, "note": options.note, "layers": layers})
        return
    rows = [
        (
            layer,
            *(f"{one['token']} {100 * math.exp(one['log_p']):.1f} %" for one in best),
        )
        for layer, best in enumerate(layers)
    ]
    output.print_text(output.table(("layer", "first", "second", "third"), rows))


def _means(options: argparse.Namespace, model: LoadedModel) -> None:
    from musicrel.corpus import bundled
    from musicrel.generation.ablation import means
    from musicrel.generation.heads import head_means
    from musicrel.model.companions import MEANS

    path = head_means.cache_path(head_means.weights_hash(model))
    if options.store is not None:
        path = options.store / MEANS
        paths.require_own_files(options.store)
    pieces = bundled.load("train")
    with output.ProgressBar("reading", len(pieces), "pieces") as bar:
        found = jobs.run(means.compute(model, pieces), lambda event: bar.set_done(event.done))
    head_means.write(path, found)
    if options.json:
        output.print_json({"model": model.name, "sha256": found.sha256, "file": str(path)})
    else:
        output.print_text(str(path))


def _study(options: argparse.Namespace) -> int:
    from musicrel.corpus import bundled
    from musicrel.experiment.ablation.ablation_study import StudyPlan, run_study
    from musicrel.presentation.ablation import study_report, study_tables

    plan = StudyPlan(
        models=tuple(options.models),
        notes=options.notes,
        seed=options.seed,
        by=options.by,
        device=options.device,
        threads=options.threads,
    )
    with output.ProgressBar("measuring", 1, "notes") as bar:

        def show(progress: StudyProgress) -> None:
            bar.set_total(progress.total)
            bar.set_done(progress.done, f"{progress.model}, {progress.task}")

        job = run_study(plan, bundled.load("test"), options.out, resume=options.resume)
        found = jobs.run(job, show)
    files = study_report.write(options.out, found, _study_command(plan))
    if options.json:
        output.print_json(found.to_json() | {"files": [str(file) for file in files]})
        return 0
    head, *rows = study_tables.correlations(found)
    output.print_text(output.table(head, rows))
    output.print_text(str(options.out / study_report.REPORT))
    return 0


def _study_command(plan: StudyPlan) -> str:
    """Return the command of a study; the folder of its results is left open."""
    by = f" --by {plan.by}" if plan.by != "mean" else ""
    models = " ".join(plan.models)
    return (
        f"musicrel ablate study --models {models} --notes {plan.notes} --seed {plan.seed}{by} "
        "--out FOLDER"
    )


_RUN: Final = {"note": _note, "piece": _piece, "lens": _lens, "means": _means}


def _prepare_means(options: argparse.Namespace, model: LoadedModel) -> None:
    """Compute the means where they are asked for and not known."""
    from musicrel.generation.ablation import means

    if options.by != "mean":
        return
    with output.ProgressBar("reading the training pieces", 1, "pieces") as bar:

        def show(progress: MeansProgress) -> None:
            bar.set_total(progress.total)
            bar.set_done(progress.done)

        jobs.run(means.prepare(model), show)


def _reader(options: argparse.Namespace, model: LoadedModel) -> tuple[Chorale, NoteReader, int]:
    """Return the piece, the model that has read it, and the cell of the note."""
    from musicrel.generation.ablation import cell_names
    from musicrel.generation.ablation.note_reader import NoteReader

    piece = source_file.read(options.source)
    cell = cell_names.parse(options.note, piece)
    return piece, NoteReader(model, piece), cell


def _note_json(
    options: argparse.Namespace,
    model: LoadedModel,
    local: LocalEffects,
    found: SourceEffects | None,
) -> Mapping[str, Any]:
    values: dict[str, Any] = {
        "model": model.name,
        "note": options.note,
        "by": local.by,
        "nats": local.output.nats,
        "heads": {head.code: float(local.effects_LH[head]) for head in _heads(model)},
        "voices": {voice.name.lower(): float(local.voices_4[voice]) for voice in Voice},
    }
    if found is not None:
        rows = zip(found.sources, found.weights_S, found.effects_S, strict=True)
        values["strongest"] = found.strongest
        values["sources"] = [
            {
                "voice": None if one.voice is None else Voice(one.voice).name.lower(),
                "steps": [one.start, one.stop],
                "weight": float(weight),
                "effect": float(effect),
            }
            for one, weight, effect in rows
        ]
    return values


def _source_name(one: Source, piece: Chorale) -> str:
    from musicrel.generation.ablation import cell_names

    name = cell_names.name(len(Voice) * one.start + (one.voice or 0), piece)
    return name if one.voice is not None else f"all{name[name.index(':') :]}"


def _heads(model: LoadedModel) -> list[Head]:
    config = model.config
    return [Head(layer, head) for layer in range(config.layers) for head in range(config.heads)]
