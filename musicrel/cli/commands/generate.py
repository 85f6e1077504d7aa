"""``musicrel generate``: write pieces."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from musicrel.cli import output
from musicrel.cli.options import arguments, candidates, piece_options
from musicrel.cli.options.destination import Destination, destination
from musicrel.errors import GenerationError, UsageError
from musicrel.presentation.files import exports

if TYPE_CHECKING:
    from musicrel.generation.candidates.candidate_job import CandidateEvent
    from musicrel.generation.events import Generated, GenerationStep, PhraseEndTrial
    from musicrel.generation.loaded_model import LoadedModel
    from musicrel.generation.request import GenerationRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class _Options(candidates.Options):
    """Options of a run; see the help of the command."""

    count: int
    weight_type: str


def add(parser: argparse.ArgumentParser) -> None:
    arguments.add_model(parser)
    arguments.add_request(parser)
    piece_options.add(parser)
    candidates.add(parser)
    parser.add_argument(
        "--count",
        type=arguments.number("count"),
        default=1,
        help="number of pieces, with seeds from --seed on",
    )
    arguments.add_output(parser)
    arguments.add_device(parser)
    parser.add_argument("--weight-type", default="float32", help=argparse.SUPPRESS)
    arguments.add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Write the pieces; return the exit code."""
    from musicrel.generation.candidates.candidate_job import generate_candidates
    from musicrel.generation.loaded_model import load_model

    chosen = arguments.typed(options, _Options)
    _check(chosen)
    drawn = piece_options.drawn_phrases(options)
    request, original = piece_options.to_request(options)
    replace(request, seed=request.seed + chosen.count - 1)  # raises if a seed is out of bounds
    target = destination(chosen.out, chosen.format, chosen.count)
    model = load_model(chosen.model, chosen.device, chosen.threads, weight_type=chosen.weight_type)
    candidates.check_cadence(chosen, request)
    if chosen.candidates is None:
        seeds = range(request.seed, request.seed + chosen.count)
        requests = [drawn.applied(replace(request, seed=seed), model.conditions) for seed in seeds]
        _write_pieces(chosen, model, requests, target)
        return 0
    request = drawn.applied(request, model.conditions)
    with _saving_partial_piece(target.of(request.seed)):
        result = candidates.run(
            generate_candidates(
                model, request, chosen.candidates, original=original, weights=chosen.weights
            )
        )
    candidates.write(result, target, model, chosen, with_table=True)
    return 0


def _check(chosen: _Options) -> None:
    if chosen.candidates is not None and chosen.count > 1:
        raise UsageError(
            "--count writes several pieces, --candidates several candidates of one: "
            "give one of them"
        )
    candidates.check(chosen)


@contextmanager
def _saving_partial_piece(files: list[Path]) -> Iterator[None]:
    """Write the piece so far into ``files`` if locks and rules leave no note to continue."""
    from musicrel.generation.events import NoLegalNoteError

    try:
        yield
    except NoLegalNoteError as reason:
        if reason.written is None:
            raise
        for path in files:
            exports.write(reason.written, path)
        raise GenerationError(f"{reason}; the piece up to there is in {files[0]}") from reason


def _write_pieces(
    chosen: _Options, model: LoadedModel, requests: list[GenerationRequest], target: Destination
) -> None:
    """Write a piece for each request, and print their files as they come."""
    files: list[str] = []
    pieces: list[Generated] = []
    for request in requests:
        paths = target.of(request.seed)
        with _saving_partial_piece(paths):
            piece = _generate(model, request)
        for path in paths:
            exports.write(piece.chorale, path)
            files.append(str(path))
            if not chosen.json:
                output.print_text(str(path))
        pieces.append(piece)
    if chosen.json:
        result = {
            "files": files,
            "model": model.name,
            "seed": requests[0].seed,
            "device": str(model.device),
            "threads": chosen.threads,
        }
        output.print_json(result | _figures(pieces))


def _generate(model: LoadedModel, request: GenerationRequest) -> Generated:
    from musicrel import jobs
    from musicrel.generation.candidates.candidate_job import generate_piece
    from musicrel.generation.causal.batch import Progress
    from musicrel.generation.events import GenerationStep

    with output.ProgressBar(f"seed {request.seed}", request.steps * 4, "tokens") as bar:

        def show(event: GenerationStep | PhraseEndTrial | CandidateEvent) -> None:
            if isinstance(event, GenerationStep):
                bar.set_done(event.index)
            elif isinstance(event, Progress):
                bar.set_total(event.total)
                bar.set_done(event.done)

        return jobs.run(generate_piece(model, request), show)


def _figures(pieces: list[Generated]) -> dict[str, object]:
    """Return speed and loss over all pieces."""
    tokens = sum(piece.tokens for piece in pieces)
    seconds = sum(piece.seconds for piece in pieces)
    return {
        "tokens": tokens,
        "seconds": round(seconds, 3),
        "tokens_per_second": round(tokens / seconds, 1),
        "nats_per_note": sum(piece.nats_per_note * piece.tokens for piece in pieces) / tokens,
    }
