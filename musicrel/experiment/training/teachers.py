"""Teachers of a distilled model: finished models whose mean prediction is a part of its targets.

A teacher of a recipe is the folder of a model or another recipe. The run of that recipe is then
made first, in a folder within that of the run.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from musicrel.errors import ModelError, UsageError
from musicrel.experiment.recipe import recipe
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.model import checkpoint
from musicrel.model.card import CARD, read_card
from musicrel.model.config import ModelConfig

TEACHER: Final = "teacher-{}"
"""Folder of a teacher's run, within that of a run; teachers are counted from 1."""


def recipes(recipe_: Recipe) -> dict[str, Recipe]:
    """Return the recipes of the teachers that are trained first, by the name of their folder.

    Raises:
        ModelError: a teacher is neither a model nor a recipe, or its model does not fit.
        UsageError: the recipe of a teacher is invalid or needs another run itself.
    """
    return {
        TEACHER.format(number): _recipe(recipe_, source)
        for number, source in enumerate(recipe_.training.teachers, 1)
        if not _is_model(source)
    }


def model_folders(recipe_: Recipe, run: Path) -> list[Path]:
    """Return the folders of the teachers' models for the run in ``run``."""
    return [
        Path(source) if _is_model(source) else run / TEACHER.format(number) / "model"
        for number, source in enumerate(recipe_.training.teachers, 1)
    ]


def sha256(folder: Path, config: ModelConfig) -> str:
    """Check that the model in ``folder`` can be a teacher; return the sha256 of its weights.

    Args:
        folder: folder of the teacher.
        config: config of the model that learns from it.

    Raises:
        ModelError: the teacher is missing or damaged, or reads or predicts other tokens.
    """
    _check(read_card(folder).config, config, str(folder))
    return checkpoint.weights_sha256(folder)


def _is_model(source: str) -> bool:
    return (Path(source) / CARD).is_file()


def _recipe(recipe_: Recipe, source: str) -> Recipe:
    if recipe.find(source) is None:
        raise ModelError(
            f"the teacher {source!r} is neither the folder of a model nor a recipe (searched from "
            f"{Path.cwd()}): expected one of {recipe.names()}, a TOML file, or a folder with {CARD}"
        )
    found = recipe.load(source)
    before = (found.training.init_from, *found.training.teachers)
    if any(before):
        raise UsageError(
            f"recipe {found.name!r}, a teacher of {recipe_.name!r}, itself needs the model "
            f"{next(filter(None, before))!r}: expected one that is trained by itself"
        )
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
