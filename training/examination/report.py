"""The figures of examinations and targets as plain data and as Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from training.examination.estimate import Estimate

if TYPE_CHECKING:  # it imports scikit-learn, which folk tunes can do without
    from training.examination.examination import Examination


def figures(found: Examination) -> dict[str, Any]:
    """Return an examination as plain data."""
    return asdict(found)


def areas(found: Mapping[str, Mapping[str, Any]]) -> str:
    """Return a table of the areas by writer."""
    names = list(next(iter(found.values()))["areas"])
    rows = [[writer, *_cells(entry)] for writer, entry in found.items()]
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


def plain(row: Mapping[str, Estimate]) -> dict[str, Any]:
    """Return a row of targets as plain data."""
    return {name: asdict(value) for name, value in row.items()}


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


def table(head: list[str], rows: list[list[str]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def _cells(entry: Mapping[str, Any]) -> list[str]:
    areas = [_area(Estimate(**area)) for area in entry["areas"].values()]
    return [*areas, str(entry["others"]), str(entry["bach"])]


def _area(found: Estimate) -> str:
    """Return an area as in ".85 (.80 to .89)"."""
    value, low, high = (f"{x:.2f}".removeprefix("0") for x in (found.value, found.low, found.high))
    return f"{value} ({low} to {high})"


def _target(found: Mapping[str, float]) -> str:
    """Return a figure as in "67.78 (65.90 to 69.61)"."""
    return f"{found['value']:.2f} ({found['low']:.2f} to {found['high']:.2f})"
