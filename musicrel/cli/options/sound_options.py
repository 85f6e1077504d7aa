"""The options --sound and --soundfont, for the commands that make sound."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from musicrel.cli.options.arguments import checked
from musicrel.score import instruments

if TYPE_CHECKING:
    from musicrel.score.audio.mixer import Mix


def add(parser: argparse.ArgumentParser) -> None:
    """Add --sound and --soundfont."""
    parser.add_argument(
        "--sound",
        type=checked(instruments.parse),
        metavar=f"{{{','.join(instruments.INSTRUMENTS)}}}",
        help="instrument of all voices, or four for S,A,T,B as in organ,strings,oboe,brass "
        "(default: choir)",
    )
    parser.add_argument(
        "--soundfont",
        type=Path,
        metavar="SF2",
        help="SoundFont of piano, strings, oboe and brass (default: that of pretty_midi)",
    )


def mix(options: argparse.Namespace) -> Mix:
    """Return the mixer settings with the requested instruments."""
    from musicrel.score.audio import soundfont
    from musicrel.score.audio.mixer import Mix

    sounds = options.sound or instruments.for_voices("choir")
    if options.soundfont is not None or instruments.needs_soundfont(sounds):
        soundfont.check(options.soundfont)
    return Mix(sound=sounds, soundfont=options.soundfont)
