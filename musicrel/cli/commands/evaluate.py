"""``musicrel evaluate``: nats/note of a model over whole pieces.

This file knows arguments and tables; the figure itself is ``musicrel.experiment.objectives.evaluation``'s.
"""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from musicrel.cli import output
from musicrel.cli.options import arguments
from musicrel.errors import DataError, UsageError

if TYPE_CHECKING:
    from musicrel.experiment.objectives.evaluation import Evaluation, PieceLoss
    from musicrel.generation.loaded_model import LoadedModel
    from musicrel.jobs import Job
    from musicrel.model.card import Card

COUNTS = "counts"
"""The name of the model that only counts: the floor."""
_GIVEN = "voice,beat"
_CHORALES = "chorales"


def add(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    arguments.add_model(parser, "; counts: one that only counts notes, the floor for all")
    parser.add_argument(
        "--data",
        help="chorales (the bundled ones), jsb:FILE or folder:PATH (default: chorales; of a model "
        "that knows no notes, what it learned from)",
    )
    parser.add_argument(
        "--split",
        default="test",
        choices=("train", "valid", "test"),
        help="which part of the data (default: test)",
    )
    parser.add_argument(
        "--given",
        default=_GIVEN,
        help="conditions the model is told, as in voice,beat,bar, or all (default: voice,beat)",
    )
    arguments.add_device(parser)
    arguments.add_json(parser)


def run(asked: argparse.Namespace) -> int:
    """Evaluate; the exit code."""
    from musicrel.experiment.data import dataset
    from musicrel.experiment.objectives.evaluation import evaluate
    from musicrel.experiment.recipe.recipe import masking_of
    from musicrel.generation.loaded_model import load_model
    from musicrel.model import catalogue
    from musicrel.model.card import WITHOUT_NOTES, read_card
    from musicrel.tokens import conditions

    if asked.model == COUNTS:
        return _run_counts(asked)
    folder = catalogue.find(asked.model)
    card = read_card(folder)
    if card.config.family in WITHOUT_NOTES:
        return _run_as_trained(asked, folder, card)
    told = tuple(conditions.CONDITIONS) if asked.given == "all" else asked.given.split(",")
    conditions.sizes(told)
    model = load_model(asked.model, asked.device, asked.threads)
    source = asked.data or _CHORALES
    pieces = dataset.load(source).pieces[asked.split]
    _check_fit(model, source)
    masks = masking_of(model.card.recipe)
    job = evaluate(model.network, pieces, model.vocabulary, told, masks)
    found = _told(job, len(pieces))
    _say(asked, (model.name, model.vocabulary.name, source), found)
    return 0


def _run_as_trained(asked: argparse.Namespace, folder: Path, card: Card) -> int:
    """Evaluate a model that knows no notes on data of its own kind, as it was when it learned."""
    if asked.given != _GIVEN:
        raise UsageError(
            f"--given is {asked.given!r}: a model of family {card.config.family} is always told "
            "what it was told in training"
        )
    from musicrel.experiment.data import dataset
    from musicrel.experiment.objectives import objectives
    from musicrel.experiment.recipe import recipe
    from musicrel.experiment.study.measures import MEASURES
    from musicrel.model import checkpoint, devices

    devices.use_threads(asked.threads)
    plan = recipe.from_tables(card.recipe, f"the recipe of {folder.name}")
    source = asked.data or plan.data.source
    objective = objectives.of(plan, dataset.load(source))
    if list(objective.vocabulary["symbols"]) != list(card.vocabulary["symbols"]):
        raise DataError(
            f"{source} has other tokens than {folder.name} learned: evaluate it with --data "
            f"{plan.data.source}"
        )
    model = checkpoint.load(folder, devices.resolve(asked.device)).model
    job = objective.evaluate(model, asked.split, objective.told(model.config)[0])
    found = _told(job, objective.count(asked.split))
    measure = MEASURES[card.config.family]
    names = (folder.resolve().name, card.vocabulary["name"], source)
    _say(asked, names, found, measure.unit, measure.things)
    return 0


def _told(job: Job[PieceLoss, Evaluation], pieces: int) -> Evaluation:
    """Run ``job``, telling how many of its pieces are done."""
    from musicrel import jobs

    with output.Progress("evaluating", pieces, "pieces") as progress:
        done = 0

        def show(_: PieceLoss) -> None:
            nonlocal done
            done += 1
            progress.reach(done)

        return jobs.run(job, show)


def _run_counts(asked: argparse.Namespace) -> int:
    """Evaluate the model that only counts, the floor for all others."""
    if asked.given != _GIVEN:
        raise UsageError(f"--given is {asked.given!r}: the counting model is told {_GIVEN} always")
    from musicrel.analysis.count_model import CountModel
    from musicrel.chorale import Voice
    from musicrel.experiment.data import dataset
    from musicrel.experiment.objectives.evaluation import Evaluation, PieceLoss

    source = asked.data or _CHORALES
    splits = dataset.load(source).pieces
    counts = CountModel(splits["train"], repeats=not source.startswith("jsb:"))
    pieces = tuple(
        PieceLoss(
            index=index,
            title=piece.title,
            nats=counts.nats(piece),
            notes=piece.steps * len(Voice),
        )
        for index, piece in enumerate(splits[asked.split])
    )
    found = Evaluation(conditions=("voice", "beat"), pieces=pieces)
    _say(asked, (COUNTS, "counts", source), found)
    return 0


def _check_fit(model: LoadedModel, data: str) -> None:
    if model.vocabulary.holds and data.startswith("jsb:"):
        raise DataError(
            f"model {model.name!r} tells held from repeated notes, JSB16 does not: evaluate it "
            "with --data chorales, or take a model with the 'pitch' vocabulary"
        )


def _say(
    asked: argparse.Namespace,
    names: tuple[str, str, str],
    found: Evaluation,
    unit: str = "nats/note",
    things: str = "pieces",
) -> None:
    """Print what was found; ``names`` are those of model, vocabulary and data."""
    model, vocabulary, source = names
    if asked.json:
        named = {"model": model, "vocabulary": vocabulary, "data": source, "split": asked.split}
        output.say_json(named | _result(found, unit))
        return
    each = unit.partition("/")[2]
    over = f"{found.notes:,} {each}s of " if found.notes > len(found.pieces) else ""
    right = f", {100 * found.accuracy:.1f} % right" if found.pieces[0].right is not None else ""
    output.say(
        f"{model} on {asked.split} of {source}: {found.nats_per_note:.4f} {unit} over {over}"
        f"{len(found.pieces)} {things}{right}, told {', '.join(found.conditions) or 'nothing'}"
    )


def _result(found: Evaluation, unit: str) -> dict[str, Any]:
    """The figures as JSON values; ``nats_per_note`` is in ``unit`` where a model knows no notes."""
    of_pieces = [asdict(piece) for piece in found.pieces]
    keys = ("index", "title", "nats", "notes")
    figures = {
        "pieces": len(found.pieces),
        "notes": found.notes,
        "unit": unit,
        "nats_per_note": found.nats_per_note,
        "end_nats": found.end_nats,
        "conditions": list(found.conditions),
        "per_piece": [{key: piece[key] for key in keys} for piece in of_pieces],
    }
    return figures | ({"share_right": found.accuracy} if found.pieces[0].right is not None else {})
