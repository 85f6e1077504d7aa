"""``musicrel generate``: write pieces."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from musicrel import jobs
from musicrel.cli import output
from musicrel.cli.options import arguments, candidates
from musicrel.cli.options.arguments import argument
from musicrel.cli.options.candidates import Destination, destination
from musicrel.errors import GenerationError, UsageError
from musicrel.figures import exports
from musicrel.generation.candidates.candidate_job import (
    CandidateEvent,
    generate_candidates,
    generate_piece,
)
from musicrel.generation.causal.batch import Progress
from musicrel.generation.events import Generated, GenerationStep, NoLegalNoteError, PhraseEndTrial
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.generation.request import GenerationRequest


def add(parser: argparse.ArgumentParser) -> None:
    arguments.add(parser, (arguments.model(), *arguments.NEW_PIECE))
    candidates.add_fixed_notes(parser)
    number = argument(
        "--count", "number of pieces, with seeds from --seed on (default: 1)",
        arguments.number("count"), 1,
    )  # fmt: skip
    weight_type = argument("--weight-type", argparse.SUPPRESS, default="float32")
    own = (*arguments.CANDIDATES, number, *arguments.OUTPUT, *arguments.DEVICE)
    arguments.add(parser, (*own, weight_type, arguments.JSON))


def run(options: argparse.Namespace) -> int:
    if options.candidates is not None and options.count > 1:
        raise UsageError(
            "--count writes several pieces, --candidates several candidates of one: "
            "give one of them"
        )
    candidates.check(options)
    request, original = candidates.request(options)
    replace(request, seed=request.seed + options.count - 1)  # raises if a seed is out of bounds
    target = destination(options.out, options.format, options.count)
    model = load_model(
        options.model, options.device, options.threads, weight_type=options.weight_type
    )
    candidates.check_cadence(options, request)
    if options.candidates is None:
        seeds = range(request.seed, request.seed + options.count)
        requests = [replace(request, seed=seed).resolved(model.conditions) for seed in seeds]
        _write_pieces(options, model, requests, target)
        return 0
    request = request.resolved(model.conditions)
    with _saving_partial_piece(target.of(request.seed)):
        result = candidates.run(
            generate_candidates(
                model, request, options.candidates, original=original, weights=options.weights
            )
        )
    candidates.write(result, target, model, options, with_table=True)
    return 0


@contextmanager
def _saving_partial_piece(files: list[Path]) -> Iterator[None]:
    """Write the piece so far into ``files`` if locks and rules leave no note to continue."""
    try:
        yield
    except NoLegalNoteError as reason:
        if reason.written is None:
            raise
        for path in files:
            exports.write(reason.written, path)
        raise GenerationError(f"{reason}; the piece up to there is in {files[0]}") from reason


def _write_pieces(
    options: argparse.Namespace,
    model: LoadedModel,
    requests: list[GenerationRequest],
    target: Destination,
) -> None:
    files: list[str] = []
    pieces: list[Generated] = []
    for request in requests:
        paths = target.of(request.seed)
        with _saving_partial_piece(paths):
            piece = _generate(model, request)
        for path in paths:
            exports.write(piece.chorale, path)
            files.append(str(path))
            if not options.json:
                output.print_text(str(path))
        pieces.append(piece)
    if options.json:
        result = {
            "files": files,
            "model": model.name,
            "seed": requests[0].seed,
            "device": str(model.device),
            "threads": options.threads,
        }
        output.print_json(result | _figures(pieces))


def _generate(model: LoadedModel, request: GenerationRequest) -> Generated:
    with output.ProgressBar(f"seed {request.seed}", request.steps * 4, "tokens") as bar:

        def show(event: GenerationStep | PhraseEndTrial | CandidateEvent) -> None:
            if isinstance(event, GenerationStep):
                bar.set_done(event.index)
            elif isinstance(event, Progress):
                bar.set_done(event.done, total=event.total)

        return jobs.run(generate_piece(model, request), show)


def _figures(pieces: list[Generated]) -> dict[str, object]:
    tokens = sum(piece.tokens for piece in pieces)
    seconds = sum(piece.seconds for piece in pieces)
    return {
        "tokens": tokens,
        "seconds": round(seconds, 3),
        "tokens_per_second": round(tokens / seconds, 1),
        "nats_per_note": sum(piece.nats_per_note * piece.tokens for piece in pieces) / tokens,
    }
