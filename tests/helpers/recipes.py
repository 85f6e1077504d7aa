"""Recipes that train in a second, untrained teachers, and a control that stops."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from musicrel.experiment.data import bytes_data
from musicrel.experiment.objectives import objectives
from musicrel.experiment.recipe.recipe import DataPart, ModelPart, Recipe, TrainingPart
from musicrel.experiment.training.learner import Learner
from musicrel.jobs import RunCommand
from musicrel.model import checkpoint
from tests.helpers.models import tiny_card


def tiny_recipe(source: str, scheme: str = "relative", **training: Any) -> Recipe:
    """Return a recipe of twelve steps of two windows of 32 tokens, on one layer."""
    defaults = {
        "steps": 12, "batch": 2, "warmup_steps": 3, "evaluate_every": 4, "checkpoint_every": 3,
    }  # fmt: skip
    return Recipe(
        name="tiny",
        model=ModelPart(scheme=scheme, width=16, layers=1, heads=2, feedforward=32, dropout=0.2),
        data=DataPart(source=source, window=32),
        training=TrainingPart(**defaults | training),
    )


def teacher(recipe: Recipe, folder: Path, seed: int, **model: Any) -> Path:
    """Save an untrained model with large weights, so that its predictions differ from others'."""
    plan = recipe.changed(model={**model})
    plan = plan.changed(training={"seed": seed, "teachers": (), "distil": 0.0})
    network = Learner(plan, torch.device("cpu")).model
    with torch.no_grad():
        network.head.weight.mul_(20)
    checkpoint.save(folder, network, tiny_card(network))
    return folder


def few_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make byte data small: 40 training sequences of 8 to 40 bytes, evaluated at 40 and 60."""
    monkeypatch.setattr(bytes_data, "_SIZES", {"train": 40, "valid": 10, "test": 12})
    monkeypatch.setattr(bytes_data, "MAX_LENGTH", 40)
    long = {
        f"{prefix}{length}": (kind, length)
        for kind, prefix in (("honest", ""), ("single", "once in "))
        for length in (40, 60)
    }
    monkeypatch.setattr(objectives, "_LENGTH_SPLITS", long)


class StopAfter:
    def __init__(self, steps: int) -> None:
        self._left = steps

    def __call__(self) -> RunCommand:
        self._left -= 1
        return "run" if self._left >= 0 else "stop"
