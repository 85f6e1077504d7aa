"""``musicrel generate``: write pieces.

This file knows arguments and files; writing itself stands in ``musicrel.generation``.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from musicrel.cli import output
from musicrel.cli.options import arguments, candidates, piece_options
from musicrel.cli.options.destination import Destination, destination
from musicrel.errors import GenerationError, UsageError
from musicrel.presentation.files import exports

if TYPE_CHECKING:
    from musicrel.generation.candidates.candidate_job import Event
    from musicrel.generation.events import Generated, GenerationStep, Trying
    from musicrel.generation.loaded_model import LoadedModel
    from musicrel.generation.request import GenerationRequest

_MOST_PIECES = 10_000


def add(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    arguments.add_model(parser)
    arguments.add_request(parser)
    piece_options.add(parser)
    candidates.add(parser)
    parser.add_argument(
        "--count", type=int, default=1, help="how many pieces, with seeds from --seed on"
    )
    parser.add_argument("--out", required=True, help="a file, or a folder for several")
    parser.add_argument("--format", help="as in mid,json (default: by the suffix of --out, or mid)")
    arguments.add_device(parser)
    arguments.add_json(parser)


def run(asked: argparse.Namespace) -> int:
    """Write the pieces; the exit code."""
    from musicrel.generation.loaded_model import load_model

    _check(asked)
    request, _ = piece_options.request_of(asked)
    replace(request, seed=request.seed + asked.count - 1)  # all seeds are within bounds
    target = destination(asked.out, asked.format, asked.count)
    model = load_model(asked.model, asked.device, asked.threads)
    if asked.candidates is not None:
        with _keeping(target.of(request.seed)):
            return _propose(asked, model, target)
    written, made = [], []
    for seed in range(request.seed, request.seed + asked.count):
        with _keeping(target.of(seed)):
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


def _check(asked: argparse.Namespace) -> None:
    if not 1 <= asked.count <= _MOST_PIECES:
        raise UsageError(f"count is {asked.count}: expected 1 to {_MOST_PIECES}")
    if asked.candidates is not None and asked.count > 1:
        raise UsageError(
            "--count makes pieces and --candidates proposals for one: give one of them"
        )
    candidates.check(asked)


@contextmanager
def _keeping(files: list[Path]) -> Iterator[None]:
    """Where no note is left to write, what there is goes into ``files``.

    Raises:
        GenerationError: no note is left; it says where the beginning is.
    """
    from musicrel.generation.events import NoLegalNoteError

    try:
        yield
    except NoLegalNoteError as reason:
        if reason.written is None:
            raise
        for path in files:
            exports.write(reason.written, path)
        raise GenerationError(f"{reason}; the beginning is in {files[0]}") from reason


def _propose(asked: argparse.Namespace, model: LoadedModel, target: Destination) -> int:
    made, files = candidates.propose(asked, model, target)
    if not asked.json:
        output.say("\n".join([candidates.text(made), *files]))
        return 0
    output.say_json(candidates.figures(made, files, model, asked.threads))
    return 0


def _write(model: LoadedModel, request: GenerationRequest) -> Generated:
    from musicrel import jobs
    from musicrel.generation.causal.batch import Progress
    from musicrel.generation.events import GenerationStep
    from musicrel.generation.generation_job import write

    with output.Progress(f"seed {request.seed}", request.steps * 4, "tokens") as progress:

        def show(event: GenerationStep | Trying | Event) -> None:
            if isinstance(event, GenerationStep):
                progress.reach(event.index)
            elif isinstance(event, Progress):
                progress.expect(event.total)
                progress.reach(event.done)

        return jobs.run(write(model, request), show)


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
