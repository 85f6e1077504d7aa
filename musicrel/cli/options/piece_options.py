"""The options that fix notes of a new piece or forbid some: --from, --keep, --lock, --rules, ..."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from musicrel import bounds
from musicrel.cli.options import source_file
from musicrel.cli.options.arguments import checked
from musicrel.errors import UsageError
from musicrel.generation.constraints import voice_ranges
from musicrel.generation.constraints.rules import DEFAULT, HARD_RULES
from musicrel.generation.heads.mutes import Mutes

if TYPE_CHECKING:
    from musicrel.chorale import Chorale
    from musicrel.generation.constraints.locks import Locks
    from musicrel.generation.drawn_phrases import DrawnPhrases
    from musicrel.generation.request import GenerationRequest

_PART: Final = "as in soprano, 5-8, alto,tenor:5-8, first or last (chord)"
_NO_RULES: Final = "none"
_SAMPLING: Final = ("temperature", "top_k", "top_p", "seed", "rules", "quality", "cadence")
_FORM: Final = ("bars", "meter", "pickup", "key", "phrases", "tempo")
_CAUSAL: Final = (
    "A causal model, such as relative or vanilla, reads from left to right. At --quality normal "
    "and high it tries several ways at once to locked notes that lie ahead and keeps those that "
    "lead into them; at draft it does not see them. With --candidates, several results are ranked "
    "by the likelihood of all new notes together with the locked notes that follow them."
)


def names(text: str) -> tuple[str, ...]:
    """Parse ``range,crossing``; ``none`` gives no name."""
    parts = tuple(part.strip().lower() for part in text.split(","))
    if "" in parts:
        raise UsageError(
            f"{text!r} is not a list of rules: expected some of {', '.join(HARD_RULES)}, as in "
            f"{','.join(list(HARD_RULES)[:2])}, or {_NO_RULES} for no rule"
        )
    return () if parts == (_NO_RULES,) else parts


def numbers(text: str) -> dict[str, float]:
    """Parse ``nats=1,grade=0.01``."""
    pairs = [part.partition("=") for part in text.split(",")]
    try:
        return {name.strip().lower(): bounds.parse("weight", text) for name, _, text in pairs}
    except UsageError:
        raise UsageError(
            f"{text!r} is not a list of weights: expected e.g. nats=1,grade=0.01"
        ) from None


def add(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("fixed notes and rules", _CAUSAL)
    group.add_argument(
        "--from",
        dest="original",
        type=Path,
        metavar="FILE",
        help="a piece to rewrite: it gives the form (not --bars, --meter, --pickup, --phrases, "
        "--tempo), and all notes but those of the part to rewrite are kept",
    )
    group.add_argument(
        "--keep",
        action="append",
        default=[],
        metavar="PART",
        help=f"part of --from to keep, {_PART}; without --rewrite, everything else is rewritten",
    )
    group.add_argument(
        "--rewrite",
        action="append",
        default=[],
        metavar="PART",
        help="part of --from to rewrite; everything else is kept, and all parts that --keep names",
    )
    group.add_argument(
        "--prompt",
        type=Path,
        metavar="FILE",
        help="a piece to continue; it gives meter, pickup, tempo and key, but no fermatas",
    )
    group.add_argument(
        "--lock",
        type=Path,
        metavar="FILE",
        help='JSON file with fixed notes: {"steps": T, "cells": [[step, voice, pitch], ...]}; '
        "voice 0 (soprano) to 3 (bass), pitch -1 is a rest",
    )
    add_rules(group)
    add_ranges(group)


def add_rules(parser: argparse._ActionsContainer) -> None:
    """Add --rules, for all commands that write notes."""
    parser.add_argument(
        "--rules",
        type=checked(names),
        default=DEFAULT,
        metavar="LIST",
        help=f"rules that no new note may break, some of {','.join(HARD_RULES)}, or none "
        f"(default: {','.join(DEFAULT)})",
    )


def add_ranges(parser: argparse._ActionsContainer) -> None:
    """Add --ranges, for all commands that write notes."""
    parser.add_argument(
        "--ranges",
        default=voice_ranges.DEFAULT,
        metavar="LIST",
        help=f"ranges of the voices for the rule range: {', '.join(voice_ranges.PRESETS)}, or the "
        "lowest and highest MIDI number of S, A, T and B as in 60-81,55-74,48-69,40-64; those "
        f"with a name are widened by fixed notes beside new ones (default: {voice_ranges.DEFAULT})",
    )


def sampling_fields(options: argparse.Namespace) -> dict[str, Any]:
    """Return the options of sampling as fields of a ``GenerationRequest``."""
    mutes = Mutes.parse(options.mute, options.mute_by)
    return {name: getattr(options, name) for name in _SAMPLING} | {"mutes": mutes}


def drawn_phrases(options: argparse.Namespace) -> DrawnPhrases:
    from musicrel.generation.drawn_phrases import DrawnPhrases

    if options.original:
        return DrawnPhrases()
    drawn = DrawnPhrases(
        phrases=options.phrases is None, pickup=options.pickup is None and not options.prompt
    )
    drawn.check(options.cadence)
    return drawn


def to_request(options: argparse.Namespace) -> tuple[GenerationRequest, Chorale | None]:
    """Return the request without what is drawn, and the piece of --from."""
    from musicrel.generation import edit_requests

    sampling = sampling_fields(options)
    if options.original:
        request, original = _from_original(options, sampling)
        return edit_requests.with_ranges(request, options.ranges), original
    if options.keep or options.rewrite:
        raise UsageError("--keep and --rewrite name parts of a piece: give it with --from FILE")
    form = {name: getattr(options, name) for name in _FORM}
    form |= {"phrases": options.phrases or (), "pickup": options.pickup or 0}
    request = _from_form(options, form | sampling)
    return edit_requests.with_ranges(request, options.ranges), None


def _from_original(
    options: argparse.Namespace, fields: dict[str, Any]
) -> tuple[GenerationRequest, Chorale]:
    from musicrel.generation import edit_requests

    if options.prompt:
        raise UsageError("--from and --prompt both name a piece to start from: give one of them")
    if not options.keep and not options.rewrite:
        raise UsageError(
            f"--from is given without a part to rewrite: add --rewrite PART or --keep PART, {_PART}"
        )
    original = source_file.read(options.original)
    fields |= {"locks": _locks(options.lock)} | ({"key": options.key} if options.key else {})
    request = edit_requests.part_request(original, options.keep, options.rewrite, **fields)
    return request, original


def _from_form(options: argparse.Namespace, fields: dict[str, Any]) -> GenerationRequest:
    from musicrel.generation.constraints.locks import Locks
    from musicrel.generation.request import GenerationRequest

    locks = _locks(options.lock)
    if not options.prompt:
        return GenerationRequest(locks=locks, **fields)
    prompt = source_file.read(options.prompt)
    form = {"meter": prompt.meter, "pickup": prompt.pickup, "tempo": prompt.tempo}
    fields |= {**form, "key": options.key or prompt.key}
    steps = GenerationRequest(**fields | {"rules": ()}).steps
    fixed = Locks.of_prompt(prompt, steps)
    return GenerationRequest(locks=fixed | locks if locks else fixed, **fields)


def _locks(path: Path | None) -> Locks | None:
    from musicrel.generation.constraints.locks import Locks

    return Locks.read(path) if path else None
