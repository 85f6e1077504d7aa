"""Arguments that several commands share, and how text becomes values.

This file knows argparse; it knows nothing of what the commands do.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TypeVar

from musicrel.chorale import Key, Meter
from musicrel.errors import UsageError
from musicrel.generation.request import FREELY
from musicrel.settings import MOST_THREADS

Value = TypeVar("Value")


def checked(parse: Callable[[str], Value]) -> Callable[[str], Value]:
    """``parse`` as argparse wants it: its sentence becomes the message of wrong usage."""

    def convert(text: str) -> Value:
        try:
            return parse(text)
        except UsageError as reason:
            raise argparse.ArgumentTypeError(str(reason)) from reason

    return convert


def whole_numbers(text: str) -> tuple[int, ...]:
    """``2,2,4`` as numbers.

    Raises:
        UsageError: a part is no whole number.
    """
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise UsageError(f"{text!r} is no list of whole numbers as in 2,2,4") from None


def threads(text: str) -> int:
    """``2`` as a number of threads.

    Raises:
        UsageError: it is none that torch may be given.
    """
    found = int(text) if text.isdecimal() else 0
    if not 1 <= found <= MOST_THREADS:
        raise UsageError(f"threads is {text}: expected 1 to {MOST_THREADS}")
    return found


def add_device(parser: argparse.ArgumentParser) -> None:
    """--device and --threads, on all that compute."""
    parser.add_argument(
        "--device",
        default="auto",
        help="cpu, cuda or mps (default: auto, the first there is of CUDA, MPS and CPU)",
    )
    parser.add_argument(
        "--threads", type=checked(threads), default=1, help="processor threads (default: 1)"
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    """--json, on all that give a result."""
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")


def add_model(parser: argparse.ArgumentParser, more: str = "") -> None:
    """--model, on all that use one."""
    parser.add_argument(
        "--model",
        default="relative",
        help=f"name or directory of a model (default: relative){more}",
    )


def add_request(parser: argparse.ArgumentParser) -> None:
    """What a piece to be written is like; see ``GenerationRequest``."""
    parser.add_argument("--bars", type=int, default=16, help="length in bars (default: 16)")
    parser.add_argument(
        "--meter", type=checked(Meter.parse), default=Meter(), help="as in 3/4 (default: 4/4)"
    )
    parser.add_argument(
        "--pickup",
        type=int,
        default=0,
        help="sixteenths before the first bar line; most chorales have 4, and with them the models "
        "come home more often (default: 0)",
    )
    parser.add_argument("--key", type=checked(Key.parse), help="as in 'F# minor' (default: any)")
    add_phrases(parser)
    parser.add_argument(
        "--tempo", type=float, default=80.0, help="quarter notes a minute (default: 80)"
    )
    add_chance(parser, FREELY)


def add_phrases(parser: argparse.ArgumentParser, more: str = "") -> None:
    """--phrases, on all that may be told them."""
    parser.add_argument(
        "--phrases",
        type=checked(whole_numbers),
        default=(),
        help=f"bars of each phrase as in 4,4,4,4; a fermata ends each{more}",
    )


def add_chance(parser: argparse.ArgumentParser, top_p: float = 1.0) -> None:
    """How notes are chosen; see ``GenerationRequest``."""
    parser.add_argument(
        "--patience",
        default="normal",
        help="how often a model that fills in, such as relative-infill, goes over its notes, and "
        "of how many ways to the end of a phrase one that writes in order takes the likeliest: "
        "draft (as it comes), normal or careful (default: normal)",
    )
    parser.add_argument(
        "--temperature",
        type=float,
        default=1.0,
        help="how surprising: 0 always the likeliest note, 1 as learned (default: 1)",
    )
    parser.add_argument(
        "--top-k",
        type=int,
        default=0,
        help="choose each note among so many of the likeliest (default: 0, all)",
    )
    parser.add_argument(
        "--top-p",
        type=float,
        default=top_p,
        help="choose each note among the likeliest that together have this chance; 1: all "
        f"(default: {top_p:g})",
    )
    parser.add_argument("--seed", type=int, default=0, help="same seed, same notes (default: 0)")
