"""``musicrel evaluate``: nats/note of a model over whole pieces.

This file knows arguments and tables; the figure itself is ``musicrel.experiment.evaluation``'s.
"""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from musicrel.cli import arguments, output
from musicrel.errors import DataError

if TYPE_CHECKING:
    from musicrel.experiment.evaluation import Evaluation, PieceLoss
    from musicrel.generation.loaded_model import LoadedModel


def add(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    arguments.add_model(parser)
    parser.add_argument("--data", default="chorales", help="chorales or jsb:FILE")
    parser.add_argument("--split", default="test", choices=("train", "valid", "test"))
    parser.add_argument(
        "--given",
        default="voice,beat",
        help="conditions the model is told, as in voice,beat,bar, or all (default: voice,beat)",
    )
    arguments.add_device(parser)
    arguments.add_json(parser)


def run(asked: argparse.Namespace) -> int:
    """Evaluate; the exit code."""
    from musicrel import jobs
    from musicrel.experiment import data
    from musicrel.experiment.evaluation import evaluate
    from musicrel.generation.loaded_model import load_model
    from musicrel.tokens import conditions

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

        evaluation = jobs.run(evaluate(model.network, pieces, model.vocabulary, told), show)
    if asked.json:
        output.say_json(_result(asked, model, evaluation))
    else:
        output.say(
            f"{model.name} on {asked.split} of {asked.data}: {evaluation.nats_per_note:.4f} "
            f"nats/note over {evaluation.notes:,} notes of {len(evaluation.pieces)} pieces, "
            f"told {', '.join(evaluation.conditions) or 'nothing'}"
        )
    return 0


def _check_fit(model: LoadedModel, data: str) -> None:
    if model.vocabulary.holds and data.startswith("jsb:"):
        raise DataError(
            f"model {model.name!r} tells held from repeated notes, JSB16 does not: evaluate it "
            "with --data chorales, or take a model with the 'pitch' vocabulary"
        )


def _result(
    asked: argparse.Namespace, model: LoadedModel, evaluation: Evaluation
) -> dict[str, Any]:
    of_pieces = [asdict(piece) for piece in evaluation.pieces]
    keys = ("index", "title", "nats", "notes")
    return {
        "model": model.name,
        "vocabulary": model.vocabulary.name,
        "data": asked.data,
        "split": asked.split,
        "pieces": len(evaluation.pieces),
        "notes": evaluation.notes,
        "nats_per_note": evaluation.nats_per_note,
        "end_nats": evaluation.end_nats,
        "conditions": list(evaluation.conditions),
        "per_piece": [{key: piece[key] for key in keys} for piece in of_pieces],
    }
