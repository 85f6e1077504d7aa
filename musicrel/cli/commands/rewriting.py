"""``musicrel harmonise``, ``infill``, ``continue``, ``vary``: new notes in a piece."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from musicrel import api, paths
from musicrel.chorale import Chorale, Key, Voice
from musicrel.cli import output
from musicrel.cli.options import arguments, candidates, source_file
from musicrel.cli.options.arguments import Argument, argument
from musicrel.corpus import melodies
from musicrel.errors import UsageError
from musicrel.generation import edit_requests
from musicrel.generation.candidates.candidate_job import generate_candidates
from musicrel.generation.constraints import last_chord
from musicrel.generation.loaded_model import load_model
from musicrel.generation.request import GenerationRequest
from musicrel.generation.transposition import Transposition, fit_to_vocabulary, place_melody
from musicrel.score.importing.conversion import ImportedPiece

_VOICES: Final = argument(
    "--voices", "voices to rewrite, as in A,T (default: all)", default="S,A,T,B"
)
_PIECE: Final = argument("score", arguments.A_PIECE)
# Command -> its own arguments.
_OWN: Final[Mapping[str, tuple[Argument, ...]]] = {
    "harmonise": (
        argument("melody", f"a {arguments.PIECE_FILES} file, or a bundled tune such as ode-to-joy"),
        argument("--voice", "the voice of the melody: S, A, T or B", default="S"),
        argument(
            "--phrases",
            "bars of each phrase, as in 4,4,4,4; each ends with a fermata; replaces the fermatas "
            "of the file",
            arguments.whole_numbers,
            (),
        ),
        argument(
            "--last-chord",
            "end of the piece where the melody allows it: on the tonic after the dominant, on the "
            "tonic, or on any chord (default: authentic, unless --cadence asks for another)",
            choices=("authentic", "tonic", "free"),
        ),
    ),
    "infill": (
        _PIECE,
        _VOICES,
        argument(
            "--steps",
            "steps to rewrite, in sixteenths from 0, half-open, as in 16:32 (default: all)",
        ),
    ),
    "continue": (_PIECE, argument("--bars", "number of new bars", arguments.number("bars"), 4)),
    "vary": (
        _PIECE,
        argument(
            "--change",
            "share of the piece to rewrite, 0 (similar) to 1 (different; default: 0.3)",
            arguments.number("change"),
            0.3,
        ),
        _VOICES,
    ),
}


def add(parser: argparse.ArgumentParser, command: str) -> None:
    model = "relative" if command == "harmonise" else "relative-infill"
    more = (
        "; a causal one, such as relative or vanilla, leads less smoothly into fixed notes ahead "
        "in the same voice"
    )
    arguments.add(
        parser,
        (
            *_OWN[command],
            arguments.model(model, more),
            *arguments.sampling(),
            arguments.RULES,
            arguments.RANGES,
            argument("--key", "key, as in 'F# minor' (default: that of the file)", Key.parse),
            *arguments.CANDIDATES,
            *arguments.OUTPUT,
            *arguments.DEVICE,
            arguments.JSON,
        ),
    )
    parser.set_defaults(candidates=1)


class _Task(NamedTuple):
    request: GenerationRequest
    transposition: Transposition
    original: Chorale | None = None
    title: str = ""


def run(options: argparse.Namespace) -> int:
    task = _TASKS[options.command](options)
    request = edit_requests.with_ranges(task.request, options.ranges)
    candidates.check(options)
    target = candidates.destination(options.out, options.format, 1)
    model = load_model(options.model, options.device, options.threads)
    candidates.check_cadence(options, request)
    count = options.candidates or 1
    job = generate_candidates(
        model,
        request,
        count,
        original=task.original,
        transposition=task.transposition,
        weights=options.weights,
    )
    found = candidates.run(job)
    candidates.write(found, target, model, options, with_table=count > 1, title=task.title)
    return 0


def _harmonise(options: argparse.Namespace) -> _Task:
    voices = edit_requests.parse_voices(options.voice)
    if len(voices) != 1:
        raise UsageError(f"--voice {options.voice} names {len(voices)} voices: expected one")
    source = _read_melody(options.melody, voices[0])
    melody = _truncated(source.chorale, options.melody)
    melody = edit_requests.with_phrases(melody, options.phrases)
    key = options.key and options.key.transposed(source.semitones)
    melody, transposition, _ = place_melody(melody, voices[0], key)
    fields = _fields(options, transposition)
    if options.last_chord:
        fields["last_chord"] = options.last_chord.replace("free", last_chord.FREE)
    request = edit_requests.harmony_request(melody, voices[0], **fields)
    return _Task(request, transposition, title=melody.title or "Harmonised melody")


def _infill(options: argparse.Namespace) -> _Task:
    voices = edit_requests.parse_voices(options.voices)
    span = edit_requests.parse_steps(options.steps) if options.steps is not None else None
    piece, transposition = _read_piece(options)
    piece = _truncated(piece, options.score)
    start, stop = span or (0, piece.steps)
    fields = _fields(options, transposition)
    request = edit_requests.infill_request(piece, voices, start, stop, **fields)
    return _Task(request, transposition, piece)


def _vary(options: argparse.Namespace) -> _Task:
    voices = edit_requests.parse_voices(options.voices)
    piece, transposition = _read_piece(options)
    piece = _truncated(piece, options.score)
    fields = _fields(options, transposition)
    request = edit_requests.variation_request(piece, options.change, voices, **fields)
    return _Task(request, transposition, piece)


def _continue(options: argparse.Namespace) -> _Task:
    piece, transposition = _read_piece(options)
    fields = _fields(options, transposition)
    return _Task(edit_requests.continuation_request(piece, options.bars, **fields), transposition)


_TASKS: Final[Mapping[str, Callable[[argparse.Namespace], _Task]]] = {
    "harmonise": _harmonise,
    "infill": _infill,
    "continue": _continue,
    "vary": _vary,
}


def _fields(options: argparse.Namespace, transposition: Transposition) -> dict[str, Any]:
    return api.parsed(candidates.sampling(options)) | {"key": transposition.requested_key}


def _read_melody(name: str, voice: Voice) -> ImportedPiece:
    """Read the melody in a file, or the bundled tune of that name, as the part of ``voice``."""
    path = Path(name)
    if not path.suffix and not paths.is_file(path):
        path = melodies.path(name)
    return source_file.read_melody(path, voice)


def _read_piece(options: argparse.Namespace) -> tuple[Chorale, Transposition]:
    return fit_to_vocabulary(source_file.read(Path(options.score)), options.key)


def _truncated(chorale: Chorale, name: str) -> Chorale:
    """Cut ``chorale`` to the longest piece that can be generated; print a message if it is cut."""
    first = edit_requests.truncated(chorale)
    if first.steps < chorale.steps:
        cut = f"{Path(name).name}: it is too long, only its first {first.bars} bars are used"
        output.report([cut])
    return first
