"""The tables of examinations and targets, and the page where they are stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from training.reports import Page, table

TARGETS: Final = "Targets"
"""Section of the measures that need no set."""


def areas(found: Mapping[str, Mapping[str, Any]]) -> str:
    """Return a table of the areas by writer."""
    names = list(next(iter(found.values()))["areas"])
    rows = [
        [writer, *map(_area, entry["areas"].values()), str(entry["others"]), str(entry["bach"])]
        for writer, entry in found.items()
    ]
    return table(["", *names, "samples", "Bach's"], rows)


def examinations(found: Mapping[str, Mapping[str, Any]]) -> str:
    """Return a table of the areas, then of the features that give each writer away."""
    parts = [areas(found)]
    for writer, entry in found.items():
        cells = [
            [one["name"], f"{one['weight']:.2f}", f"{one['other']:.3g}", f"{one['bach']:.3g}"]
            for one in entry["giveaways"]
        ]
        parts.append(table([f"gives {writer} away", "log-odds", "its mean", "Bach's"], cells))
    return "\n\n".join(parts)


def targets(found: Mapping[str, Mapping[str, Mapping[str, float]]]) -> str:
    """Return a table with a row for each target and a column for each writer.

    Stored writers may lack a target that was added later: their cell is empty.
    """
    names = dict.fromkeys(name for entry in found.values() for name in entry)
    rows = [
        [name, *(_target(entry[name]) if name in entry else "" for entry in found.values())]
        for name in names
    ]
    return table(["", *found], rows)


def section(which: str, split: str, crop: str, *, is_power: bool) -> str:
    """Return the title of the section of an examination."""
    part = "8-bar crops" if crop == "8" else "whole pieces"
    return f"{'Power of' if is_power else 'Set'} {which}, {split}, {part}"


def _area(found: Mapping[str, float]) -> str:
    value, low, high = (f"{found[x]:.2f}".removeprefix("0") for x in ("value", "low", "high"))
    return f"{value} ({low} to {high})"


def _target(found: Mapping[str, float]) -> str:
    return f"{found['value']:.2f} ({found['low']:.2f} to {found['high']:.2f})"


def _body(title: str, figures: Mapping[str, Any]) -> str:
    tables = {"Power": areas, "Set": examinations, TARGETS: targets}
    return tables[title.split(maxsplit=1)[0]](figures)


PAGE: Final = Page(
    "examination",
    "Examination",
    "Areas under the ROC curve of three classifiers that try to distinguish pieces from Bach's; "
    "0.5 is a guess. In brackets, here and beside the targets, the 95 % interval by bootstrap over "
    "tunes. Bach against Bach is the mean of five draws, with the least and the greatest in "
    "brackets. Areas of random divisions of Bach's own tunes have a standard deviation of .07, so "
    "differences below .05 to .07 mean nothing. Set G guides decisions, R only reports.",
    _body,
)
