"""``musicrel harmonise``: three voices to a melody.

This file knows arguments; how a melody is read and harmonised stands below it.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

from musicrel.cli import arguments, filling
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
    filling.add(parser)


def run(asked: argparse.Namespace) -> int:
    """Harmonise; the exit code."""
    from musicrel.generation import harmonising

    voices = harmonising.voices_named(asked.voice)
    if len(voices) != 1:
        raise UsageError(f"--voice {asked.voice} names {len(voices)} voices: expected one")
    reading = filling.tune(asked.melody, voices[0])
    melody = filling.beginning(reading.chorale, asked.melody)
    melody = harmonising.phrased(melody, asked.phrases)
    wishes = filling.wishes(asked, reading)
    request = harmonising.harmony(melody, voices[0], **wishes)

    def finished(chorale: Chorale) -> Chorale:
        return replace(reading.moved_back(chorale), title=melody.title or "Harmonised melody")

    return filling.carry_out(asked, request, finished=finished)
