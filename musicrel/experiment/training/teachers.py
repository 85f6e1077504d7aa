"""Teachers of a distilled model: finished models whose mean prediction is a part of its targets.

A teacher of a recipe is the folder of a model or another recipe. The run of that recipe is then
made first, in a folder within that of the run.

Dimensions: B batch, T tokens, V vocabulary.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import torch
from torch import Tensor

from musicrel.errors import ModelError, UsageError
from musicrel.experiment.data.dataset import Batch
from musicrel.experiment.objectives.losses import batch_logits
from musicrel.experiment.recipe import recipe
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.experiment.training.tile_kernel import use_tile_kernel
from musicrel.model import checkpoint
from musicrel.model.card import CARD
from musicrel.model.config import ModelConfig
from musicrel.model.families.transformer import Transformer

TEACHER: Final = "teacher-{}"
"""Folder of a teacher's run, within that of a run; teachers are counted from 1."""


class Teachers:
    """An ensemble of frozen models.

    Args:
        folders: folders of the models.
        config: config of the model that learns from them.
        device: device of the training.
        mixed: whether to read in bfloat16.

    Attributes:
        sha256: sha256 of the weights of each.

    Raises:
        ModelError: a model is missing or damaged, or reads or predicts other tokens.
    """

    def __init__(
        self, folders: Sequence[Path], config: ModelConfig, device: torch.device, *, mixed: bool
    ) -> None:
        self._device, self._mixed = device, mixed
        self._models = [_load(folder, config, device) for folder in folders]
        self.sha256 = tuple(map(checkpoint.weights_sha256, folders))

    def __bool__(self) -> bool:
        """Return whether there is any teacher."""
        return bool(self._models)

    @torch.no_grad()
    def probabilities(self, batch: Batch) -> Tensor:
        """Return the mean of the teachers' predictions, float32 (B, T, V)."""
        with torch.autocast(self._device.type, torch.bfloat16, enabled=self._mixed):
            logits = [batch_logits(model, batch) for model in self._models]
        return torch.stack([each.float().softmax(-1) for each in logits]).mean(0)


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


def _load(folder: Path, config: ModelConfig, device: torch.device) -> Transformer:
    loaded = checkpoint.load(folder, str(device))
    _check(loaded.card.config, config, str(folder))
    use_tile_kernel(loaded.model)
    return loaded.model.requires_grad_(False).eval()


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
