"""``musicrel harmonise``: write three voices to a melody."""

from __future__ import annotations

import argparse

from musicrel.cli.options import arguments, rewrite_options
from musicrel.errors import UsageError


def add(parser: argparse.ArgumentParser) -> None:
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
    parser.add_argument(
        "--last-chord",
        choices=("authentic", "tonic", "free"),
        help="end of the piece where the melody allows it: on the tonic after the dominant, on the "
        "tonic, or on any chord (default: authentic, unless --cadence asks for another)",
    )
    rewrite_options.add(parser, model="relative")


def run(options: argparse.Namespace) -> int:
    """Harmonise the melody; return the exit code."""
    from musicrel.generation import edit_requests
    from musicrel.generation.constraints import last_chord
    from musicrel.generation.transposition import place_melody

    voices = edit_requests.parse_voices(options.voice)
    if len(voices) != 1:
        raise UsageError(f"--voice {options.voice} names {len(voices)} voices: expected one")
    source = rewrite_options.read_melody(options.melody, voices[0])
    melody = rewrite_options.truncate(source.chorale, options.melody)
    melody = edit_requests.with_phrases(melody, options.phrases)
    key = options.key and options.key.transposed(source.semitones)
    melody, transposition, _ = place_melody(melody, voices[0], key)
    fields = rewrite_options.request_fields(options, transposition)
    if options.last_chord:
        fields["last_chord"] = options.last_chord.replace("free", last_chord.FREE)
    request = edit_requests.harmony_request(melody, voices[0], **fields)
    title = melody.title or "Harmonised melody"
    return rewrite_options.run(options, request, transposition, title=title)
