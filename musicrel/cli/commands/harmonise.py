"""``musicrel harmonise``: three voices to a melody.

This file knows arguments; how a melody is read and harmonised stands below it.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

from musicrel.cli.options import arguments, rewrite_options
from musicrel.errors import UsageError

if TYPE_CHECKING:
    from musicrel.chorale import Chorale


def add(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument(
        "melody", help="a MIDI, MusicXML or JSON file, or a bundled tune as in ode-to-joy"
    )
    parser.add_argument(
        "--voice", default="S", help="who sings the melody: S, A, T or B (default: S)"
    )
    arguments.add_phrases(parser, "; instead of the fermatas of the file")
    rewrite_options.add(parser)


def run(asked: argparse.Namespace) -> int:
    """Harmonise; the exit code."""
    from musicrel.generation import edit_requests

    voices = edit_requests.voices_named(asked.voice)
    if len(voices) != 1:
        raise UsageError(f"--voice {asked.voice} names {len(voices)} voices: expected one")
    reading = rewrite_options.tune(asked.melody, voices[0])
    melody = rewrite_options.beginning(reading.chorale, asked.melody)
    melody = edit_requests.phrased(melody, asked.phrases)
    wishes = rewrite_options.wishes(asked, reading)
    request = edit_requests.harmony(melody, voices[0], **wishes)

    def finished(chorale: Chorale) -> Chorale:
        return replace(reading.moved_back(chorale), title=melody.title or "Harmonised melody")

    return rewrite_options.carry_out(asked, request, finished=finished)
