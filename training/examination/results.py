"""The stored results of examinations: ``training/results/examination.json`` and its tables."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from musicrel import paths
from training.examination import report

FOLDER: Final = Path(__file__).parents[1] / "results"
_NAME: Final = "examination"
_TARGETS: Final = "Targets"
_TABLES: Final = MappingProxyType(
    {"Power": report.areas, "Set": report.examinations, _TARGETS: report.targets}
)
"""First word of a section -> its table of figures by writer."""
_HEAD: Final = (
    "Areas under the ROC curve of three classifiers that try to distinguish pieces from Bach's; "
    "0.5 is a guess. In brackets, here and beside the targets, the 95 % interval by bootstrap over "
    "tunes. Bach against Bach is the mean of five draws, with the least and the greatest in "
    "brackets. Areas of random divisions of Bach's own tunes have a standard deviation of .07, so "
    "differences below .05 to .07 mean nothing. Set G guides decisions, R only reports."
)


def store(section: str, command: str, found: Mapping[str, Any], folder: Path = FOLDER) -> None:
    """Add figures to the stored ones; those of the same writer in the same section are replaced.

    Args:
        section: title of their table.
        command: the command that measured them.
        found: figures by writer.
        folder: where the two files are.
    """
    stored = add(folder / f"{_NAME}.json", section, command, found)
    paths.write_text(folder / f"{_NAME}.md", markdown(stored))


def add(file: Path, section: str, command: str, found: Mapping[str, Any]) -> dict[str, Any]:
    """Add figures to a section of a file, by writer with their command; return all it holds."""
    stored: dict[str, Any] = json.loads(file.read_text("utf-8")) if file.exists() else {}
    entries = stored.setdefault(section, {})
    for writer, figures in found.items():
        entries[writer] = {"command": command, "figures": figures}
    paths.write_text(file, json.dumps(stored, indent=1) + "\n")
    return stored


def section(which: str, split: str, crop: str, *, is_power: bool) -> str:
    """Return the title of the section of an examination."""
    part = "8-bar crops" if crop == "8" else "whole pieces"
    return f"{'Power of' if is_power else 'Set'} {which}, {split}, {part}"


def markdown(stored: Mapping[str, Any]) -> str:
    """Return all stored figures as Markdown, a section after the other."""
    parts = ["# Examination", _HEAD]
    for title, entries in stored.items():
        figures = {writer: entry["figures"] for writer, entry in entries.items()}
        commands = dict.fromkeys(entry["command"] for entry in entries.values())
        body = _TABLES[title.split()[0]](figures)
        parts += [f"## {title}", "\n".join(f"    {c}" for c in commands), body]
    return "\n\n".join(parts) + "\n"


def store_targets(command: str, found: Mapping[str, Any], folder: Path = FOLDER) -> None:
    """Add rows of targets to the stored ones."""
    store(_TARGETS, command, found, folder)
