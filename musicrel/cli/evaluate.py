"""``musicrel evaluate``: nats/note of a model over whole pieces.

This file knows arguments and tables; the figure itself is ``musicrel.experiment.evaluation``'s.
"""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from musicrel.cli import arguments, output
from musicrel.errors import DataError, UsageError

if TYPE_CHECKING:
    from musicrel.experiment.evaluation import Evaluation, PieceLoss
    from musicrel.generation.loaded_model import LoadedModel

COUNTS = "counts"
"""The name of the model that only counts: the floor."""
_GIVEN = "voice,beat"


def add(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    arguments.add_model(parser)
    parser.add_argument("--data", default="chorales", help="chorales or jsb:FILE")
    parser.add_argument("--split", default="test", choices=("train", "valid", "test"))
    parser.add_argument(
        "--given",
        default=_GIVEN,
        help="conditions the model is told, as in voice,beat,bar, or all (default: voice,beat)",
    )
    arguments.add_device(parser)
    arguments.add_json(parser)


def run(asked: argparse.Namespace) -> int:
    """Evaluate; the exit code."""
    from musicrel import jobs
    from musicrel.experiment import data
    from musicrel.experiment.evaluation import evaluate
    from musicrel.experiment.recipe import masking_of
    from musicrel.generation.loaded_model import load_model
    from musicrel.tokens import conditions

    if asked.model == COUNTS:
        return _run_counts(asked)
    told = tuple(conditions.CONDITIONS) if asked.given == "all" else asked.given.split(",")
    conditions.sizes(told)
    model = load_model(asked.model, asked.device, asked.threads)
    pieces = data.load(asked.data).pieces[asked.split]
    _check_fit(model, asked.data)
    with output.Progress("evaluating", len(pieces), "pieces") as progress:
        done = 0

        def show(_: PieceLoss) -> None:
            nonlocal done
            done += 1
            progress.reach(done)

        masks = masking_of(model.card.recipe)
        job = evaluate(model.network, pieces, model.vocabulary, told, masks)
        evaluation = jobs.run(job, show)
    _say(asked, model.name, model.vocabulary.name, evaluation)
    return 0


def _run_counts(asked: argparse.Namespace) -> int:
    """Evaluate the model that only counts, the floor for all others."""
    if asked.given != _GIVEN:
        raise UsageError(f"--given is {asked.given!r}: the counting model is told {_GIVEN} always")
    from musicrel.analysis.count_model import CountModel
    from musicrel.chorale import Voice
    from musicrel.experiment import data
    from musicrel.experiment.evaluation import Evaluation, PieceLoss

    splits = data.load(asked.data).pieces
    counts = CountModel(splits["train"], repeats=not asked.data.startswith("jsb:"))
    pieces = tuple(
        PieceLoss(
            index=index,
            title=piece.title,
            nats=counts.nats(piece),
            notes=piece.steps * len(Voice),
            end_nats=0.0,
        )
        for index, piece in enumerate(splits[asked.split])
    )
    _say(asked, COUNTS, "counts", Evaluation(conditions=("voice", "beat"), pieces=pieces))
    return 0


def _check_fit(model: LoadedModel, data: str) -> None:
    if model.vocabulary.holds and data.startswith("jsb:"):
        raise DataError(
            f"model {model.name!r} tells held from repeated notes, JSB16 does not: evaluate it "
            "with --data chorales, or take a model with the 'pitch' vocabulary"
        )


def _say(asked: argparse.Namespace, model: str, vocabulary: str, evaluation: Evaluation) -> None:
    if asked.json:
        output.say_json(_result(asked, model, vocabulary, evaluation))
        return
    output.say(
        f"{model} on {asked.split} of {asked.data}: {evaluation.nats_per_note:.4f} "
        f"nats/note over {evaluation.notes:,} notes of {len(evaluation.pieces)} pieces, "
        f"told {', '.join(evaluation.conditions) or 'nothing'}"
    )


def _result(
    asked: argparse.Namespace, model: str, vocabulary: str, evaluation: Evaluation
) -> dict[str, Any]:
    of_pieces = [asdict(piece) for piece in evaluation.pieces]
    keys = ("index", "title", "nats", "notes")
    return {
        "model": model,
        "vocabulary": vocabulary,
        "data": asked.data,
        "split": asked.split,
        "pieces": len(evaluation.pieces),
        "notes": evaluation.notes,
        "nats_per_note": evaluation.nats_per_note,
        "end_nats": evaluation.end_nats,
        "conditions": list(evaluation.conditions),
        "per_piece": [{key: piece[key] for key in keys} for piece in of_pieces],
    }
