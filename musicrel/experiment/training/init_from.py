"""What a run begins with, where that is not chance: a finished model, or a run that comes first.

A recipe's ``begins`` names the folder of a model, or another recipe: then that one's run is made
first, within the folder of the run that is to begin with it.

This file knows names and folders; it knows nothing of training.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from musicrel.errors import ModelError, UsageError
from musicrel.experiment.recipe import recipe
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.model.card import CARD
from musicrel.model.config import ModelConfig

BASE: Final = "base"
"""The folder, within a run's own, of the run that comes first."""
_MAY_DIFFER: Final = ("counterpoint", "dropout", "attention_dropout", "position_dropout")
"""In what a model may differ from the one it begins with."""


def first(recipe_: Recipe) -> Recipe | None:
    """The recipe of the run that comes first; None where none does.

    Raises:
        ModelError: what it begins with is neither a model nor a recipe, or is of another model.
        UsageError: that recipe is not valid, or begins with something itself.
    """
    begins = recipe_.training.begins
    if not begins or _is_model(begins):
        return None
    if recipe.find(begins) is None:
        raise ModelError(
            f"a run is to begin with {begins!r}, which is neither the folder of a model nor a "
            f"recipe, looked for from {Path.cwd()}: expected one of {recipe.names()}, a TOML file, "
            f"or a folder with {CARD}"
        )
    found = recipe.load(begins)
    if found.training.begins:
        raise UsageError(
            f"recipe {recipe_.name!r} begins with recipe {found.name!r}, which begins with "
            f"{found.training.begins!r}: expected one that begins from chance"
        )
    check_fits(found.config(), recipe_.config(), f"recipe {found.name!r}")
    return found


def check_fits(before: ModelConfig, now: ModelConfig, where: str) -> None:
    """See that a model can begin as the one before and has something to learn.

    Args:
        before: of the one it begins with.
        now: of itself.
        where: what the one before is of, for the message.

    Raises:
        ModelError: the one before is of another shape, or lacks nothing.
    """
    known, own = before.to_json(), now.to_json()
    differing = [name for name in own if name not in _MAY_DIFFER and known[name] != own[name]]
    why = ""
    if differing:
        why = f"its {differing[0]} is {known[differing[0]]!r} and not {own[differing[0]]!r}"
    elif before.counterpoint or not now.counterpoint:
        why = "it has all of that already"
    if why:
        raise ModelError(
            f"a run cannot begin with the model of {where} and learn what it lacks: {why}; "
            "expected a model of the same recipe that lacks a part of it"
        )


def model(recipe_: Recipe, run: Path) -> Path | None:
    """The folder of the model that the run in ``run`` begins with; None: it begins from chance."""
    begins = recipe_.training.begins
    if not begins:
        return None
    return Path(begins) if _is_model(begins) else run / BASE / "model"


def _is_model(begins: str) -> bool:
    return (Path(begins) / CARD).is_file()
