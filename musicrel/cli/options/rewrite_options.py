"""Options and steps that harmonise, infill, continue and vary share."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from musicrel.chorale import Key
from musicrel.cli import output
from musicrel.cli.options import arguments, candidates, piece_options, source_file
from musicrel.cli.options.arguments import checked
from musicrel.cli.options.destination import destination

if TYPE_CHECKING:
    from musicrel.chorale import Chorale, Voice
    from musicrel.generation.request import GenerationRequest
    from musicrel.score.importing.conversion import ImportedPiece


@dataclass(frozen=True, slots=True, kw_only=True)
class _Options:
    """Options of a run; see the help of the commands."""

    model: str
    candidates: int
    weights: Mapping[str, float]
    cadence: str
    out: str
    format: str | None
    device: str
    threads: int
    json: bool


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments to ``parser``."""
    parser.add_argument(
        "--model",
        default="relative-infill",
        help="name or folder of a model (default: relative-infill); a causal one, such as relative "
        "or vanilla, does not see fixed notes that lie ahead: generate several --candidates then",
    )
    arguments.add_sampling(parser)
    piece_options.add_rules(parser)
    parser.add_argument(
        "--key", type=checked(Key.parse), help="key, as in 'F# minor' (default: that of the file)"
    )
    candidates.add(parser)
    parser.set_defaults(candidates=1)
    arguments.add_output(parser)
    arguments.add_device(parser)
    arguments.add_json(parser)


def request_fields(options: argparse.Namespace, source: ImportedPiece) -> dict[str, Any]:
    """Return key and sampling as fields of a ``GenerationRequest``.

    Args:
        options: the parsed options; their key is transposed like the piece.
        source: the piece, which gives the key if the options do not.
    """
    key = options.key.transposed(source.semitones) if options.key else source.chorale.key
    return {"key": key} | piece_options.sampling_fields(options)


def read_melody(name: str, voice: Voice) -> ImportedPiece:
    """Read the melody in a file, or the bundled tune of that name, as the part of ``voice``.

    Raises:
        UsageError: it is neither.
        FileError: the file is damaged or holds no music.
    """
    from musicrel.corpus import melodies
    from musicrel.score import files

    path = Path(name)
    if not path.suffix and not path.exists():
        path = melodies.path(name)
    return source_file.reported(files.import_melody(path, voice), path)


def read_piece(name: str) -> ImportedPiece:
    """Read the piece in a file and transpose it into the range of the vocabulary.

    Raises:
        UsageError: the suffix is not one of a format that can be read.
        FileError: the file is missing, damaged, too long, or holds no music.
    """
    from musicrel.generation.edit_requests import fit_to_vocabulary
    from musicrel.score import files

    source = source_file.reported(files.import_satb(Path(name)), Path(name))
    chorale, semitones = fit_to_vocabulary(source.chorale)
    return replace(source, chorale=chorale, semitones=semitones)


def truncate(chorale: Chorale, name: str) -> Chorale:
    """Cut ``chorale`` to the longest piece that can be generated; print a message if it is cut.

    Args:
        chorale: any piece.
        name: name of its file or tune, for the message.
    """
    from musicrel.generation import edit_requests

    first = edit_requests.truncated(chorale)
    if first.steps < chorale.steps:
        output.print_message(
            f"{Path(name).name}: it is too long, only its first {first.bars} bars are used"
        )
    return first


def run(
    options: argparse.Namespace,
    request: GenerationRequest,
    original: Chorale | None = None,
    finalize: Callable[[Chorale], Chorale] = lambda chorale: chorale,
) -> int:
    """Generate and write the candidates of ``request``; return the exit code.

    Args:
        options: the parsed options.
        request: the piece to write.
        original: the piece it may replace.
        finalize: applied to each piece before it is written.
    """
    from musicrel.generation.loaded_model import load_model

    chosen = arguments.typed(options, _Options)
    candidates.check(chosen.candidates, chosen.weights, chosen.cadence)
    target = destination(chosen.out, chosen.format, 1)
    model = load_model(chosen.model, chosen.device, chosen.threads)
    result = candidates.generate(model, request, chosen.candidates, original, chosen.weights)
    files = candidates.write(result, target, finalize)
    if chosen.json:
        output.print_json(candidates.to_json(result, files, model, chosen.threads))
    else:
        shown = [candidates.table(result)] if chosen.candidates > 1 else []
        output.print_text("\n".join([*shown, *files]))
    return 0
