"""Arguments that several commands share, and how text becomes values."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import fields
from typing import TYPE_CHECKING, TypeVar

from musicrel import bounds, legacy
from musicrel.chorale import Key, Meter
from musicrel.errors import UsageError
from musicrel.generation import quality
from musicrel.generation.heads.mutes import REPLACEMENTS
from musicrel.generation.request import DEFAULT_TOP_P

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    Options = TypeVar("Options", bound=DataclassInstance)

Value = TypeVar("Value")

PIECE_FILES = "MIDI, MusicXML or JSON"
"""The formats of pieces that commands read, for help texts."""
A_PIECE = f"a piece: {PIECE_FILES}"


def checked(parse: Callable[[str], Value]) -> Callable[[str], Value]:
    """Return ``parse`` for argparse: its sentence becomes the message of wrong usage."""

    def convert(text: str) -> Value:
        try:
            return parse(text)
        except UsageError as reason:
            raise argparse.ArgumentTypeError(str(reason)) from reason

    return convert


def typed(options: argparse.Namespace, kind: type[Options]) -> Options:
    """Return the parsed options that the dataclass ``kind`` has attributes for."""
    return kind(**{field.name: getattr(options, field.name) for field in fields(kind)})


def whole_numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(bounds.parse("bars", part)) for part in text.split(","))
    except UsageError:
        raise UsageError(
            f"phrases are {text!r}: expected the bars of each, at least 1, as in 2,2,4"
        ) from None


def _phrases(text: str) -> tuple[int, ...]:
    try:
        return () if text == "none" else whole_numbers(text)
    except UsageError:
        raise UsageError(
            f"phrases are {text!r}: expected auto, none or the bars of each, as in 2,2,4"
        ) from None


def number(name: str, label: str = "") -> Callable[[str], float]:
    """Return a parser of a number; its error is one sentence, without argparse's usage."""
    return lambda text: bounds.parse(name, text, label)


def _drawn_or(parse: Callable[[str], Value]) -> Callable[[str], Value | None]:
    return lambda text: None if text == "auto" else parse(text)


def add_device(parser: argparse.ArgumentParser) -> None:
    """Add --device and --threads, for all commands that compute."""
    parser.add_argument(
        "--device",
        default="auto",
        help="cpu, cuda or mps (default: auto, the first available of CUDA, MPS and CPU)",
    )
    parser.add_argument(
        "--threads", type=number("threads"), default=1, help="processor threads (default: 1)"
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add --json, for all commands with a result."""
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")


def add_model(parser: argparse.ArgumentParser, more: str = "") -> None:
    """Add --model, with ``more`` at the end of its help."""
    parser.add_argument(
        "--model",
        default="relative",
        help=f"name or folder of a model (default: relative){more}",
    )


def add_request(parser: argparse.ArgumentParser) -> None:
    """Add the form of a new piece and the sampling; see ``GenerationRequest``."""
    parser.add_argument(
        "--bars", type=number("bars"), default=16, help="length in bars (default: 16)"
    )
    parser.add_argument(
        "--meter",
        type=checked(Meter.parse),
        default=Meter(),
        help="time signature, as in 3/4 (default: 4/4)",
    )
    parser.add_argument(
        "--pickup",
        type=_drawn_or(number("pickup")),
        help="sixteenths before the first bar line; most chorales have 4, and with them the models "
        "end on the tonic more often (default: auto, drawn from the chorales with the seed; "
        "without phrases 0)",
    )
    parser.add_argument(
        "--key", type=checked(Key.parse), help="key, as in 'F# minor' (default: any)"
    )
    parser.add_argument(
        "--phrases",
        type=checked(_drawn_or(_phrases)),
        help="bars of each phrase, as in 4,4,4,4; each ends with a fermata; none: the model's "
        "choice (default: auto, drawn from the chorales with the seed)",
    )
    parser.add_argument(
        "--tempo", type=number("tempo"), default=80.0, help="quarter notes per minute (default: 80)"
    )
    add_sampling(parser, DEFAULT_TOP_P)


def add_sampling(parser: argparse.ArgumentParser, top_p: float = 1.0) -> None:
    """Add quality, temperature, top-k, top-p, seed and mutes; see ``GenerationRequest``."""
    parser.add_argument(
        "--patience",
        dest="quality",
        type=legacy.quality,
        default=argparse.SUPPRESS,
        help=argparse.SUPPRESS,
    )
    parser.add_argument(
        "--quality",
        type=legacy.quality,
        default=quality.NORMAL,
        help=f"{quality.DESCRIPTION[0].lower()}{quality.DESCRIPTION[1:]}: "
        f"{', '.join(quality.QUALITIES)} (default: {quality.NORMAL})",
    )
    parser.add_argument(
        "--temperature",
        type=number("temperature"),
        default=1.0,
        help="sampling temperature: 0 always takes the likeliest note, 1 samples from the model's "
        "own distribution (default: 1)",
    )
    parser.add_argument(
        "--top-k",
        type=number("top-k"),
        default=0,
        help="sample each note from this number of the likeliest (default: 0, all)",
    )
    parser.add_argument(
        "--top-p",
        type=number("top-p"),
        default=top_p,
        help="nucleus sampling: sample each note from the likeliest that together have this "
        f"probability; 1: all (default: {top_p:g})",
    )
    parser.add_argument(
        "--seed",
        type=number("seed"),
        default=0,
        help="random seed: the same seed gives the same notes (default: 0)",
    )
    add_mutes(parser)


def add_mutes(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--mute",
        default="",
        metavar="HEADS",
        help="heads of the model to mute, as in 2.3,4: head 3 of layer 2 and all of layer 4",
    )
    parser.add_argument(
        "--mute-by",
        choices=REPLACEMENTS,
        default="mean",
        help="output of muted heads: their mean over the training pieces, or zero (default: mean)",
    )


def add_output(parser: argparse.ArgumentParser) -> None:
    """Add --out and --format, for all commands that write pieces."""
    parser.add_argument("--out", required=True, help="a file, or a folder for several")
    parser.add_argument(
        "--format", help="file formats, as in mid,json (default: by the suffix of --out, or mid)"
    )
