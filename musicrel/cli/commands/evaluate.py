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
from musicrel.errors import DataError, UsageError
from musicrel.experiment.recipe import recipe
from musicrel.experiment.study.measures import MEASURES
from musicrel.model import catalogue
from musicrel.model.card import WITHOUT_NOTES, Card, read_card
from musicrel.presentation.words import names
from musicrel.tokens import conditions

if TYPE_CHECKING:
    from musicrel.corpus.splits import Split
    from musicrel.experiment.objectives.evaluation import Evaluation, PieceLoss
    from musicrel.generation.loaded_model import LoadedModel
    from musicrel.jobs import Job

COUNTS = "counts"
"""The name of the baseline that only counts notes."""
_CONDITIONS = "voice,beat"
_CHORALES = "chorales"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Options:
    """Options of a run; see the help of the command."""

    model: str
    data: str | None
    split: Split
    given: str
    device: str
    threads: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Report:
    """The result and the names for it."""

    model: str
    vocabulary: str
    data: str  # source of the pieces
    result: Evaluation
    unit: str = "nats/note"
    observations: str = "pieces"  # name of what ``result.pieces`` are, in the plural


def add(parser: argparse.ArgumentParser) -> None:
    arguments.add_model(parser, "; counts: a baseline that only counts notes")
    parser.add_argument(
        "--data",
        help="chorales (the bundled ones), jsb:FILE or folder:PATH (default: chorales; for a model "
        "that does not predict notes, its training data)",
    )
    parser.add_argument(
        "--split",
        default="test",
        choices=("train", "valid", "test"),
        help="part of the data; valid is the validation split (default: test)",
    )
    parser.add_argument(
        "--given",
        default=_CONDITIONS,
        help="conditioning of the model, as in voice,beat,bar, or all (default: voice,beat)",
    )
    arguments.add_device(parser)
    arguments.add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Evaluate the model; return the exit code."""
    chosen = arguments.typed(options, _Options)
    report = _evaluate(chosen)
    if options.json:
        output.print_json(_to_json(report, chosen.split))
    else:
        output.print_text(_sentence(report, chosen.split))
    return 0


def _evaluate(chosen: _Options) -> _Report:
    if chosen.model == COUNTS:
        return _evaluate_counts(chosen)
    folder = catalogue.find(chosen.model)
    card = read_card(folder)
    if card.config.family in WITHOUT_NOTES:
        return _evaluate_as_trained(chosen, folder, card)
    return _evaluate_notes(chosen)


def _evaluate_notes(chosen: _Options) -> _Report:
    from musicrel.experiment.objectives.evaluation import evaluate
    from musicrel.generation.loaded_model import load_model

    given = tuple(conditions.CONDITIONS) if chosen.given == "all" else chosen.given.split(",")
    conditions.sizes(given)
    model = load_model(chosen.model, chosen.device, chosen.threads)
    source = chosen.data or _CHORALES
    pieces = source_file.read_data(source, chosen.split).pieces[chosen.split]
    _check_fit(model, source)
    masks = recipe.masking_from_card(model.card.recipe)
    job = evaluate(model.network, pieces, model.vocabulary, given, masks)
    return _Report(
        model=_name(chosen, model.card),
        vocabulary=model.vocabulary.name,
        data=source,
        result=_run_with_progress(job, len(pieces)),
    )


def _evaluate_as_trained(chosen: _Options, folder: Path, card: Card) -> _Report:
    """Evaluate a model of other data than notes, conditioned as in training."""
    if chosen.given != _CONDITIONS:
        raise UsageError(
            f"--given is {chosen.given!r}: leave it out, a model of family {card.config.family} is "
            "always conditioned as in training"
        )
    from musicrel.experiment.objectives import objectives
    from musicrel.model import checkpoint, devices

    devices.use_threads(chosen.threads)
    plan = recipe.from_tables(card.recipe, f"the recipe of {folder.name}")
    source = chosen.data or plan.data.source
    objective = objectives.for_recipe(plan, source_file.read_data(source, chosen.split))
    if list(objective.vocabulary["symbols"]) != list(card.vocabulary["symbols"]):
        raise DataError(
            f"{source} has other tokens than the training data of {_name(chosen, card)}: evaluate "
            f"it with --data {plan.data.source}"
        )
    model = checkpoint.load(folder, devices.resolve(chosen.device)).model
    job = objective.evaluate(model, chosen.split, objective.condition_sets(model.config)[0])
    measure = MEASURES[card.config.family]
    return _Report(
        model=_name(chosen, card),
        vocabulary=card.vocabulary["name"],
        data=source,
        result=_run_with_progress(job, objective.count(chosen.split)),
        unit=measure.unit,
        observations=measure.observations,
    )


def _name(chosen: _Options, card: Card) -> str:
    """Return the name of an installed model, or that in the card: the folder of a run is model."""
    return card.name if Path(chosen.model).is_dir() else chosen.model


def _run_with_progress(job: Job[PieceLoss, Evaluation], pieces: int) -> Evaluation:
    with output.ProgressBar("evaluating", pieces, "pieces") as bar:
        return jobs.run(job, lambda _: bar.update())


def _evaluate_counts(chosen: _Options) -> _Report:
    """Evaluate the baseline that only counts notes."""
    if chosen.given != _CONDITIONS:
        raise UsageError(
            f"--given is {chosen.given!r}: leave it out, the counting model is always conditioned "
            f"on {_CONDITIONS}"
        )
    from musicrel.experiment.objectives.evaluation import Evaluation, PieceLoss

    source = chosen.data or _CHORALES
    data = source_file.read_data(source, chosen.split)
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
        for index, piece in enumerate(splits[chosen.split])
    )
    result = Evaluation(conditions=("voice", "beat"), pieces=pieces)
    return _Report(model=COUNTS, vocabulary="counts", data=source, result=result)


def _check_fit(model: LoadedModel, data: str) -> None:
    if model.vocabulary.holds and data.startswith("jsb:"):
        raise DataError(
            f"model {model.name!r} separates held from repeated notes, JSB16 does not: evaluate it "
            "with --data chorales, or take a model with the 'pitch' vocabulary"
        )


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
