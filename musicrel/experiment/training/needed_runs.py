"""Recipes that need the models of other recipes: a chain of runs, in which none needs itself."""

from __future__ import annotations

from pathlib import Path

from musicrel.errors import ModelError, UsageError
from musicrel.experiment.recipe import recipe
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.model.card import CARD


def is_model(source: str) -> bool:
    """Return True if what a recipe begins with or learns from is the folder of a model."""
    return (Path(source) / CARD).is_file()


def check(recipe_: Recipe, above: tuple[str, ...] = ()) -> None:
    """Check the recipes that ``recipe_`` needs, and those that they need."""
    for source in filter(None, (recipe_.training.init_from, *recipe_.training.teachers)):
        if is_model(source):
            continue
        if source in above:
            raise UsageError(
                f"recipe {source!r} needs its own model, by way of "
                f"{', '.join(map(repr, above[above.index(source) + 1 :])) or 'no other recipe'}: "
                "expected recipes of which one can be trained first"
            )
        if recipe.find(source) is None:
            raise ModelError(
                f"recipe {recipe_.name!r} needs {source!r}, which is neither the folder of a model "
                f"nor a recipe (searched from {Path.cwd()}): expected one of {recipe.names()}, a "
                f"TOML file, or a folder with {CARD}"
            )
        check(recipe.load(source), (*above, source))
