"""What is given of a piece to be written, and what may not be: --from, --keep, --lock, --rules ...

This file knows arguments and files; locks and rules themselves stand in ``musicrel.generation``.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from musicrel.cli.options import source_file
from musicrel.cli.options.arguments import checked
from musicrel.errors import UsageError

if TYPE_CHECKING:
    from musicrel.chorale import Chorale
    from musicrel.generation.constraints.locks import Locks
    from musicrel.generation.request import GenerationRequest

_PART: Final = "as in soprano, 5-8, alto,tenor:5-8, first or last (chord)"
_NO_RULES: Final = "none"
_RULES: Final = ("range", "crossing", "parallels", "scale", "rests")
"""As ``musicrel.generation.constraints.rules`` has them, which would import more than arguments need."""
_CHANCE: Final = ("temperature", "top_k", "top_p", "seed", "rules", "patience", "cadence")
_FORM: Final = ("bars", "meter", "pickup", "key", "phrases", "tempo")
_CAUSAL: Final = (
    "A model that only looks back, such as relative or vanilla, does not know locked notes that "
    "lie ahead: it writes towards them blind. Ask for several --candidates then: they are ranked "
    "by how likely the model finds all that was written together with the locked notes after it."
)


def names(text: str) -> tuple[str, ...]:
    """``range,crossing`` as names; ``none`` as no name.

    Raises:
        UsageError: there is nothing between two commas, or at all.
    """
    parts = tuple(part.strip().lower() for part in text.split(","))
    if "" in parts:
        raise UsageError(
            f"{text!r} is no list of rules: expected some of {', '.join(_RULES)}, as in "
            f"{','.join(_RULES[:2])}, or {_NO_RULES} for no rule"
        )
    return () if parts == (_NO_RULES,) else parts


def numbers(text: str) -> dict[str, float]:
    """``nats=1,grade=0.01`` as numbers by name.

    Raises:
        UsageError: a part is no name and number.
    """
    pairs = [part.partition("=") for part in text.split(",")]
    try:
        return {name.strip().lower(): float(number) for name, _, number in pairs}
    except ValueError:
        raise UsageError(f"{text!r} is no list of weights as in nats=1,grade=0.01") from None


def add(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    given = parser.add_argument_group("what is given", _CAUSAL)
    given.add_argument(
        "--from",
        dest="original",
        type=Path,
        metavar="FILE",
        help="a piece to start from: its form is taken (not --bars, --meter, --pickup, --phrases, "
        "--tempo), and all but the part to be written is kept note for note",
    )
    given.add_argument(
        "--keep", action="append", default=[], metavar="PART", help=f"of --from, {_PART}"
    )
    given.add_argument(
        "--rewrite",
        action="append",
        default=[],
        metavar="PART",
        help="of --from: all else is kept; what --keep names is kept in any case",
    )
    given.add_argument(
        "--prompt",
        type=Path,
        metavar="FILE",
        help="a piece to go on from; its meter, pickup, tempo and key are taken, its fermatas not",
    )
    given.add_argument(
        "--lock",
        type=Path,
        metavar="FILE",
        help='single notes, as {"steps": T, "cells": [[step, voice, pitch], ...]}; voice 0 to 3, '
        "pitch -1 is a rest",
    )
    add_rules(given)


def add_rules(parser: argparse._ActionsContainer) -> None:
    """--rules, on all that write."""
    parser.add_argument(
        "--rules",
        type=checked(names),
        default=("range",),
        metavar="LIST",
        help=f"what may not be written, some of {','.join(_RULES)}, or none (default: range)",
    )


def chance(asked: argparse.Namespace) -> dict[str, Any]:
    """How notes are chosen, as fields of the request."""
    return {name: getattr(asked, name) for name in _CHANCE}


def request_of(asked: argparse.Namespace) -> tuple[GenerationRequest, Chorale | None]:
    """The request, and the piece it starts from.

    Raises:
        UsageError: the wishes contradict each other.
        FileError: a file cannot be read.
    """
    wishes = chance(asked)
    if asked.original:
        return _from_original(asked, wishes)
    if asked.keep or asked.rewrite:
        raise UsageError("--keep and --rewrite name parts of a piece: give it with --from FILE")
    wishes |= {name: getattr(asked, name) for name in _FORM}
    return _from_form(asked, wishes), None


def _from_original(
    asked: argparse.Namespace, wishes: dict[str, Any]
) -> tuple[GenerationRequest, Chorale]:
    from musicrel.generation.constraints import regions
    from musicrel.generation.constraints.locks import Locks
    from musicrel.generation.request import GenerationRequest

    if asked.prompt:
        raise UsageError("--from and --prompt are both a piece to start from: give one of them")
    if not asked.keep and not asked.rewrite:
        raise UsageError(f"--from needs to know what to write anew: give --rewrite PART, {_PART}")
    original = source_file.read(asked.original)
    locks = regions.locks_of(original, asked.keep, asked.rewrite)
    locks |= _locks(asked) or Locks(steps=original.steps)
    key = {"key": asked.key} if asked.key else {}
    return GenerationRequest.like(original, locks=locks, **key, **wishes), original


def _from_form(asked: argparse.Namespace, wishes: dict[str, Any]) -> GenerationRequest:
    from musicrel.generation.constraints.locks import Locks
    from musicrel.generation.request import GenerationRequest

    locks = _locks(asked)
    if not asked.prompt:
        return GenerationRequest(locks=locks, **wishes)
    prompt = source_file.read(asked.prompt)
    form = {"meter": prompt.meter, "pickup": prompt.pickup, "tempo": prompt.tempo}
    wishes |= {**form, "key": asked.key or prompt.key}
    steps = GenerationRequest(**wishes | {"rules": ()}).steps
    given = Locks.of_prompt(prompt, steps)
    return GenerationRequest(locks=given | locks if locks else given, **wishes)


def _locks(asked: argparse.Namespace) -> Locks | None:
    from musicrel.generation.constraints.locks import Locks

    return Locks.read(asked.lock) if asked.lock else None
