"""What a run begins with, where that is not chance: a finished model, or a run that comes first.

A recipe's ``begins`` names the folder of a model, or another recipe: then that one's run is made
first, within the folder of the run that is to begin with it.

This file knows names and folders; it knows nothing of training.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from musicrel.errors import ModelError, UsageError
from musicrel.experiment import recipe
from musicrel.experiment.recipe import Recipe
from musicrel.model.card import CARD

BASE: Final = "base"
"""The folder, within a run's own, of the run that comes first."""


def first(recipe_: Recipe) -> Recipe | None:
    """The recipe of the run that comes first; None where none does.

    Raises:
        ModelError: what it begins with is neither a model nor a recipe.
        UsageError: that recipe is not valid, or begins with something itself.
    """
    begins = recipe_.training.begins
    if not begins or _is_model(begins):
        return None
    file = recipe.find(begins)
    if file is None:
        raise ModelError(
            f"a run is to begin with {begins!r}, which is neither the folder of a model nor a "
            f"recipe: expected one of {recipe.names()}, a TOML file, or a folder with {CARD}"
        )
    found = recipe.load(begins)
    if found.training.begins:
        raise UsageError(
            f"recipe {recipe_.name!r} begins with recipe {found.name!r}, which begins with "
            f"{found.training.begins!r}: expected one that begins from chance"
        )
    return found


def model(recipe_: Recipe, run: Path) -> Path | None:
    """The folder of the model that the run in ``run`` begins with; None: it begins from chance."""
    begins = recipe_.training.begins
    if not begins:
        return None
    return Path(begins) if _is_model(begins) else run / BASE / "model"


def _is_model(begins: str) -> bool:
    return (Path(begins) / CARD).is_file()
