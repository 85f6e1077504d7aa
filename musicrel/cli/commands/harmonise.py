"""``musicrel harmonise``: write three voices to a melody."""

from __future__ import annotations

import argparse

from musicrel.cli.options import arguments, rewrite_options
from musicrel.errors import UsageError


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "melody", help=f"a {arguments.PIECE_FILES} file, or a bundled tune such as ode-to-joy"
    )
    parser.add_argument(
        "--voice", default="S", help="the voice of the melody: S, A, T or B (default: S)"
    )
    parser.add_argument(
        "--phrases",
        type=arguments.checked(arguments.whole_numbers),
        default=(),
        help="bars of each phrase, as in 4,4,4,4; each ends with a fermata; replaces the fermatas "
        "of the file",
    )
    rewrite_options.add(parser)


def run(options: argparse.Namespace) -> int:
    """Harmonise the melody; return the exit code."""
    from musicrel.generation import edit_requests
    from musicrel.generation.transposition import Transposition

    voices = edit_requests.parse_voices(options.voice)
    if len(voices) != 1:
        raise UsageError(f"--voice {options.voice} names {len(voices)} voices: expected one")
    source = rewrite_options.read_melody(options.melody, voices[0])
    melody = rewrite_options.truncate(source.chorale, options.melody)
    melody = edit_requests.with_phrases(melody, options.phrases)
    transposition = Transposition(semitones=source.semitones, key=options.key)
    fields = rewrite_options.request_fields(options, transposition)
    request = edit_requests.harmony_request(melody, voices[0], **fields)
    title = melody.title or "Harmonised melody"
    return rewrite_options.run(options, request, transposition, title=title)
