"""Estimates of a study's duration from finished runs of the same size on this machine.

Without such a run there is no estimate.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

from musicrel.errors import MusicrelError
from musicrel.experiment.recipe import recipe
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.study import study_folder
from musicrel.experiment.study.study import Study


@dataclass(frozen=True, slots=True, kw_only=True)
class Speed:
    recipe: Recipe
    parameters: int  # number of parameters of its model
    per_token: float  # seconds of training per token
    per_step: float  # seconds of training per step


_SAME_SIZE: Final = 0.1
"""Share of the parameters by which two models of one size differ at most."""
_MINUTE: Final = 60.0

Speeds: TypeAlias = Mapping[Path, Speed]


def known_speeds(folders: Iterable[Path], known: Speeds) -> dict[Path, Speed]:
    speeds = ((folder, known.get(folder) or _speed(folder)) for folder in _runs(folders))
    return {folder: speed for folder, speed in speeds if speed is not None}


def seconds(study: Study, speeds: Iterable[Speed]) -> float | None:
    candidates = list(speeds)
    shares = study.search.share * len(study.search.learning_rates) if study.search else 0.0
    total = 0.0
    for arm in study.arms:
        per_run = _run_seconds(arm.recipe, arm.parameters, candidates)
        if per_run is None:
            return None
        total += per_run * (len(study.seeds) + shares)
    return total


def _run_seconds(recipe_: Recipe, parameters: int, speeds: list[Speed]) -> float | None:
    training = recipe_.training
    if training.minutes:
        return training.minutes * _MINUTE
    similar = [
        speed
        for speed in speeds
        if _shape(speed.recipe) == _shape(recipe_)
        and abs(speed.parameters - parameters) <= _SAME_SIZE * parameters
    ]
    if not similar:
        return None
    newest = similar[-1]
    return training.tokens * newest.per_token + training.steps * newest.per_step


def _shape(recipe_: Recipe) -> tuple[Any, ...]:
    model, data = recipe_.model, recipe_.data
    options = sorted(model.options.items())
    shape = (model.scheme, options, model.width, model.layers, model.heads)
    return (*shape, data.window, recipe_.training.batch)


def _runs(folders: Iterable[Path]) -> Iterator[Path]:
    for folder in folders:
        if study_folder.kind_of(folder) == "run":
            yield folder
        else:
            yield from sorted((folder / "runs").glob("*"))


def _speed(folder: Path) -> Speed | None:
    try:
        result = RunFolder(folder).result()
        if result is None or not result.tokens or not result.step:
            return None
        recipe_ = recipe.parse(RunFolder(folder).recipe_toml(), "recipe.toml")
    except MusicrelError:
        return None
    return Speed(
        recipe=recipe_,
        parameters=result.parameters,
        per_token=result.seconds / result.tokens,
        per_step=result.seconds / result.step,
    )
