"""``musicrel generate``: write pieces.

This file knows arguments and files; writing itself stands in ``musicrel.generation``.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

from musicrel.cli import arguments, output
from musicrel.cli.destination import destination
from musicrel.errors import UsageError
from musicrel.presentation import exports

if TYPE_CHECKING:
    from musicrel.generation.events import Generated, GenerationStep
    from musicrel.generation.loaded_model import LoadedModel
    from musicrel.generation.request import GenerationRequest

_MOST_PIECES = 10_000


def add(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    arguments.add_model(parser)
    arguments.add_request(parser)
    parser.add_argument("--count", type=int, default=1, help="pieces, with seeds from --seed on")
    parser.add_argument("--out", required=True, help="a file, or a folder for several")
    parser.add_argument("--format", help="as in mid,json (default: by the suffix of --out, or mid)")
    arguments.add_device(parser)
    arguments.add_json(parser)


def run(asked: argparse.Namespace) -> int:
    """Write the pieces; the exit code."""
    from musicrel.generation.loaded_model import load_model

    if not 1 <= asked.count <= _MOST_PIECES:
        raise UsageError(f"count is {asked.count}: expected 1 to {_MOST_PIECES}")
    request = _request(asked)
    replace(request, seed=request.seed + asked.count - 1)  # all seeds are within bounds
    target = destination(asked.out, asked.format, asked.count)
    model = load_model(asked.model, asked.device, asked.threads)
    written, made = [], []
    for seed in range(request.seed, request.seed + asked.count):
        piece = _write(model, replace(request, seed=seed))
        for path in target.of(seed):
            exports.write(piece.chorale, path)
            written.append(str(path))
            if not asked.json:
                output.say(str(path))
        made.append(piece)
    if asked.json:
        output.say_json(_result(asked, model, written, made))
    return 0


def _request(asked: argparse.Namespace) -> GenerationRequest:
    from musicrel.generation.request import GenerationRequest

    return GenerationRequest(**{name: getattr(asked, name) for name in GenerationRequest.__slots__})


def _write(model: LoadedModel, request: GenerationRequest) -> Generated:
    from musicrel import jobs
    from musicrel.generation.causal import generate

    with output.Progress(f"seed {request.seed}", request.steps * 4, "tokens") as progress:

        def show(step: GenerationStep) -> None:
            progress.reach(step.index)

        return jobs.run(generate(model, request), show)


def _result(
    asked: argparse.Namespace, model: LoadedModel, written: list[str], made: list[Generated]
) -> dict[str, object]:
    tokens = sum(piece.tokens for piece in made)
    seconds = sum(piece.seconds for piece in made)
    return {
        "files": written,
        "model": model.name,
        "seed": asked.seed,
        "device": str(model.device),
        "threads": asked.threads,
        "tokens": tokens,
        "seconds": round(seconds, 3),
        "tokens_per_second": round(tokens / seconds, 1),
        "nats_per_note": sum(piece.nats_per_note * piece.tokens for piece in made) / tokens,
    }
