"""The options --practice, --minus-one, --metronome, --count-in and --fermatas."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Final

from musicrel.chorale import Voice
from musicrel.cli.options import sound_options
from musicrel.cli.options.arguments import checked
from musicrel.errors import UsageError

if TYPE_CHECKING:
    from musicrel.presentation.files.practice_files import Sounding
    from musicrel.score.audio.metronome import Metronome
    from musicrel.score.performance import Style
    from musicrel.score.practice import Practice

HELD: Final = "held"
WRITTEN: Final = "written"

_ALL: Final = "all"
_NAMES: Final = {voice.name.lower(): voice for voice in Voice}


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for practice files."""
    parser.add_argument(
        "--practice",
        type=checked(_voices),
        metavar="VOICE",
        help="make this voice stand out: soprano, alto, tenor or bass; all: a file for each, as in "
        "'OUT – Soprano practice.wav' (.wav and .mid)",
    )
    parser.add_argument(
        "--minus-one",
        action="store_true",
        help="with --practice: leave the voice out instead",
    )
    add_metronome(parser)
    parser.add_argument(
        "--fermatas",
        choices=(HELD, WRITTEN),
        help="hold notes under a fermata longer, or as written (default: held in .wav, written in "
        ".mid; a MIDI file slows the tempo down for them)",
    )


def add_metronome(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--metronome", action="store_true", help="click on the beats")
    parser.add_argument(
        "--count-in",
        action="store_true",
        help="click for one bar before, and for what is missing before a pickup",
    )


def is_given(options: argparse.Namespace) -> bool:
    if options.minus_one and not options.practice:
        raise UsageError("--minus-one needs a voice to leave out: add --practice, as in alto")
    return bool(given(options))


def given(options: argparse.Namespace) -> str:
    """Return the names of the given options, as in "--practice, --metronome", or ""."""
    return ", ".join(
        name
        for name, value in (
            ("--practice", options.practice),
            ("--minus-one", options.minus_one),
            ("--metronome", options.metronome),
            ("--count-in", options.count_in),
            ("--fermatas", options.fermatas),
        )
        if value
    )


def versions(options: argparse.Namespace) -> tuple[Practice, ...]:
    """Return the requested practice versions, none without --practice."""
    from musicrel.score.practice import Kind, Practice

    kind: Kind = "left out" if options.minus_one else "louder"
    return tuple(Practice(voice=voice, kind=kind) for voice in options.practice or ())


def sounding(options: argparse.Namespace, *, held: bool) -> Sounding:
    """Return instruments, fermatas and metronome; ``held``: fermatas are held by default."""
    from musicrel.presentation.files.practice_files import Sounding

    return Sounding(
        mix=sound_options.mix(options),
        style=_style(held=options.fermatas == HELD if options.fermatas else held),
        beat=metronome(options),
    )


def metronome(options: argparse.Namespace) -> Metronome:
    from musicrel.score.audio.metronome import Metronome

    return Metronome(on=options.metronome, count_in="start" if options.count_in else "never")


def _style(*, held: bool) -> Style:
    from musicrel.score.performance import FERMATA_STRETCH, Style

    return Style(fermata_stretch=FERMATA_STRETCH if held else 1.0)


def _voices(text: str) -> tuple[Voice, ...]:
    name = text.strip().lower()
    if name == _ALL:
        return tuple(Voice)
    if name not in _NAMES:
        raise UsageError(f"practice is {text!r}: expected {', '.join(_NAMES)} or {_ALL}")
    return (_NAMES[name],)
