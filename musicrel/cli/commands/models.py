"""``musicrel models``: what models are at hand, and the card of one.

This file knows how cards are shown; what they say stands in ``musicrel.model.card``.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection
from pathlib import Path
from typing import Any, Final

from musicrel.cli import output
from musicrel.cli.options import arguments
from musicrel.errors import MusicrelError

_OF_HIDDEN: Final = (
    "family infill: nats a hidden note, each by itself; not to be compared with those of the others"
)


_USUAL: Final = "nats/note"


def add(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("name", nargs="?", help="show the card of this model, or of this folder")
    arguments.add_json(parser)


def run(asked: argparse.Namespace) -> int:
    """List the models; the exit code."""
    from musicrel.model import catalogue

    if asked.name is not None:
        return _show_card(asked.name, as_json=asked.json)
    entries = []
    for folder in catalogue.folders():
        try:
            entries.append(_entry(folder))
        except MusicrelError as reason:
            output.note(f"left out: {reason}")
    if asked.json:
        output.say_json({"models": entries})
        return 0
    head = ("name", "scheme", "family", "tokens", "parameters", "valid", "test")
    keys = (*head[:5], "valid_nats_per_note", "test_nats_per_note")
    output.say(output.table(head, [[_shown(entry[key]) for key in keys] for entry in entries]))
    for note in _notes({entry["family"] for entry in entries}):
        output.say(note)
    return 0


def _show_card(name: str, *, as_json: bool) -> int:
    """Print the card of one model; the exit code."""
    from musicrel.model import catalogue
    from musicrel.model.card import read_card
    from musicrel.presentation.compose import model_card

    folder = catalogue.find(name)
    card = read_card(folder)
    if as_json:
        output.say_json(json.loads(card.to_json()))
    else:
        output.say(model_card.words(card, name))
    return 0


def _notes(families: Collection[str]) -> list[str]:
    """What has to be known of the losses of some families."""
    from musicrel.experiment.study.measures import MEASURES

    hidden = [_OF_HIDDEN] if "infill" in families else []
    units = {family: MEASURES[family].unit for family in MEASURES if family in families}
    others = [f"family {family}: {unit}" for family, unit in units.items() if unit != _USUAL]
    return [*hidden, *others]


def _entry(folder: Path) -> dict[str, Any]:
    from musicrel.model.card import read_card
    from musicrel.model.checkpoint import weights_sha256

    card = read_card(folder)
    return {
        "name": folder.name,
        "scheme": card.config.scheme,
        "family": card.config.family,
        "parameters": card.parameters,
        "tokens": card.vocabulary["name"],
        "conditions": list(card.config.conditions),
        "valid_nats_per_note": card.valid_nats_per_note,
        "test_nats_per_note": card.test_nats_per_note,
        "sha256": weights_sha256(folder),
    }


def _shown(value: object) -> object:
    return f"{value:.4f}" if isinstance(value, float) else value
