"""Names that files and commands of version 1 use, and their names today: the one table of them.

Files written by version 1 stay readable. Recipes and events are written with today's names, other
files with those of version 1, except where this module gives a new one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

QUALITIES: Final[Mapping[str, str]] = {"careful": "high"}
"""Values of ``quality`` (version 1: ``patience``)."""

PROVENANCE_KEYS: Final[Mapping[str, str]] = {"patience": "quality"}
"""Keys of a piece's provenance settings and of the app's settings, and their keys today."""

RECIPE_KEYS: Final[Mapping[str, str]] = {
    "begins": "init_from", "weighed": "calibration_rounds", "unhinted": "hint_dropout",
}  # fmt: skip
"""Keys of a recipe's tables, in TOML and in model cards of version 1, and these keys today."""

EVENTS: Final[Mapping[str, str]] = {
    "TrainWriting": "TrainCalibrating", "TrainWeighed": "TrainCalibrated",
}  # fmt: skip
"""Values of ``event`` in events.jsonl of version 1, and the classes they are read into."""

_RULE_TABLES: Final[Mapping[str, str]] = {
    "led_MS": "voice_leading_MS", "pace_WG": "rhythm_WG", "home_HD": "cadence_HD",
}  # fmt: skip
EVENT_KEYS: Final[Mapping[str, str]] = {"astray": "divergence", **_RULE_TABLES}
"""Keys of events in events.jsonl of version 1 and of mappings in them, and these keys today."""

RESULT_KEYS: Final[Mapping[str, str]] = {"things": "observations", "says": "description"}
"""Keys of results.json, and the attributes they are written from."""

TABLE_TITLES: Final[Mapping[str, str]] = {
    "Share right": "Accuracy", "Share right, by kind": "Accuracy by source",
}  # fmt: skip
"""Beginnings of column names in results.csv, and the titles they are written from."""

PROBE_KEYS: Final[Mapping[str, str]] = {"says": "finding"}
"""Keys of ``musicrel diagnose --json``, and the attributes they are written from."""

TENSOR_PARTS: Final[Mapping[str, str]] = {
    "say": "project",
    "tell": "project_given",
    "hear": "embed_context",
    "move": "motion_biases",
    "chord": "chord_biases",
    "across": "cross_attention",
    **_RULE_TABLES,
}
"""Parts between the dots of the names of tensors in files of weights, and these parts today."""


def translate(values: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return ``values`` in their order, with keys replaced, also within mappings."""
    return {
        names.get(key, key): translate(value, names) if isinstance(value, Mapping) else value
        for key, value in values.items()
    }


def quality(name: str) -> str:
    """Return today's name of a quality level, in lower case."""
    return QUALITIES.get(name.lower(), name.lower())


def inverse(names: Mapping[str, str]) -> dict[str, str]:
    """Return the table that translates back."""
    return {today: stored for stored, today in names.items()}


def tensor_name(stored: str) -> str:
    """Return today's name of a tensor, for example ``intervals.project.weight``."""
    return ".".join(TENSOR_PARTS.get(part, part) for part in stored.split("."))
