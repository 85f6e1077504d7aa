"""Initialisation of a run from a finished model or from a base run.

``begins`` of a recipe names the folder of a model or another recipe. The run of that recipe is then
made first, in a folder within that of the run.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from musicrel.errors import ModelError
from musicrel.experiment.recipe import recipe
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.experiment.training import needed_runs
from musicrel.model.config import ModelConfig

BASE: Final = "base"
"""Folder of the base run, within that of a run."""
_MAY_DIFFER: Final = (
    "counterpoint", "lines", "dropout", "attention_dropout", "position_dropout"
)  # fmt: skip
"""Config values in which a model may differ from the one it is initialised from."""


def base_recipe(recipe_: Recipe) -> Recipe | None:
    """Return the recipe of the base run, which is in ``needed_runs``; None if there is none."""
    source = recipe_.training.init_from
    if not source or needed_runs.is_model(source):
        return None
    found = recipe.load(source)
    distilled = bool(recipe_.training.teachers)
    check_compatible(
        found.config(), recipe_.config(), f"recipe {found.name!r}", distilled=distilled
    )
    return found


def check_compatible(
    before: ModelConfig, now: ModelConfig, where: str, *, distilled: bool = False
) -> None:
    """Check that a model can be initialised from another one and has something to train."""
    known, own = before.to_json(), now.to_json()
    differing = [name for name in own if name not in _MAY_DIFFER and known[name] != own[name]]
    reason = ""
    if differing:
        reason = f"its {differing[0]} is {known[differing[0]]!r} and not {own[differing[0]]!r}"
    elif adds_nothing(before, now) and not (distilled and _has_same_parts(before, now)):
        reason = "it has all parts already"
    if reason:
        raise ModelError(
            f"a run cannot be initialised from the model of {where}: {reason}; expected a "
            "model of the same recipe without counterpoint tables"
        )


def adds_nothing(before: ModelConfig, now: ModelConfig) -> bool:
    """Return whether a model has no part that the model it is initialised from lacks."""
    return bool(before.counterpoint) or not now.counterpoint


def _has_same_parts(before: ModelConfig, now: ModelConfig) -> bool:
    return (before.counterpoint, before.lines) == (now.counterpoint, now.lines)


def model_folder(recipe_: Recipe, run: Path) -> Path | None:
    """Return the folder of the model that the run in ``run`` is initialised from; None: random."""
    source = recipe_.training.init_from
    if not source:
        return None
    return Path(source) if needed_runs.is_model(source) else run / BASE / "model"
