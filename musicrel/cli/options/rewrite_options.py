"""Options and steps that harmonise, infill, continue and vary share."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from musicrel import paths
from musicrel.chorale import Key
from musicrel.cli import output
from musicrel.cli.options import arguments, candidates, piece_options, source_file
from musicrel.cli.options.arguments import checked
from musicrel.cli.options.destination import destination

if TYPE_CHECKING:
    from musicrel.chorale import Chorale, Voice
    from musicrel.generation.request import GenerationRequest
    from musicrel.generation.transposition import Transposition
    from musicrel.score.importing.conversion import ImportedPiece


def add(parser: argparse.ArgumentParser, model: str = "relative-infill") -> None:
    parser.add_argument(
        "--model",
        default=model,
        help=f"name or folder of a model (default: {model}); a causal one, such as relative or "
        "vanilla, leads less smoothly into fixed notes ahead in the same voice",
    )
    arguments.add_sampling(parser)
    piece_options.add_rules(parser)
    piece_options.add_ranges(parser)
    parser.add_argument(
        "--key", type=checked(Key.parse), help="key, as in 'F# minor' (default: that of the file)"
    )
    candidates.add(parser)
    parser.set_defaults(candidates=1)
    arguments.add_output(parser)
    arguments.add_device(parser)
    arguments.add_json(parser)


def request_fields(options: argparse.Namespace, transposition: Transposition) -> dict[str, Any]:
    """Return key and sampling as fields of a ``GenerationRequest``."""
    return {"key": transposition.requested_key} | piece_options.sampling_fields(options)


def read_melody(name: str, voice: Voice) -> ImportedPiece:
    """Read the melody in a file, or the bundled tune of that name, as the part of ``voice``."""
    from musicrel.corpus import melodies

    path = Path(name)
    if not path.suffix and not paths.is_file(path):
        path = melodies.path(name)
    return source_file.read_melody(path, voice)


def read_piece(options: argparse.Namespace) -> tuple[Chorale, Transposition]:
    """Read the piece that ``options.score`` names, transposed into the range of the vocabulary."""
    from musicrel.generation.transposition import fit_to_vocabulary

    return fit_to_vocabulary(source_file.read(Path(options.score)), options.key)


def truncate(chorale: Chorale, name: str) -> Chorale:
    """Cut ``chorale`` to the longest piece that can be generated; print a message if it is cut."""
    from musicrel.generation import edit_requests

    first = edit_requests.truncated(chorale)
    if first.steps < chorale.steps:
        cut = f"{Path(name).name}: it is too long, only its first {first.bars} bars are used"
        output.report([cut])
    return first


def run(
    options: argparse.Namespace,
    request: GenerationRequest,
    transposition: Transposition,
    *,
    original: Chorale | None = None,
    title: str = "",
) -> int:
    """Generate and write the candidates of ``request``; return the exit code.

    Args:
        title: title of each candidate; "": its own.
    """
    from musicrel.generation import edit_requests
    from musicrel.generation.candidates.candidate_job import generate_candidates
    from musicrel.generation.loaded_model import load_model

    request = edit_requests.with_ranges(request, options.ranges)
    chosen = arguments.typed(options, candidates.Options)
    candidates.check(chosen)
    target = destination(chosen.out, chosen.format, 1)
    model = load_model(chosen.model, chosen.device, chosen.threads)
    candidates.check_cadence(chosen, request)
    count = chosen.candidates or 1
    job = generate_candidates(
        model,
        request,
        count,
        original=original,
        transposition=transposition,
        weights=chosen.weights,
    )
    result = candidates.run(job)
    candidates.write(result, target, model, chosen, with_table=count > 1, title=title)
    return 0
