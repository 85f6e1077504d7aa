"""``musicrel evaluate``: measure the loss of a model on whole pieces, in nats per note."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from musicrel import jobs
from musicrel.analysis.count_model import CountModel
from musicrel.chorale import Voice
from musicrel.cli import output
from musicrel.cli.options import arguments, source_file
from musicrel.cli.options.arguments import argument
from musicrel.errors import DataError, UsageError
from musicrel.experiment.recipe import recipe
from musicrel.experiment.study.measures import MEASURES
from musicrel.jobs import Job
from musicrel.model import catalogue
from musicrel.model.card import WITHOUT_NOTES, Card, read_card
from musicrel.presentation.words import names
from musicrel.tokens import conditions

if TYPE_CHECKING:
    from musicrel.corpus.splits import Split
    from musicrel.experiment.objectives.evaluation import Evaluation
    from musicrel.experiment.runs.events import PieceLoss

COUNTS = "counts"  # the name of the baseline that only counts notes
_CONDITIONS = "voice,beat"
_CHORALES = "chorales"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Report:
    model: str
    vocabulary: str
    data: str  # source of the pieces
    result: Evaluation
    unit: str = "nats/note"
    observations: str = "pieces"  # name of what ``result.pieces`` are, in the plural


def add(parser: argparse.ArgumentParser) -> None:
    data = argument(
        "--data",
        "chorales (the bundled ones), jsb:FILE or folder:PATH (default: chorales; for a model that "
        "does not predict notes, its training data)",
    )
    split = argument(
        "--split",
        "part of the data; valid is the validation split",
        default="test",
        choices=("train", "valid", "test"),
    )
    given = argument(
        "--given", "conditioning of the model, as in voice,beat,bar, or all", default=_CONDITIONS
    )
    model = arguments.model(more="; counts: a baseline that only counts notes")
    arguments.add(parser, (model, data, split, given, *arguments.DEVICE, arguments.JSON))


def run(options: argparse.Namespace) -> int:
    report, split = _evaluate(options), options.split
    output.print_result(_to_json(report, split), _sentence(report, split), as_json=options.json)
    return 0


def _evaluate(options: argparse.Namespace) -> _Report:
    if options.model == COUNTS:
        return _evaluate_counts(options)
    folder = catalogue.find(options.model)
    card = read_card(folder)
    if card.config.family in WITHOUT_NOTES:
        return _evaluate_as_trained(options, folder, card)
    return _evaluate_notes(options)


def _evaluate_notes(options: argparse.Namespace) -> _Report:
    from musicrel.experiment.objectives.evaluation import evaluate
    from musicrel.generation.loaded_model import load_model

    given = tuple(conditions.CONDITIONS) if options.given == "all" else options.given.split(",")
    conditions.sizes(given)
    model = load_model(options.model, options.device, options.threads)
    source = options.data or _CHORALES
    pieces = source_file.read_data(source, options.split).pieces[options.split]
    if model.vocabulary.holds and source.startswith("jsb:"):
        raise DataError(
            f"model {model.name!r} separates held from repeated notes, JSB16 does not: evaluate it "
            "with --data chorales, or take a model with the 'pitch' vocabulary"
        )
    masks = recipe.masking_from_card(model.card.recipe)
    job = evaluate(model.network, pieces, model.vocabulary, given, masks)
    return _Report(
        model=_name(options, model.card),
        vocabulary=model.vocabulary.name,
        data=source,
        result=_run_with_progress(job, len(pieces)),
    )


def _evaluate_as_trained(options: argparse.Namespace, folder: Path, card: Card) -> _Report:
    if options.given != _CONDITIONS:
        raise UsageError(
            f"--given is {options.given!r}: leave it out, a model of family {card.config.family} "
            "is always conditioned as in training"
        )
    from musicrel.experiment.objectives import objectives
    from musicrel.model import checkpoint, devices

    devices.use_threads(options.threads)
    plan = recipe.from_tables(card.recipe, f"the recipe of {folder.name}")
    source = options.data or plan.data.source
    objective = objectives.for_recipe(plan, source_file.read_data(source, options.split))
    if list(objective.vocabulary["symbols"]) != list(card.vocabulary["symbols"]):
        raise DataError(
            f"{source} has other tokens than the training data of {_name(options, card)}: evaluate "
            f"it with --data {plan.data.source}"
        )
    model = checkpoint.load(folder, devices.resolve(options.device)).network
    job = objective.evaluate(model, options.split, objective.condition_sets(model.config)[0])
    measure = MEASURES[card.config.family]
    return _Report(
        model=_name(options, card),
        vocabulary=card.vocabulary["name"],
        data=source,
        result=_run_with_progress(job, objective.count(options.split)),
        unit=measure.unit,
        observations=measure.observations,
    )


def _name(options: argparse.Namespace, card: Card) -> str:
    """Return the name of an installed model, or that in the card: the folder of a run is model."""
    return card.name if Path(options.model).is_dir() else options.model


def _run_with_progress(job: Job[PieceLoss, Evaluation], pieces: int) -> Evaluation:
    with output.ProgressBar("evaluating", pieces, "pieces") as bar:
        return jobs.run(job, lambda _: bar.update())


def _evaluate_counts(options: argparse.Namespace) -> _Report:
    if options.given != _CONDITIONS:
        raise UsageError(
            f"--given is {options.given!r}: leave it out, the counting model is always conditioned "
            f"on {_CONDITIONS}"
        )
    from musicrel.experiment.objectives.evaluation import Evaluation
    from musicrel.experiment.runs.events import PieceLoss

    source = options.data or _CHORALES
    data = source_file.read_data(source, options.split)
    data.require("train", "the counting model counts its pieces")
    splits = data.pieces
    counts = CountModel(splits["train"], repeats=not source.startswith("jsb:"))
    pieces = tuple(
        PieceLoss(
            index=index,
            title=piece.title,
            nats=counts.nats(piece),
            notes=piece.steps * len(Voice),
        )
        for index, piece in enumerate(splits[options.split])
    )
    result = Evaluation(conditions=("voice", "beat"), pieces=pieces)
    return _Report(model=COUNTS, vocabulary="counts", data=source, result=result)


def _sentence(report: _Report, split: Split) -> str:
    result = report.result
    each = report.unit.partition("/")[2]
    over = f"{names.count(result.notes, each)} of " if result.notes > len(result.pieces) else ""
    pieces = names.count(len(result.pieces), report.observations.removesuffix("s"))
    correct = f", {100 * result.accuracy:.1f} % correct" if _has_accuracy(result) else ""
    conditions = ", ".join(result.conditions) or "nothing"
    return (
        f"{report.model} on the {names.SPLITS[split]} split of {report.data}: "
        f"{result.nats_per_note:.4f} {report.unit} over {over}{pieces}"
        f"{correct}, conditioned on {conditions}"
    )


def _to_json(report: _Report, split: Split) -> dict[str, Any]:
    """Return names and figures; ``nats_per_note`` is in the unit of the report."""
    result = report.result
    keys = ("index", "title", "nats", "notes")
    figures = {
        "model": report.model,
        "vocabulary": report.vocabulary,
        "data": report.data,
        "split": split,
        "pieces": len(result.pieces),
        "notes": result.notes,
        "unit": report.unit,
        "nats_per_note": result.nats_per_note,
        "end_nats": result.end_nats,
        "conditions": list(result.conditions),
        "per_piece": [{key: getattr(piece, key) for key in keys} for piece in result.pieces],
    }
    return figures | ({"share_right": result.accuracy} if _has_accuracy(result) else {})


def _has_accuracy(result: Evaluation) -> bool:
    return result.pieces[0].right is not None
