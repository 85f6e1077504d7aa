"""``musicrel models``: list the available models, or print the card of one."""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection
from pathlib import Path
from typing import Any, Final

from musicrel.cli import output
from musicrel.cli.options import arguments
from musicrel.cli.options.arguments import argument
from musicrel.errors import MusicrelError
from musicrel.experiment.study.measures import MEASURES
from musicrel.model import catalogue
from musicrel.model.card import read_card
from musicrel.presentation.compose import model_card

_INFILL_NOTICE: Final = (
    "family infill: nats per hidden note, each predicted by itself; not comparable with the losses "
    "of other families"
)
# Keys of an entry, and titles of their columns.
_COLUMNS: Final = {
    "name": "name",
    "scheme": "scheme",
    "family": "family",
    "tokens": "tokens",
    "parameters": "parameters",
    "valid_nats_per_note": "validation",
    "test_nats_per_note": "test",
}
_USUAL_UNIT: Final = "nats/note"


def add(parser: argparse.ArgumentParser) -> None:
    name = argument("name", "print the card of the model of this name or folder", nargs="?")
    arguments.add(parser, (name, arguments.JSON))


def run(options: argparse.Namespace) -> int:
    if options.name is None:
        _print_list(as_json=options.json)
        return 0
    card = read_card(catalogue.find(options.name))
    text = model_card.to_markdown(card, options.name)
    output.print_result(json.loads(card.to_json()), text, as_json=options.json)
    return 0


def _print_list(*, as_json: bool) -> None:
    entries = []
    for folder in catalogue.model_directories():
        try:
            entries.append(_entry(folder))
        except MusicrelError as reason:
            output.print_message(f"skipped: {reason}")
    rows = [[_cell(entry[key]) for key in _COLUMNS] for entry in entries]
    notices = _notices({entry["family"] for entry in entries})
    text = "\n".join([output.table(list(_COLUMNS.values()), rows), *notices])
    output.print_result({"models": entries}, text, as_json=as_json)


def _notices(families: Collection[str]) -> list[str]:
    infill = [_INFILL_NOTICE] if "infill" in families else []
    units = {family: MEASURES[family].unit for family in MEASURES if family in families}
    others = [f"family {family}: {unit}" for family, unit in units.items() if unit != _USUAL_UNIT]
    return [*infill, *others]


def _entry(folder: Path) -> dict[str, Any]:
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


def _cell(value: object) -> object:
    return f"{value:.4f}" if isinstance(value, float) else value
