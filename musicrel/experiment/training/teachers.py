"""Teachers of a distilled model: finished models whose mean prediction is a part of its targets.

A teacher of a recipe is the folder of a model or another recipe. The run of that recipe is then
made first, in a folder within that of the run.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from musicrel.errors import ModelError
from musicrel.experiment.recipe import recipe
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.experiment.training import needed_runs
from musicrel.model import checkpoint
from musicrel.model.card import read_card
from musicrel.model.config import ModelConfig

TEACHER: Final = "teacher-{}"
"""Folder of a teacher's run, within that of a run; teachers are counted from 1."""


def recipes(recipe_: Recipe) -> dict[str, Recipe]:
    """Return the recipes of the teachers that are trained first, by the name of their folder.

    They are in ``needed_runs``.
    """
    return {
        TEACHER.format(number): _recipe(recipe_, source)
        for number, source in enumerate(recipe_.training.teachers, 1)
        if not needed_runs.is_model(source)
    }


def model_folders(recipe_: Recipe, run: Path) -> list[Path]:
    return [
        Path(source) if needed_runs.is_model(source) else run / TEACHER.format(number) / "model"
        for number, source in enumerate(recipe_.training.teachers, 1)
    ]


def sha256(folder: Path, config: ModelConfig) -> str:
    """Check that the model in ``folder`` can be a teacher; return the sha256 of its weights."""
    _check(read_card(folder).config, config, str(folder))
    return checkpoint.weights_sha256(folder)


def _recipe(recipe_: Recipe, source: str) -> Recipe:
    found = recipe.load(source)
    _check(found.config(), recipe_.config(), f"recipe {found.name!r}")
    return found


def _check(teacher: ModelConfig, student: ModelConfig, where: str) -> None:
    """Check that both read and predict the same tokens, with conditions in the same columns."""
    for what, found, expected in (
        ("its family", teacher.family, student.family),
        ("its number of tokens", teacher.tokens, student.tokens),
        ("the list of its conditions", [*teacher.conditions.items()],
         [*student.conditions.items()]),
    ):  # fmt: skip
        if found != expected:
            raise ModelError(
                f"the model of {where} cannot be a teacher: {what} is {_words(found)}, expected "
                f"{_words(expected)} as in the model that learns"
            )


def _words(value: object) -> str:
    """Return a value of a config in words; of conditions the names."""
    return ", ".join(name for name, _ in value) if isinstance(value, list) else repr(value)
