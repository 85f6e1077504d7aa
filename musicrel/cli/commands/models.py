"""``musicrel models``: list the available models, or print the card of one."""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection
from pathlib import Path
from typing import Any, Final

from musicrel.cli import output
from musicrel.cli.options import arguments
from musicrel.errors import MusicrelError
from musicrel.experiment.study.measures import MEASURES
from musicrel.model import catalogue
from musicrel.model.card import read_card
from musicrel.presentation.compose import model_card

_INFILL_NOTICE: Final = (
    "family infill: nats per hidden note, each predicted by itself; not comparable with the losses "
    "of other families"
)
_COLUMNS: Final = {
    "name": "name",
    "scheme": "scheme",
    "family": "family",
    "tokens": "tokens",
    "parameters": "parameters",
    "valid_nats_per_note": "validation",
    "test_nats_per_note": "test",
}
"""Keys of an entry, and titles of their columns."""
_USUAL_UNIT: Final = "nats/note"


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "name", nargs="?", help="print the card of the model of this name or folder"
    )
    arguments.add_json(parser)


def run(options: argparse.Namespace) -> int:
    """List the models or print a card; return the exit code."""
    if options.name is None:
        _print_list(as_json=options.json)
        return 0
    card = read_card(catalogue.find(options.name))
    if options.json:
        output.print_json(json.loads(card.to_json()))
    else:
        output.print_text(model_card.to_markdown(card, options.name))
    return 0


def _print_list(*, as_json: bool) -> None:
    """Print all models; those that cannot be read are named on standard error."""
    entries = []
    for folder in catalogue.model_directories():
        try:
            entries.append(_entry(folder))
        except MusicrelError as reason:
            output.print_message(f"skipped: {reason}")
    if as_json:
        output.print_json({"models": entries})
        return
    rows = [[_cell(entry[key]) for key in _COLUMNS] for entry in entries]
    output.print_text(output.table(list(_COLUMNS.values()), rows))
    for notice in _notices({entry["family"] for entry in entries}):
        output.print_text(notice)


def _notices(families: Collection[str]) -> list[str]:
    """Return the units of the losses of ``families`` that are not the usual one."""
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
