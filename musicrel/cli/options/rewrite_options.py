"""What harmonise, infill, continue and vary share: how notes are chosen, and where they go.

This file knows arguments and files; what is asked of a piece is ``musicrel.generation``'s.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from musicrel.chorale import Key
from musicrel.cli import output
from musicrel.cli.options import arguments, candidates, piece_options
from musicrel.cli.options.arguments import checked
from musicrel.cli.options.destination import destination

if TYPE_CHECKING:
    from musicrel.chorale import Chorale, Voice
    from musicrel.generation.request import GenerationRequest
    from musicrel.score.importing.conversion import Reading


def add(parser: argparse.ArgumentParser) -> None:
    """The arguments that the commands share."""
    parser.add_argument(
        "--model",
        default="relative-infill",
        help="name or directory of a model (default: relative-infill); one that only looks "
        "back, such as relative or vanilla, writes towards what is given blind: ask for several "
        "--candidates then",
    )
    arguments.add_chance(parser)
    piece_options.add_rules(parser)
    parser.add_argument(
        "--key", type=checked(Key.parse), help="as in 'F# minor' (default: that of the file)"
    )
    candidates.add(parser)
    parser.set_defaults(candidates=1)
    parser.add_argument("--out", required=True, help="a file, or a folder for several")
    parser.add_argument("--format", help="as in mid,json (default: by the suffix of --out, or mid)")
    arguments.add_device(parser)
    arguments.add_json(parser)


def wishes(asked: argparse.Namespace, reading: Reading) -> dict[str, Any]:
    """Fields of the request.

    Args:
        asked: the arguments; a key that is asked for moves as the piece was moved.
        reading: says the key where they do not.
    """
    key = asked.key.transposed(reading.semitones) if asked.key else reading.chorale.key
    return {"key": key} | piece_options.chance(asked)


def tune(name: str, voice: Voice) -> Reading:
    """The melody in a file, or the bundled tune of that name, for ``voice`` to sing.

    Raises:
        UsageError: it is neither.
        FileError: the file is damaged or holds no music.
    """
    from musicrel.corpus import melodies
    from musicrel.score import files

    path = Path(name)
    if not path.suffix and not path.exists():
        path = melodies.path(name)
    return _told(files.melody(path, voice), path)


def piece(name: str) -> Reading:
    """The piece in a file, moved into the span that models know; what was bent is told.

    Raises:
        UsageError: no format with this suffix can be read.
        FileError: the file is missing, damaged, too long, or holds no music.
    """
    from musicrel.generation.edit_requests import within_span
    from musicrel.score import files

    reading = _told(files.reading(Path(name)), Path(name))
    chorale, semitones = within_span(reading.chorale)
    return replace(reading, chorale=chorale, semitones=semitones)


def beginning(chorale: Chorale, name: str) -> Chorale:
    """``chorale``, or as many of its bars as can be written at once; that is told then.

    Args:
        chorale: any piece.
        name: of its file or tune.
    """
    from musicrel.generation import edit_requests

    first = edit_requests.beginning(chorale)
    if first.steps < chorale.steps:
        output.note(f"{Path(name).name}: it is too long, its first {first.bars} bars are taken")
    return first


def carry_out(
    asked: argparse.Namespace,
    request: GenerationRequest,
    original: Chorale | None = None,
    finished: Callable[[Chorale], Chorale] = lambda chorale: chorale,
) -> int:
    """Write what is asked for; the exit code.

    Args:
        asked: the arguments.
        request: what to write.
        original: what it might replace.
        finished: what is done to each piece before it is stored.
    """
    from musicrel.generation.loaded_model import load_model

    candidates.check(asked)
    target = destination(asked.out, asked.format, 1)
    model = load_model(asked.model, asked.device, asked.threads)
    made = candidates.proposals(model, request, asked.candidates, original, asked.weights)
    files = candidates.write(made, target, finished)
    if asked.json:
        output.say_json(candidates.figures(made, files, model, asked.threads))
    else:
        shown = [candidates.text(made)] if asked.candidates > 1 else []
        output.say("\n".join([*shown, *files]))
    return 0


def _told(reading: Reading, path: Path) -> Reading:
    for sentence in reading.report:
        output.note(f"{path.name}: {sentence}")
    return reading
