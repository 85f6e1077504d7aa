"""A finished training run, and a recipe with teachers."""

from __future__ import annotations

from pathlib import Path

import pytest

from musicrel.experiment.recipe.recipe import Recipe
from tests.helpers.recipes import teacher, tiny_recipe
from tests.helpers.runs import run


@pytest.fixture
def whole(source: str, tmp_path: Path) -> Path:
    run(tiny_recipe(source), tmp_path / "whole")
    return tmp_path / "whole"


@pytest.fixture
def student(source: str, tmp_path: Path) -> Recipe:
    recipe = tiny_recipe(source)
    recipe = recipe.changed(model={"dropout": 0.0})
    folders = (
        teacher(recipe, tmp_path / "one", 5),
        teacher(recipe, tmp_path / "two", 6, width=24, scheme="sinusoidal"),
    )
    named = tuple(map(str, folders))
    return recipe.changed(training={"teachers": named, "distil": 0.7})
