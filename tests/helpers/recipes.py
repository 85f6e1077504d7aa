"""Recipes that are learned in a second, and a control that stops.

This file knows recipes; it knows nothing of the data they name.
"""

from __future__ import annotations

from typing import Any

import pytest

from musicrel.experiment.data import bytes_data
from musicrel.experiment.objectives import objectives
from musicrel.experiment.recipe.recipe import DataPart, ModelPart, Recipe, TrainingPart
from musicrel.jobs import Wish


def tiny_recipe(source: str, scheme: str = "relative", **training: Any) -> Recipe:
    """Twelve steps of two windows of 32 tokens on a model of one layer; ``training`` overrides."""
    defaults = {
        "steps": 12, "batch": 2, "warmup_steps": 3, "evaluate_every": 4, "checkpoint_every": 3,
    }  # fmt: skip
    return Recipe(
        name="tiny",
        model=ModelPart(scheme=scheme, width=16, layers=1, heads=2, feedforward=32, dropout=0.2),
        data=DataPart(source=source, window=32),
        training=TrainingPart(**defaults | training),
    )


def few_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make byte data small: 40 sequences to learn from, of 8 to 40 bytes, tried at 40 and 60."""
    monkeypatch.setattr(bytes_data, "_SIZES", {"train": 40, "valid": 10, "test": 12})
    monkeypatch.setattr(bytes_data, "LONGEST", 40)
    long = {
        f"{prefix}{length}": (kind, length)
        for kind, prefix in (("honest", ""), ("single", "once in "))
        for length in (40, 60)
    }
    monkeypatch.setattr(objectives, "_LONG", long)


class StopAfter:
    """A control that wishes to stop once it was asked ``steps`` times."""

    def __init__(self, steps: int) -> None:
        self._left = steps

    def wish(self) -> Wish:
        """See ``musicrel.jobs.Control``."""
        self._left -= 1
        return "run" if self._left >= 0 else "stop"
